//! Fuzz targets. Each takes arbitrary bytes, passes them to a parser of external data and panics if a
//! property fails. The properties are: the parser does not panic, valid data survives a round trip, and an
//! error message has one line.

mod class;
mod fleet;
mod worlds;

use std::cell::RefCell;
use std::path::Path;
use std::sync::OnceLock;

pub use class::class_requests;
pub use fleet::{fleet_messages, fleet_pieces};
use learnery_lab::{Budget, Checkpoint, NamedText, Session, Status, from_tagged};
use learnery_labs::LABS;
use learnery_match_files as files;
use learnery_web::host::Host;
use learnery_web::protocol::Request;
use learnery_worlds::backgammon::external_player::{BoardOptions, Request as ExternalRequest};
use learnery_worlds::backgammon::{Board, MatchId, Xgid};
use learnery_worlds::cube;
use serde_json::{Map, Value, json};
pub use worlds::{world_code, world_pieces, world_text};

/// The name of a target, which is also the name of its corpus folder, and its function.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: &[Target] = &[
    ("checkpoint", checkpoint),
    ("checkpoint_state", checkpoint_state),
    ("settings", settings),
    ("position_id", position_id),
    ("match_id", match_id),
    ("xgid", xgid),
    ("backgammon_lines", backgammon_lines),
    ("external_player", external_player),
    ("match_files", match_files),
    ("cube_notation", cube_notation),
    ("text", text),
    ("protocol", protocol),
    ("class_requests", class_requests),
    ("fleet_messages", fleet_messages),
    ("fleet_pieces", fleet_pieces),
    ("world_text", world_text),
    ("world_pieces", world_pieces),
    ("world_code", world_code),
];

fn assert_one_line(message: &str) {
    assert!(!message.is_empty() && !message.contains('\n'), "not one line: {message:?}");
}

/// The bytes are a checkpoint file: container, header, checksum.
pub fn checkpoint(data: &[u8]) {
    match Checkpoint::from_bytes(data) {
        Ok(checkpoint) => {
            let reread =
                Checkpoint::from_bytes(&checkpoint.to_bytes()).expect("a read checkpoint can be written");
            assert_eq!(reread, checkpoint);
            resume_and_step(&checkpoint);
        }
        Err(error) => assert_one_line(&error.to_string()),
    }
}

/// The bytes describe changes of a valid checkpoint, which is then saved with a valid checksum and resumed.
/// Byte 0 chooses a golden run. Each further ten bytes are a change: the part to change, an index in this
/// part, and a value of eight bytes; see [`mutate`].
pub fn checkpoint_state(data: &[u8]) {
    let Some((which, changes)) = data.split_first() else { return };
    let runs = golden_runs();
    let mut checkpoint = runs[*which as usize % runs.len()].clone();
    // A few changes, so that a run of the target is short.
    const MAX_CHANGES: usize = 8;
    for change in changes.chunks_exact(10).take(MAX_CHANGES) {
        let value = u64::from_le_bytes(change[2..].try_into().expect("eight bytes"));
        let (part, index) = (change[0], change[1]);
        mutate(&mut checkpoint, part, index, value);
    }
    let read = Checkpoint::from_bytes(&checkpoint.to_bytes()).expect("it was written with its checksum");
    resume_and_step(&read);
}

/// Changes one number of the header or one tensor. `part` modulo 6 selects what: the counter of units (0) or
/// of work (1), a number among the lab's scalars (2), a setting (3), or a tensor (4 and 5). `index` selects
/// which one of these.
fn mutate(checkpoint: &mut Checkpoint, part: u8, index: u8, value: u64) {
    let header = &mut checkpoint.header;
    match part % 6 {
        0 => header.units = value,
        1 => header.work = value,
        2 => {
            let mut paths = Vec::new();
            integer_paths(&header.scalars, String::new(), &mut paths);
            if let Some(path) = paths.get(index as usize % paths.len().max(1)) {
                *header.scalars.pointer_mut(path).expect("it was found there") = value.into();
            }
        }
        3 => {
            let keys: Vec<String> = header.config.keys().cloned().collect();
            let key = &keys[index as usize % keys.len()];
            header.config.insert(key.clone(), value.into());
        }
        // Tensors of integers are overwritten by 4 and by 5. Tensors of floats are overwritten by 4 and
        // removed by 5. Any other tensor is removed.
        part => {
            let names: Vec<String> = checkpoint.tensors.iter().map(|(name, _)| name.to_owned()).collect();
            let name = &names[index as usize % names.len()];
            let tensor =
                checkpoint.tensors.iter().find(|(other, _)| other == name).expect("listed").1.clone();
            let count: usize = tensor.shape().iter().product();
            match tensor.type_name().as_str() {
                "U64" if count <= 64 => checkpoint.tensors.insert(name, tensor.shape(), &vec![value; count]),
                "U32" => checkpoint.tensors.insert(name, tensor.shape(), &vec![value as u32; count]),
                "U8" => checkpoint.tensors.insert(name, tensor.shape(), &vec![value as u8; count]),
                "F32" if part == 4 => {
                    let number = f32::from_bits(value as u32);
                    checkpoint.tensors.insert(name, tensor.shape(), &vec![number; count]);
                }
                _ => drop(checkpoint.tensors.remove(name)),
            }
        }
    }
}

/// Appends the JSON pointers of all unsigned integers in `value`.
fn integer_paths(value: &Value, path: String, found: &mut Vec<String>) {
    match value {
        Value::Number(n) if n.is_u64() => found.push(path),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, item)| integer_paths(item, format!("{path}/{i}"), found));
        }
        Value::Object(items) => {
            items.iter().for_each(|(key, item)| integer_paths(item, format!("{path}/{key}"), found));
        }
        _ => {}
    }
}

/// The golden runs: committed checkpoints, one for each lab and learner.
fn golden_runs() -> &'static [Checkpoint] {
    static RUNS: OnceLock<Vec<Checkpoint>> = OnceLock::new();
    RUNS.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/runs");
        let list = std::fs::read(folder.join("runs.json")).expect("the list of golden runs");
        let list: Vec<Value> = serde_json::from_slice(&list).expect("a list of runs");
        let name = |run: &Value| run["name"].as_str().expect("a name").to_owned();
        list.iter()
            .map(|run| std::fs::read(folder.join(name(run) + ".safetensors")).expect("a golden run"))
            .map(|bytes| Checkpoint::from_bytes(&bytes).expect("a golden run is read"))
            .collect()
    })
}

/// Whether settings make a step or a network too large for a fuzzer.
fn is_large(config: &Map<String, Value>) -> bool {
    let exceeds = |key: &str, max: f64| config.get(key).and_then(Value::as_f64).is_some_and(|n| n > max);
    [
        "worlds",
        "horizon",
        "games",
        "batch",
        "replay",
        "updates",
        "simulations",
        "steps",
        "eval_games",
        "pretrain",
    ]
    .iter()
    .any(|key| exceeds(key, 2000.0))
        || [
            "hidden",
            "hidden_1",
            "hidden_2",
            "hidden_3",
            "second",
            "race",
            "width",
            "length",
            "size",
            "vocabulary",
        ]
        .iter()
        .any(|key| exceeds(key, 600.0))
        || exceeds("layers", 4.0)
        || exceeds("warm_up", 20_000.0)
        || exceeds("judge_size", 5000.0)
}

/// Resumes a checkpoint for up to twenty steps. If these complete a unit (a training iteration), saves it
/// again.
fn resume_and_step(checkpoint: &Checkpoint) {
    if is_large(&checkpoint.header.config) {
        return;
    }
    let Some(entry) = LABS.iter().find(|entry| entry.about.id == checkpoint.header.lab) else { return };
    match Session::resume(*entry, checkpoint) {
        Ok(mut session) => {
            if session.advance(&mut Budget::steps(20)).status == Status::UnitFinished {
                session.save();
            }
            serde_json::to_string(&session.view()).expect("a view can be serialised");
        }
        Err(error) => assert_one_line(&error.to_string()),
    }
}

/// The bytes are settings or the input of a tool, as TOML or as JSON, for every lab.
pub fn settings(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let from_toml =
        toml::from_str::<toml::Table>(text).ok().and_then(|table| serde_json::to_value(table).ok());
    let from_json = serde_json::from_str::<Value>(text).ok();
    for value in [from_toml, from_json].into_iter().flatten() {
        for entry in LABS {
            let inputs = entry.tools.iter().map(|tool| (tool.schema)());
            for schema in [(entry.schema)()].into_iter().chain(inputs) {
                match schema.complete(None, &value) {
                    Ok(whole) => {
                        let completed_twice = schema.complete(None, &Value::Object(whole.clone()));
                        assert_eq!(completed_twice.ok(), Some(whole));
                    }
                    Err(error) => assert_one_line(&error.to_string()),
                }
            }
        }
    }
}

/// The bytes are a position ID of GNU Backgammon.
pub fn position_id(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match Board::from_position_id(text) {
        Ok(board) => assert_eq!(Board::from_position_id(&board.position_id()).ok(), Some(board)),
        Err(error) => assert_one_line(&error.to_string()),
    }
}

/// The bytes are a match ID of GNU Backgammon.
pub fn match_id(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match MatchId::parse(text) {
        Ok(id) => assert_eq!(MatchId::parse(&id.id()).ok(), Some(id)),
        Err(error) => assert_one_line(&error.to_string()),
    }
}

/// The bytes are an XGID of eXtreme Gammon.
pub fn xgid(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Err(error) = Xgid::parse(text) {
        assert_one_line(&error.to_string());
    }
}

/// The bytes are input lines of `learnery backgammon plays`.
pub fn backgammon_lines(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for line in text.lines().take(4) {
        let list_plays = true;
        match learnery_backgammon_play::plays(line, list_plays) {
            Ok(answer) => assert_one_line(&answer),
            Err(error) => assert_one_line(&error),
        }
    }
}

/// The bytes are lines that GNU Backgammon sends to an external player.
pub fn external_player(data: &[u8]) {
    for line in String::from_utf8_lossy(data).lines().take(4) {
        match ExternalRequest::parse(line, &BoardOptions::default()) {
            Ok(
                ExternalRequest::Decide { board, options } | ExternalRequest::Evaluate { board, options, .. },
            ) => {
                if let Err(error) = board.stakes(&options) {
                    assert_one_line(&error.to_string());
                }
                // The board can be written and read, so its checkers are possible.
                position_id(board.board.position_id().as_bytes());
            }
            Ok(_) => {}
            Err(error) => assert_one_line(&error.to_string()),
        }
    }
}

/// The bytes are a file of a backgammon match, in the text format or the Smart Game Format.
pub fn match_files(data: &[u8]) {
    match files::read(data) {
        Ok(file) => {
            let text = files::write_mat(&file.record, None);
            let again = files::read(text.as_bytes()).expect("a written match can be read").record;
            assert_eq!(again.score(), file.record.score());
            assert_eq!(again.games().len(), file.record.games().len());
        }
        Err(error) => assert_one_line(&error.to_string()),
    }
}

/// The bytes are a scramble or the stickers of a cube.
pub fn cube_notation(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match cube::parse_turns(text) {
        Ok(turns) => assert_eq!(cube::parse_turns(&cube::format_turns(&turns)).ok(), Some(turns)),
        Err(error) => assert_one_line(&error),
    }
    for error in [cube::parse(text).err(), cube::held_from_stickers(text).err()].into_iter().flatten() {
        assert_one_line(&error);
    }
    if let Ok(state) = cube::from_stickers(text) {
        assert_eq!(cube::from_stickers(&cube::to_text(state)).ok(), Some(state));
    }
}

/// The bytes are a text that a user provides for the language lab.
pub fn text(data: &[u8]) {
    let text = NamedText { name: "fuzz.txt".into(), bytes: data.to_vec() };
    if let Err(error) = learnery_labs::language::check_text(&text) {
        assert_one_line(&error.to_string());
    }
}

/// The bytes are requests of the page to its worker, one per line, in an open session of the control lab.
pub fn protocol(data: &[u8]) {
    thread_local! {
        static HOST: RefCell<Option<Host>> = const { RefCell::new(None) };
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    HOST.with_borrow_mut(|host| {
        let host = host.get_or_insert_with(|| {
            learnery_web::labs::register(LABS);
            let mut host = Host::default();
            let start = json!({
                "type": "start", "lab": "control", "seed": 1,
                "settings": {"worlds": 4, "horizon": 4, "epochs": 1, "minibatches": 1, "eval_episodes": 1, "hidden": 4}
            });
            host.handle(1, from_tagged(start).expect("a request"), 0.0);
            host
        });
        for line in text.lines().take(8) {
            let Ok(mut request) = serde_json::from_str(line).and_then(from_tagged::<Request>) else { continue };
            // A whole unit of a run with default settings takes minutes.
            if let Request::Step { unit } = &mut request {
                *unit = false;
            }
            match &request {
                // The largest settings take minutes.
                Request::Start { settings, .. } | Request::Configure { settings } if is_large(settings) => continue,
                Request::Fail { .. } | Request::Peak => continue,
                _ => {}
            }
            // The time is simulated, in milliseconds: each look at the clock takes half a millisecond.
            let mut now = 0.0;
            if let Some(reply) = host.handle(2, request, now) {
                serde_json::to_string(&reply).expect("a reply can be serialised");
            }
            host.slice(1.0, &mut || {
                now += 0.5;
                now
            });
            let seconds = 0.1;
            host.view(seconds, &mut || now);
        }
    });
}
