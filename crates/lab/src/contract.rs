//! The contract, as a test that runs over every lab in the list: slicing, threads, save and continue,
//! refusal of damaged files and of bad settings, live dials, looking without touching.
//!
//! Each check panics with what went wrong, as tests do.

use serde_json::{Map, Value, json};

use crate::{Budget, Checkpoint, Entry, EvalRequest, Kind, LabError, Session, Status};

/// A lab and the settings to test it with, small enough that a unit takes a fraction of a second.
#[derive(Clone)]
pub struct Case {
    /// The lab.
    pub entry: Entry,
    /// What differs from its defaults.
    pub settings: Value,
}

const SEED: u32 = 41;
const UNITS: u64 = 3;

/// Runs every check.
pub fn check(case: &Case) {
    about_is_complete(case);
    slices_change_nothing(case);
    threads_change_nothing(case);
    saving_and_loading_change_nothing(case);
    looking_changes_nothing(case);
    seeds_matter(case);
    live_dials_do_not_reset(case);
    bad_settings_are_refused(case);
    bad_commands_are_refused(case);
    bad_files_are_refused(case);
    the_network_alone_can_be_judged(case);
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

/// What the lab says about itself holds together.
pub fn about_is_complete(case: &Case) {
    let about = case.entry.about;
    let words = [about.title, about.tagline, about.agent, about.goal, about.picture, about.work, about.unit];
    assert!(words.iter().all(|text| !text.is_empty()), "{}: something is left unsaid", about.id);
    assert!(about.id.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}: not an id", about.id);
    assert!(!about.presets.is_empty(), "{}: no preset", about.id);
    let schema = (case.entry.schema)();
    for preset in about.presets {
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
pub fn slices_change_nothing(case: &Case) {
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
pub fn threads_change_nothing(case: &Case) {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can start");
        pool.install(|| case.bytes_after(UNITS))
    };
    let one = run(1);
    for threads in [2, 3] {
        assert!(run(threads) == one, "{threads} threads changed the bits");
    }
}

/// N units are k units, save, load, N - k units; optimiser, replay, history and random state included.
pub fn saving_and_loading_change_nothing(case: &Case) {
    let whole = case.bytes_after(UNITS);
    for k in 0..=UNITS {
        let saved = Checkpoint::from_bytes(&case.bytes_after(k)).expect("our own file can be read");
        let mut session = Session::resume(case.entry, &saved).expect("our own file can be resumed");
        assert_eq!((session.units(), session.seed()), (k, SEED));
        advance(&mut session, UNITS - k);
        assert!(session.save().to_bytes() == whole, "a break after unit {k} changed the bits");
    }
    // A save asked for in the middle of a unit ends that unit first.
    let mut session = case.start();
    session.advance(&mut Budget::steps(1));
    session.save();
    assert!(!session.is_mid_unit());
    let left = UNITS - session.units();
    advance(&mut session, left);
    assert!(session.save().to_bytes() == whole, "a save in the middle of a unit changed the bits");
}

/// Views, metrics and the passing of time on the screen touch nothing that is learned.
pub fn looking_changes_nothing(case: &Case) {
    let whole = case.bytes_after(UNITS);
    let mut session = case.start();
    let mut looks = 0u32;
    while session.units() < UNITS {
        session.advance(&mut Budget::steps(2));
        session.animate(0.03 * f64::from(looks % 5));
        serde_json::to_string(&session.view()).expect("a view can be serialised");
        looks += 1;
    }
    assert!(session.save().to_bytes() == whole, "looking changed the bits");
}

/// Another seed gives other bits.
pub fn seeds_matter(case: &Case) {
    let mut other = Session::start(case.entry, &case.settings, SEED + 1).expect("any seed is good");
    advance(&mut other, 1);
    let mut same = case.start();
    advance(&mut same, 1);
    assert!(other.save().network() != same.save().network(), "the seed is ignored");
}

/// A live dial is taken over at once and nothing starts over; the others ask for a restart.
pub fn live_dials_do_not_reset(case: &Case) {
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
        // A small step: the largest value of a dial may be more than a test can afford.
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
    for field in schema.fields() {
        match &field.kind {
            Kind::Integer { min, max } | Kind::Number { min, max } => {
                for value in
                    [json!(min - 1.0), json!(max * 2.0 + 1.0), json!("seven"), json!(null), json!([1])]
                {
                    let sentence = refused(&field.name, value);
                    assert!(sentence.contains(&format!("from {min} to {max}")), "no range: {sentence}");
                }
            }
            Kind::Switch => drop(refused(&field.name, json!(2))),
            Kind::Choice { options } => {
                assert!(refused(&field.name, json!("no such option")).contains(&options[0]));
            }
        }
    }
    refusal(Session::start(case.entry, &json!(["not", "a", "table"]), SEED), "a list of settings");
}

/// Commands that mean nothing are refused and change nothing.
pub fn bad_commands_are_refused(case: &Case) {
    let mut session = case.start();
    let before = session.save();
    for command in [json!(null), json!({}), json!("x"), json!({"type": "no such command"}), json!([1, 2])] {
        refusal(session.apply(command.clone()), &command.to_string());
    }
    assert!(session.save() == before);
}

/// Damaged, truncated, foreign and future files, and files that lack something, are refused.
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
    let mut stripped = checkpoint.clone();
    stripped.header.scalars = Value::Object(Map::new());
    refusal(open(&stripped.to_bytes()), "a file without the lab's counters");
}

/// A file with the network alone can be judged like the whole one; where a lab goes on from it, it does so as always and
/// loses nothing, and where it cannot, it says so.
pub fn the_network_alone_can_be_judged(case: &Case) {
    let checkpoint = Checkpoint::from_bytes(&case.bytes_after(1)).expect("our own file can be read");
    let alone = Checkpoint::from_bytes(&checkpoint.network_only().to_bytes()).expect("it can be read");
    let request = EvalRequest { games: Some(2), seed: 9, ..EvalRequest::default() };
    let judge = |c: &Checkpoint| {
        let report = case.entry.evaluate(c, &request).expect("two games can be played");
        format!("{} {:?}", report.summary, report.figures)
    };
    assert_eq!(judge(&checkpoint), judge(&alone));
    match Session::resume(case.entry, &alone) {
        Err(error) => assert!(error.to_string().contains("only the network"), "{error}"),
        Ok(mut session) => {
            assert_eq!(session.units(), alone.header.units);
            let at_once = session.save();
            assert_eq!(judge(&at_once), judge(&alone), "the network is not the one in the file");
            session.advance_unit();
            let mut again = Session::resume(case.entry, &at_once).expect("a saved run goes on");
            while again.units() < session.units() {
                again.advance(&mut Budget::steps(1));
            }
            assert_eq!(
                session.save().to_bytes(),
                again.save().to_bytes(),
                "going on from a network, saved at once"
            );
        }
    }
    let nothing = EvalRequest { games: Some(0), ..request };
    refusal(case.entry.evaluate(&checkpoint, &nothing), "an evaluation of no games");
}
