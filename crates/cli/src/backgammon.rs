//! `learnery backgammon`: what can be asked about positions.

use anyhow::Result;
use learnery_labs::backgammon::plays;

use crate::args::{BackgammonArgs, BackgammonCommand};
use crate::lines;

/// The command.
pub fn backgammon(args: &BackgammonArgs) -> Result<()> {
    match &args.command {
        BackgammonCommand::Plays { list } => lines::answer_in_words(|line| plays(line, *list)),
    }
}
