//! The contract test, which every lab must pass. It checks that a run is bit-identical however it is interrupted, on any
//! number of threads, after saving and resuming, and with views drawn in between; that invalid settings, commands, options
//! and files are rejected; that live settings reset nothing; and that checkpoints of earlier versions continue to the same bits
//! (golden runs).
//!
//! Each check panics with a description of what went wrong. A *unit* is one training iteration, a *step* its smallest
//! interruptible piece.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Budget, Checkpoint, Entry, EvalRequest, Field, Kind, LabError, Report, Session, Status};

/// A lab with the settings to test it with. They must be so small that a unit takes a fraction of a second.
#[derive(Clone)]
pub struct Case {
    pub entry: Entry,
    /// Settings that differ from the defaults.
    pub settings: Value,
    /// Options of a short evaluation, as a JSON object.
    pub evaluation: Value,
}

/// The seed of all runs.
const SEED: u32 = 41;
/// Length of the runs whose final checkpoints are compared.
const UNITS: u64 = 3;

/// Runs every check.
pub fn check(case: &Case) {
    about_is_complete(case);
    interruptions_change_no_bit(case);
    threads_change_no_bit(case);
    saving_and_loading_change_no_bit(case);
    views_change_no_bit(case);
    seed_changes_the_network(case);
    live_settings_do_not_reset(case);
    bad_settings_are_rejected(case);
    bad_commands_are_rejected(case);
    bad_files_are_rejected(case);
    absurd_counters_are_rejected_or_the_unit_ends(case);
    network_alone_can_be_evaluated(case);
    bad_evaluation_options_are_rejected(case);
}

impl Case {
    fn start(&self) -> Session {
        Session::start(self.entry, &self.settings, SEED).expect("the test settings are good")
    }

    /// The checkpoint file of a run after `units` uninterrupted units.
    fn bytes_after(&self, units: u64) -> Vec<u8> {
        let mut session = self.start();
        advance(&mut session, units);
        session.save().to_bytes()
    }
}

fn advance(session: &mut Session, units: u64) {
    for _ in 0..units {
        session.advance_unit();
    }
}

/// Panics unless `result` is an error with a message of one line, which is returned. `what` describes the bad input.
fn rejection<T>(result: Result<T, LabError>, what: &str) -> String {
    match result {
        Ok(_) => panic!("{what} was accepted"),
        Err(error) => {
            let sentence = error.to_string();
            assert!(!sentence.is_empty() && !sentence.contains('\n'), "not one line: {sentence:?}");
            sentence
        }
    }
}

/// All texts are present, presets are valid settings, and the charts and the goal are metrics of the lab.
pub fn about_is_complete(case: &Case) {
    let about = case.entry.about;
    let texts = [about.title, about.tagline, about.agent, about.goal, about.picture, about.work, about.unit];
    assert!(texts.iter().all(|text| !text.is_empty()), "{}: a text is missing", about.id);
    assert!(about.id.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}: not an id", about.id);
    assert!(!about.presets.is_empty(), "{}: no preset", about.id);
    let schema = (case.entry.schema)();
    for preset in about.presets {
        assert!(
            !preset.title.is_empty() && !preset.help.is_empty(),
            "preset {}: a text is missing",
            preset.name
        );
        let settings = case.entry.preset(preset.name).expect("a preset is JSON");
        schema.complete(None, &settings).unwrap_or_else(|e| panic!("preset {}: {e}", preset.name));
    }
    for chart in about.charts {
        assert!(about.metrics.iter().any(|spec| spec.name == *chart), "chart {chart} is not a metric");
    }
    if let Some(goal) = case.start().goal() {
        assert!(about.metrics.iter().any(|spec| spec.name == goal.metric), "the goal is not a metric");
    }
}

/// A run gives the same bits however many steps are done per call of `advance`.
pub fn interruptions_change_no_bit(case: &Case) {
    let uninterrupted = case.bytes_after(UNITS);
    // Pseudo-random budgets of 1 to 13 steps, by Knuth's multiplicative hash of the call's number.
    let irregular = |call: u64| 1 + ((call * 2_654_435_761) >> 7) % 13;
    // Each returns the budget of the call with this number, in steps.
    let budgets: [&dyn Fn(u64) -> u64; 4] = [&|_| 1, &|_| 3, &|_| 1000, &irregular];
    for (i, budget) in budgets.iter().enumerate() {
        let mut session = case.start();
        let mut calls = 0;
        while session.units() < UNITS {
            let steps = budget(calls);
            let done = session.advance(&mut Budget::steps(steps));
            assert!(done.steps <= steps, "{} steps, though the budget was {steps}", done.steps);
            assert!(
                done.steps > 0 || done.status == Status::Waiting,
                "no step, though the budget was {steps} and no device is busy"
            );
            calls += 1;
        }
        assert!(session.save().to_bytes() == uninterrupted, "budgets {i} changed the bits");
    }
}

/// One, two and three threads give the same bits.
pub fn threads_change_no_bit(case: &Case) {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can start");
        pool.install(|| case.bytes_after(UNITS))
    };
    let one = run(1);
    for threads in [2, 3] {
        assert!(run(threads) == one, "{threads} threads changed the bits");
    }
}

/// A run that is saved after k units, loaded and continued to N units gives the same file as an uninterrupted run of N units.
pub fn saving_and_loading_change_no_bit(case: &Case) {
    let uninterrupted = case.bytes_after(UNITS);
    for k in 0..=UNITS {
        let saved = Checkpoint::from_bytes(&case.bytes_after(k)).expect("our own file can be read");
        let mut session = Session::resume(case.entry, &saved).expect("our own file can be resumed");
        assert_eq!((session.units(), session.seed()), (k, SEED));
        advance(&mut session, UNITS - k);
        assert!(session.save().to_bytes() == uninterrupted, "saving after unit {k} changed the bits");
    }
    // Saving in the middle of a unit first finishes the unit.
    let mut session = case.start();
    session.advance(&mut Budget::steps(1));
    session.save();
    assert!(!session.is_mid_unit());
    let remaining = UNITS - session.units();
    advance(&mut session, remaining);
    assert!(session.save().to_bytes() == uninterrupted, "a save in the middle of a unit changed the bits");
}

/// Drawing views and advancing the animation changes nothing that training uses.
pub fn views_change_no_bit(case: &Case) {
    let without_views = case.bytes_after(UNITS);
    let mut session = case.start();
    let mut views = 0u32;
    while session.units() < UNITS {
        session.advance(&mut Budget::steps(2));
        // 0 to 0.12 seconds, like the frames of a page that sometimes stalls.
        session.animate(0.03 * f64::from(views % 5));
        serde_json::to_string(&session.view()).expect("a view can be serialised");
        views += 1;
    }
    assert!(session.save().to_bytes() == without_views, "a view changed the bits");
}

/// Runs with different seeds give different networks.
pub fn seed_changes_the_network(case: &Case) {
    let mut first = case.start();
    advance(&mut first, 1);
    let mut second = Session::start(case.entry, &case.settings, SEED + 1).expect("any seed is good");
    advance(&mut second, 1);
    assert!(first.save().network() != second.save().network(), "the seed is ignored");
}

/// A change of a live setting is accepted and resets nothing. A change of any other setting is rejected with the hint that it
/// needs a restart.
pub fn live_settings_do_not_reset(case: &Case) {
    for field in (case.entry.schema)().fields() {
        let mut session = case.start();
        advance(&mut session, 1);
        let before = session.save();
        let change = json!({ &field.name: different_value(&field.kind, &session.config()[&field.name]) });
        let result = session.configure(&change);
        if !field.live {
            let sentence = rejection(result, &format!("a change of `{}` without a restart", field.name));
            assert!(sentence.contains(&field.name) && sentence.contains("restart"), "{sentence}");
            assert!(session.save() == before, "a rejected change of `{}` changed something", field.name);
            continue;
        }
        result.unwrap_or_else(|e| panic!("a live change was rejected: {e}"));
        let after = session.save();
        assert!(after.tensors == before.tensors, "`{}` reset something", field.name);
        assert_eq!((after.header.units, after.header.work), (before.header.units, before.header.work));
        assert_ne!(after.header.config, before.header.config);
        advance(&mut session, 1);
    }
}

/// An allowed value of this kind that differs from `now`.
fn different_value(kind: &Kind, now: &Value) -> Value {
    match kind {
        // A neighbouring value, because the largest one, for example of a network's width, could make the test slow.
        Kind::Integer { min, max } => {
            let n = now.as_f64().unwrap_or(*min);
            json!(if n < *max { n + 1.0 } else { n - 1.0 })
        }
        Kind::Number { min, max } => {
            let n = now.as_f64().unwrap_or(*min);
            let middle = (min + max) / 2.0;
            json!(if n == middle { *min } else { (n + middle) / 2.0 })
        }
        Kind::Switch => json!(!now.as_bool().unwrap_or(false)),
        Kind::Choice { options } => json!(options.iter().find(|o| now != o.as_str()).unwrap_or(&options[0])),
        Kind::File | Kind::Opponent { .. } => unreachable!("`Schema::of` rejects such settings"),
    }
}

/// Unknown settings, wrong types and values out of range are rejected. The error contains the field and its range.
pub fn bad_settings_are_rejected(case: &Case) {
    let schema = (case.entry.schema)();
    let rejected = |field: &str, value: Value| {
        let settings = json!({ field: value });
        let sentence = rejection(Session::start(case.entry, &settings, SEED), &settings.to_string());
        assert!(sentence.contains(field), "the error does not contain `{field}`: {sentence}");
        sentence
    };
    rejected("no_such_setting", json!(1));
    check_bad_values(schema.fields(), &rejected);
    rejection(Session::start(case.entry, &json!(["not", "a", "table"]), SEED), "a list of settings");
}

/// Tries, for each field, values of the wrong type and out of range. `rejected` checks that the value is rejected and returns
/// the error message, which must contain what the field accepts.
fn check_bad_values(fields: &[Field], rejected: &dyn Fn(&str, Value) -> String) {
    for field in fields {
        match &field.kind {
            Kind::Integer { min, max } | Kind::Number { min, max } => {
                for value in
                    [json!(min - 1.0), json!(max * 2.0 + 1.0), json!("seven"), json!(null), json!([1])]
                {
                    let sentence = rejected(&field.name, value);
                    assert!(sentence.contains(&format!("from {min} to {max}")), "no range: {sentence}");
                }
            }
            Kind::Choice { options } => {
                assert!(rejected(&field.name, json!("no such option")).contains(&options[0]));
            }
            Kind::Switch | Kind::File | Kind::Opponent { .. } => drop(rejected(&field.name, json!(2))),
        }
    }
}

/// Unknown commands are rejected and change nothing.
pub fn bad_commands_are_rejected(case: &Case) {
    let mut session = case.start();
    let before = session.save();
    for command in [json!(null), json!({}), json!("x"), json!({"type": "no such command"}), json!([1, 2])] {
        rejection(session.apply(command.clone()), &command.to_string());
    }
    assert!(session.save() == before, "a rejected command changed something");
}

/// Truncated and damaged files, files of other labs and of newer versions, files with unknown settings, and files with missing
/// or reshaped tensors are rejected.
pub fn bad_files_are_rejected(case: &Case) {
    let good = case.bytes_after(1);
    let open = |bytes: &[u8]| {
        Checkpoint::from_bytes(bytes).and_then(|checkpoint| Session::resume(case.entry, &checkpoint))
    };
    assert!(open(&good).is_ok());
    // At 40 positions spread over the file: cut it there, and flip bits of the byte there.
    const POSITIONS: usize = 40;
    for i in 0..POSITIONS {
        let at = i * good.len() / POSITIONS;
        rejection(open(&good[..at]), &format!("a file cut at byte {at}"));
        let mut damaged = good.clone();
        damaged[at] ^= 0x5a;
        rejection(open(&damaged), &format!("a file damaged at byte {at}"));
    }
    rejection(open(b"not a checkpoint"), "a text");

    let checkpoint = Checkpoint::from_bytes(&good).expect("our own file can be read");
    let mut other_lab = checkpoint.clone();
    other_lab.header.lab = "elsewhere".into();
    assert!(rejection(open(&other_lab.to_bytes()), "a file of another lab").contains("elsewhere"));

    // The envelope is JSON inside a JSON string, so its quotation marks are escaped.
    let version_1 = br#"format\":1,"#;
    let at = good.windows(version_1.len()).position(|w| w == version_1).expect("the header has a format");
    let mut newer = good.clone();
    newer[at + version_1.len() - 2] = b'9';
    assert!(rejection(open(&newer), "a file of a newer version").contains("newer"));

    let mut unknown_setting = checkpoint.clone();
    unknown_setting.header.config.insert("no_such_setting".into(), json!(1));
    assert!(
        rejection(open(&unknown_setting.to_bytes()), "an unknown setting in a file")
            .contains("no_such_setting")
    );

    for (name, tensor) in checkpoint.tensors.iter() {
        let mut without = checkpoint.clone();
        without.tensors.remove(name);
        let sentence = rejection(open(&without.to_bytes()), &format!("a file without `{name}`"));
        // Labs report the name without the folder of the network or optimiser.
        let leaf = name.rsplit('/').next().unwrap_or(name);
        assert!(sentence.contains(leaf), "the error does not contain `{leaf}`: {sentence}");

        let mut reshaped = checkpoint.clone();
        let len = tensor.bytes().len() + 1;
        reshaped.tensors.insert(name, &[len, 1], &vec![0u8; len]);
        rejection(open(&reshaped.to_bytes()), &format!("a file with a reshaped `{name}`"));
    }
}

/// A file with a valid checksum but an absurd counter is rejected, or the next unit still ends within a bounded number of
/// steps.
///
/// The counters are the units, the work, every whole number among the lab's scalars, and every short tensor of whole
/// numbers. They are replaced one at a time.
pub fn absurd_counters_are_rejected_or_the_unit_ends(case: &Case) {
    let checkpoint = Checkpoint::from_bytes(&case.bytes_after(2)).expect("our own file can be read");
    let mut session = Session::resume(case.entry, &checkpoint).expect("our own file can be resumed");
    let max_steps = 50 * session.advance_unit().steps + 10_000;
    // Around the limits of u64, i64, f64's exact integers and u32, a large value that fits everywhere, and zero.
    let absurd = [u64::MAX, u64::MAX / 2, i64::MAX as u64, 1 << 53, 1 << 32, 1 << 20, 0];
    let check_rejected_or_ends =
        |checkpoint: &Checkpoint, what: &str| match Session::resume(case.entry, checkpoint) {
            Err(error) => drop(rejection::<()>(Err(error), what)),
            Ok(mut session) => {
                let done = session.advance(&mut Budget::steps(max_steps));
                assert!(done.status == Status::Unit, "{what}: the unit did not end within {max_steps} steps");
            }
        };
    for value in absurd {
        let (mut units, mut work) = (checkpoint.clone(), checkpoint.clone());
        units.header.units = value;
        check_rejected_or_ends(&units, &format!("units = {value}"));
        work.header.work = value;
        check_rejected_or_ends(&work, &format!("work = {value}"));
    }
    let mut paths = Vec::new();
    collect_integers(&checkpoint.header.scalars, String::new(), &mut paths);
    for path in paths {
        for value in absurd {
            let mut changed = checkpoint.clone();
            *changed.header.scalars.pointer_mut(&path).expect("it was found there") = value.into();
            check_rejected_or_ends(&changed, &format!("`{path}` = {value}"));
        }
    }
    for (name, tensor) in checkpoint.tensors.iter() {
        let count: usize = tensor.shape().iter().product();
        // Longer tensors are data, such as a replay buffer, and not counters.
        if count > 16 {
            continue;
        }
        for value in absurd {
            let mut changed = checkpoint.clone();
            match tensor.type_name().as_str() {
                "U64" => changed.tensors.insert(name, tensor.shape(), &vec![value; count]),
                "U32" => changed.tensors.insert(name, tensor.shape(), &vec![value as u32; count]),
                _ => continue,
            }
            check_rejected_or_ends(&changed, &format!("tensor `{name}` = {value}"));
        }
    }
}

/// Appends the JSON pointers of all whole numbers in `value`, which itself is at `path`.
fn collect_integers(value: &Value, path: String, found: &mut Vec<String>) {
    match value {
        Value::Number(n) if n.is_u64() || n.is_i64() => found.push(path),
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(i, item)| collect_integers(item, format!("{path}/{i}"), found));
        }
        Value::Object(items) => {
            items.iter().for_each(|(key, item)| collect_integers(item, format!("{path}/{key}"), found));
        }
        _ => {}
    }
}

impl Case {
    fn evaluate(&self, checkpoint: &Checkpoint, options: &Value) -> Result<Report, LabError> {
        let options = options.as_object().expect("options are a table").clone();
        self.entry.evaluate(checkpoint, &EvalRequest { options, seed: 9, ..EvalRequest::default() })
    }
}

/// A file with only the network evaluates like the complete file. If the lab can continue training from it, it does so
/// reproducibly; otherwise the error says that the file holds only the network.
pub fn network_alone_can_be_evaluated(case: &Case) {
    let checkpoint = Checkpoint::from_bytes(&case.bytes_after(1)).expect("our own file can be read");
    let alone = Checkpoint::from_bytes(&checkpoint.network_only().to_bytes()).expect("it can be read");
    let evaluate = |c: &Checkpoint| {
        let report = case.evaluate(c, &case.evaluation).expect("the evaluation of the test case works");
        format!("{} {:?}", report.summary, report.figures)
    };
    assert_eq!(evaluate(&checkpoint), evaluate(&alone));
    match Session::resume(case.entry, &alone) {
        Err(error) => assert!(error.to_string().contains("only the network"), "{error}"),
        Ok(mut session) => {
            assert_eq!(session.units(), alone.header.units);
            let before_training = session.save();
            assert_eq!(
                evaluate(&before_training),
                evaluate(&alone),
                "the network is not the one in the file"
            );
            session.advance_unit();
            let mut resumed = Session::resume(case.entry, &before_training).expect("a saved run continues");
            while resumed.units() < session.units() {
                resumed.advance(&mut Budget::steps(1));
            }
            assert_eq!(
                session.save().to_bytes(),
                resumed.save().to_bytes(),
                "a run from a network changed when it was saved and resumed"
            );
        }
    }
}

/// Unknown options of an evaluation, wrong types and values out of range are rejected. The error contains the option's name.
pub fn bad_evaluation_options_are_rejected(case: &Case) {
    let checkpoint = case.start().save();
    let rejected = |option: &str, value: Value| {
        let options = json!({ option: value });
        let sentence = rejection(case.evaluate(&checkpoint, &options), &options.to_string());
        assert!(sentence.contains(option), "the error does not contain `{option}`: {sentence}");
        sentence
    };
    rejected("no_such_option", json!(1));
    check_bad_values((case.entry.eval_options)().fields(), &rejected);
}

/// A saved run of an earlier version, with the checksums that its continuation must have. `scripts/make_run_golden.py` writes
/// them.
#[derive(Deserialize)]
struct GoldenRun {
    name: String,
    lab: String,
    seed: u32,
    units: u64,
    settings: Value,
    /// The number of units by which the saved run is continued.
    more: u64,
    /// CRC-32 of every tensor of the continued run, by the tensor's name.
    after: BTreeMap<String, String>,
}

/// Checkpoints of earlier versions continue to the same bits, and settings of earlier versions start the same runs. `folder`
/// contains one saved run per lab and learner.
///
/// The recorded checksums are those of instruction sets with a fused multiply-add (AVX-512, AVX2, NEON), which rounds once
/// instead of twice. If `fused` is false, the runs are continued, but their bits are not compared.
pub fn golden_runs_give_the_same_bits(entry: Entry, folder: &Path, fused: bool) {
    let list = std::fs::read(folder.join("runs.json")).expect("the list of golden runs");
    let runs: Vec<GoldenRun> = serde_json::from_slice(&list).expect("a list of runs");
    let runs: Vec<GoldenRun> = runs.into_iter().filter(|run| run.lab == entry.about.id).collect();
    assert!(!runs.is_empty(), "{} has no golden run", entry.about.id);
    for run in runs {
        let bytes = std::fs::read(folder.join(format!("{}.safetensors", run.name))).expect("a golden run");
        let golden = Checkpoint::from_bytes(&bytes).expect("an old checkpoint is read");

        let mut fresh = Session::start(entry, &run.settings, run.seed).expect("old settings are read");
        advance(&mut fresh, run.units);
        let mut continued = Session::resume(entry, &golden).expect("an old checkpoint is resumed");
        advance(&mut continued, run.more);
        let after = continued.save();
        assert_eq!(after.header.units, run.units + run.more, "{}", run.name);
        if fused {
            assert_eq!(checksums(&fresh.save()), checksums(&golden), "{} from the start", run.name);
            assert_eq!(checksums(&after), run.after, "{} continued", run.name);
        }
    }
}

/// CRC-32 of every tensor, by the tensor's name.
fn checksums(checkpoint: &Checkpoint) -> BTreeMap<String, String> {
    let checksum = |bytes| format!("{:08x}", crc32fast::hash(bytes));
    checkpoint.tensors.iter().map(|(name, tensor)| (name.to_owned(), checksum(tensor.bytes()))).collect()
}
