//! A training sample: a turn, the search's visit distribution over the plays of the turn, and the value
//! target. Samples store positions instead of network inputs, because positions are much smaller.

use learnery_backgammon_play::game::Turn;
use learnery_backgammon_play::outcomes::{OUTCOMES, Outcomes};
use learnery_lab::LabError;
use learnery_nn::Tensors;
use learnery_worlds::backgammon::{Board, Dice, Plays};

/// The maximum number of plays whose probability a sample stores: those with the most visits. In most turns,
/// fewer plays than this are visited.
pub const KEPT_PLAYS: usize = 32;

/// Initial capacity of buffers for the plays of a turn, so that they are rarely reallocated: fewer than one
/// turn in a thousand has more plays.
pub const INITIAL_PLAYS: usize = 1024;

/// What is learned from one turn of self-play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    pub turn: Turn,
    /// The value target for the side to move: outcome probabilities in units of 1 / [`FIXED_POINT_ONE`].
    /// Until the game ends, the first number is what [`Sample::set_search_value`] set, and the others are
    /// zeros.
    pub target: [u16; OUTCOMES],
    /// The number of entries of `plays` and `probabilities` that are used; 0 for a turn that teaches no
    /// policy.
    pub count: u8,
    /// The kept plays, as indices in the order in which `Plays` generates the plays of the turn.
    pub plays: [u16; KEPT_PLAYS],
    /// The visit fraction of each kept play, in units of 1 / [`FIXED_POINT_ONE`].
    pub probabilities: [u16; KEPT_PLAYS],
}

/// Probability 1 in fixed point.
pub const FIXED_POINT_ONE: f32 = 65_535.0;

impl Sample {
    /// A sample of a turn with this policy and no target yet. `order` is scratch memory.
    pub fn new(turn: Turn, policy: &[f32], order: &mut Vec<u16>) -> Self {
        order.clear();
        order.extend((0..policy.len() as u16).filter(|play| policy[usize::from(*play)] > 0.0));
        if order.len() > KEPT_PLAYS {
            // The most probable first, and of equal ones the earlier.
            order.sort_unstable_by(|a, b| {
                let probability = |play: &u16| policy[usize::from(*play)];
                probability(b).total_cmp(&probability(a)).then(a.cmp(b))
            });
            order.truncate(KEPT_PLAYS);
        }
        let (mut plays, mut probabilities) = ([0; KEPT_PLAYS], [0; KEPT_PLAYS]);
        for ((play, probability), i) in plays.iter_mut().zip(&mut probabilities).zip(&*order) {
            *play = *i;
            *probability = (policy[usize::from(*i)] * FIXED_POINT_ONE).round() as u16;
        }
        Self { turn, target: [0; OUTCOMES], count: order.len() as u8, plays, probabilities }
    }

    /// Remembers the value that the search found, -1 to 1, until the game ends.
    pub fn set_search_value(&mut self, value: Option<f32>) {
        // 0 is no value, so the values begin at 1.
        let in_fixed_point =
            |value: f32| 1 + ((value.clamp(-1.0, 1.0) + 1.0) / 2.0 * (FIXED_POINT_ONE - 1.0)).round() as u16;
        self.target[0] = value.map_or(0, in_fixed_point);
    }

    /// The value that [`Sample::set_search_value`] set.
    pub fn search_value(&self) -> Option<f32> {
        (self.target[0] > 0).then(|| f32::from(self.target[0] - 1) / (FIXED_POINT_ONE - 1.0) * 2.0 - 1.0)
    }

    pub fn set_target(&mut self, target: &Outcomes) {
        self.target = target.0.map(|probability| (probability * FIXED_POINT_ONE).round() as u16);
    }

    pub fn target(&self) -> Outcomes {
        Outcomes(self.target.map(|probability| f32::from(probability) / FIXED_POINT_ONE))
    }

    /// The policy over all plays of the turn: the kept probabilities, scaled to sum to one, and zeros.
    pub fn policy(&self, out: &mut [f32]) {
        out.fill(0.0);
        let count = usize::from(self.count);
        let sum: u32 = self.probabilities[..count].iter().map(|p| u32::from(*p)).sum();
        for (play, probability) in self.plays[..count].iter().zip(&self.probabilities) {
            out[usize::from(*play)] = f32::from(*probability) / sum.max(1) as f32;
        }
    }

    /// Whether the game is not finished and all stored plays exist in the turn.
    fn is_possible(&self, plays: &mut Plays) -> bool {
        if self.turn.board.result().is_some() {
            return false;
        }
        plays.find(&self.turn.board, self.turn.dice);
        let kept = self.plays.get(..usize::from(self.count));
        kept.is_some_and(|kept| kept.iter().all(|play| usize::from(*play) < plays.len()))
    }
}

/// Bytes of a sample without its board: dice, count, plays, probabilities, target; little-endian.
const SAMPLE_BYTES: usize = 2 + 4 * KEPT_PLAYS + 2 * OUTCOMES;

/// Saves samples: the keys of their boards, and the bytes of the rest.
pub fn to_tensors<'a>(samples: impl ExactSizeIterator<Item = &'a Sample>) -> Tensors {
    let n = samples.len();
    let (mut boards, mut rest) = (Vec::with_capacity(4 * n), Vec::with_capacity(SAMPLE_BYTES * n));
    for sample in samples {
        let (own, other) = sample.turn.board.key();
        boards.extend([own, own >> 64, other, other >> 64].map(|half| half as u64));
        rest.extend([sample.turn.dice.index() as u8, sample.count]);
        let numbers = sample.plays.iter().chain(&sample.probabilities).chain(&sample.target);
        rest.extend(numbers.flat_map(|v| v.to_le_bytes()));
    }
    let mut tensors = Tensors::new();
    tensors.insert("boards", &[n * 4], &boards);
    tensors.insert("turns", &[n, SAMPLE_BYTES], &rest);
    tensors
}

/// Reads what [`to_tensors`] saved. Rejects impossible samples.
pub fn from_tensors(tensors: &Tensors) -> Result<Vec<Sample>, LabError> {
    let boards: Vec<u64> = tensors.get_vec("boards")?;
    let n = boards.len() / 4;
    let rest: Vec<u8> = tensors.get("turns", &[n, SAMPLE_BYTES])?;
    let mut found = Plays::new();
    boards
        .chunks_exact(4)
        .zip(rest.chunks_exact(SAMPLE_BYTES))
        .map(|(board, rest)| read(board, rest).filter(|sample| sample.is_possible(&mut found)))
        .collect::<Option<Vec<Sample>>>()
        .filter(|samples| samples.len() * 4 == boards.len())
        .ok_or_else(|| {
            LabError::Checkpoint("a position in its replay buffer or its games is impossible".into())
        })
}

/// Reads a sample from the four halves of its board's keys and the [`SAMPLE_BYTES`] of the rest; `None` if
/// they are impossible.
fn read(board: &[u64], rest: &[u8]) -> Option<Sample> {
    let side = |i: usize| u128::from(board[i]) | u128::from(board[i + 1]) << 64;
    let board = Board::from_key((side(0), side(2))).ok()?;
    // `from_key` computes the checkers borne off, so a key that claims other numbers does not survive.
    let board = (board.key() == (side(0), side(2))).then_some(board)?;
    let turn = Turn { board, dice: *Dice::ALL.get(usize::from(rest[0]))? };
    let (mut plays, mut probabilities, mut target) = ([0; KEPT_PLAYS], [0; KEPT_PLAYS], [0; OUTCOMES]);
    let numbers = rest[2..].chunks_exact(2).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]));
    let fields = plays.iter_mut().chain(&mut probabilities).chain(&mut target);
    fields.zip(numbers).for_each(|(field, number)| *field = number);
    Some(Sample { turn, target, count: rest[1], plays, probabilities })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(policy: &[f32]) -> Sample {
        Sample::new(Turn { board: Board::START, dice: Dice::ALL[0] }, policy, &mut Vec::new())
    }

    #[test]
    fn policy_survives_a_round_trip() {
        let policy = [0.0, 0.25, 0.0, 0.5, 0.25];
        let mut out = [9.0; 5];
        sample(&policy).policy(&mut out);
        assert!(policy.iter().zip(out).all(|(a, b)| (a - b).abs() < 1e-4), "{out:?}");
        // Of too many plays the most probable are kept, and scaled to sum to one. Twice 40 plays with
        // probabilities in proportion to 0, 1, ..., 39, which sum to 1560. The 16 largest of each series are
        // kept.
        let policy: Vec<f32> = (0..80).map(|i| (i % 40) as f32 / 1560.0).collect();
        let mut out = vec![9.0; 80];
        sample(&policy).policy(&mut out);
        assert!(
            (out.iter().sum::<f32>() - 1.0).abs() < 1e-4
                && out.iter().filter(|v| **v > 0.0).count() == KEPT_PLAYS
        );
        assert!(out[23] == 0.0 && out[24] > 0.0 && out[79] > out[78], "{out:?}");
    }

    #[test]
    fn samples_survive_a_round_trip_and_impossible_ones_are_refused() {
        let mut good = sample(&[0.5, 0.0, 0.5]);
        good.set_target(&Outcomes([1.0, 0.25, 0.0, 0.5, 0.125]));
        assert!(good.target().0.iter().zip([1.0, 0.25, 0.0, 0.5, 0.125]).all(|(a, b)| (a - b).abs() < 1e-4));
        let read = |sample: Sample| from_tensors(&to_tensors([good, sample].iter()));
        assert_eq!(read(good).unwrap(), [good, good]);
        // A finished game: the side on roll has borne all checkers off.
        let mut other = [0; 26];
        other[3] = 2;
        let over = Board::new(&[0; 26], &other);
        // Too many plays, plays that do not exist, and a finished game.
        for bad in [
            Sample { count: KEPT_PLAYS as u8 + 1, ..good },
            Sample { plays: [999; KEPT_PLAYS], ..good },
            Sample { turn: Turn { board: over.unwrap(), ..good.turn }, ..good },
        ] {
            let sentence = read(bad).map_err(|e| e.to_string());
            assert!(sentence.as_ref().is_err_and(|e| e.contains("impossible")), "{sentence:?}");
        }
    }
}
