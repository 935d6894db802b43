//! The newest checkpoint of a run in memory. The training loop keeps it, and if the user stops the program in
//! the middle of a step, the thread that ends the process writes it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use anyhow::Result;
use learnery_lab::Checkpoint;

use crate::files::{BEST, LAST, SOLVED, write_atomically};

/// A run as both threads know it. Clones are of the same run.
#[derive(Clone)]
pub struct KeptRun(Arc<Mutex<State>>);

/// A run that may have ended.
pub struct WeakRun(Weak<Mutex<State>>);

impl WeakRun {
    /// The run; `None` if it has ended.
    pub fn upgrade(&self) -> Option<KeptRun> {
        self.0.upgrade().map(KeptRun)
    }
}

struct State {
    folder: PathBuf,
    /// What the lab calls a unit (training iteration), such as `round`.
    unit_name: &'static str,
    /// A checkpoint that is newer than that in the folder.
    checkpoint: Option<Arc<Checkpoint>>,
    /// The best checkpoint so far, if it is not in the folder yet. It is never newer than the newest one, in
    /// memory or in the folder.
    best: Option<Arc<Checkpoint>>,
    /// The checkpoint that first reached the goal, if it is not in the folder yet.
    solved: Option<Arc<Checkpoint>>,
    /// The number of completed units in the folder's checkpoint; `None` if there is none.
    saved_unit: Option<u64>,
    /// The number of units that the run has completed.
    completed: u64,
    /// That number when this invocation began.
    first_unit: u64,
}

/// What is left of a run that was stopped in the middle of a step. Until this is dropped, the training loop
/// cannot write the folder.
pub struct Rescued<'a> {
    state: MutexGuard<'a, State>,
    written: Result<()>,
}

impl KeptRun {
    /// `saved_unit` says which unit the checkpoint in the folder is of, if there is one.
    pub fn new(folder: &Path, unit_name: &'static str, saved_unit: Option<u64>, completed: u64) -> Self {
        let (folder, first_unit) = (folder.to_owned(), completed);
        let (checkpoint, best, solved) = (None, None, None);
        let state = State { folder, unit_name, checkpoint, best, solved, saved_unit, completed, first_unit };
        Self(Arc::new(Mutex::new(state)))
    }

    pub fn downgrade(&self) -> WeakRun {
        WeakRun(Arc::downgrade(&self.0))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A thread that panics while it has the lock leaves the values as they were.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that the run has completed this many units.
    pub fn complete(&self, units: u64) {
        self.lock().completed = units;
    }

    /// Keeps a checkpoint in memory, in place of the one before.
    pub fn keep(&self, checkpoint: Checkpoint) {
        self.lock().checkpoint = Some(Arc::new(checkpoint));
    }

    /// Keeps a checkpoint in memory that is both the newest and the best so far.
    pub fn keep_best(&self, checkpoint: Checkpoint) {
        let checkpoint = Arc::new(checkpoint);
        let mut state = self.lock();
        state.best = Some(Arc::clone(&checkpoint));
        state.checkpoint = Some(checkpoint);
    }

    /// Saves the best checkpoint with `write` if it is not in the folder yet, during which the other thread
    /// writes nothing.
    pub fn save_best<T>(&self, write: impl FnOnce(&Checkpoint) -> Result<T>) -> Result<Option<T>> {
        self.save_waiting(|state| &mut state.best, write)
    }

    /// Keeps the checkpoint that first reached the goal in memory.
    pub fn keep_solved(&self, checkpoint: Checkpoint) {
        self.lock().solved = Some(Arc::new(checkpoint));
    }

    /// Saves the checkpoint that first reached the goal, as [`Self::save_best`] does the best.
    pub fn save_solved<T>(&self, write: impl FnOnce(&Checkpoint) -> Result<T>) -> Result<Option<T>> {
        self.save_waiting(|state| &mut state.solved, write)
    }

    /// Saves the checkpoint in a field of the state with `write`, and empties the field; `None` if it is
    /// empty.
    fn save_waiting<T>(
        &self,
        field: impl FnOnce(&mut State) -> &mut Option<Arc<Checkpoint>>,
        write: impl FnOnce(&Checkpoint) -> Result<T>,
    ) -> Result<Option<T>> {
        let mut state = self.lock();
        let field = field(&mut state);
        let Some(checkpoint) = field else { return Ok(None) };
        let written = write(checkpoint)?;
        *field = None;
        Ok(Some(written))
    }

    /// Saves a checkpoint with `write`, during which the other thread writes nothing.
    pub fn save<T>(&self, checkpoint: &Checkpoint, write: impl FnOnce() -> Result<T>) -> Result<T> {
        let mut state = self.lock();
        let written = write()?;
        state.saved_unit = Some(checkpoint.header.units);
        state.checkpoint = None;
        Ok(written)
    }

    /// Writes a file of the run, during which the other thread writes nothing.
    pub fn write<T>(&self, write: impl FnOnce() -> T) -> T {
        let _state = self.lock();
        write()
    }

    /// The checkpoint in memory, which is newer than that in the folder; `None` if there is none.
    pub fn take(&self) -> Option<Arc<Checkpoint>> {
        self.lock().checkpoint.take()
    }

    /// The number of completed units in the folder's checkpoint; `None` if there is none.
    pub fn saved_unit(&self) -> Option<u64> {
        self.lock().saved_unit
    }

    /// Writes the checkpoints in memory, if there are any.
    pub fn rescue(&self) -> Rescued<'_> {
        let mut state = self.lock();
        let folder = state.folder.clone();
        let write = |checkpoint: Option<Arc<Checkpoint>>, name| match checkpoint {
            Some(checkpoint) => write_atomically(&folder.join(name), &checkpoint.to_bytes()),
            None => Ok(()),
        };
        // The newest one last, as in `Training::write`.
        let best_written = write(state.best.take(), BEST);
        let solved_written = write(state.solved.take(), SOLVED);
        let written = match state.checkpoint.take() {
            Some(checkpoint) => {
                let written = write_atomically(&state.folder.join(LAST), &checkpoint.to_bytes());
                if written.is_ok() {
                    state.saved_unit = Some(checkpoint.header.units);
                }
                written
            }
            None => Ok(()),
        };
        let written = written.and(best_written).and(solved_written);
        Rescued { state, written }
    }
}

impl Rescued<'_> {
    /// Which unit is kept, and how many are lost.
    pub fn sentence(&self) -> String {
        let State { folder, unit_name, saved_unit, completed, first_unit, .. } = &*self.state;
        let problem = self.written.as_ref().err().map(|error| format!("{error}. ")).unwrap_or_default();
        let folder = folder.display().to_string();
        format!("{problem}{}", kept_sentence(&folder, unit_name, *saved_unit, *completed, *first_unit))
    }
}

/// What is kept of a run that was stopped, and what is lost. `run` names it, `saved_unit` is the number of
/// completed units in its checkpoint, `completed` the number of all, and `first_unit` that number when this
/// program got the run.
pub fn kept_sentence(
    run: &str,
    unit_name: &str,
    saved_unit: Option<u64>,
    completed: u64,
    first_unit: u64,
) -> String {
    let Some(saved) = saved_unit else {
        return match completed {
            0 => format!("{run}: no {unit_name} was completed, so nothing was saved."),
            n => format!("{run}: nothing was saved; {} lost.", are(n, unit_name)),
        };
    };
    let lost = match completed.saturating_sub(saved) {
        0 if completed == first_unit => "no other was completed".into(),
        0 => format!("no completed {unit_name} is lost"),
        n => format!("{} lost", are(n, unit_name)),
    };
    format!("{run} is kept as of {unit_name} {saved}; {lost}.")
}

/// `1 completed iteration is`, `2 completed iterations are`.
fn are(n: u64, unit_name: &str) -> String {
    if n == 1 { format!("1 completed {unit_name} is") } else { format!("{n} completed {unit_name}s are") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use learnery_lab::Session;
    use serde_json::json;

    /// A checkpoint of a tiny run after this many units.
    fn checkpoint(units: u64) -> Checkpoint {
        let entry = learnery_labs::find("control").unwrap();
        let settings = json!({ "worlds": 8, "horizon": 8, "minibatches": 1, "eval_every": 0 });
        let mut session = Session::start(*entry, &settings, 0).unwrap();
        while session.units() < units {
            session.advance(&mut learnery_lab::Budget::until(u64::MAX, &mut || false));
        }
        session.save()
    }

    fn read(folder: &Path) -> u64 {
        crate::files::read_checkpoint(&folder.join(LAST)).unwrap().1.header.units
    }

    #[test]
    fn rescue_writes_the_newest_checkpoint_and_says_what_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().display().to_string();
        let run = KeptRun::new(folder.path(), "iteration", None, 0);
        let sentence = run.rescue().sentence();
        assert_eq!(sentence, format!("{name}: no iteration was completed, so nothing was saved."));
        run.complete(1);
        let sentence = run.rescue().sentence();
        assert_eq!(sentence, format!("{name}: nothing was saved; 1 completed iteration is lost."));

        let first = checkpoint(1);
        run.save(&first, || write_atomically(&folder.path().join(LAST), &first.to_bytes())).unwrap();
        run.complete(2);
        run.complete(3);
        run.keep(checkpoint(3));
        let sentence = run.rescue().sentence();
        assert_eq!(sentence, format!("{name} is kept as of iteration 3; no completed iteration is lost."));
        assert_eq!(read(folder.path()), 3);
        run.complete(5);
        let sentence = run.rescue().sentence();
        assert_eq!(sentence, format!("{name} is kept as of iteration 3; 2 completed iterations are lost."));
    }

    #[test]
    fn rescue_writes_the_best_checkpoint_and_that_of_the_goal_too() {
        let folder = tempfile::tempdir().unwrap();
        let run = KeptRun::new(folder.path(), "iteration", None, 0);
        run.keep_best(checkpoint(1));
        run.keep_solved(checkpoint(2));
        run.keep(checkpoint(3));
        run.complete(3);
        run.rescue();
        let units_of =
            |name| crate::files::read_checkpoint(&folder.path().join(name)).unwrap().1.header.units;
        assert_eq!([BEST, SOLVED, LAST].map(units_of), [1, 2, 3]);
        assert!(run.save_best(|_| Ok(())).unwrap().is_none(), "it was written before");
        assert!(run.save_solved(|_| Ok(())).unwrap().is_none(), "it was written before");
    }

    #[test]
    fn rescue_does_not_replace_a_newer_checkpoint() {
        let folder = tempfile::tempdir().unwrap();
        let run = KeptRun::new(folder.path(), "iteration", None, 0);
        run.keep(checkpoint(1));
        let newer = checkpoint(2);
        run.save(&newer, || write_atomically(&folder.path().join(LAST), &newer.to_bytes())).unwrap();
        run.complete(2);
        assert!(run.rescue().sentence().ends_with("no completed iteration is lost."));
        assert_eq!(read(folder.path()), 2);
    }
}
