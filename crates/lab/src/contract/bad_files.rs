//! Checkpoints (files of saved runs): damaged and inconsistent ones are rejected, and one with only the
//! network can be evaluated. A run counts *units* (training iterations), each of several *steps*, and the
//! *work* of the lab, such as games.

use serde_json::{Value, json};

use super::{Case, Uninterrupted, expect_rejection, finish_unit_within};
use crate::session::HISTORY_PREFIX;
use crate::{Budget, Checkpoint};

// A unit of a changed file may take this many times the steps of the unchanged one, and this many more. Only
// an endless or absurdly long unit exceeds both.
const MAX_STEP_FACTOR: u64 = 50;
const MAX_FURTHER_STEPS: u64 = 10_000;

/// A byte of a tensor by its index.
pub(super) type Fill = fn(usize) -> u8;

/// Hostile contents of a tensor. All bits set are the largest whole number or NaN, and 0x7f in each byte is a
/// float of 3.4e38.
pub(super) const FILLS: [(&str, Fill); 4] = [
    ("zeros", |_| 0),
    ("bits that are all set", |_| 0xff),
    ("large numbers", |_| 0x7f),
    // Knuth's multiplicative hashing: the high bits look random.
    ("random bytes", |i| ((i as u32).wrapping_mul(2_654_435_761) >> 24) as u8),
];

/// Truncated and damaged files, files of other labs and of newer versions, files with unknown settings, and
/// files with missing or reshaped tensors are rejected. Only the values of a metric may be missing: the file
/// may be from before the lab had it.
pub(super) fn bad_files_are_rejected(case: &Case, run: &Uninterrupted) {
    let good = run.file_after(1).to_vec();
    let open = |bytes: &[u8]| Checkpoint::from_bytes(bytes).and_then(|checkpoint| case.resume(&checkpoint));
    assert!(open(&good).is_ok());
    // At 40 positions spread over the file: cut it there, and flip bits of the byte there.
    const POSITIONS: usize = 40;
    for i in 0..POSITIONS {
        let at = i * good.len() / POSITIONS;
        expect_rejection(open(&good[..at]), &format!("a file cut at byte {at}"));
        let mut damaged = good.clone();
        // Four of the eight bits.
        damaged[at] ^= 0x5a;
        expect_rejection(open(&damaged), &format!("a file damaged at byte {at}"));
    }
    expect_rejection(open(b"not a checkpoint"), "a text");

    let checkpoint = Checkpoint::from_bytes(&good).expect("our own file can be read");
    let mut other_lab = checkpoint.clone();
    other_lab.header.lab = "elsewhere".into();
    assert!(expect_rejection(open(&other_lab.to_bytes()), "a file of another lab").contains("elsewhere"));

    // The envelope is JSON inside a JSON string, so its quotation marks are escaped.
    let version = br#"format\":2,"#;
    let at = good.windows(version.len()).position(|w| w == version).expect("the header has a format");
    let mut newer = good.clone();
    newer[at + version.len() - 2] = b'9'; // in place of the 2 before the comma
    assert!(expect_rejection(open(&newer), "a file of a newer version").contains("newer"));

    let mut unknown_setting = checkpoint.clone();
    unknown_setting.header.config.insert("no_such_setting".into(), json!(1));
    assert!(
        expect_rejection(open(&unknown_setting.to_bytes()), "an unknown setting in a file")
            .contains("no_such_setting")
    );

    // Not written to bytes and read again: that files keep their tensors is checked with saved runs.
    for (name, tensor) in checkpoint.tensors.iter() {
        let mut without = checkpoint.clone();
        without.tensors.remove(name);
        let opened = case.resume(&without);
        let metric = name.strip_prefix(HISTORY_PREFIX);
        if let Some(metric) =
            metric.and_then(|name| case.entry.about.metrics.iter().position(|m| m.name == name))
        {
            let session = opened.expect("a file from before a metric is read");
            let column = &session.history().columns()[metric];
            assert!(column.iter().all(|value| value.is_nan()), "`{name}` has values without a tensor");
        } else {
            let sentence = expect_rejection(opened, &format!("a file without `{name}`"));
            // Labs report the name without the folder of the network or optimiser.
            let leaf = name.rsplit('/').next().unwrap_or(name);
            assert!(sentence.contains(leaf), "the error does not contain `{leaf}`: {sentence}");
        }

        let mut reshaped = checkpoint.clone();
        let len = tensor.bytes().len() + 1;
        reshaped.tensors.insert(name, &[len, 1], &vec![0u8; len]);
        expect_rejection(case.resume(&reshaped), &format!("a file with a reshaped `{name}`"));
    }
}

/// A file with a valid checksum but an absurd counter is rejected, or the next unit still ends within a
/// bounded number of steps.
///
/// The counters are the units, the work, every whole number among the lab's scalars, and every short tensor
/// of whole numbers. They are replaced one at a time.
pub(super) fn absurd_counters_are_rejected_or_the_unit_ends(case: &Case, run: &Uninterrupted) {
    let checkpoint = run.after(2);
    let mut session = case.resume(&checkpoint).expect("our own file can be resumed");
    let max_steps = MAX_STEP_FACTOR * session.advance_unit().steps + MAX_FURTHER_STEPS;
    // The limits of u64, i64, f64's exact integers and u32, a large number that fits into all of them, and
    // zero.
    let absurd = [u64::MAX, i64::MAX as u64, 1 << 53, 1 << 32, 1 << 20, 0];
    let check_rejected_or_ends = |checkpoint: &Checkpoint, what: &str| match case.resume(checkpoint) {
        Err(error) => drop(expect_rejection::<()>(Err(error), what)),
        Ok(mut session) => {
            finish_unit_within(&mut session, max_steps, what);
        }
    };
    for unit in [0, checkpoint.header.units + 1, u64::MAX] {
        let mut solved = checkpoint.clone();
        solved.header.solved_at = Some(unit);
        expect_rejection(case.resume(&solved), &format!("a goal reached at unit {unit}"));
    }
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
        /// Longer tensors are data, such as a replay buffer, and not counters.
        const MAX_COUNTERS: usize = 16;
        if count > MAX_COUNTERS {
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

/// A file with a valid checksum whose tensors hold hostile values is rejected, or the next unit still ends
/// within a bounded number of steps. An evaluation of a network of NaN ends too. Such a network may play
/// badly, but neither training nor evaluation may panic or run forever.
///
/// Each tensor is hostile alone once, with one of four kinds of values in turn, and with each kind together
/// with the other tensors of its folder, such as `network/`.
pub(super) fn hostile_tensors_are_rejected_or_the_unit_ends(case: &Case, run: &Uninterrupted) {
    let checkpoint = run.after(2);
    let mut session = case.resume(&checkpoint).expect("our own file can be resumed");
    let max_steps = MAX_STEP_FACTOR * session.advance_unit().steps + MAX_FURTHER_STEPS;
    let names: Vec<&str> = checkpoint.tensors.iter().map(|(name, _)| name).collect();
    for (i, name) in names.iter().enumerate() {
        check_hostile(case, &checkpoint, &[name], FILLS[i % FILLS.len()], max_steps);
    }
    for group in names.chunk_by(|a, b| folder(a) == folder(b)) {
        for fill in FILLS {
            check_hostile(case, &checkpoint, group, fill, max_steps);
        }
    }
}

/// The outermost folder of a tensor.
fn folder(name: &str) -> &str {
    name.split('/').next().unwrap_or(name)
}

/// Fills all these tensors. If the file is rejected, the tensor that it is rejected for hides what the others
/// do, so each half of them is checked too.
fn check_hostile(
    case: &Case,
    checkpoint: &Checkpoint,
    names: &[&str],
    (fill, byte_at): (&str, Fill),
    max_steps: u64,
) {
    let what = format!("`{}` filled with {fill}", names.join("`, `"));
    let mut changed = checkpoint.clone();
    for (name, tensor) in checkpoint.tensors.iter().filter(|(name, _)| names.contains(name)) {
        let bytes: Vec<u8> = (0..tensor.bytes().len()).map(byte_at).collect();
        changed.tensors.insert_bytes(name, tensor, bytes);
    }
    match case.resume(&changed) {
        Ok(mut session) => {
            finish_unit_within(&mut session, max_steps, &what);
            session.save();
        }
        Err(error) => {
            expect_rejection::<()>(Err(error), &what);
            if names.len() > 1 {
                let (first, second) = names.split_at(names.len() / 2);
                check_hostile(case, checkpoint, first, (fill, byte_at), max_steps);
                check_hostile(case, checkpoint, second, (fill, byte_at), max_steps);
            }
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

/// A run that continues from a file with only the network evaluates like the file. That this evaluates like the
/// complete file is a part of the contract of tools.
pub(super) fn network_alone_can_be_evaluated(case: &Case, run: &Uninterrupted) {
    let alone = network_alone(&run.after(1));
    let evaluate = |c: &Checkpoint| {
        let report = case.evaluate(c, &case.evaluation).expect("the evaluation of the test case works");
        // As a text, because NaN is not equal to itself.
        format!("{report:?}")
    };
    let expected = evaluate(&alone);
    if let Ok(mut session) = case.resume(&alone) {
        assert_eq!(evaluate(&session.save()), expected, "the network is not the one in the file");
    }
}

/// If the lab can continue training from a network alone, it does so reproducibly; otherwise the error says
/// that the file holds only the network.
pub(super) fn run_continues_from_a_network_alone(case: &Case, run: &Uninterrupted) {
    let alone = network_alone(&run.after(1));
    match case.resume(&alone) {
        Err(error) => assert!(error.to_string().contains("only the network"), "{error}"),
        Ok(mut session) => {
            assert_eq!(session.units(), alone.header.units);
            let before_training = session.save();
            session.advance_unit();
            let mut resumed = case.resume(&before_training).expect("a saved run continues");
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

/// The file with the network of a checkpoint alone, read back.
fn network_alone(checkpoint: &Checkpoint) -> Checkpoint {
    Checkpoint::from_bytes(&checkpoint.network_only().to_bytes()).expect("it can be read")
}
