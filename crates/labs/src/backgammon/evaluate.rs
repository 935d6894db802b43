//! Judging a trained network by matches.

use learnery_kernels::rng::Stream;
use learnery_lab::{EvalRequest, LabError, Report};
use learnery_nn::{Tensors, Weights};

use super::config::BackgammonConfig;
use super::duel::{Duel, Player};
use super::lookahead::Lookahead;
use super::network::Network;
use super::purpose;

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
    let (opponent, name) = match request.against.as_deref() {
        None | Some("pubeval") => (Player::Pubeval, "pubeval"),
        Some("random") => (Player::Random, "a random player"),
        Some(other) => {
            let known = "random or pubeval";
            return Err(LabError::Evaluation(format!(
                "nobody called `{other}` plays backgammon here; {known} do"
            )));
        }
    };
    let (plan, layout) = Network::new(config.shape());
    let weights = Weights::from_tensors(layout, network)?;
    let players = [Player::Trained(&plan, &weights, Lookahead::default()), opponent];
    let mut duel = Duel::new(players, AT_ONCE);
    duel.begin(Stream::new(request.seed, purpose::EVALUATION), 0..games.div_ceil(2));
    while !duel.step(players) {}
    let score = duel.score();
    let (mean, margin) = (score.mean(), score.margin());
    Ok(Report {
        summary: format!(
            "{mean:+.3} points a game against {name}, within {margin:.3}, over {} games",
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
