//! The option `--world FILE` of `learnery train` and `learnery fleet sweep`: the world that the control lab learns, as a text.

use std::path::Path;

use anyhow::{Result, anyhow};
use learnery_lab::{Entry, Session};
use learnery_labs::control::{Control, check_world};
use serde_json::{Map, Value, json};

use crate::failure::usage;
use crate::files::read_text_up_to;
use crate::settings::{SettingSources, merge_settings};

/// The preset that `--world FILE` implies unless `--preset` is given.
const OWN_PRESET: &str = "own";

/// The setting that says what is learned, and its value for a text.
const WORLD: &str = "world";
const OWN: &str = "own";

/// More bytes than a text may have, so that a longer file is refused by the check of the text.
const MAX_BYTES: usize = 1 << 20;

/// A world, and what its file is called.
pub struct WorldText {
    name: String,
    text: String,
}

/// The preset that a world of one's own implies.
pub fn preset(world: Option<&WorldText>) -> Option<&'static str> {
    world.map(|_| OWN_PRESET)
}

/// Reads the file of `--world` and checks that it is a world. Returns `None` without it.
pub fn read(entry: &Entry, path: Option<&Path>) -> Result<Option<WorldText>> {
    let Some(path) = path else { return Ok(None) };
    if entry.about.id != Entry::of::<Control>().about.id {
        return Err(usage(format!("the lab `{}` has no worlds; --world is for `control`", entry.about.id)));
    }
    let read = read_text_up_to(path, MAX_BYTES)?;
    let Ok(text) = String::from_utf8(read.bytes) else {
        return Err(anyhow!("{}: a world is a text, and this is not UTF-8", path.display()));
    };
    check_world(&text).map_err(|e| anyhow!("{}: {e}", path.display()))?;
    // The name is a part of the run, so it does not say in which folder the file is.
    let name = path.file_name().map_or(read.name, |name| name.to_string_lossy().into_owned());
    Ok(Some(WorldText { name, text }))
}

/// The settings of a new run that learns a text. A preset of another world gives all others.
pub fn settings(entry: &Entry, sources: &SettingSources) -> Result<Map<String, Value>> {
    let mut base = merge_settings(entry, None, &SettingSources { file: None, assignments: &[], ..*sources })?;
    base.insert(WORLD.into(), OWN.into());
    merge_settings(entry, Some(&base), &SettingSources { preset: None, ..*sources })
}

/// Makes the run learn this world; does nothing without one.
pub fn set(session: &mut Session, world: Option<&WorldText>) -> Result<()> {
    let Some(WorldText { name, text }) = world else { return Ok(()) };
    let command = json!({ "type": "world", "name": name, "text": text });
    session.apply(command).map(drop).map_err(|e| usage(format!("{name}: {e}")))
}
