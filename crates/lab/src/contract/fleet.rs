//! A run that a fleet computes has the bits of the same run on one machine, whoever computes its jobs, in
//! whatever order results come, doubled, late or not at all, and after the learner was killed. Bad results
//! and jobs are refused in one sentence.

use std::collections::BTreeMap;

use super::{Case, UNITS, expect_rejection};
use crate::fleet::{Job, JobId, JobResult, Refusal, SharedRun, TakeOutcome, Version, VersionedActor};
use crate::{Budget, Checkpoint, Entry, LabError, Status};

/// Random decisions of a test, a linear congruential generator with the constants of Knuth's MMIX.
struct Chance(u64);

impl Chance {
    /// A whole number below `n`.
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// Learns until results are missing or the unit is finished, and returns whether the unit is finished.
fn learn(run: &mut SharedRun) -> bool {
    loop {
        match run.advance(&mut Budget::steps(3)).status {
            Status::Ready => {}
            Status::Waiting => return false,
            Status::UnitFinished => return true,
            Status::Failed => panic!("a run on the CPU cannot fail"),
        }
    }
}

/// Computes a job from its beginning, in slices.
fn compute(actor: &mut VersionedActor, run: &SharedRun, job: &[u8]) -> Vec<u8> {
    let (version, file) = run.version().expect("a unit is under way");
    if actor.version() != Some(version) {
        actor.load(version, file).expect("the file of the version");
    }
    actor.begin(job).expect("a good job");
    loop {
        if let Some(result) = actor.advance(&mut Budget::steps(7)) {
            return result;
        }
    }
}

fn shared(case: &Case) -> SharedRun {
    SharedRun::new(case.start()).expect("the lab can be shared")
}

/// Any number of actors, any order of results, results that are lost, doubled or late, and a learner that is
/// killed give the bits of one machine.
pub(super) fn any_fleet_computes_the_same_bits(case: &Case, labs: &'static [Entry]) {
    let alone = case.bytes_after(UNITS);
    for (seed, actors) in [(1, 1), (2, 3), (3, 8)] {
        let mut chance = Chance(seed);
        let mut actors: Vec<_> = (0..actors).map(|_| VersionedActor::new(labs)).collect();
        let mut run = shared(case);
        let mut saved = run.checkpoint().expect("no unit is under way").to_bytes();
        let mut kills_left = 3;
        // Results on the way, some of them for units that are complete.
        let mut on_the_way: Vec<Vec<u8>> = Vec::new();
        while run.unit() < UNITS {
            if learn(&mut run) {
                // The unit is finished. Not every unit is saved.
                if chance.one_in(2) {
                    saved = run.checkpoint().expect("no unit is under way").to_bytes();
                }
                continue;
            }
            if kills_left > 0 && chance.one_in(6) {
                kills_left -= 1;
                let checkpoint = Checkpoint::from_bytes(&saved).expect("our own file");
                run = SharedRun::new(case.resume(&checkpoint).expect("our own file")).expect("as before");
                continue;
            }
            // Any job, so that some are computed twice.
            let jobs = run.jobs() as usize;
            let job = run.job(chance.below(jobs) as u32).expect("a job of the unit");
            let actor = chance.below(actors.len());
            on_the_way.push(compute(&mut actors[actor], &run, &job));
            while !on_the_way.is_empty() && !chance.one_in(3) {
                let result = on_the_way.swap_remove(chance.below(on_the_way.len()));
                match run.take(&result) {
                    Ok(TakeOutcome::Counted | TakeOutcome::Duplicate)
                    | Err(Refusal::Late { .. } | Refusal::Unknown { .. }) => {}
                    Err(refusal) => panic!("a good result was refused: {refusal}"),
                }
                // Sometimes it is lost after it was taken once, sometimes it comes again.
                if chance.one_in(4) {
                    on_the_way.push(result);
                }
            }
        }
        let bytes = run.checkpoint().expect("no unit is under way").to_bytes();
        assert!(bytes == alone, "{} actors changed the bits", actors.len());
    }
}

/// Each part of a job, computed again alone or with others, agrees with the whole result, and with no other
/// job's.
pub(super) fn parts_of_jobs_are_computed_alone(case: &Case, labs: &'static [Entry]) {
    let mut actor = VersionedActor::new(labs);
    let mut run = shared(case);
    learn(&mut run);
    let results: Vec<Vec<u8>> = (0..run.jobs())
        .map(|index| {
            let job = run.job(index).expect("a job of the unit");
            compute(&mut actor, &run, &job)
        })
        .collect();
    for index in 0..run.jobs() {
        let parts = run.parts(index);
        for chosen in [vec![0], vec![parts - 1], (0..parts).step_by(2).collect(), (0..parts).collect()] {
            let job = run.job_of_parts(index, &chosen).expect("a job of the unit");
            let again = compute(&mut actor, &run, &job);
            assert!(
                run.parts_agree(&results[index as usize], &chosen, &again),
                "parts {chosen:?} of {index}"
            );
            let other = &results[(index as usize + 1) % results.len()];
            assert!(!run.parts_agree(other, &chosen, &again), "parts {chosen:?} of another job");
        }
    }
    let beyond = run.jobs();
    assert_eq!(run.job(beyond), None);
}

/// Results that are cut short, changed, too long, of another unit, job or version are refused, and change
/// nothing.
pub(super) fn bad_results_are_refused(case: &Case, labs: &'static [Entry]) {
    let mut actor = VersionedActor::new(labs);
    let mut run = shared(case);
    assert!(run.take(b"too early").is_err(), "a result before the first unit");
    learn(&mut run);
    let job = run.job(0).expect("a job of the unit");
    let good = compute(&mut actor, &run, &job);
    let mut kinds = BTreeMap::new();
    let mut refuse = |run: &mut SharedRun, bytes: &[u8], what: &str, kind: &'static str| {
        let refusal = run.take(bytes).map_err(|e| LabError::Fleet(e.to_string()));
        let sentence = expect_rejection(refusal, what);
        assert!(sentence.contains(kind), "{what}: {sentence}");
        *kinds.entry(kind).or_insert(0) += 1;
        assert!(run.open_jobs().contains(&0), "{what} was taken");
    };
    const POSITIONS: usize = 60;
    for i in 0..POSITIONS {
        let at = i * good.len() / POSITIONS;
        refuse(&mut run, &good[..at], "a result that was cut short", "damaged");
        let mut changed = good.clone();
        changed[at] ^= 0x41; // two of the eight bits
        refuse(&mut run, &changed, "a result that was changed", "damaged");
    }
    refuse(&mut run, &vec![0; 10 << 20], "ten megabytes", "at most");
    refuse(&mut run, &[good.clone(), vec![0; 10 << 20]].concat(), "ten megabytes more", "at most");
    let JobResult { id, body } = JobResult::from_bytes(&good).expect("a good result");
    let renamed = |id: JobId| JobResult { id, body }.to_bytes();
    let other_version = Version([7; 32]);
    refuse(
        &mut run,
        &renamed(JobId { version: other_version, ..id }),
        "another version",
        "fetch the weights",
    );
    refuse(&mut run, &renamed(JobId { unit: id.unit + 1, ..id }), "a later unit", "there is no job");
    refuse(&mut run, &renamed(JobId { unit: u64::MAX, ..id }), "no unit", "there is no job");
    refuse(&mut run, &renamed(JobId { index: u32::MAX, ..id }), "no job", "there is no job");
    refuse(&mut run, &renamed(JobId { index: 1, ..id }), "another job's result", "");
    refuse(&mut run, &Job { id, body }.to_bytes(), "a job as a result", "not a result");
    // Bodies with a good checksum.
    for bytes in [vec![], vec![0; 64], vec![0xff; 4096], vec![0x80; 4096]] {
        refuse(&mut run, &JobResult { id, body: &bytes }.to_bytes(), "a forged body", "");
    }
    for at in (0..body.len()).step_by(body.len() / POSITIONS) {
        let cut = JobResult { id, body: &body[..at] }.to_bytes();
        refuse(&mut run, &cut, "a body that was cut short", "");
    }
    assert!(kinds.len() > 4, "{kinds:?}");

    // After all that, the run goes on unharmed.
    let alone = case.bytes_after(1);
    assert_eq!(run.take(&good), Ok(TakeOutcome::Counted));
    assert_eq!(run.take(&good), Ok(TakeOutcome::Duplicate));
    for index in 1..run.jobs() {
        let job = run.job(index).expect("a job of the unit");
        let result = compute(&mut actor, &run, &job);
        assert_eq!(run.take(&result), Ok(TakeOutcome::Counted));
        // A result that is forgotten counts only when it comes again.
        run.revoke(index);
        assert_eq!(run.open_jobs(), (index..run.jobs()).collect::<Vec<_>>());
        assert_eq!(run.take(&result), Ok(TakeOutcome::Counted));
    }
    assert!(learn(&mut run), "the unit ends");
    assert!(run.checkpoint().expect("no unit is under way").to_bytes() == alone);
    assert!(matches!(run.take(&good), Err(Refusal::Late { unit: 0, now: 1 })));
}

/// An actor refuses damaged jobs and files of versions, and jobs of a version that it has not loaded.
pub(super) fn bad_jobs_are_refused(case: &Case, labs: &'static [Entry]) {
    let mut run = shared(case);
    learn(&mut run);
    let job = run.job(0).expect("a job of the unit");
    let (version, file) = run.version().expect("a unit is under way");
    let mut actor = VersionedActor::new(labs);
    let begin =
        |actor: &mut VersionedActor, job: &[u8]| actor.begin(job).map_err(|e| LabError::Fleet(e.to_string()));
    assert!(expect_rejection(begin(&mut actor, &job), "a job without weights").contains("fetch the weights"));
    for at in (0..file.len()).step_by(file.len() / 40) {
        let mut changed = file.to_vec();
        changed[at] ^= 1;
        expect_rejection(actor.load(version, &changed), "weights that were changed");
        expect_rejection(actor.load(version, &file[..at]), "weights that were cut short");
    }
    expect_rejection(actor.load(Version([0; 32]), file), "weights of another version");
    actor.load(version, file).expect("the file of the version");
    let Job { id, body } = Job::from_bytes(&job).expect("a good job");
    for at in (0..job.len()).step_by((job.len() / 40).max(1)) {
        expect_rejection(begin(&mut actor, &job[..at]), "a job that was cut short");
        let mut changed = job.clone();
        changed[at] ^= 0x20;
        expect_rejection(begin(&mut actor, &changed), "a job that was changed");
    }
    for body in [&body[..body.len() / 2], b"", &[0xff; 999], &[0; 999]] {
        expect_rejection(begin(&mut actor, &Job { id, body }.to_bytes()), "a forged job");
    }
    assert_eq!(actor.advance(&mut Budget::unlimited()), None, "no job is under way");
    actor.begin(&job).expect("a good job");
    assert!(
        actor
            .advance(&mut Budget::unlimited())
            .is_some_and(|result| run.take(&result) == Ok(TakeOutcome::Counted))
    );
}
