//! `learnery language`, whose `language_sample` generates text; and the file of the text that `learnery
//! train` learns.

use std::path::PathBuf;

use anyhow::Result;
use learnery_lab::Session;
use learnery_labs::OwnKind;

use super::language_sample::sample;
use crate::args::{LanguageArgs, LanguageCommand, TrainArgs};

pub fn language(args: &LanguageArgs) -> Result<()> {
    match &args.command {
        LanguageCommand::Sample(args) => sample(args),
    }
}

/// The file of the text that a run learns from, for the commands that are suggested: that of `--text`. Of a
/// run that is continued only the text is known, so `FILE` stands for its file. `None` if it learns no text.
pub fn file_of_text(session: &Session, args: &TrainArgs) -> Option<PathBuf> {
    let is_language = session.entry().about.id == OwnKind::Text.lab();
    let learns_text = is_language && session.config().get("source").is_some_and(|source| source == "text");
    learns_text.then(|| args.text.clone().unwrap_or_else(|| "FILE".into()))
}
