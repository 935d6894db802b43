//! Random scrambles: random walks from the solved cube without redundant turns. With quarter turns no turn
//! undoes the one before it; with half turns no face turns twice in a row.

use learnery_kernels::rng::Stream;
use learnery_worlds::cube::{Metric, SOLVED, State, Turn, Turns, face, inverse};

/// Makes scramble number `index` of a stream of random numbers, which has `length` turns. Returns the state
/// after it, and its last turn (0 if `length` is 0).
///
/// A block of the stream is four random words, for four turns. Turns use the blocks from sub-index 1 on;
/// block 0 is left to the caller.
pub fn scramble(turns: &Turns, stream: Stream, index: u64, length: u32, metric: Metric) -> (State, Turn) {
    let (mut state, mut last) = (SOLVED, None);
    let mut words = [0; 4];
    for i in 0..length {
        if i % 4 == 0 {
            words = stream.block(index, 1 + u64::from(i / 4));
        }
        let turn = random_turn(words[i as usize % 4], last, metric);
        state = turns.after(state, turn);
        last = Some(turn);
    }
    (state, last.unwrap_or(0))
}

/// Like [`scramble`] with a random length, uniform from 1 to `max_length`, which is returned too.
pub fn scramble_up_to(
    turns: &Turns,
    stream: Stream,
    index: u64,
    max_length: u32,
    metric: Metric,
) -> (State, Turn, u32) {
    let length = 1 + stream.below(index, 0, max_length);
    let (state, last) = scramble(turns, stream, index, length, metric);
    (state, last, length)
}

/// Maps a random word to a turn that is not redundant after `last`.
pub fn random_turn(word: u32, last: Option<Turn>, metric: Metric) -> Turn {
    // A number from 0 to n - 1: the upper half of the product of the word and n.
    let below = |n: u8| ((u64::from(word) * u64::from(n)) >> 32) as u8;
    match (metric, last) {
        (_, None) => below(metric.turns() as u8),
        (Metric::Quarter, Some(last)) => {
            // One of the five turns other than the inverse.
            let turn = below(5);
            turn + u8::from(turn >= inverse(last))
        }
        (Metric::Half, Some(last)) => {
            // One of three turns of one of the two other faces. Turns 0 to 5 are quarter turns, two for each
            // face; turns 6 to 8 are half turns.
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

    #[test]
    fn random_turns_are_never_redundant_and_otherwise_uniform() {
        for metric in [Metric::Quarter, Metric::Half] {
            for last in 0..metric.turns() as Turn {
                let mut counts = [0; 9];
                for i in 0..60_000u64 {
                    let word = Stream::new(1, 1).block(i, 0)[0];
                    counts[usize::from(random_turn(word, Some(last), metric))] += 1;
                }
                let is_allowed =
                    |turn: usize| turn < metric.turns() && !metric.is_redundant(last, turn as Turn);
                let each = 60_000 / (0..9).filter(|turn| is_allowed(*turn)).count();
                for (turn, count) in counts.into_iter().enumerate() {
                    let expected = if is_allowed(turn) { each } else { 0 };
                    // More than five standard deviations of the count.
                    assert!((count - expected as i32).abs() < 600, "{turn} after {last}: {count}");
                }
            }
        }
    }
}
