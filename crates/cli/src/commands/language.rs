//! What `learnery train` needs for the language lab only: the option `--text FILE`, which trains on a text file
//! of the user. `language_sample` generates text.

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use learnery_lab::{Entry, NamedText, Session};
use learnery_labs::language::{Language, check_source, check_text, replace_stories};
use serde_json::{Map, Value, json};

use super::language_sample::sample;
use crate::args::{LanguageArgs, LanguageCommand, TrainArgs};
use crate::failure::usage;
use crate::files::read_text;
use crate::settings::{SettingSources, merge_settings};

/// The preset that `train --text FILE` uses unless `--preset` is given.
const TEXT_PRESET: &str = "text";

pub fn language(args: &LanguageArgs) -> Result<()> {
    match &args.command {
        LanguageCommand::Sample(args) => sample(args),
    }
}

/// The name of the preset to start from: that of `--preset`, otherwise `text` if `--text` is given, otherwise
/// `None`.
pub fn preset(args: &TrainArgs) -> Option<&str> {
    args.preset.as_deref().or_else(|| args.text.as_ref().map(|_| TEXT_PRESET))
}

/// Reads the file of `--text` and checks that it can be trained on. Returns `None` without `--text`.
pub fn training_text(entry: &Entry, args: &TrainArgs) -> Result<Option<NamedText>> {
    let Some(path) = &args.text else { return Ok(None) };
    if entry.about.id != Entry::of::<Language>().about.id {
        return Err(usage(format!("the lab `{}` reads no text; --text is for `language`", entry.about.id)));
    }
    let text = read_text(path)?;
    check_text(&text).map_err(|e| anyhow!("{e}"))?;
    Ok(Some(text))
}

/// The settings of a new run that learns from a text. A preset of stories gives all others.
pub fn settings_for_text(entry: &Entry, sources: &SettingSources) -> Result<Map<String, Value>> {
    let mut base = merge_settings(entry, None, &SettingSources { file: None, assignments: &[], ..*sources })?;
    replace_stories(&mut base);
    merge_settings(entry, Some(&base), &SettingSources { preset: None, ..*sources })
}

/// The file of the text that a run learns from, as one would type it: that of `--text`. Of a run that is
/// continued only the text is known, and `FILE` stands for its file.
pub fn file_of_text(session: &Session, args: &TrainArgs) -> Option<PathBuf> {
    let is_language = session.entry().about.id == Entry::of::<Language>().about.id;
    let learns_text = is_language && session.config().get("source").is_some_and(|source| source == "text");
    learns_text.then(|| args.text.clone().unwrap_or_else(|| "FILE".into()))
}

/// Makes the run train on the text that [`training_text`] has read; does nothing without one.
pub fn set_text(session: &mut Session, text: Option<NamedText>) -> Result<()> {
    let Some(NamedText { name, bytes }) = text else { return Ok(()) };
    check_source(session.config()).map_err(|e| usage(format!("{name}: {e}")))?;
    // `training_text` has checked that the bytes are UTF-8, so nothing is lost here.
    let text = String::from_utf8_lossy(&bytes);
    session
        .apply(json!({ "type": "text", "name": name, "text": text }))
        .map(drop)
        .map_err(|e| usage(format!("{name}: {e}")))
}
