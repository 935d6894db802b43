//! Beginning anew within a run. Which way gates go at first is luck, and where it was bad luck they decide wrongly and have no
//! gradient left to find that out by. So a run that gets nowhere for long takes fresh gates and fresh wires: a new attempt goes
//! its own way (a restart as of Gomes, Selman and Kautz, "Boosting combinatorial search through randomization", 1998).
//! To get somewhere is to bring the error of the decided circuit down by a good part of what it was, or to pass a proof.

use learnery_lab::LabError;
use serde_json::{Value, json};

/// How much of the usual error an epoch makes.
const USUAL: f64 = 0.05;
/// What is left of the error where it has come down by a good part.
const LEFT: f64 = 0.5;
/// The error of cells that are as often right as wrong.
const CHANCE: f64 = 0.5;

/// The attempts of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attempts {
    /// Which attempt this is, from 1 on.
    number: u32,
    /// The epochs that were done when it began.
    begun: u64,
    /// The epochs that were done when it last got somewhere.
    hopeful: u64,
    /// The error of the decided circuit of late, and what it was when it had last come down by a good part.
    usual: f64,
    best: f64,
}

impl Attempts {
    /// The first one.
    pub const FIRST: Self = Self { number: 1, begun: 0, hopeful: 0, usual: CHANCE, best: CHANCE };

    /// Which attempt this is, from 1 on.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The epochs that were done when it began.
    pub fn begun(&self) -> u64 {
        self.begun
    }

    /// Takes note of the mean error of the last `count` epochs, decided, and whether a proof held.
    pub fn note(&mut self, epochs: u64, count: u32, error: f64, held: bool) {
        self.usual = error + (self.usual - error) * (1.0 - USUAL).powf(f64::from(count));
        if self.usual < LEFT * self.best {
            self.best = self.usual;
            self.hopeful = epochs;
        }
        if held {
            self.hopeful = epochs;
        }
    }

    /// Something else is to be learned from now on.
    pub fn aim_anew(&mut self, epochs: u64) {
        *self = Self { hopeful: epochs, usual: CHANCE, best: CHANCE, ..*self };
    }

    /// Whether to begin anew, having got nowhere for `patience` epochs; 0 for never. If so, it is counted.
    pub fn give_up(&mut self, epochs: u64, patience: u32) -> bool {
        let tired = patience > 0 && epochs - self.hopeful >= u64::from(patience);
        if tired {
            *self = Self { number: self.number + 1, begun: epochs, hopeful: epochs, ..Self::FIRST };
        }
        tired
    }

    /// For a checkpoint.
    pub fn to_json(self) -> Value {
        let Self { number, begun, hopeful, usual, best } = self;
        json!({ "number": number, "begun": begun, "hopeful": hopeful, "errors": [usual, best] })
    }

    /// From a checkpoint of a run that has done so many epochs.
    pub fn from_json(value: &Value, epochs: u64) -> Result<Self, LabError> {
        let bad = || LabError::Checkpoint("its count of `attempts` is missing or damaged".into());
        let get = |name: &str| value[name].as_u64().ok_or_else(bad);
        let error =
            |i: usize| value["errors"][i].as_f64().filter(|x| (0.0..=1.0).contains(x)).ok_or_else(bad);
        let number = u32::try_from(get("number")?).map_err(|_| bad())?;
        let attempts = Self {
            number,
            begun: get("begun")?,
            hopeful: get("hopeful")?,
            usual: error(0)?,
            best: error(1)?,
        };
        let in_order = number > 0 && attempts.begun <= attempts.hopeful && attempts.hopeful <= epochs;
        if in_order { Ok(attempts) } else { Err(bad()) }
    }
}

#[cfg(test)]
mod tests {
    use learnery_lab::{Checkpoint, Entry, Session};

    use super::*;

    #[test]
    fn it_gives_up_when_it_has_got_nowhere_for_long_and_counts_that() {
        let mut attempts = Attempts::FIRST;
        assert!(!attempts.give_up(99, 100));
        assert!(!attempts.give_up(1000, 0));
        attempts.note(60, 5, 0.6, true);
        assert!(!attempts.give_up(159, 100));
        assert!(attempts.give_up(160, 100));
        assert_eq!((attempts.number(), attempts.begun()), (2, 160));
        assert!(!attempts.give_up(259, 100));
        // An error that comes down by a good part, and stays there.
        attempts.note(240, 100, 0.2, false);
        attempts.note(250, 10, 0.2, false);
        assert!(!attempts.give_up(339, 100));
        assert!(attempts.give_up(340, 100));
        assert_eq!((attempts.number(), attempts.begun()), (3, 340));
    }

    /// Units of two epochs each; a proof of so little learning never holds, so every other one begins anew.
    fn start() -> Session {
        let settings = json!({ "batch": 1, "steps": 2, "epochs": 2, "anew_after": 4, "scatter": 0.1 });
        Session::start(logic(), &settings, 3).expect("the settings are good")
    }

    fn continued(file: &[u8]) -> Session {
        let checkpoint = Checkpoint::from_bytes(file).expect("it is whole");
        Session::resume(logic(), &checkpoint).expect("it is whole")
    }

    fn logic() -> Entry {
        Entry::of::<crate::Logic>()
    }

    fn attempt(session: &Session) -> f64 {
        session.row().get("attempt")
    }

    #[test]
    fn a_run_that_begins_anew_is_the_same_on_any_number_of_threads_and_from_any_checkpoint() {
        let run = |threads: usize| {
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("there are threads");
            pool.install(|| {
                let mut session = start();
                let files = (0..5).map(|_| {
                    session.advance_unit();
                    (attempt(&session), session.save().to_bytes())
                });
                files.collect::<Vec<_>>()
            })
        };
        let files = run(1);
        assert_eq!(files.iter().map(|(attempt, _)| *attempt).collect::<Vec<_>>(), [1.0, 1.0, 2.0, 2.0, 3.0]);
        assert!(files == run(3), "another number of threads");
        for (i, (_, file)) in files.iter().enumerate() {
            let mut session = continued(file);
            for (_, later) in &files[i + 1..] {
                session.advance_unit();
                assert!(session.save().to_bytes() == *later, "continued after unit {}", i + 1);
            }
        }
    }

    #[test]
    fn a_checkpoint_keeps_the_count_and_a_damaged_one_is_refused() {
        let mut attempts = Attempts::FIRST;
        attempts.give_up(100, 100);
        attempts.note(120, 5, 1.0 / 3.0, true);
        assert_eq!(Attempts::from_json(&attempts.to_json(), 130).expect("it is whole"), attempts);
        assert!(Attempts::from_json(&attempts.to_json(), 119).is_err());
        for damaged in [
            json!(null),
            json!({ "number": 0, "begun": 0, "hopeful": 0, "errors": [0.5, 0.5] }),
            json!({ "number": 1, "begun": 0 }),
        ] {
            assert!(Attempts::from_json(&damaged, 130).is_err(), "{damaged}");
        }
    }
}
