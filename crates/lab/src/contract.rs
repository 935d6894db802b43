//! The contract as a test that every lab runs: slicing, threads, saving and continuing, refusal of damaged files and bad
//! settings, live settings, views without side effects, and golden runs.
//!
//! Each check panics with what went wrong, as tests do.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Budget, Checkpoint, Entry, EvalRequest, Field, Kind, LabError, Report, Session, Status};

/// A lab and the settings to test it with, small enough that a unit takes a fraction of a second.
#[derive(Clone)]
pub struct Case {
    /// The lab.
    pub entry: Entry,
    /// Settings that differ from the defaults.
    pub settings: Value,
    /// Options of a short evaluation, as a table.
    pub evaluation: Value,
}

const SEED: u32 = 41;
const UNITS: u64 = 3;

/// Runs every check.
pub fn check(case: &Case) {
    about_is_complete(case);
    slicing_changes_no_bit(case);
    threads_change_no_bit(case);
    saving_and_loading_change_no_bit(case);
    views_change_no_bit(case);
    seed_changes_the_network(case);
    live_settings_do_not_reset(case);
    bad_settings_are_refused(case);
    bad_commands_are_refused(case);
    bad_files_are_refused(case);
    absurd_counters_are_refused_or_end(case);
    network_alone_can_be_evaluated(case);
    bad_evaluation_options_are_refused(case);
}

impl Case {
    fn start(&self) -> Session {
        Session::start(self.entry, &self.settings, SEED).expect("the test settings are good")
    }

    /// The bytes after `units` whole units.
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

fn refusal<T>(result: Result<T, LabError>, what: &str) -> String {
    match result {
        Ok(_) => panic!("{what} was accepted"),
        Err(error) => {
            let sentence = error.to_string();
            assert!(!sentence.is_empty() && !sentence.contains('\n'), "not one sentence: {sentence:?}");
            sentence
        }
    }
}

/// Texts are complete, presets are valid, charts and goal are metrics.
pub fn about_is_complete(case: &Case) {
    let about = case.entry.about;
    let words = [about.title, about.tagline, about.agent, about.goal, about.picture, about.work, about.unit];
    assert!(words.iter().all(|text| !text.is_empty()), "{}: a text is missing", about.id);
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
        assert!(about.metrics.iter().any(|spec| spec.name == *chart), "chart {chart} is no metric");
    }
    if let Some(goal) = case.start().goal() {
        assert!(about.metrics.iter().any(|spec| spec.name == goal.metric), "the goal is no metric");
    }
}

/// Any slicing gives the same bits.
pub fn slicing_changes_no_bit(case: &Case) {
    let whole = case.bytes_after(UNITS);
    let ragged = |i: u64| 1 + ((i * 2_654_435_761) >> 7) % 13;
    let slicings: [&dyn Fn(u64) -> u64; 4] = [&|_| 1, &|_| 3, &|_| 1000, &ragged];
    for (which, slicing) in slicings.iter().enumerate() {
        let mut session = case.start();
        let mut slices = 0;
        while session.units() < UNITS {
            let done = session.advance(&mut Budget::steps(slicing(slices)));
            assert!(done.steps <= slicing(slices), "more steps than the budget allowed");
            assert!(
                done.steps > 0 || done.status == Status::Waiting,
                "no step, though the budget allowed some"
            );
            slices += 1;
        }
        assert!(session.save().to_bytes() == whole, "slicing {which} changed the bits");
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

/// N units equal k units, save, load and N - k units; optimiser, replay, history and random state included.
pub fn saving_and_loading_change_no_bit(case: &Case) {
    let whole = case.bytes_after(UNITS);
    for k in 0..=UNITS {
        let saved = Checkpoint::from_bytes(&case.bytes_after(k)).expect("our own file can be read");
        let mut session = Session::resume(case.entry, &saved).expect("our own file can be resumed");
        assert_eq!((session.units(), session.seed()), (k, SEED));
        advance(&mut session, UNITS - k);
        assert!(session.save().to_bytes() == whole, "a break after unit {k} changed the bits");
    }
    // A save in the middle of a unit ends that unit first.
    let mut session = case.start();
    session.advance(&mut Budget::steps(1));
    session.save();
    assert!(!session.is_mid_unit());
    let left = UNITS - session.units();
    advance(&mut session, left);
    assert!(session.save().to_bytes() == whole, "a save in the middle of a unit changed the bits");
}

/// Views, metrics and animation touch nothing that is learned.
pub fn views_change_no_bit(case: &Case) {
    let whole = case.bytes_after(UNITS);
    let mut session = case.start();
    let mut views = 0u32;
    while session.units() < UNITS {
        session.advance(&mut Budget::steps(2));
        session.animate(0.03 * f64::from(views % 5));
        serde_json::to_string(&session.view()).expect("a view can be serialised");
        views += 1;
    }
    assert!(session.save().to_bytes() == whole, "a view changed the bits");
}

/// Another seed gives other bits.
pub fn seed_changes_the_network(case: &Case) {
    let mut other = Session::start(case.entry, &case.settings, SEED + 1).expect("any seed is good");
    advance(&mut other, 1);
    let mut same = case.start();
    advance(&mut same, 1);
    assert!(other.save().network() != same.save().network(), "the seed is ignored");
}

/// A live setting takes effect at once and resets nothing; the others ask for a restart.
pub fn live_settings_do_not_reset(case: &Case) {
    for field in (case.entry.schema)().fields() {
        let mut session = case.start();
        advance(&mut session, 1);
        let before = session.save();
        let change = json!({ &field.name: another_value(&field.kind, &session.config()[&field.name]) });
        let result = session.configure(&change);
        if !field.live {
            let sentence = refusal(result, &format!("a change of `{}` without a restart", field.name));
            assert!(sentence.contains(&field.name) && sentence.contains("restart"), "{sentence}");
            assert!(session.save() == before, "a refused change of `{}` changed something", field.name);
            continue;
        }
        result.unwrap_or_else(|e| panic!("a live change was refused: {e}"));
        let after = session.save();
        assert!(after.tensors == before.tensors, "`{}` reset something", field.name);
        assert_eq!((after.header.units, after.header.work), (before.header.units, before.header.work));
        assert_ne!(after.header.config, before.header.config);
        advance(&mut session, 1);
    }
}

fn another_value(kind: &Kind, now: &Value) -> Value {
    match kind {
        // A small step: the largest value may be more than a test can afford.
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
        Kind::File | Kind::Opponent { .. } => unreachable!("`Schema::of` admits no such setting"),
    }
}

/// Bad settings are refused with the field and its range.
pub fn bad_settings_are_refused(case: &Case) {
    let schema = (case.entry.schema)();
    let refused = |field: &str, value: Value| {
        let settings = json!({ field: value });
        let sentence = refusal(Session::start(case.entry, &settings, SEED), &settings.to_string());
        assert!(sentence.contains(field), "the refusal does not name `{field}`: {sentence}");
        sentence
    };
    refused("no_such_setting", json!(1));
    bad_values(schema.fields(), &|field, value| refused(field, value));
    refusal(Session::start(case.entry, &json!(["not", "a", "table"]), SEED), "a list of settings");
}

/// Sends values that no field of its kind takes; `refused` gives the sentence back.
fn bad_values(fields: &[Field], refused: &dyn Fn(&str, Value) -> String) {
    for field in fields {
        match &field.kind {
            Kind::Integer { min, max } | Kind::Number { min, max } => {
                for value in
                    [json!(min - 1.0), json!(max * 2.0 + 1.0), json!("seven"), json!(null), json!([1])]
                {
                    let sentence = refused(&field.name, value);
                    assert!(sentence.contains(&format!("from {min} to {max}")), "no range: {sentence}");
                }
            }
            Kind::Choice { options } => {
                assert!(refused(&field.name, json!("no such option")).contains(&options[0]));
            }
            Kind::Switch | Kind::File | Kind::Opponent { .. } => drop(refused(&field.name, json!(2))),
        }
    }
}

/// Unknown commands are refused and change nothing.
pub fn bad_commands_are_refused(case: &Case) {
    let mut session = case.start();
    let before = session.save();
    for command in [json!(null), json!({}), json!("x"), json!({"type": "no such command"}), json!([1, 2])] {
        refusal(session.apply(command.clone()), &command.to_string());
    }
    assert!(session.save() == before);
}

/// Damaged, truncated, foreign, newer and incomplete files are refused.
pub fn bad_files_are_refused(case: &Case) {
    let good = case.bytes_after(1);
    let open = |bytes: &[u8]| {
        Checkpoint::from_bytes(bytes).and_then(|checkpoint| Session::resume(case.entry, &checkpoint))
    };
    assert!(open(&good).is_ok());
    let parts = 40;
    for i in 0..parts {
        let at = i * good.len() / parts;
        refusal(open(&good[..at]), &format!("a file cut at byte {at}"));
        let mut damaged = good.clone();
        damaged[at] ^= 0x5a;
        refusal(open(&damaged), &format!("a file damaged at byte {at}"));
    }
    refusal(open(b"not a checkpoint"), "a text");

    let checkpoint = Checkpoint::from_bytes(&good).expect("our own file can be read");
    let mut foreign = checkpoint.clone();
    foreign.header.lab = "elsewhere".into();
    assert!(refusal(open(&foreign.to_bytes()), "a foreign file").contains("elsewhere"));

    let text = String::from_utf8_lossy(&good).into_owned();
    assert!(text.contains(r#"\"format\":1"#), "the format is not where this test looks for it");
    let mut future = good.clone();
    let at = good.windows(11).position(|w| w == br#"format\":1,"#).expect("the header has a format");
    future[at + 9] = b'9';
    assert!(refusal(open(&future), "a future file").contains("newer"));

    let mut config = checkpoint.clone();
    config.header.config.insert("no_such_setting".into(), json!(1));
    assert!(refusal(open(&config.to_bytes()), "an unknown setting in a file").contains("no_such_setting"));

    for (name, tensor) in checkpoint.tensors.iter() {
        let mut without = checkpoint.clone();
        without.tensors.remove(name);
        let sentence = refusal(open(&without.to_bytes()), &format!("a file without `{name}`"));
        let leaf = name.rsplit('/').next().unwrap_or(name);
        assert!(sentence.contains(leaf), "the refusal does not name `{name}`: {sentence}");

        let mut reshaped = checkpoint.clone();
        let len = tensor.bytes().len() + 1;
        reshaped.tensors.insert(name, &[len, 1], &vec![0u8; len]);
        refusal(open(&reshaped.to_bytes()), &format!("a file with a wrong `{name}`"));
    }
}

/// A file with a valid checksum but an absurd counter is refused, or its next unit still ends.
///
/// Every whole number among the lab's scalars and every short tensor of whole numbers is replaced in turn.
pub fn absurd_counters_are_refused_or_end(case: &Case) {
    let checkpoint = Checkpoint::from_bytes(&case.bytes_after(2)).expect("our own file can be read");
    let mut session = Session::resume(case.entry, &checkpoint).expect("our own file can be resumed");
    let most = 50 * session.advance_unit().steps + 10_000;
    let absurd = [u64::MAX, u64::MAX / 2, i64::MAX as u64, 1 << 53, 1 << 32, 1 << 20, 0];
    let ends = |checkpoint: &Checkpoint, what: &str| match Session::resume(case.entry, checkpoint) {
        Err(error) => drop(refusal::<()>(Err(error), what)),
        Ok(mut session) => {
            let done = session.advance(&mut Budget::steps(most));
            assert!(done.status == Status::Unit, "{what}: the unit did not end within {most} steps");
        }
    };
    for value in absurd {
        let (mut units, mut work) = (checkpoint.clone(), checkpoint.clone());
        units.header.units = value;
        ends(&units, &format!("units = {value}"));
        work.header.work = value;
        ends(&work, &format!("work = {value}"));
    }
    let mut paths = Vec::new();
    numbers(&checkpoint.header.scalars, String::new(), &mut paths);
    for path in paths {
        for value in absurd {
            let mut changed = checkpoint.clone();
            *changed.header.scalars.pointer_mut(&path).expect("it was found there") = value.into();
            ends(&changed, &format!("`{path}` = {value}"));
        }
    }
    for (name, tensor) in checkpoint.tensors.iter() {
        let count: usize = tensor.shape().iter().product();
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
            ends(&changed, &format!("tensor `{name}` = {value}"));
        }
    }
}

/// JSON pointers to all whole numbers in `value`.
fn numbers(value: &Value, path: String, found: &mut Vec<String>) {
    match value {
        Value::Number(n) if n.is_u64() || n.is_i64() => found.push(path),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, item)| numbers(item, format!("{path}/{i}"), found));
        }
        Value::Object(items) => {
            items.iter().for_each(|(key, item)| numbers(item, format!("{path}/{key}"), found));
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

/// A file with the network alone gives the same evaluation as the whole one; where a lab can continue from it, it does so
/// reproducibly, and where it cannot, it says so.
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
            let at_once = session.save();
            assert_eq!(evaluate(&at_once), evaluate(&alone), "the network is not the one in the file");
            session.advance_unit();
            let mut again = Session::resume(case.entry, &at_once).expect("a saved run continues");
            while again.units() < session.units() {
                again.advance(&mut Budget::steps(1));
            }
            assert_eq!(
                session.save().to_bytes(),
                again.save().to_bytes(),
                "continuing from a network, saved at once"
            );
        }
    }
}

/// Unknown options of an evaluation, wrong kinds and values out of range are refused with the option's name.
pub fn bad_evaluation_options_are_refused(case: &Case) {
    let checkpoint = case.start().save();
    let refused = |option: &str, value: Value| {
        let options = json!({ option: value });
        let sentence = refusal(case.evaluate(&checkpoint, &options), &options.to_string());
        assert!(sentence.contains(option), "the refusal does not name `{option}`: {sentence}");
        sentence
    };
    refused("no_such_option", json!(1));
    bad_values((case.entry.eval_options)().fields(), &|option, value| refused(option, value));
}

/// A saved run of an earlier version, with what its continuation must give; see `scripts/make_run_golden.py`.
#[derive(Deserialize)]
struct GoldenRun {
    name: String,
    lab: String,
    seed: u32,
    units: u64,
    settings: Value,
    /// Units by which the saved run is continued.
    more: u64,
    /// CRC-32 of every tensor after that.
    after: BTreeMap<String, String>,
}

/// Old checkpoints continue to the same bits, and old settings start the same runs. `folder` holds one saved run per lab
/// and learner. The recorded checksums are those of instruction sets with a fused multiply-add (AVX-512, AVX2, NEON);
/// where `fused` is false, the runs are continued but not compared.
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

/// CRC-32 of every tensor.
fn checksums(checkpoint: &Checkpoint) -> BTreeMap<String, String> {
    let checksum = |bytes| format!("{:08x}", crc32fast::hash(bytes));
    checkpoint.tensors.iter().map(|(name, tensor)| (name.to_owned(), checksum(tensor.bytes()))).collect()
}
