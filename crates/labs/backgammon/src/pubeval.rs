//! Gerald Tesauro's public benchmark player of 1993: two linear functions of the position after a play, one while the
//! sides can meet and one for races. Its weights are facts, in `pubeval.f32`: 122 numbers for contact, then 122 for races.

use std::sync::OnceLock;

use learnery_worlds::backgammon::{BAR, Board, CHECKERS, POINTS, Plays};

/// Inputs of either function: five a point, the opponent's bar, one's own checkers off.
const INPUTS: usize = 122;

struct Weights {
    contact: [f32; INPUTS],
    race: [f32; INPUTS],
}

impl Weights {
    fn shipped() -> &'static Self {
        static WEIGHTS: OnceLock<Weights> = OnceLock::new();
        WEIGHTS.get_or_init(|| {
            let (numbers, _) = include_bytes!("pubeval.f32").as_chunks::<4>();
            let part = |first| std::array::from_fn(|i| f32::from_le_bytes(numbers[first + i]));
            Self { contact: part(0), race: part(INPUTS) }
        })
    }
}

/// Which play of the list it takes on `before`.
pub fn choose(before: &Board, plays: &Plays) -> usize {
    let shipped = Weights::shipped();
    let weights = if before.is_race() { &shipped.race } else { &shipped.contact };
    let mut best = (f32::NEG_INFINITY, 0);
    for (i, after) in plays.iter().enumerate() {
        let score = score(weights, &after);
        if score > best.0 {
            best = (score, i);
        }
    }
    best.1
}

/// How much it likes a position it has played to; `after` is seen from its opponent, who is on roll.
fn score(weights: &[f32; INPUTS], after: &Board) -> f32 {
    let (theirs, own) = (after.own_places(), after.other_places());
    if own[0] == CHECKERS {
        return f32::INFINITY;
    }
    let mut sum = 0.0;
    // The first block of five is its own 24 point.
    for (point, weights) in (1..=POINTS).rev().zip(weights.as_chunks::<5>().0) {
        match own[point] {
            0 => sum += if theirs[BAR - point] == 1 { weights[0] } else { 0.0 },
            1 => sum += weights[1],
            n => {
                sum += weights[2];
                sum += if n == 3 { weights[3] } else { 0.0 };
                sum += if n > 3 { weights[4] * 0.5 * f32::from(n - 3) } else { 0.0 };
            }
        }
    }
    sum + weights[120] * 0.5 * f32::from(theirs[BAR]) + weights[121] * f32::from(own[0]) / f32::from(CHECKERS)
}

#[cfg(test)]
mod tests {
    use learnery_worlds::backgammon::Dice;

    use super::*;

    #[test]
    fn the_weights_are_those_published() {
        let shipped = Weights::shipped();
        assert_eq!((shipped.contact[0], shipped.race[0]), (0.25696, 0.0));
        assert_eq!((shipped.contact[121], shipped.race[121]), (-2.758, 3.4204));
    }

    /// The score as its description has it, number by number.
    #[test]
    fn the_score_is_the_product_with_the_inputs_described() {
        let (mut board, mut plays) = (Board::START, Plays::new());
        let stream = learnery_kernels::rng::Stream::new(2, 0);
        for turn in 0..80 {
            plays.find(&board, Dice::for_turn(stream, 0, turn));
            for after in plays.iter() {
                let mut inputs = [0.0; INPUTS];
                for k in 0..24 {
                    let point = 24 - k;
                    let n = i32::from(after.other(point)) - i32::from(after.own(25 - point));
                    let has = |it: bool| if it { 1.0 } else { 0.0 };
                    inputs[5 * k] = has(n == -1);
                    inputs[5 * k + 1] = has(n == 1);
                    inputs[5 * k + 2] = has(n >= 2);
                    inputs[5 * k + 3] = has(n == 3);
                    inputs[5 * k + 4] = if n >= 4 { (n - 3) as f32 / 2.0 } else { 0.0 };
                }
                inputs[120] = f32::from(after.own(25)) / 2.0;
                inputs[121] = f32::from(after.other(0)) / 15.0;
                for weights in [&Weights::shipped().contact, &Weights::shipped().race] {
                    let slow: f32 = weights.iter().zip(inputs).map(|(w, x)| w * x).sum();
                    let fast = score(weights, &after);
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
