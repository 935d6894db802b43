//! Judging a trained network by matches.

use std::sync::OnceLock;

use learnery_kernels::rng::Stream;
use learnery_lab::{EvalRequest, LabError, Report, Rival};
use learnery_nn::Tensors;

use super::config::BackgammonConfig;
use super::duel::{Duel, Player};
use super::lookahead::{Lookahead, MOST_PLIES};
use super::purpose;
use super::trained::Trained;

/// Chunks of pairs that are played side by side.
const AT_ONCE: usize = 32;

/// Plays the match that is asked for.
pub fn evaluate(
    config: &BackgammonConfig,
    network: &Tensors,
    request: &EvalRequest,
) -> Result<Report, LabError> {
    let games = request.games.unwrap_or(1000);
    if !(1..=10_000_000).contains(&games) {
        return Err(LabError::Evaluation(format!("{games} games; expected 1 to 10000000")));
    }
    let plies = request.plies.unwrap_or(0);
    if plies > MOST_PLIES {
        return Err(LabError::Evaluation(format!("{plies} plies; expected 0 to {MOST_PLIES}")));
    }
    let lookahead = Lookahead { plies };
    let own = Trained::from_tensors(config, network)?;
    let (name, failure) = (request.against.as_deref().unwrap_or("pubeval"), OnceLock::new());
    let rival = match &request.rival {
        Some(Rival::Checkpoint(checkpoint)) => Some(Trained::from_checkpoint(checkpoint)?),
        Some(Rival::Program(_)) | None => None,
    };
    let opponent = match (&request.rival, &rival, name) {
        (_, Some(rival), _) => rival.player(lookahead),
        (Some(Rival::Program(program)), ..) => Player::Program(program, &failure),
        (_, _, "pubeval") => Player::Pubeval,
        (_, _, "random") => Player::Random,
        (_, _, other) => {
            let words = format!(
                "nobody called `{other}` plays backgammon here; random, pubeval and other networks do"
            );
            return Err(LabError::Evaluation(words));
        }
    };
    let players = [own.player(lookahead), opponent];
    let mut duel = Duel::new(players, AT_ONCE);
    duel.begin(Stream::new(request.seed, purpose::EVALUATION), 0..games.div_ceil(2));
    while !duel.step(players) && failure.get().is_none() {}
    if let Some(failure) = failure.into_inner() {
        return Err(LabError::Evaluation(failure));
    }
    let score = duel.score();
    let (mean, margin) = (score.mean(), score.margin());
    let deep = match plies {
        0 => String::new(),
        n => format!(", looking {n} ahead"),
    };
    Ok(Report {
        summary: format!(
            "{mean:+.3} points a game against {name}{deep}, within {margin:.3}, over {} games",
            score.games
        ),
        figures: vec![
            ("points", mean, "a game"),
            ("margin", margin, "a game, 95 %"),
            ("games", score.games as f64, ""),
            ("wins", score.share(score.wins), ""),
            ("gammons won", score.share(score.gammons_won), ""),
            ("gammons lost", score.share(score.gammons_lost), ""),
        ],
    })
}
