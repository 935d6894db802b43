//! The queue of a sweep's jobs, which are whole runs, and their leases. Every grant of a job has a new
//! generation (a fencing token), and only the newest counts: a machine that wakes up late cannot write over
//! what another has done since.

use std::time::Duration;

use learnery_lab::fleet::{JobId, Version};
use serde::{Deserialize, Serialize};

use crate::status::JobCounts;

/// Who computes a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Lease {
    actor: String,
    /// The version (hash) of the order that the actor starts from, as hexadecimal digits.
    version: String,
    /// When the lease runs out, since the host was started. `None` once it has: then the job is open, but the
    /// actor keeps it if it shows a sign of life before anybody else gets the job.
    until: Option<Duration>,
}

/// A run of the sweep.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Job {
    /// The generation of the newest lease.
    generation: u64,
    lease: Option<Lease>,
    #[serde(skip)]
    is_done: bool,
    /// Completed units (training iterations) in the run's newest checkpoint.
    #[serde(skip)]
    units: u64,
}

/// What is done with a delivered checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The checkpoint is newer than the saved one, and is saved.
    New,
    /// The checkpoint is not newer than the saved one.
    Known,
    /// The job is leased to another actor by now, or complete.
    Stale,
}

/// All jobs of a sweep.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Queue {
    jobs: Vec<Job>,
}

fn hex_digits(version: Version) -> String {
    version.0.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Queue {
    /// Jobs that nobody has had yet.
    pub fn new(jobs: usize) -> Self {
        Self { jobs: vec![Job::default(); jobs] }
    }

    /// Goes on with the leases of an earlier host of the same jobs, which last until `until`.
    pub fn restore(mut self, until: Duration) -> Self {
        let leases = self.jobs.iter_mut().filter_map(|job| job.lease.as_mut());
        // A lease that had run out stays so.
        leases.for_each(|lease| lease.until = lease.until.map(|_| until));
        self
    }

    /// A queue of other jobs. All leases of this queue are stale in it, because its generations go on from
    /// the highest of this queue.
    pub fn renewed(&self, jobs: usize) -> Self {
        let generation = self.jobs.iter().map(|job| job.generation).max().unwrap_or(0);
        Self { jobs: vec![Job { generation, ..Job::default() }; jobs] }
    }

    /// Sets how far a job is: the units of its newest checkpoint, and whether the run is complete.
    pub fn set_progress(&mut self, index: u32, units: u64, is_done: bool) {
        if let Some(job) = self.jobs.get_mut(index as usize) {
            (job.units, job.is_done) = (units, is_done);
        }
    }

    /// Units in the newest checkpoint of a job; 0 if there is none.
    pub fn units(&self, index: u32) -> u64 {
        self.jobs.get(index as usize).map_or(0, |job| job.units)
    }

    /// Opens a complete job again, because its run has a later end now. The new generation makes the leases
    /// before it stale.
    pub fn reopen(&mut self, index: u32) {
        if let Some(job) = self.jobs.get_mut(index as usize) {
            job.is_done = false;
            job.lease = None;
            job.generation += 1;
        }
    }

    /// The job for an idle actor: the one that is leased to it, or else the first without a lease.
    pub fn next(&self, actor: &str) -> Option<u32> {
        let find = |is_wanted: &dyn Fn(&Job) -> bool| {
            self.jobs.iter().position(|job| !job.is_done && is_wanted(job)).map(|index| index as u32)
        };
        let live_lease = |job: &Job| job.lease.clone().filter(|lease| lease.until.is_some());
        find(&|job| live_lease(job).is_some_and(|lease| lease.actor == actor))
            .or_else(|| find(&|job| live_lease(job).is_none()))
    }

    /// Grants a job, and names it. If the actor has the newest lease of the job and would start from the same
    /// order, the name stays the same.
    pub fn grant(&mut self, index: u32, actor: &str, version: Version, until: Duration) -> JobId {
        self.release_all(actor);
        let job = &mut self.jobs[index as usize];
        let version_digits = hex_digits(version);
        let is_same = |lease: &Lease| (&lease.actor[..], &lease.version) == (actor, &version_digits);
        match job.lease.as_mut().filter(|lease| is_same(lease)) {
            Some(lease) => lease.until = Some(until),
            None => {
                job.generation += 1;
                job.lease = Some(Lease { actor: actor.into(), version: version_digits, until: Some(until) });
            }
        }
        JobId { unit: job.generation, index, version }
    }

    /// The job of this name, if its lease is the newest.
    fn current(&mut self, actor: &str, id: &JobId) -> Option<&mut Job> {
        let job = self.jobs.get_mut(id.index as usize)?;
        let lease = job.lease.as_ref()?;
        let is_current = !job.is_done
            && job.generation == id.unit
            && lease.actor == actor
            && lease.version == hex_digits(id.version);
        is_current.then_some(job)
    }

    /// Whether an actor has the newest lease of a job.
    pub fn is_current(&mut self, actor: &str, id: &JobId) -> bool {
        self.current(actor, id).is_some()
    }

    /// Extends a lease. Returns false if it is not the newest.
    pub fn extend(&mut self, actor: &str, id: &JobId, until: Duration) -> bool {
        let lease = self.current(actor, id).and_then(|job| job.lease.as_mut());
        lease.map(|lease| lease.until = Some(until)).is_some()
    }

    /// What to do with a checkpoint that was taken after `units` units.
    pub fn judge(&mut self, actor: &str, id: &JobId, units: u64) -> Verdict {
        match self.current(actor, id) {
            None => Verdict::Stale,
            Some(job) if units <= job.units => Verdict::Known,
            Some(_) => Verdict::New,
        }
    }

    /// The actor leaves: others can have its job.
    pub fn release_all(&mut self, actor: &str) {
        let leases = self.jobs.iter_mut().filter_map(|job| job.lease.as_mut());
        leases.filter(|lease| lease.actor == actor).for_each(|lease| lease.until = None);
    }

    /// Opens the jobs whose leases have run out.
    pub fn expire(&mut self, now: Duration) {
        let leases = self.jobs.iter_mut().filter_map(|job| job.lease.as_mut());
        leases
            .filter(|lease| lease.until.is_some_and(|until| until <= now))
            .for_each(|lease| lease.until = None);
    }

    pub fn is_complete(&self) -> bool {
        self.jobs.iter().all(|job| job.is_done)
    }

    pub fn counts(&self) -> JobCounts {
        let done = self.jobs.iter().filter(|job| job.is_done).count() as u32;
        let is_leased =
            |job: &&Job| !job.is_done && job.lease.as_ref().is_some_and(|lease| lease.until.is_some());
        let (all, leased) = (self.jobs.len() as u32, self.jobs.iter().filter(is_leased).count() as u32);
        JobCounts { all, done, leased, open: all - done - leased, ..JobCounts::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    const FIRST: Version = Version([1; 32]);
    const LATER: Version = Version([2; 32]);

    #[test]
    fn late_machine_cannot_write_over_what_another_has_done_since() {
        let mut queue = Queue::new(2);
        assert_eq!((queue.next("laptop"), queue.next("desk")), (Some(0), Some(0)));
        let asleep = queue.grant(0, "laptop", FIRST, at(30));
        assert_eq!(queue.next("desk"), Some(1));
        assert_eq!(queue.judge("laptop", &asleep, 5), Verdict::New);
        queue.set_progress(0, 5, false);
        assert_eq!(queue.judge("laptop", &asleep, 5), Verdict::Known);
        assert_eq!(queue.judge("desk", &asleep, 6), Verdict::Stale, "in another's name");

        // The laptop is not heard of. Until somebody else has the job, it may come back.
        queue.expire(at(31));
        assert_eq!(queue.judge("laptop", &asleep, 6), Verdict::New);
        assert_eq!(queue.next("desk"), Some(0));
        let awake = queue.grant(0, "desk", LATER, at(60));
        assert_eq!((asleep.unit, awake.unit), (1, 2));
        for units in [6, 1000] {
            assert_eq!(queue.judge("laptop", &asleep, units), Verdict::Stale);
        }
        assert!(!queue.extend("laptop", &asleep, at(99)));
        assert_eq!(queue.judge("desk", &awake, 6), Verdict::New);
        // Not even with the right generation, if it started from something else.
        let mixed = JobId { version: FIRST, ..awake };
        assert_eq!(queue.judge("desk", &mixed, 6), Verdict::Stale);
        queue.set_progress(0, 9, true);
        assert_eq!(queue.judge("desk", &awake, 9), Verdict::Stale, "the run is complete");
    }

    #[test]
    fn complete_job_that_is_opened_again_is_leased_anew() {
        let mut queue = Queue::new(1);
        let first = queue.grant(0, "a", FIRST, at(30));
        queue.set_progress(0, 5, true);
        assert!(queue.is_complete() && queue.next("a").is_none());
        queue.reopen(0);
        assert_eq!((queue.next("a"), queue.next("b")), (Some(0), Some(0)));
        assert_eq!(queue.judge("a", &first, 9), Verdict::Stale, "of the lease before");
        let second = queue.grant(0, "b", LATER, at(60));
        assert!(second.unit > first.unit);
        assert_eq!(queue.judge("b", &second, 5), Verdict::Known);
        assert_eq!(queue.judge("b", &second, 6), Verdict::New);
    }

    #[test]
    fn actor_that_asks_again_gets_the_same_job() {
        let mut queue = Queue::new(3);
        let first = queue.grant(0, "a", FIRST, at(30));
        queue.grant(1, "b", FIRST, at(30));
        assert_eq!(queue.next("a"), Some(0));
        assert_eq!(queue.grant(0, "a", FIRST, at(40)), first);
        // With a newer checkpoint it is another job.
        assert_eq!(queue.grant(0, "a", LATER, at(40)).unit, 2);
        queue.release_all("a");
        assert_eq!(queue.next("c"), Some(0));
        assert_eq!(queue.counts(), JobCounts { all: 3, leased: 1, open: 2, ..JobCounts::default() });
    }

    #[test]
    fn leases_outlive_the_host() {
        let mut queue = Queue::new(2);
        let id = queue.grant(1, "a", FIRST, at(30));
        let json = serde_json::to_string(&queue).unwrap();
        let read = || serde_json::from_str::<Queue>(&json).unwrap();
        let mut again = read().restore(at(30));
        assert_eq!(again.next("b"), Some(0));
        assert_eq!(again.judge("a", &id, 1), Verdict::New);
        again.expire(at(30));
        assert_eq!(again.grant(1, "b", FIRST, at(60)).unit, 2);
        // Actors that had left before are not waited for.
        queue.release_all("a");
        let json = serde_json::to_string(&queue).unwrap();
        let again = serde_json::from_str::<Queue>(&json).unwrap().restore(at(30));
        assert_eq!(again.counts().leased, 0);
        let mut other = read().renewed(3);
        assert_eq!(other.judge("a", &id, 1), Verdict::Stale);
        assert_eq!(other.grant(1, "a", FIRST, at(30)).unit, 2);
    }
}
