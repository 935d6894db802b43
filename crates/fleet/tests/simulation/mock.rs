//! A run without a lab, for tests: it is only hashes: every result depends on the version and its job, and
//! every version on all results before. One wrong byte anywhere changes the last state.

use std::cell::Cell;
use std::time::Duration;

use learnery_fleet::{Compute, Policy, Run, Step};
use learnery_lab::fleet::{Job, JobId, JobResult, Refusal, TakeOutcome, Version, digest};
use learnery_lab::{Budget, LabError};

/// The length of a part of a result.
const PART_BYTES: usize = 16;
/// The first bytes of a part, which the learner can check by a rule, without computing the part again.
const RULE_BYTES: usize = 4;
/// Steps of a job.
const JOB_STEPS: u64 = 40;
/// Steps of learning in a unit (training iteration).
const LEARNING_STEPS: u32 = 3;

pub fn policy() -> Policy {
    Policy {
        build: "1".into(),
        bits: "fused".into(),
        lease: Duration::from_secs(30),
        heartbeat_interval: Duration::from_secs(8),
        max_copies: 3,
        max_actors: 1000,
        save_every: 4,
        max_log_bytes: usize::MAX,
        check_all: false,
        secret: [5; 32],
    }
}

/// The part `part` of the result of the job `index`.
fn compute_part(version: Version, index: u32, part: u32) -> [u8; PART_BYTES] {
    let hash = digest(&[&version.0[..], &index.to_le_bytes(), &part.to_le_bytes()].concat());
    std::array::from_fn(|i| hash[i])
}

/// The run.
#[derive(Clone)]
pub struct MockRun {
    jobs: u32,
    parts: u32,
    unit: u64,
    state: [u8; 32],
    /// The unit under way; `None` between two units.
    under_way: Option<MockUnit>,
    /// The results of the unit's jobs that have been taken.
    results: Vec<Option<Vec<u8>>>,
}

/// A unit under way.
#[derive(Clone)]
struct MockUnit {
    version: Version,
    /// The file of the version.
    file: Vec<u8>,
    learning_steps_left: u32,
}

impl MockRun {
    pub fn new(jobs: u32, parts: u32) -> Self {
        Self { jobs, parts, unit: 0, state: [0; 32], under_way: None, results: Vec::new() }
    }

    /// The checkpoint file of the same run on one machine.
    pub fn alone(jobs: u32, parts: u32, units: u64) -> Vec<u8> {
        let mut run = Self::new(jobs, parts);
        while run.unit < units {
            run.advance();
            for index in run.open_jobs() {
                let mut compute = MockCompute::default();
                let (version, file) = run.version().expect("a unit is under way");
                compute.load(version, file).expect("its own file");
                compute.begin(&run.job(index).expect("a job")).expect("its own job");
                let result = compute.advance(&mut Budget::unlimited()).expect("a whole job");
                assert_eq!(run.take(&result), Ok(TakeOutcome::Counted));
            }
        }
        run.save().expect("no unit is under way")
    }

    fn id(&self, index: u32) -> Option<JobId> {
        let MockUnit { version, .. } = self.under_way.as_ref()?;
        (index < self.jobs).then_some(JobId { unit: self.unit, index, version: *version })
    }
}

fn parts_of(body: &[u8]) -> &[[u8; PART_BYTES]] {
    body.as_chunks().0
}

impl Run for MockRun {
    fn unit(&self) -> u64 {
        self.unit
    }

    fn version(&self) -> Option<(Version, &[u8])> {
        self.under_way.as_ref().map(|unit| (unit.version, &unit.file[..]))
    }

    fn jobs(&mut self) -> u32 {
        self.jobs
    }

    fn open_jobs(&mut self) -> Vec<u32> {
        let open = (0..).zip(&self.results).filter(|(_, result)| result.is_none());
        self.under_way.as_ref().map_or(vec![], |_| open.map(|(index, _)| index).collect())
    }

    fn job(&mut self, index: u32) -> Option<Vec<u8>> {
        let parts: Vec<u32> = (0..self.parts).collect();
        self.job_of_parts(index, &parts)
    }

    fn parts(&mut self, _index: u32) -> u32 {
        self.parts
    }

    fn job_of_parts(&mut self, index: u32, parts: &[u32]) -> Option<Vec<u8>> {
        let body: Vec<u8> = parts.iter().flat_map(|part| part.to_le_bytes()).collect();
        Some(Job { id: self.id(index)?, body: &body }.to_bytes())
    }

    fn parts_agree(&mut self, result: &[u8], parts: &[u32], again: &[u8]) -> bool {
        let (Ok(result), Ok(again)) = (JobResult::from_bytes(result), JobResult::from_bytes(again)) else {
            return false;
        };
        let chosen: Vec<_> = parts.iter().map(|part| parts_of(result.body)[*part as usize]).collect();
        result.id == again.id && chosen == parts_of(again.body)
    }

    fn check(&mut self, result: &[u8]) -> Result<JobId, Refusal> {
        let JobResult { id, body } = JobResult::from_bytes(result)?;
        let (unit, now, index) = (id.unit, self.unit, id.index);
        if unit < now {
            return Err(Refusal::Late { unit, now });
        }
        let expected = self.id(index).ok_or(Refusal::Unknown { unit, index, now })?;
        if unit > now {
            return Err(Refusal::Unknown { unit, index, now });
        }
        if id != expected {
            let (expected, found) = (expected.version.to_string(), id.version.to_string());
            return Err(Refusal::Version { expected, found });
        }
        if body.len() != PART_BYTES * self.parts as usize {
            return Err(Refusal::Damaged("another length".into()));
        }
        for (i, found) in (0..).zip(parts_of(body)) {
            if found[..RULE_BYTES] != compute_part(id.version, index, i)[..RULE_BYTES] {
                return Err(Refusal::Impossible(format!("part {i} breaks a rule")));
            }
        }
        Ok(id)
    }

    fn take(&mut self, result: &[u8]) -> Result<TakeOutcome, Refusal> {
        let id = self.check(result)?;
        let place = &mut self.results[id.index as usize];
        if place.is_some() {
            return Ok(TakeOutcome::Duplicate);
        }
        *place = Some(JobResult::from_bytes(result)?.body.to_vec());
        Ok(TakeOutcome::Counted)
    }

    fn revoke(&mut self, index: u32) {
        self.results[index as usize] = None;
    }

    fn advance(&mut self) -> Step {
        let Some(MockUnit { learning_steps_left, .. }) = &mut self.under_way else {
            let file = [&self.unit.to_le_bytes()[..], &self.state].concat();
            let version = Version(digest(&file));
            self.under_way = Some(MockUnit { version, file, learning_steps_left: LEARNING_STEPS });
            self.results = vec![None; self.jobs as usize];
            return Step::Busy;
        };
        if *learning_steps_left > 0 {
            *learning_steps_left -= 1;
            return Step::Busy;
        }
        if self.results.iter().any(Option::is_none) {
            return Step::Waiting;
        }
        let results: Vec<u8> = self.results.drain(..).flatten().flatten().collect();
        self.state = digest(&[&self.state[..], &results].concat());
        self.unit += 1;
        self.under_way = None;
        Step::UnitFinished
    }

    fn save(&mut self) -> Option<Vec<u8>> {
        self.under_way.is_none().then(|| [&self.unit.to_le_bytes()[..], &self.state].concat())
    }

    fn restore(&mut self, file: &[u8]) -> Result<(), LabError> {
        // The unit, as eight bytes, and the state.
        let (unit, state) = file.split_at(8);
        self.unit = u64::from_le_bytes(unit.try_into().expect("eight bytes"));
        self.state = state.try_into().expect("32 bytes");
        self.under_way = None;
        self.results.clear();
        Ok(())
    }
}

thread_local! {
    /// Jobs that the actors of this thread have computed. A simulation is one thread.
    pub static COMPUTED: Cell<u64> = const { Cell::new(0) };
}

/// Computes jobs of a [`MockRun`].
#[derive(Default)]
pub struct MockCompute {
    version: Option<Version>,
    job: Option<MockJob>,
}

/// A job under way.
struct MockJob {
    id: JobId,
    parts: Vec<u32>,
    steps_left: u64,
}

impl Compute for MockCompute {
    fn version(&self) -> Option<Version> {
        self.version
    }

    fn load(&mut self, version: Version, file: &[u8]) -> Result<(), LabError> {
        if Version(digest(file)) != version {
            return Err(LabError::Fleet("other weights".into()));
        }
        self.version = Some(version);
        Ok(())
    }

    fn begin(&mut self, job: &[u8]) -> Result<JobId, Refusal> {
        let Job { id, body } = Job::from_bytes(job)?;
        assert_eq!(Some(id.version), self.version, "a job of a version that is not loaded");
        let parts = body.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        self.job = Some(MockJob { id, parts, steps_left: JOB_STEPS });
        Ok(id)
    }

    fn advance(&mut self, budget: &mut Budget) -> Option<Vec<u8>> {
        let MockJob { id, parts, steps_left } = self.job.as_mut()?;
        while budget.allows() && *steps_left > 0 {
            *steps_left -= 1;
            budget.spend();
        }
        if *steps_left > 0 {
            return None;
        }
        let body: Vec<u8> = parts.iter().flat_map(|i| compute_part(id.version, id.index, *i)).collect();
        let result = JobResult { id: *id, body: &body }.to_bytes();
        self.job = None;
        Some(result)
    }
}

/// How an actor lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    /// In every part, where no rule finds it.
    Everywhere,
    /// In one part of each result, where no rule finds it.
    InOnePart,
    /// In every part, but only after this many honest results.
    After(u64),
    /// Where a rule finds it.
    AgainstTheRules,
}

/// Computes results, and sometimes changes them.
pub struct Suspect {
    honest: MockCompute,
    lie: Option<Lie>,
    /// Results so far.
    results: u64,
    /// Whether [`COMPUTED`] counts the results.
    is_counted: bool,
}

impl Suspect {
    pub fn new(lie: Option<Lie>) -> Self {
        Self { honest: MockCompute::default(), lie, results: 0, is_counted: true }
    }

    /// The host's own machine, whose results [`COMPUTED`] does not count.
    pub fn checker() -> Self {
        Self { is_counted: false, ..Self::new(None) }
    }

    fn falsify(&self, result: Vec<u8>, lie: Lie) -> Vec<u8> {
        let JobResult { id, body } = JobResult::from_bytes(&result).expect("its own result");
        let mut body = body.to_vec();
        let parts = body.len() / PART_BYTES;
        // The places of the bytes to change. Those of `RULE_BYTES` in a part would break a rule.
        let lies: Vec<usize> = match lie {
            // Another part of each result: 7 and the 8 parts have no common factor, so each has its turn.
            Lie::InOnePart => vec![self.results as usize * 7 % parts * PART_BYTES + RULE_BYTES],
            Lie::AgainstTheRules => vec![0],
            Lie::After(honest) if self.results <= honest => vec![],
            Lie::Everywhere | Lie::After(_) => {
                (0..parts).map(|part| part * PART_BYTES + PART_BYTES - 1).collect()
            }
        };
        // Any change of the byte will do.
        lies.into_iter().for_each(|at| body[at] ^= 0x55);
        JobResult { id, body: &body }.to_bytes()
    }
}

impl Compute for Suspect {
    fn version(&self) -> Option<Version> {
        self.honest.version()
    }

    fn load(&mut self, version: Version, file: &[u8]) -> Result<(), LabError> {
        self.honest.load(version, file)
    }

    fn begin(&mut self, job: &[u8]) -> Result<JobId, Refusal> {
        self.honest.begin(job)
    }

    fn advance(&mut self, budget: &mut Budget) -> Option<Vec<u8>> {
        let result = self.honest.advance(budget)?;
        self.results += 1;
        COMPUTED.set(COMPUTED.get() + u64::from(self.is_counted));
        Some(self.lie.map_or(result.clone(), |lie| self.falsify(result, lie)))
    }
}
