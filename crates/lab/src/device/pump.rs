//! The pump of a run on a GPU: it submits work, waits, fetches the results of a unit and the state for a
//! checkpoint, and keeps the first failure. What is submitted and fetched is the business of the lab's
//! [`DeviceTrainer`].

use learnery_gpu::GpuError;

use super::OnDevice;
use crate::Status;

/// What [`DeviceTrainer::advance`] did, or what it needs to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Nothing, because the device is busy.
    Waiting,
    /// Work was submitted that changes the state on the device.
    Submitted,
    /// A part of the work was done on the CPU.
    OnCpu,
    /// The trainer needs results on the CPU, usually at the end of a unit. [`DeviceTrainer::read_results`]
    /// follows.
    NeedsResults,
    /// The trainer needs the state on the CPU, as for a checkpoint. [`DeviceTrainer::go_on_with_state`]
    /// follows.
    NeedsState,
}

/// The part of a learner that is on a GPU. No method blocks.
pub trait DeviceTrainer: Send + 'static {
    /// Borrows the part of the run that is on the CPU.
    type Run<'a>;
    /// Results on their way to the CPU.
    type Results: Send;
    /// The state that a checkpoint needs, on its way to the CPU.
    type State: Send;

    /// Begins a unit, submits the next part of its work, or does a part of it on the CPU.
    fn advance(&mut self, run: &mut Self::Run<'_>) -> Result<Work, GpuError>;

    /// Begins to read results, after [`Work::NeedsResults`]. `is_watched` says whether the page has drawn the
    /// run since the data that it draws was last read. A trainer that reads this data sets it to false.
    fn read_results(&mut self, run: &mut Self::Run<'_>, is_watched: &mut bool) -> Self::Results;

    /// Returns `None` until all results have arrived. Then it takes them in and returns the status of the
    /// step, such as [`Status::UnitFinished`].
    fn take_results(
        &mut self,
        results: &mut Self::Results,
        run: &mut Self::Run<'_>,
    ) -> Result<Option<Status>, GpuError>;

    /// Begins to read the state.
    fn read_state(&mut self, run: &mut Self::Run<'_>) -> Self::State;

    /// Writes the state to the CPU's copies once all of it has arrived, and returns whether it has.
    fn take_state(&mut self, state: &mut Self::State, run: &mut Self::Run<'_>) -> Result<bool, GpuError>;

    /// Goes on after [`Work::NeedsState`]: the CPU's copies are up to date.
    fn go_on_with_state(&mut self, _run: &mut Self::Run<'_>) -> Result<(), GpuError> {
        Ok(())
    }
}

/// The pump of one run.
pub struct Pump<T: DeviceTrainer> {
    trainer: T,
    results: Option<T::Results>,
    state: Option<T::State>,
    /// Whether the CPU's copies of the state are up to date.
    is_current: bool,
    /// Whether the trainer waits for the state.
    needs_state: bool,
    is_watched: bool,
    failure: Option<String>,
}

impl<T: DeviceTrainer> Pump<T> {
    /// `trainer` must hold the same state as the CPU's copies.
    pub fn new(trainer: T) -> Self {
        Self {
            trainer,
            results: None,
            state: None,
            is_current: true,
            needs_state: false,
            is_watched: false,
            failure: None,
        }
    }

    pub fn trainer(&self) -> &T {
        &self.trainer
    }

    fn try_step(&mut self, run: &mut T::Run<'_>) -> Result<Status, GpuError> {
        if self.needs_state {
            if !self.try_fetch_state(run)? {
                return Ok(Status::Waiting);
            }
            self.needs_state = false;
            self.trainer.go_on_with_state(run)?;
            return Ok(Status::Ready);
        }
        let mut results = match self.results.take() {
            Some(results) => results,
            None => match self.trainer.advance(run)? {
                Work::Waiting => return Ok(Status::Waiting),
                Work::OnCpu => return Ok(Status::Ready),
                Work::Submitted => {
                    // A copy that is being read would hold the state before this submission.
                    (self.state, self.is_current) = (None, false);
                    return Ok(Status::Ready);
                }
                Work::NeedsState => {
                    self.needs_state = true;
                    return Ok(Status::Ready);
                }
                Work::NeedsResults => self.trainer.read_results(run, &mut self.is_watched),
            },
        };
        let taken = self.trainer.take_results(&mut results, run)?;
        if taken.is_none() {
            self.results = Some(results);
        }
        Ok(taken.unwrap_or(Status::Waiting))
    }

    fn try_fetch_state(&mut self, run: &mut T::Run<'_>) -> Result<bool, GpuError> {
        if !self.is_current {
            let trainer = &mut self.trainer;
            let state = self.state.get_or_insert_with(|| trainer.read_state(run));
            if !trainer.take_state(state, run)? {
                return Ok(false);
            }
            (self.state, self.is_current) = (None, true);
        }
        Ok(true)
    }
}

impl<'a, T: DeviceTrainer> OnDevice<T::Run<'a>> for Pump<T> {
    fn step(&mut self, mut run: T::Run<'a>) -> Status {
        if self.failure.is_some() {
            return Status::Failed;
        }
        self.try_step(&mut run).unwrap_or_else(|error| self.fail(error.to_string()))
    }

    fn prepare_save(&mut self, mut run: T::Run<'a>) -> Status {
        if self.failure.is_some() {
            return Status::Failed;
        }
        match self.try_fetch_state(&mut run) {
            Ok(true) => Status::Ready,
            Ok(false) => Status::Waiting,
            Err(error) => self.fail(error.to_string()),
        }
    }

    fn watch(&mut self) {
        self.is_watched = true;
    }

    fn fail(&mut self, reason: String) -> Status {
        self.failure.get_or_insert(reason);
        Status::Failed
    }

    fn failure(&self) -> Option<String> {
        self.failure.clone()
    }
}
