//! `learnery backgammon duel`: two networks play against each other.

use anyhow::Result;
use learnery_labs::backgammon::{Duel, DuelInput, DuelOutput};

use super::ask::{self, Source, refused};
use crate::args::BackgammonDuelArgs;
use crate::files::{checkpoint_path, read_text};
use crate::run::stop::StopSignal;
use crate::terminal::{numbers, stderr, stdout};
use crate::threads;

pub fn duel(args: &BackgammonDuelArgs) -> Result<()> {
    let input = args.inputs.input()?;
    threads::start_pool(args.threads)?;
    let source = Source::read(&args.network.checkpoint)?;
    let against = read_text(&checkpoint_path(&args.against)?)?;
    // Games are played in pairs.
    let games = numbers::count_of(u64::from(input.games.div_ceil(2)) * 2, "game");
    let input = DuelInput { against: against.name.clone(), ..input };
    let mut job = source.begin_with_file::<Duel>(input, against)?;
    let stop = StopSignal::listen()?;
    stderr::write(&format!("Plays {games}. Ctrl-C ends the duel; pairs of games that are complete count.\n"));
    let outcome = ask::finish(&mut job, &stop, None, &mut |(), _| None);
    // The process may no longer be ended while the result is written.
    stop.begin_saving();
    let outcome = outcome.map_err(|error| refused(error, Some(&source.path)))?;
    let Some(score) = outcome.output() else {
        return Err(stop.interrupted("it was interrupted before two pairs of games were complete").into());
    };
    if args.json { stdout::write_json(score) } else { stdout::write(&duel_text(score)) }
}

/// The score, and what it says: a difference that chance could explain is called none.
fn duel_text(score: &DuelOutput) -> String {
    let DuelOutput { points, margin, games, wins, gammons_won, gammons_lost, plies, seed, .. } = score;
    let verdict = if points.abs() <= *margin {
        "no winner: chance could explain the difference"
    } else if *points > 0.0 {
        "the network of --checkpoint is stronger"
    } else {
        "the network of --against is stronger"
    };
    let stopped = if score.pairs < score.asked { "stopped after " } else { "" };
    let plies = if *plies == 1 { "1 ply".into() } else { format!("{plies} plies") };
    format!(
        "{stopped}{} of games, same dice and sides exchanged, {plies} of lookahead, seed {seed}\n\
         {points:+.3} points a game, within {margin:.3} (95 %): {verdict}\n\
         won {} of {} games, {} of them with a gammon; lost {} with a gammon\n",
        numbers::count_of(score.pairs, "pair"),
        numbers::count(*wins),
        numbers::count(*games),
        numbers::count(*gammons_won),
        numbers::count(*gammons_lost),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(points: f64, margin: f64) -> String {
        duel_text(&DuelOutput {
            points,
            margin,
            pairs: 10,
            asked: 10,
            games: 20,
            wins: 12,
            gammons_won: 3,
            gammons_lost: 2,
            plies: 0,
            seed: 1,
        })
    }

    #[test]
    fn difference_within_the_margin_has_no_winner() {
        assert!(text(0.1, 0.2).contains("no winner"));
        assert!(text(0.3, 0.2).contains("the network of --checkpoint is stronger"));
        assert!(text(-0.3, 0.2).contains("the network of --against is stronger"));
        // Of a network against itself.
        assert!(text(0.0, 0.0).contains("no winner"));
    }
}
