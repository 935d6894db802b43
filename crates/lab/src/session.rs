//! The session: one run of a lab. It owns settings, seed, unit counter and history of metrics, checks the
//! goal, and saves and resumes checkpoints. A *unit* is one training iteration; a *step* is the smallest
//! interruptible piece of a unit.

mod changes;
#[cfg(not(target_family = "wasm"))]
mod sharing;

use learnery_nn::{Precision, Tensors};
use serde_json::{Map, Value};

use crate::{
    AnyLab, Budget, Change, Checkpoint, DeviceUse, DeviceWait, Entry, Goal, Header, History, LabError, Row,
    Schema, State, Status,
};

/// The maximum number of completed units in a checkpoint. No real run gets there, and counters that are
/// multiples of the units, such as steps or positions, cannot overflow a `u64`.
const MAX_UNITS: u64 = 1 << 40;

/// The prefix of the names of the tensors that hold the metrics of earlier units.
pub(crate) const HISTORY_PREFIX: &str = "history/";

/// A run of one lab.
pub struct Session {
    entry: Entry,
    schema: Schema,
    lab: Box<dyn AnyLab>,
    /// All settings of the unit in progress, including defaults.
    unit_config: Map<String, Value>,
    /// All settings from the next unit on, if live settings were changed during the unit in progress.
    pending_config: Option<Map<String, Value>>,
    /// The changes of live settings, of the seed and of the user's own data so far.
    changes: Vec<Change>,
    /// The devices that have computed the run so far.
    devices: Vec<DeviceUse>,
    /// See [`Session::network_since`].
    network_since: Option<u64>,
    seed: u32,
    /// Completed units.
    units: u64,
    /// See [`Session::units_work`].
    units_work: u64,
    /// The number of completed units when the goal was first reached.
    solved_at: Option<u64>,
    /// See [`Session::solved_work`].
    solved_work: Option<u64>,
    /// Whether a unit is in progress: some of its steps are done.
    is_mid_unit: bool,
    /// The metrics of the last completed unit.
    row: Row,
    history: History,
}

/// The result of [`Session::advance`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advance {
    pub status: Status,
    /// Steps completed by this call.
    pub steps: u64,
    /// Whether the run reached its goal for the first time in this call.
    pub just_solved: bool,
}

impl Session {
    /// Starts a run. `settings` is a JSON object with the settings that differ from the defaults.
    pub fn start(entry: Entry, settings: &Value, seed: u32) -> Result<Self, LabError> {
        let schema = (entry.schema)();
        let config = schema.complete(None, settings)?;
        let lab = (entry.start)(config.clone(), seed)?;
        let columns = entry.about.metrics.len();
        let row = Row::new(entry.about.metrics);
        let history = History::new(columns);
        Ok(Self {
            entry,
            schema,
            lab,
            unit_config: config,
            pending_config: None,
            changes: Vec::new(),
            devices: Vec::new(),
            network_since: None,
            seed,
            units: 0,
            units_work: 0,
            solved_at: None,
            solved_work: None,
            is_mid_unit: false,
            row,
            history,
        })
    }

    /// Continues a saved run with the same bits as if it had not been interrupted. If the file contains only
    /// the network, the lab continues with a new optimiser if it can (see [`crate::Lab::load_network`]), and
    /// the history is empty.
    pub fn resume(entry: Entry, checkpoint: &Checkpoint) -> Result<Self, LabError> {
        entry.owns(checkpoint)?;
        let header = &checkpoint.header;
        if header.units > MAX_UNITS {
            return Err(LabError::Checkpoint(format!("{} units cannot have been completed", header.units)));
        }
        if let Some(unit) = header.solved_at.filter(|unit| !(1..=header.units).contains(unit)) {
            return Err(LabError::Checkpoint(format!(
                "the goal cannot have been reached at unit {unit} of {}",
                header.units
            )));
        }
        let schema = (entry.schema)();
        let config = schema.complete(None, &Value::Object(header.config.clone()))?;
        let (lab, history) = if header.network_only {
            let lab = (entry.resume_network)(config.clone(), checkpoint)?;
            (lab, History::new(entry.about.metrics.len()))
        } else {
            let state = State { scalars: header.scalars.clone(), tensors: checkpoint.tensors.clone() };
            let lab = (entry.resume)(config.clone(), header, &state)?;
            (lab, read_history(&entry, &checkpoint.tensors)?)
        };
        changes::check_changes(&entry, &schema, header)?;
        let units_work = lab.work(header.units);
        let row = Row::new(entry.about.metrics);
        let mut devices = header.devices.clone();
        if devices.last().is_some_and(|last| !last.is_cpu()) {
            // A resumed run computes on the CPU until it is moved to a GPU again.
            devices.push(DeviceUse::cpu(header.units));
        }
        Ok(Self {
            pending_config: None,
            changes: header.changes.clone(),
            devices,
            // If the run continued from a network several times, the first time counts: only what came
            // before it is unknown.
            network_since: header.network_since.or(header.network_only.then_some(header.units)),
            history,
            entry,
            schema,
            lab,
            unit_config: config,
            seed: header.seed,
            units: header.units,
            units_work,
            solved_at: header.solved_at,
            solved_work: None,
            is_mid_unit: false,
            row,
        })
    }

    /// Runs steps until the budget is spent or the unit is finished. It returns earlier if the device (a GPU) is
    /// still computing what the next step needs, or has failed; the status says which.
    pub fn advance(&mut self, budget: &mut Budget) -> Advance {
        let used_before = budget.used();
        let status = self.lab.advance(self.units, budget);
        let steps = budget.used() - used_before;
        let mut just_solved = false;
        if status == Status::UnitFinished {
            self.is_mid_unit = false;
            self.units += 1;
            self.units_work = self.work();
            self.row.clear();
            self.lab.metrics(self.units, &mut self.row);
            self.history.push(self.units, &self.row);
            if self.network_since == Some(self.units - 1) && self.network_since == self.lab.warm_restart() {
                // The run continued from a network at the unit at which its settings ask for a warm restart.
                // A run from the start with these settings goes on with the same bits there, so this one can
                // be repeated from its start.
                self.network_since = None;
            }
            if self.solved_at.is_none() && self.goal_is_met() {
                self.solved_at = Some(self.units);
                self.solved_work = Some(self.units_work);
                just_solved = true;
            }
            if let Some(config) = self.pending_config.take() {
                self.put_into_effect(config).expect("the settings were checked when they were changed");
            }
        } else {
            self.is_mid_unit |= steps > 0;
        }
        Advance { status, steps, just_solved }
    }

    /// Finishes the unit in progress, or runs a whole unit if none is in progress. A browser must not wait
    /// for its GPU, so there this also returns where the run waits.
    pub fn advance_unit(&mut self) -> Advance {
        let mut total_steps = 0;
        let mut wait = DeviceWait::default();
        loop {
            let advanced = self.advance(&mut Budget::unlimited());
            total_steps += advanced.steps;
            if advanced.steps > 0 {
                wait.end();
            }
            match advanced.status {
                Status::Ready => {}
                Status::Waiting if wait.pause() => {}
                // Finished, failed, or waiting in a browser, where `pause` returns false.
                _ => return Advance { steps: total_steps, ..advanced },
            }
        }
    }

    /// Whether a GPU is likely to train this run faster than the CPU.
    pub fn prefers_gpu(&self) -> bool {
        self.lab.prefers_gpu()
    }

    /// Why the GPU failed, after [`Status::Failed`].
    pub fn failure(&self) -> Option<String> {
        self.lab.failure()
    }

    /// What the user should know about the last unit, as a sentence without a full stop.
    #[cfg(not(target_family = "wasm"))]
    pub fn remark(&self) -> Option<String> {
        self.lab.remark()
    }

    /// The precision in which the last GPU of the run multiplied matrices; f32 if there was none.
    pub fn gpu_precision(&self) -> Precision {
        let last = self.devices.iter().rev().find(|device| !device.is_cpu());
        last.map_or(Precision::F32, |device| device.precision)
    }

    /// Moves the run to a GPU, from the next unit on, with matrix products in this precision. Must be called
    /// between two units.
    #[cfg(feature = "gpu")]
    pub fn use_gpu(&mut self, gpu: &learnery_gpu::Gpu, precision: Precision) -> Result<(), LabError> {
        assert!(!self.is_mid_unit, "a run is moved between two units");
        self.lab.use_gpu(self.units, gpu, precision)?;
        let info = gpu.info();
        let adapter = format!("{} ({})", info.name, info.driver);
        let kernels = gpu.kernel_version(precision);
        let device = DeviceUse { unit: self.units, device: "gpu".into(), adapter, kernels, precision };
        // A device that has computed no unit leaves no trace.
        self.devices.retain(|earlier| earlier.unit < self.units);
        if self.devices.is_empty() && self.units > 0 {
            // An empty list means that the CPU has computed all units so far.
            self.devices.push(DeviceUse::cpu(0));
        }
        // Compares everything but the unit.
        let is_other = |last: &DeviceUse| DeviceUse { unit: last.unit, ..device.clone() } != *last;
        if self.devices.last().is_none_or(is_other) {
            self.devices.push(device);
        }
        Ok(())
    }

    /// The devices that have computed the run, in the order of their units; empty if only the CPU did.
    pub fn devices(&self) -> &[DeviceUse] {
        &self.devices
    }

    /// Prepares [`Session::save`]: finishes the unit in progress and fetches what the GPU holds. The run
    /// can be saved when this returns [`Status::Ready`]. [`Status::Waiting`] means: call again later.
    pub fn prepare_save(&mut self) -> Status {
        if self.is_mid_unit {
            let status = self.advance_unit().status;
            if status != Status::UnitFinished {
                return status;
            }
        }
        self.lab.prepare_save(self.units)
    }

    fn goal_is_met(&self) -> bool {
        let Some(goal) = self.lab.goal() else { return false };
        let value = self.row.get(goal.metric);
        let spec = self.entry.about.metrics.iter().find(|spec| spec.name == goal.metric);
        match spec.map(|spec| spec.better) {
            Some(crate::Better::Lower) => value <= goal.target,
            // All other metrics reach their goal from below. A metric that was not measured is NaN, for which
            // both comparisons are false.
            _ => value >= goal.target,
        }
    }

    /// Advances the animation on the stage by `seconds`.
    pub fn animate(&mut self, seconds: f64) {
        self.lab.animate(self.units, seconds);
    }

    /// The data that the page draws.
    pub fn view(&self) -> Box<dyn erased_serde::Serialize> {
        self.lab.view(self.units)
    }

    /// Returns a checkpoint of the run. A unit in progress is finished first, because labs can be saved
    /// between units only.
    ///
    /// # Panics
    /// If the GPU failed, see [`Session::try_save`].
    pub fn save(&mut self) -> Checkpoint {
        self.try_save().expect("a run on the CPU can be saved")
    }

    /// Returns a checkpoint of the run. A unit in progress is finished first. The error says why the GPU
    /// failed. In a browser, which must not wait, [`Session::prepare_save`] must have returned
    /// [`Status::Ready`].
    pub fn try_save(&mut self) -> Result<Checkpoint, LabError> {
        self.settle()?;
        Ok(self.checkpoint())
    }

    /// Returns the network of the run as a checkpoint that holds nothing else, for tools. As for a save, a unit
    /// in progress is finished first, so that the unit of the checkpoint says which network it is.
    pub fn try_network(&mut self) -> Result<Checkpoint, LabError> {
        self.settle()?;
        let mut tensors = Tensors::new();
        tensors.absorb("network/", self.lab.network());
        Ok(Checkpoint { header: Header { network_only: true, ..self.header(Value::Null) }, tensors })
    }

    /// Finishes the unit in progress and fetches what the GPU holds.
    fn settle(&mut self) -> Result<(), LabError> {
        let mut wait = DeviceWait::default();
        loop {
            match self.prepare_save() {
                Status::Ready | Status::UnitFinished => return Ok(()),
                Status::Waiting if wait.pause() => {}
                Status::Waiting => {
                    // In a browser, where `pause` returns false.
                    return Err(LabError::Device("the GPU is not ready".into()));
                }
                // After `Failed` there is a reason.
                Status::Failed => return Err(LabError::Device(self.failure().unwrap_or_default())),
            }
        }
    }

    fn checkpoint(&self) -> Checkpoint {
        let State { scalars, mut tensors } = self.lab.save();
        self.write_history(&mut tensors);
        Checkpoint { header: self.header(scalars), tensors }
    }

    fn header(&self, scalars: Value) -> Header {
        Header {
            lab: self.entry.about.id.to_owned(),
            config: self.schema.stored(&self.unit_config),
            seed: self.seed,
            units: self.units,
            work: self.lab.work(self.units),
            solved_at: self.solved_at,
            network_only: false,
            scalars,
            changes: self.changes.clone(),
            devices: self.devices.clone(),
            network_since: self.network_since,
        }
    }

    fn write_history(&self, tensors: &mut Tensors) {
        let units = self.history.units();
        tensors.insert(format!("{HISTORY_PREFIX}stride"), &[1], &[self.history.stride()]);
        tensors.insert(format!("{HISTORY_PREFIX}units"), &[units.len()], units);
        for (spec, column) in self.entry.about.metrics.iter().zip(self.history.columns()) {
            tensors.insert(format!("{HISTORY_PREFIX}{}", spec.name), &[column.len()], column);
        }
    }

    /// The entry of this lab in the list of labs.
    pub fn entry(&self) -> &Entry {
        &self.entry
    }

    /// All settings, including defaults. Changes that take effect when the unit in progress is finished are
    /// included.
    pub fn config(&self) -> &Map<String, Value> {
        self.pending_config.as_ref().unwrap_or(&self.unit_config)
    }

    /// The changes of live settings, of the seed and of the user's own data that have taken effect.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// The number of completed units when the run continued from a file that held only a network, so that it
    /// cannot be repeated from its start; `None` if it can.
    pub fn network_since(&self) -> Option<u64> {
        self.network_since
    }

    /// The fingerprint of the run: equal for runs that continue with the same bits. A unit in progress is
    /// finished first.
    pub fn fingerprint(&mut self) -> String {
        self.save().fingerprint()
    }

    /// The schema of the settings.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    pub fn seed(&self) -> u32 {
        self.seed
    }

    /// Completed units.
    pub fn units(&self) -> u64 {
        self.units
    }

    /// The amount of training, in the lab's unit of measure (`About::work`). It counts what was done of the
    /// unit in progress too.
    pub fn work(&self) -> u64 {
        self.lab.work(self.units)
    }

    /// The amount of training at the end of the last completed unit. It depends on nothing but the run.
    pub fn units_work(&self) -> u64 {
        self.units_work
    }

    /// Whether a unit is in progress: some of its steps are done, but not all.
    pub fn is_mid_unit(&self) -> bool {
        self.is_mid_unit
    }

    /// Whether a unit is in progress that further steps will finish, which they do not after a failure.
    pub fn will_finish_unit(&self) -> bool {
        self.is_mid_unit && self.failure().is_none()
    }

    pub fn goal(&self) -> Option<Goal> {
        self.lab.goal()
    }

    /// The number of units after which the schedules of the settings have ended, see
    /// [`crate::Lab::run_schedule`].
    pub fn schedule(&self) -> Option<u64> {
        self.lab.schedule(self.units)
    }

    /// The number of completed units when the goal was first reached; `None` if it has not been reached.
    pub fn solved_at(&self) -> Option<u64> {
        self.solved_at
    }

    /// The amount of training at the end of that unit; `None` if that was before the run was resumed.
    pub fn solved_work(&self) -> Option<u64> {
        self.solved_work
    }

    /// The metrics of the last completed unit.
    pub fn row(&self) -> &Row {
        &self.row
    }

    /// The metrics of earlier units.
    pub fn history(&self) -> &History {
        &self.history
    }
}

impl Entry {
    /// The metrics of earlier units in a checkpoint of this lab; `None` if the checkpoint holds only a
    /// network.
    pub fn history(&self, checkpoint: &Checkpoint) -> Result<Option<History>, LabError> {
        self.owns(checkpoint)?;
        let has_history = checkpoint.tensors.contains(&format!("{HISTORY_PREFIX}units"));
        has_history.then(|| read_history(self, &checkpoint.tensors)).transpose()
    }
}

/// Reads the tensors that `Session::write_history` wrote. A metric that the lab did not have when the file
/// was written is NaN for every unit.
fn read_history(entry: &Entry, tensors: &Tensors) -> Result<History, LabError> {
    let [stride] = tensors.get::<u64>(&format!("{HISTORY_PREFIX}stride"), &[1])?[..] else {
        unreachable!("one value")
    };
    let units = tensors.get_vec(&format!("{HISTORY_PREFIX}units"))?;
    let columns = entry
        .about
        .metrics
        .iter()
        .map(|spec| {
            let name = format!("{HISTORY_PREFIX}{}", spec.name);
            if tensors.contains(&name) {
                tensors.get(&name, &[units.len()])
            } else {
                Ok(vec![f64::NAN; units.len()])
            }
        })
        .collect::<Result<_, _>>()?;
    History::from_parts(stride, units, columns)
        .ok_or_else(|| LabError::Checkpoint("its history does not fit together".into()))
}
