//! An evaluator for tests: random values, which depend on the board alone.

use learnery_kernels::rng::Stream;
use learnery_worlds::backgammon::{Board, Plays};

use crate::Evaluator;
use crate::outcomes::Outcomes;

/// Probabilities around 0.5 to win, 0.2 for a gammon and 0.02 for a backgammon, of either side.
#[derive(Clone, Copy, Debug)]
pub struct TestEvaluator {
    /// The width of the interval in which each probability is random.
    pub spread: f32,
}

impl Evaluator for TestEvaluator {
    type Scratch = ();

    fn scratch(&self) {}

    fn value(&self, board: &Board, (): &mut ()) -> Outcomes {
        if let Some(exact) = Outcomes::exact(board) {
            return exact;
        }
        // A hash of the board selects the random numbers.
        let (own, other) = board.key();
        let words = [own, own >> 64, other, other >> 64].map(|word| word as u64);
        let key = words.into_iter().fold(0u64, |key, word| (key ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let stream = Stream::new(1, 2);
        let [[a, b, c, d], [e, ..]] = [0, 1].map(|i| stream.block(key, i));
        let near = |mean: f32, word: u32| {
            (mean + self.spread * (word as f32 / u32::MAX as f32 - 0.5)).clamp(0.0, 1.0)
        };
        Outcomes([near(0.5, a), near(0.2, b), near(0.02, c), near(0.2, d), near(0.02, e)])
            .clamped_to_possible(board)
    }

    fn values_of_boards(&self, _: &Board, boards: &[Board], (): &mut (), out: &mut Vec<Outcomes>) {
        out.clear();
        out.extend(boards.iter().map(|board| self.value(board, &mut ())));
    }

    fn values_of_plays(&self, _: &Board, plays: &Plays, (): &mut (), out: &mut Vec<Outcomes>) {
        out.clear();
        out.extend(plays.iter().map(|board| self.value(&board, &mut ())));
    }
}
