//! `learnery backgammon`: lists plays, evaluates positions and chooses plays. Each line of standard input is one
//! request, answered by one line of standard output. The oracle is the trained network that evaluates and chooses.

use anyhow::Result;
use learnery_lab::LabError;
use learnery_labs::backgammon::{Oracle, plays};

use crate::args::{BackgammonArgs, BackgammonCommand, OracleArgs};
use crate::failure::usage;
use crate::files::{checkpoint_path, file_error, read_checkpoint};
use crate::terminal::lines;

pub fn backgammon(args: &BackgammonArgs) -> Result<()> {
    match &args.command {
        BackgammonCommand::Plays { list } => lines::answer_text(|line| plays(line, *list)),
        BackgammonCommand::Eval(args) => {
            let mut oracle = oracle(args)?;
            lines::answer_text(|line| oracle.eval(line))
        }
        BackgammonCommand::Best { oracle: args, sims } => {
            let mut oracle = oracle(args)?;
            if let Some(simulations) = sims {
                oracle.set_tree_search(*simulations).map_err(usage)?;
            }
            lines::answer_text(|line| oracle.best(line))
        }
    }
}

/// Loads the network that answers the requests. An error about its options is a mistake in the command line; any other
/// is about the file.
fn oracle(args: &OracleArgs) -> Result<Oracle> {
    let path = checkpoint_path(&args.checkpoint)?;
    let (_, checkpoint) = read_checkpoint(&path)?;
    Oracle::new(&checkpoint, args.plies).map_err(|e| match e {
        LabError::Evaluation(_) => usage(e),
        other => file_error(&path, other),
    })
}
