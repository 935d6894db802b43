//! `learnery backgammon match`: two networks play one match against each other.

use anyhow::Result;
use learnery_labs::backgammon::{MatchInput, MatchOutput, PlayMatch};

use super::ask::{self, Source, refused};
use crate::args::BackgammonMatchArgs;
use crate::files::{check_new_file, checkpoint_path, read_text, write_atomically};
use crate::run::stop::StopSignal;
use crate::terminal::{numbers, stderr, stdout};

pub fn play_match(args: &BackgammonMatchArgs) -> Result<()> {
    // Nothing is played that could not be written at the end.
    let out = args.out.as_deref().map(|path| check_new_file(path, "--out")).transpose()?;
    let input = args.inputs.input()?;
    let source = Source::read(&args.network.checkpoint)?;
    let against = read_text(&checkpoint_path(&args.against)?)?;
    let input = MatchInput { against: against.name.clone(), ..input };
    let mut job = source.begin_with_file::<PlayMatch>(input, against)?;
    let stop = StopSignal::listen()?;
    let outcome = ask::finish(&mut job, &stop, None, &mut |(), _| None);
    // The process may no longer be ended while the match is written.
    stop.begin_saving();
    let outcome = outcome.map_err(|error| refused(error, Some(&source.path)))?;
    let is_stopped = outcome.is_partial();
    let Some(played) = outcome.output() else {
        return Err(stop.interrupted("it was interrupted before the match began").into());
    };
    if args.json {
        return stdout::write_json(played);
    }
    match &out {
        Some(path) => write_atomically(path, played.file.as_bytes())?,
        None => stdout::write(&played.file)?,
    }
    stderr::write(&score_text(played, is_stopped));
    Ok(())
}

/// The score, in a line.
fn score_text(
    MatchOutput { score: [first, second], length, games, .. }: &MatchOutput,
    is_stopped: bool,
) -> String {
    let length = numbers::count_of((*length).into(), "point");
    let games = numbers::count_of((*games).into(), "game");
    let verdict = match (is_stopped, first > second) {
        (true, _) => "stopped before its end",
        (false, true) => "the network of --checkpoint has won",
        (false, false) => "the network of --against has won",
    };
    format!("match to {length}: {first} to {second} after {games}; {verdict}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_names_the_winner_unless_the_match_was_stopped() {
        let text = |score, is_stopped| {
            let file = String::new();
            score_text(&MatchOutput { score, length: 7, games: 1, plies: 0, seed: 0, file }, is_stopped)
        };
        assert_eq!(
            text([8, 3], false),
            "match to 7 points: 8 to 3 after 1 game; the network of --checkpoint has won\n"
        );
        assert!(text([0, 7], false).contains("--against has won"));
        assert!(text([2, 1], true).contains("stopped before its end"));
    }
}
