//! pubeval, Gerald Tesauro's public benchmark player of 1993: two linear functions of the position after a
//! play, one for contact positions and one for races (positions in which the sides have passed each other).
//! `pubeval.f32` has the published weights: 122 for contact, then 122 for races.

use std::sync::OnceLock;

use learnery_worlds::backgammon::{BAR, Board, CHECKERS, POINTS, Plays};

/// Inputs of each function: five for each point, one for the opponent's checkers on the bar, one for
/// pubeval's checkers borne off.
const INPUTS: usize = 122;
/// The index of the input for the opponent's checkers on the bar.
const OPPONENT_ON_BAR: usize = 120;
/// The index of the input for pubeval's checkers borne off.
const OWN_OFF: usize = 121;

struct Weights {
    contact: [f32; INPUTS],
    race: [f32; INPUTS],
}

impl Weights {
    fn published() -> &'static Self {
        static WEIGHTS: OnceLock<Weights> = OnceLock::new();
        WEIGHTS.get_or_init(|| {
            let (numbers, _) = include_bytes!("pubeval.f32").as_chunks::<4>();
            let part = |first| std::array::from_fn(|i| f32::from_le_bytes(numbers[first + i]));
            Self { contact: part(0), race: part(INPUTS) }
        })
    }
}

/// Returns the index of the play that pubeval makes. `before` is the board on which the plays were found.
pub fn choose(before: &Board, plays: &Plays) -> usize {
    let published = Weights::published();
    let weights = if before.is_race() { &published.race } else { &published.contact };
    let (mut highest, mut best) = (f32::NEG_INFINITY, 0);
    for (i, after) in plays.iter().enumerate() {
        let score = score_of(weights, &after);
        if score > highest {
            (highest, best) = (score, i);
        }
    }
    best
}

/// Computes the score of a play; higher is better for pubeval. `after` is the board that the play leads to,
/// seen from the opponent, who is on roll. So pubeval's checkers are `other`.
fn score_of(weights: &[f32; INPUTS], after: &Board) -> f32 {
    let (theirs, own) = (after.own_places(), after.other_places());
    // Place 0 holds the checkers that are borne off: all of them are a win.
    if own[0] == CHECKERS {
        return f32::INFINITY;
    }
    // The inputs are mostly 0 or 1, so their weights are added instead of multiplied.
    let mut sum = 0.0;
    // The first five weights belong to pubeval's own 24 point.
    for (point, weights) in (1..=POINTS).rev().zip(weights.as_chunks::<5>().0) {
        match own[point] {
            // A blot (single checker) of the opponent, who counts points from the other end.
            0 => sum += if theirs[BAR - point] == 1 { weights[0] } else { 0.0 },
            1 => sum += weights[1],
            n => {
                sum += weights[2];
                sum += if n == 3 { weights[3] } else { 0.0 };
                sum += if n > 3 { weights[4] * 0.5 * f32::from(n - 3) } else { 0.0 };
            }
        }
    }
    // The last two inputs: half the opponent's checkers on the bar, and the fraction of own checkers borne
    // off.
    sum + weights[OPPONENT_ON_BAR] * 0.5 * f32::from(theirs[BAR])
        + weights[OWN_OFF] * f32::from(own[0]) / f32::from(CHECKERS)
}

#[cfg(test)]
mod tests {
    use learnery_worlds::backgammon::Dice;

    use super::*;

    #[test]
    fn weights_are_the_published_ones() {
        let published = Weights::published();
        assert_eq!((published.contact[0], published.race[0]), (0.25696, 0.0));
        assert_eq!((published.contact[OWN_OFF], published.race[OWN_OFF]), (-2.758, 3.4204));
    }

    /// Computes the inputs one by one, as Tesauro described them.
    #[test]
    fn score_is_the_dot_product_of_weights_and_described_inputs() {
        let (mut board, mut plays) = (Board::START, Plays::new());
        let stream = learnery_kernels::rng::Stream::new(2, 0);
        for turn in 0..80 {
            plays.find(&board, Dice::for_turn(stream, 0, turn));
            for after in plays.iter() {
                let mut inputs = [0.0; INPUTS];
                for k in 0..24 {
                    let point = 24 - k;
                    // Positive for pubeval's checkers, negative for the opponent's.
                    let n = i32::from(after.other(point)) - i32::from(after.own(25 - point));
                    let indicator = |holds: bool| if holds { 1.0 } else { 0.0 };
                    inputs[5 * k] = indicator(n == -1);
                    inputs[5 * k + 1] = indicator(n == 1);
                    inputs[5 * k + 2] = indicator(n >= 2);
                    inputs[5 * k + 3] = indicator(n == 3);
                    inputs[5 * k + 4] = if n >= 4 { (n - 3) as f32 / 2.0 } else { 0.0 };
                }
                inputs[OPPONENT_ON_BAR] = f32::from(after.own(25)) / 2.0;
                inputs[OWN_OFF] = f32::from(after.other(0)) / 15.0;
                for weights in [&Weights::published().contact, &Weights::published().race] {
                    let slow: f32 = weights.iter().zip(inputs).map(|(w, x)| w * x).sum();
                    let fast = score_of(weights, &after);
                    // A won position has a score of infinity instead.
                    assert!(after.other_won().is_some() || (fast - slow).abs() < 1e-4, "{fast} {slow}");
                }
            }
            board = plays.get(choose(&board, &plays));
            if board.other_won().is_some() {
                break;
            }
        }
    }
}
