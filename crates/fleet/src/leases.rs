//! Leases of the jobs of a unit (training iteration): who computes which job until when. A lease says nothing
//! about whose result counts; the first good one does.

use std::collections::BTreeMap;
use std::time::Duration;

/// The leave of an actor to compute a job until a certain time.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Lease {
    actor: String,
    /// When the lease runs out, as the time since the host was started.
    until: Duration,
}

/// The leases of the unit under way.
#[derive(Debug, Default)]
pub struct Leases {
    /// By the number of the job.
    jobs: BTreeMap<u32, Vec<Lease>>,
}

impl Leases {
    /// Leases one of the open jobs to an idle actor: the one that the fewest actors compute, if they are
    /// fewer than `max_copies`. Once all are leased, this is one that another actor computes already, so the
    /// last jobs of a unit do not wait for a slow machine. `in_check` is the number of results of a job that
    /// wait for their check; they count like leases. `open` has no job of which a result of this actor waits.
    pub fn grant(
        &mut self,
        actor: &str,
        open: &[u32],
        in_check: impl Fn(u32) -> usize,
        max_copies: usize,
        until: Duration,
    ) -> Option<u32> {
        self.release_all(actor);
        let copies = |job: u32| self.count(job) + in_check(job);
        // Of equal jobs, the first.
        let job = open.iter().copied().min_by_key(|job| (copies(*job), *job))?;
        if copies(job) >= max_copies {
            return None;
        }
        self.add(actor, job, until);
        Some(job)
    }

    /// Leases a job to an actor, which gives up any other.
    pub fn add(&mut self, actor: &str, job: u32, until: Duration) {
        self.release_all(actor);
        self.jobs.entry(job).or_default().push(Lease { actor: actor.into(), until });
    }

    /// Extends a lease. Returns false if the actor has none of this job: it has run out, or never was.
    pub fn extend(&mut self, actor: &str, job: u32, until: Duration) -> bool {
        let leases = self.jobs.get_mut(&job).into_iter().flatten();
        let lease = leases.into_iter().find(|lease| lease.actor == actor);
        lease.map(|lease| lease.until = until).is_some()
    }

    /// Ends all leases of an actor.
    pub fn release_all(&mut self, actor: &str) {
        self.retain(|lease| lease.actor != actor);
    }

    /// Ends the leases that have run out.
    pub fn expire(&mut self, now: Duration) {
        self.retain(|lease| lease.until > now);
    }

    fn retain(&mut self, keep: impl Fn(&Lease) -> bool) {
        self.jobs.values_mut().for_each(|leases| leases.retain(&keep));
        self.jobs.retain(|_, leases| !leases.is_empty());
    }

    /// Ends all leases, because another unit begins.
    pub fn clear(&mut self) {
        self.jobs.clear();
    }

    /// How many actors compute a job.
    pub fn count(&self, job: u32) -> usize {
        self.jobs.get(&job).map_or(0, Vec::len)
    }

    /// The number of leases.
    pub fn len(&self) -> usize {
        self.jobs.values().map(Vec::len).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn every_job_is_leased_once_before_any_is_leased_twice() {
        let mut leases = Leases::default();
        let mut grant = |actor: &str| leases.grant(actor, &[2, 5, 7], |_| 0, 2, at(9));
        assert_eq!(["a", "b", "c"].map(&mut grant), [Some(2), Some(5), Some(7)]);
        // The last jobs go to idle actors too, up to the number of copies.
        assert_eq!(["d", "e", "f", "g"].map(&mut grant), [Some(2), Some(5), Some(7), None]);
        // An actor that asks again has given up the job that it had.
        assert_eq!(grant("b"), Some(5));
        assert_eq!(leases.len(), 6);
    }

    #[test]
    fn leases_run_out_unless_they_are_extended() {
        let mut leases = Leases::default();
        let open = [0, 1];
        leases.grant("a", &open, |_| 0, 1, at(10));
        leases.grant("b", &open, |_| 0, 1, at(10));
        assert!(leases.extend("b", 1, at(20)));
        assert!(!leases.extend("b", 0, at(20)), "another's job");
        leases.expire(at(15));
        assert!(!leases.extend("a", 0, at(30)), "it ran out");
        leases.add("b", 0, at(20));
        assert!(leases.count(0) == 1 && leases.count(1) == 0, "an actor has one job");
        leases.add("b", 1, at(20));
        assert_eq!(leases.grant("c", &open, |_| 0, 1, at(30)), Some(0));
        // A job whose result is being checked counts as computed.
        assert_eq!(leases.grant("d", &[3], |_| 1, 1, at(30)), None);
    }
}
