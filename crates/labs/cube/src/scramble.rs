//! Random scrambles: no turn undoes the one before it, and where half turns are turns too, no face is turned twice in a
//! row.

use learnery_kernels::rng::Stream;
use learnery_worlds::cube::{Metric, SOLVED, State, Turn, Turns, face, inverse};

/// A scramble of `length` turns, which follows from (stream, index) alone: where it ends, and its last turn.
pub fn scramble(turns: &Turns, stream: Stream, index: u64, length: u32, metric: Metric) -> (State, Turn) {
    let (mut state, mut last) = (SOLVED, None);
    let mut words = [0; 4];
    for i in 0..length {
        if i % 4 == 0 {
            words = stream.block(index, 1 + u64::from(i / 4));
        }
        let turn = draw(words[i as usize % 4], last, metric);
        state = turns.after(state, turn);
        last = Some(turn);
    }
    (state, last.unwrap_or(0))
}

/// The same with a random length from 1 to `most`.
pub fn scramble_up_to(
    turns: &Turns,
    stream: Stream,
    index: u64,
    most: u32,
    metric: Metric,
) -> (State, Turn, u32) {
    let length = 1 + stream.below(index, 0, most);
    let (state, last) = scramble(turns, stream, index, length, metric);
    (state, last, length)
}

fn draw(word: u32, last: Option<Turn>, metric: Metric) -> Turn {
    let below = |n: u8| ((u64::from(word) * u64::from(n)) >> 32) as u8;
    match (metric, last) {
        (_, None) => below(metric.turns() as u8),
        (Metric::Quarter, Some(last)) => {
            let turn = below(5);
            turn + u8::from(turn >= inverse(last))
        }
        (Metric::Half, Some(last)) => {
            let choice = below(6);
            let other = choice / 3;
            let face = other + u8::from(other >= face(last));
            if choice % 3 == 2 { 6 + face } else { 2 * face + choice % 3 }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every turn that is not idle is drawn as often as any other.
    #[test]
    fn no_turn_is_idle_and_all_others_are_equal() {
        for metric in [Metric::Quarter, Metric::Half] {
            for last in 0..metric.turns() as Turn {
                let mut counts = [0; 9];
                for i in 0..60_000u64 {
                    let word = Stream::new(1, 1).block(i, 0)[0];
                    counts[usize::from(draw(word, Some(last), metric))] += 1;
                }
                let lively = |turn: usize| turn < metric.turns() && !metric.is_redundant(last, turn as Turn);
                let share = 60_000 / (0..9).filter(|turn| lively(*turn)).count();
                for (turn, count) in counts.into_iter().enumerate() {
                    let expected = if lively(turn) { share } else { 0 };
                    assert!((count - expected as i32).abs() < 600, "{turn} after {last}: {count}");
                }
            }
        }
    }
}
