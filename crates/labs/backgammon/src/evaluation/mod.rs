//! Evaluation: the strength of a trained network, measured in points per game against an opponent.

mod luck;
mod matches;
mod options;

use std::sync::OnceLock;

use learnery_backgammon_play::players::Lookahead;
use learnery_kernels::rng::Stream;
use learnery_lab::{Evaluation, LabError, Opponent, Report};
use learnery_nn::Tensors;

use matches::MAX_TURNS;
pub use matches::{Choice, Match, MatchScore, Player, Setup};
pub use options::{BackgammonEvalOptions, Luck};

use crate::config::BackgammonConfig;
use crate::networks::TrainedNetwork;
use crate::purpose;

/// The most games that are played side by side.
const MAX_SEATS: usize = 32;
/// The maximum of seats times simulations, because each seat has a search tree of its own.
const MAX_SIMULATIONS_OF_SEATS: usize = 1 << 17;
/// Turns of each game in one step of the match.
const TURNS_PER_STEP: u32 = 16;

/// Plays the games of an evaluation and reports the score.
pub fn evaluate(
    config: &BackgammonConfig,
    network: &Tensors,
    evaluation: &Evaluation<BackgammonEvalOptions>,
) -> Result<Report, LabError> {
    let BackgammonEvalOptions { games, plies, simulations, against, luck } = evaluation.options;
    let choice = match (*plies, *simulations) {
        (plies, 0) => Choice::Lookahead(Lookahead { plies }),
        (0, simulations) => Choice::TreeSearch { simulations },
        _ => {
            let sentence = "expected plies or simulations, not both".into();
            return Err(LabError::Evaluation(sentence));
        }
    };
    let own = TrainedNetwork::from_tensors(config, network)?;
    let failure = OnceLock::new();
    let other_network = match evaluation.opponent {
        Some(Opponent::Checkpoint(checkpoint)) => Some(TrainedNetwork::from_checkpoint(checkpoint)?),
        Some(Opponent::Program(_)) | None => None,
    };
    // A network of a file comes first, then a program, then the name of a player.
    let opponent = match (evaluation.opponent, &other_network, against.as_str()) {
        // A tree search is measured against the network without one.
        (_, Some(network), _) => {
            Player::Network(network.as_network(), Choice::Lookahead(Lookahead { plies: *plies }))
        }
        (Some(Opponent::Program(program)), ..) => Player::Program(program, &failure),
        (_, _, "pubeval") => Player::Pubeval,
        (_, _, "random") => Player::Random,
        (_, _, other) => {
            let sentence = format!(
                "there is no opponent called `{other}`; expected random, pubeval, gnubg, gnubg-1ply, gnubg-2ply or the \
                 file of a network"
            );
            return Err(LabError::Evaluation(sentence));
        }
    };
    let network = own.as_network();
    let setup = Setup {
        players: [Player::Network(network, choice), opponent],
        luck: (*luck == Luck::Subtracted).then_some(network),
    };
    let seats = MAX_SEATS.min(MAX_SIMULATIONS_OF_SEATS / (*simulations).max(1) as usize);
    let mut evaluation_match = Match::new(setup, seats);
    // Two games a pair.
    evaluation_match.begin(Stream::new(evaluation.seed, purpose::EVALUATION), 0..games.div_ceil(2));
    let games = games.div_ceil(2) * 2;
    let is_complete = loop {
        if evaluation_match.step(setup, TURNS_PER_STEP) || failure.get().is_some() {
            break true;
        }
        if !evaluation.watch.goes_on(evaluation_match.score().games, games) {
            break false;
        }
    };
    if let Some(failure) = failure.into_inner() {
        return Err(LabError::Evaluation(failure));
    }
    let score = evaluation_match.score();
    if !is_complete && score.pairs == 0 {
        return Err(LabError::Evaluation("no pair of games has ended, so there is no score".into()));
    }
    if score.games == 0 {
        let sentence = format!("no game ended within {MAX_TURNS} turns, so there is no score");
        return Err(LabError::Evaluation(sentence));
    }
    let mean = if is_complete { score.mean() } else { score.mean_of_pairs() };
    Ok(report(evaluation.options, &score, mean))
}

/// Describes the score of the games, with the mean points of a game.
fn report(options: &BackgammonEvalOptions, score: &MatchScore, mean: f64) -> Report {
    let BackgammonEvalOptions { plies, simulations, against, luck, .. } = options;
    let margin = score.margin();
    let depth = match (plies, simulations) {
        (0, 0) => String::new(),
        (0, n) => format!(" with {n} simulations a play"),
        (1, _) => " with 1 ply of lookahead".into(),
        (n, _) => format!(" with {n} plies of lookahead"),
    };
    let luck = match luck {
        Luck::Counted => "",
        Luck::Subtracted => ", luck subtracted",
    };
    Report {
        summary: format!(
            "{mean:+.3} points a game{depth} against {against}{luck}, within {margin:.3}, over {} games",
            score.games
        ),
        metrics: vec![
            ("points", mean, "a game"),
            ("margin", margin, "a game, 95 %"),
            ("games", score.games as f64, ""),
            ("wins", score.fraction(score.wins), ""),
            ("gammons won", score.fraction(score.gammons_won), ""),
            ("gammons lost", score.fraction(score.gammons_lost), ""),
        ],
    }
}
