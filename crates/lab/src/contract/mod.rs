//! The contract test, which every lab must pass. It checks
//!
//! - that a run is bit-identical however it is interrupted, on any number of threads, after saving and
//!   resuming, and with views drawn in between;
//! - that live settings reset nothing, that the seed can change, and that a recipe repeats a run;
//! - that invalid settings, commands, options and files are rejected;
//! - that a tool gives the same answer in steps of any size, on any number of threads, and beside a run.
//!
//! Each check panics with a description of what went wrong. A *unit* is one training iteration, a *step* its
//! smallest interruptible piece.

mod bad_files;
mod bad_input;
mod determinism;
mod device_files;
#[cfg(feature = "gpu")]
mod device_runs;
mod fleet;
mod live_settings;
mod recipes;
mod runs;
mod tools;

use std::sync::Arc;

#[cfg(feature = "gpu")]
pub use device_runs::{
    check_metric, check_on_modest_gpu, check_read_back, check_refusal, check_saves, device_history,
    resume_on, run_on_both, run_there_and_back, start_on,
};
pub use runs::{metric_history, run_until, run_until_solved};
use serde_json::{Map, Value, json};

use crate::tool::SEED_FIELD;
use crate::{
    Budget, Checkpoint, EVALUATE, Entry, EvalRequest, Field, Kind, LabError, Report, Session, Status,
};

/// A lab with the settings to test it with.
#[derive(Clone)]
pub struct Case {
    entry: Entry,
    settings: Value,
    evaluation: Value,
    /// For each tool its id, a short input, and the content of the file that this names.
    tools: Vec<(&'static str, Value, Option<Vec<u8>>)>,
    /// Moves each run to a GPU, if the case has one.
    place_on_device: Option<Arc<Place>>,
}

/// Moves a run to a device.
type Place = dyn Fn(&mut Session) -> Result<(), LabError> + Send + Sync;

/// The seed of all runs.
const SEED: u32 = 41;
/// The seed of all evaluations, which is arbitrary.
const EVALUATION_SEED: u32 = 9;
/// Length of the runs whose final checkpoints are compared.
const UNITS: u64 = 3;

/// Runs every check.
pub fn check(case: &Case) {
    check_about_is_complete(case);
    let run = Uninterrupted::of(case);
    check_runs_beside(case, &run);
    bad_input::bad_settings_are_rejected(case);
    bad_input::bad_commands_are_rejected(case);
    bad_files::bad_files_are_rejected(case, &run);
    bad_files::absurd_counters_are_rejected_or_the_unit_ends(case, &run);
    bad_files::hostile_tensors_are_rejected_or_the_unit_ends(case, &run);
    bad_files::network_alone_can_be_evaluated(case, &run);
    bad_files::run_continues_from_a_network_alone(case, &run);
    bad_input::bad_evaluation_options_are_rejected(case);
    tools::tools_keep_the_contract(case, &run);
}

/// Runs the checks whose results can depend on the device, for a case with one. [`check`] runs the others on
/// the CPU: refusals, evaluations and tools.
pub fn check_on_device(case: &Case) {
    assert!(case.place_on_device.is_some(), "the case has no device");
    let run = Uninterrupted::of(case);
    check_runs_beside(case, &run);
    bad_files::absurd_counters_are_rejected_or_the_unit_ends(case, &run);
    device_files::unit_ends_with_hostile_tensors(case, &run);
    bad_files::run_continues_from_a_network_alone(case, &run);
}

/// Runs the checks of runs: that they are bit-identical however they are interrupted, changed or repeated.
/// Cases whose files and tools are those of a case with [`check`] need no more than this.
pub fn check_runs(case: &Case) {
    check_runs_beside(case, &Uninterrupted::of(case));
}

fn check_runs_beside(case: &Case, run: &Uninterrupted) {
    determinism::interruptions_change_no_bit(case, run.last());
    determinism::threads_change_no_bit(case, run.last());
    determinism::saving_and_loading_change_no_bit(case, run);
    determinism::views_change_no_bit(case, run.last());
    determinism::seed_changes_the_network(case, run);
    live_settings::live_settings_do_not_reset(case, run);
    live_settings::live_changes_take_effect_between_units(case, run);
    live_settings::live_change_taken_back_leaves_no_trace(case, run);
    recipes::seed_can_change_between_units(case, run);
    recipes::seed_changes_between_units_only(case, run);
    recipes::recipe_repeats_the_run(case);
}

/// Runs the checks of a lab whose runs a fleet can compute. `labs` is a list with the lab of the case. A unit
/// must have several jobs.
pub fn check_fleet(case: &Case, labs: &'static [Entry]) {
    fleet::any_fleet_computes_the_same_bits(case, labs);
    fleet::parts_of_jobs_are_computed_alone(case, labs);
    fleet::bad_results_are_refused(case, labs);
    fleet::bad_jobs_are_refused(case, labs);
}

impl Case {
    /// `settings` are those that differ from the defaults; they must be so small that a unit takes a fraction
    /// of a second. `evaluation` holds the options of a short evaluation, as a JSON object; with them and an
    /// arbitrary seed the tool [`EVALUATE`] is tested.
    pub fn new(entry: Entry, settings: Value, evaluation: Value) -> Self {
        let mut input = evaluation.clone();
        input[SEED_FIELD] = EVALUATION_SEED.into();
        Self { entry, settings, evaluation, tools: vec![(EVALUATE, input, None)], place_on_device: None }
    }

    /// Gives the tool `id` of the lab an input with which it soon ends.
    pub fn with_tool(mut self, id: &'static str, input: Value) -> Self {
        self.tools.push((id, input, None));
        self
    }

    /// The same for a tool whose input names a file with this content.
    pub fn with_tool_and_file(mut self, id: &'static str, input: Value, file: &[u8]) -> Self {
        self.tools.push((id, input, Some(file.to_vec())));
        self
    }

    fn start(&self) -> Session {
        self.start_with_seed(SEED)
    }

    fn start_with_seed(&self, seed: u32) -> Session {
        let mut session =
            Session::start(self.entry, &self.settings, seed).expect("the test settings are good");
        self.place(&mut session).expect("the device can be used");
        session
    }

    /// Goes on with a saved run.
    fn resume(&self, checkpoint: &Checkpoint) -> Result<Session, LabError> {
        let mut session = Session::resume(self.entry, checkpoint)?;
        self.place(&mut session)?;
        Ok(session)
    }

    /// Changes the seed, which brings a run back to the CPU, and moves it to the GPU again.
    fn reseed(&self, session: &mut Session, seed: u32) {
        session.reseed(seed).expect("any seed is good");
        self.place(session).expect("the device can be used");
    }

    /// Moves a run to the GPU of the case, if it has one.
    fn place(&self, session: &mut Session) -> Result<(), LabError> {
        self.place_on_device.as_ref().map_or(Ok(()), |place| place(session))
    }

    /// The checkpoint file of a run after `units` uninterrupted units.
    fn bytes_after(&self, units: u64) -> Vec<u8> {
        let mut session = self.start();
        advance(&mut session, units);
        session.save().to_bytes()
    }

    fn evaluate(&self, checkpoint: &Checkpoint, options: &Value) -> Result<Report, LabError> {
        let options = options.as_object().expect("options are a table").clone();
        let request = EvalRequest { options, seed: EVALUATION_SEED, ..EvalRequest::default() };
        self.entry.evaluate(checkpoint, &request)
    }
}

/// The checkpoint files of a run after each of its [`UNITS`] units, none of which is interrupted. Other runs
/// are compared with its last file. Most of them are saved only there, which also shows that saving changes
/// no bit.
struct Uninterrupted {
    files: Vec<Vec<u8>>,
}

impl Uninterrupted {
    fn of(case: &Case) -> Self {
        let mut session = case.start();
        let file_after_unit = |_| {
            advance(&mut session, 1);
            session.save().to_bytes()
        };
        Self { files: (0..UNITS).map(file_after_unit).collect() }
    }

    /// The checkpoint file after this many units, at least one.
    fn file_after(&self, units: u64) -> &[u8] {
        &self.files[units as usize - 1]
    }

    /// The same, read back.
    fn after(&self, units: u64) -> Checkpoint {
        Checkpoint::from_bytes(self.file_after(units)).expect("our own file can be read")
    }

    /// A run that goes on from the file after this many units.
    fn resumed_after(&self, case: &Case, units: u64) -> Session {
        case.resume(&self.after(units)).expect("our own file can be resumed")
    }

    /// The checkpoint file of the whole run.
    fn last(&self) -> &[u8] {
        self.file_after(UNITS)
    }
}

/// Trains for this many units.
fn advance(session: &mut Session, units: u64) {
    for _ in 0..units {
        session.advance_unit();
    }
}

/// Trains to the end of the current unit. Panics if that takes more than `max_steps` steps.
fn finish_unit_within(session: &mut Session, max_steps: u64, what: &str) {
    let mut budget = Budget::steps(max_steps);
    loop {
        match session.advance(&mut budget).status {
            Status::UnitFinished => return,
            // The GPU is busy.
            Status::Waiting => std::thread::yield_now(),
            status => panic!("{what}: {status:?}; the unit did not end within {max_steps} steps"),
        }
    }
}

/// Panics unless `result` is an error with a message of one line, which is returned. `what` describes the bad
/// input.
fn expect_rejection<T>(result: Result<T, LabError>, what: &str) -> String {
    match result {
        Ok(_) => panic!("{what} was accepted"),
        Err(error) => {
            let sentence = error.to_string();
            assert!(!sentence.is_empty() && !sentence.contains('\n'), "not one line: {sentence:?}");
            sentence
        }
    }
}

/// With these settings, four to six of those that have an effect are marked as main, or all in a lab with
/// fewer.
fn check_main_settings_are_few(preset: &str, fields: &[Field], settings: &Map<String, Value>) {
    let applying: Vec<&Field> = fields.iter().filter(|field| field.applies_in(settings)).collect();
    let main = applying.iter().filter(|field| field.main).count();
    assert!((applying.len().min(4)..=6).contains(&main), "{preset}: {main} main settings; expected 4 to 6");
}

/// All texts are present, every number and switch tells what its values do, presets are valid settings, and
/// the charts and the goal are metrics of the lab.
fn check_about_is_complete(case: &Case) {
    let about = case.entry.about;
    let texts = [about.title, about.tagline, about.agent, about.goal, about.picture, about.work, about.unit];
    assert!(texts.iter().all(|text| !text.is_empty()), "{}: a text is missing", about.id);
    assert!(about.id.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}: not an id", about.id);
    assert!(!about.presets.is_empty(), "{}: no preset", about.id);
    let schema = (case.entry.schema)();
    assert_eq!(schema.to_file(), case.entry.settings, "run `cargo xtask bindings` and commit settings.json");
    for preset in about.presets {
        assert!(
            !preset.title.is_empty() && !preset.help.is_empty(),
            "preset {}: a text is missing",
            preset.name
        );
        let settings = case.entry.preset(preset.name).expect("a preset is JSON");
        let settings = schema.complete(None, &settings);
        let settings = settings.unwrap_or_else(|e| panic!("preset {}: {e}", preset.name));
        check_main_settings_are_few(preset.name, schema.fields(), &settings);
    }
    check_main_settings_are_few(
        "defaults",
        schema.fields(),
        &schema.complete(None, &json!({})).expect("defaults"),
    );
    for field in schema.fields() {
        let effects: &[&str] = match field.kind {
            Kind::Integer { .. } | Kind::Number { .. } => &[" Up: ", " Down: "],
            Kind::Switch => &[" On: ", " Off: "],
            _ => &[],
        };
        assert!(
            effects.iter().all(|effect| field.help.contains(effect)),
            "setting {}: its help does not tell{}",
            field.name,
            effects.concat()
        );
    }
    for chart in about.charts {
        assert!(about.metrics.iter().any(|spec| spec.name == *chart), "chart {chart} is not a metric");
    }
    if let Some(goal) = case.start().goal() {
        assert!(about.metrics.iter().any(|spec| spec.name == goal.metric), "the goal is not a metric");
    }
}
