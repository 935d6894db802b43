//! The options `--text FILE` of `learnery train`, and `--world FILE` with `--param NAME=VALUE` of `learnery
//! train` and `learnery fleet sweep`: data of the user's own that a run learns.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use learnery_lab::{Entry, NamedText, Session};
use learnery_labs::{OwnData, OwnKind};
use serde_json::{Map, Value};

use crate::args::TrainArgs;
use crate::failure::usage;
use crate::files::{read_text, read_text_up_to};
use crate::settings::{SettingSources, merge_settings};

/// More bytes than the rules of a world may have, so that a longer file is refused by their check.
const MAX_WORLD_BYTES: usize = 1 << 20;

/// What the options of `learnery train` name; `None` without them.
pub fn read(entry: &Entry, args: &TrainArgs) -> Result<Option<OwnData>> {
    let text = read_file(entry, OwnKind::Text, args.text.as_deref())?;
    let world = read_world(entry, args.world.as_deref(), &args.param)?;
    Ok(text.or(world))
}

/// The world that the option names, with these parameters; `None` without it.
pub fn read_world(entry: &Entry, path: Option<&Path>, parameters: &[String]) -> Result<Option<OwnData>> {
    let Some(world) = read_file(entry, OwnKind::World, path)? else { return Ok(None) };
    let parameters = parse_parameters(parameters)?;
    world.with_parameters(parameters).map(Some).map_err(|e| usage(format!("--param: {e}")))
}

/// The names and values of the options `--param`.
fn parse_parameters(assignments: &[String]) -> Result<BTreeMap<String, f32>> {
    let mut parameters = BTreeMap::new();
    for assignment in assignments {
        let parts = assignment.split_once('=').map(|(name, value)| (name.trim(), value.trim().parse()));
        let Some((name, Ok(value))) = parts else {
            bail!(usage(format!(
                "--param {assignment}: expected a name and a number, as in --param gravity=3"
            )));
        };
        if parameters.insert(name.to_owned(), value).is_some() {
            bail!(usage(format!("--param: `{name}` is given twice")));
        }
    }
    Ok(parameters)
}

fn read_file(entry: &Entry, kind: OwnKind, path: Option<&Path>) -> Result<Option<OwnData>> {
    let Some(path) = path else { return Ok(None) };
    let option = match kind {
        OwnKind::Text => "--text",
        OwnKind::World => "--world",
    };
    let (id, lab) = (entry.about.id, kind.lab());
    if id != lab {
        return Err(usage(format!("the lab `{id}` {}; {option} is for `{lab}`", kind.why_not())));
    }
    let data = match kind {
        OwnKind::Text => OwnData::new(kind, read_text(path)?).map_err(|e| anyhow!("{e}"))?,
        OwnKind::World => {
            let NamedText { name, bytes } = read_text_up_to(path, MAX_WORLD_BYTES)?;
            // The name is a part of the run, so it does not say in which folder the file is.
            let name = path.file_name().map_or(name, |name| name.to_string_lossy().into_owned());
            OwnData::new(kind, NamedText { name, bytes }).map_err(|e| anyhow!("{}: {e}", path.display()))?
        }
    };
    Ok(Some(data))
}

/// The settings of a new run. With data of the user's own, the preset (or else that of the kind of data) is
/// the base, of which the data replace what is learned; files and assignments are merged over it.
pub fn settings(
    entry: &Entry,
    data: Option<&OwnData>,
    sources: &SettingSources,
) -> Result<Map<String, Value>> {
    let Some(data) = data else { return merge_settings(entry, None, sources) };
    let preset =
        SettingSources { preset: sources.preset.or(Some(data.kind.preset())), file: None, assignments: &[] };
    let mut base = merge_settings(entry, None, &preset)?;
    data.turn_to_own(&mut base);
    merge_settings(entry, Some(&base), &SettingSources { preset: None, ..*sources })
}

/// Makes the run learn these data; does nothing without them.
pub fn give(session: &mut Session, data: Option<&OwnData>) -> Result<()> {
    let Some(data) = data else { return Ok(()) };
    data.give_to(session).map_err(|e| usage(format!("{}: {e}", data.name)))
}
