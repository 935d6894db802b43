//! What is remembered of a turn, and of how many: compactly, as positions and not as what a network sees of them.

use learnery_lab::LabError;
use learnery_nn::Tensors;
use learnery_search::Turn;
use learnery_worlds::backgammon::{Board, Dice, Plays};

use crate::outcomes::{OUTCOMES, Outcomes};

/// Plays of a turn whose share of the policy is remembered: those that have most of it. Few turns have more that were
/// tried at all.
pub const SHARES: usize = 32;

/// Plays of a turn for which there is room before anything has to grow: many more than a turn in a thousand has.
pub const MOST_PLAYS: usize = 1024;

/// A turn, what the search thought of it, and how the game went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// What was there.
    pub turn: Turn,
    /// What came of it for the side that was to move, as shares of [`WHOLE`]; zeros while the game goes on.
    pub came: [u16; OUTCOMES],
    /// How many plays are remembered.
    pub count: u8,
    /// Which, in the order in which they are found.
    pub plays: [u16; SHARES],
    /// Their shares, of all that is remembered.
    pub shares: [u16; SHARES],
}

/// What a whole share is.
const WHOLE: f32 = 65_535.0;

impl Sample {
    /// Of a turn with this policy. `order` is room to work in.
    pub fn new(turn: Turn, policy: &[f32], order: &mut Vec<u16>) -> Self {
        order.clear();
        order.extend((0..policy.len() as u16).filter(|play| policy[usize::from(*play)] > 0.0));
        if order.len() > SHARES {
            let rank = |play: &u16| (policy[usize::from(*play)], std::cmp::Reverse(*play));
            order.sort_unstable_by(|a, b| {
                let ((a, earlier), (b, later)) = (rank(a), rank(b));
                b.total_cmp(&a).then(later.cmp(&earlier))
            });
            order.truncate(SHARES);
        }
        let (mut plays, mut shares) = ([0; SHARES], [0; SHARES]);
        for ((play, share), i) in plays.iter_mut().zip(&mut shares).zip(&*order) {
            *play = *i;
            *share = (policy[usize::from(*i)] * WHOLE).round() as u16;
        }
        Self { turn, came: [0; OUTCOMES], count: order.len() as u8, plays, shares }
    }

    /// Notes down what came of it.
    pub fn close(&mut self, came: &Outcomes) {
        self.came = came.0.map(|chance| (chance * WHOLE).round() as u16);
    }

    /// What came of it.
    pub fn came(&self) -> Outcomes {
        Outcomes(self.came.map(|share| f32::from(share) / WHOLE))
    }

    /// The policy, of so many plays. The rest is zero.
    pub fn policy(&self, out: &mut [f32]) {
        out.fill(0.0);
        let count = usize::from(self.count);
        let sum: u32 = self.shares[..count].iter().map(|share| u32::from(*share)).sum();
        for (play, share) in self.plays[..count].iter().zip(&self.shares) {
            out[usize::from(*play)] = f32::from(*share) / sum.max(1) as f32;
        }
    }

    /// Whether this can have happened.
    fn is_possible(&self, plays: &mut Plays) -> bool {
        if self.turn.board.result().is_some() {
            return false;
        }
        plays.find(&self.turn.board, self.turn.dice);
        let known = self.plays.get(..usize::from(self.count));
        known.is_some_and(|known| known.iter().all(|play| usize::from(*play) < plays.len()))
    }
}

/// Bytes of a sample without its board: throw and how many plays, then plays, shares and what came of it.
const BYTES: usize = 2 + 4 * SHARES + 2 * OUTCOMES;

/// Samples as tensors.
pub fn to_tensors<'a>(samples: impl ExactSizeIterator<Item = &'a Sample>) -> Tensors {
    let n = samples.len();
    let (mut boards, mut rest) = (Vec::with_capacity(4 * n), Vec::with_capacity(BYTES * n));
    for sample in samples {
        let (own, other) = sample.turn.board.key();
        boards.extend([own, own >> 64, other, other >> 64].map(|half| half as u64));
        rest.extend([sample.turn.dice.index() as u8, sample.count]);
        let numbers = sample.plays.iter().chain(&sample.shares).chain(&sample.came);
        rest.extend(numbers.flat_map(|v| v.to_le_bytes()));
    }
    let mut tensors = Tensors::new();
    tensors.insert("boards", &[n * 4], &boards);
    tensors.insert("turns", &[n, BYTES], &rest);
    tensors
}

/// The samples of tensors.
pub fn from_tensors(tensors: &Tensors) -> Result<Vec<Sample>, LabError> {
    let boards: Vec<u64> = tensors.get_vec("boards")?;
    let n = boards.len() / 4;
    let rest: Vec<u8> = tensors.get("turns", &[n, BYTES])?;
    let mut found = Plays::new();
    boards
        .chunks_exact(4)
        .zip(rest.chunks_exact(BYTES))
        .map(|(board, rest)| read(board, rest).filter(|sample| sample.is_possible(&mut found)))
        .collect::<Option<Vec<Sample>>>()
        .filter(|samples| samples.len() * 4 == boards.len())
        .ok_or_else(|| LabError::Checkpoint("it remembers a turn that cannot have been".into()))
}

fn read(board: &[u64], rest: &[u8]) -> Option<Sample> {
    let side = |i: usize| u128::from(board[i]) | u128::from(board[i + 1]) << 64;
    let board = Board::from_key((side(0), side(2))).ok()?;
    // A side's places off are counted, so only what a key says of the others can be kept.
    let board = (board.key() == (side(0), side(2))).then_some(board)?;
    let turn = Turn { board, dice: *Dice::ALL.get(usize::from(rest[0]))? };
    let (mut plays, mut shares, mut came) = ([0; SHARES], [0; SHARES], [0; OUTCOMES]);
    let numbers = rest[2..].chunks_exact(2).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]));
    let places = plays.iter_mut().chain(&mut shares).chain(&mut came);
    places.zip(numbers).for_each(|(out, number)| *out = number);
    Some(Sample { turn, came, count: rest[1], plays, shares })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(policy: &[f32]) -> Sample {
        Sample::new(Turn { board: Board::START, dice: Dice::ALL[0] }, policy, &mut Vec::new())
    }

    #[test]
    fn policies_come_back() {
        let policy = [0.0, 0.25, 0.0, 0.5, 0.25];
        let mut out = [9.0; 5];
        sample(&policy).policy(&mut out);
        assert!(policy.iter().zip(out).all(|(a, b)| (a - b).abs() < 1e-4), "{out:?}");
        // Of too many the best stay, and make up the whole.
        let policy: Vec<f32> = (0..80).map(|i| (i % 40) as f32 / 1560.0).collect();
        let mut out = vec![9.0; 80];
        sample(&policy).policy(&mut out);
        assert!(
            (out.iter().sum::<f32>() - 1.0).abs() < 1e-4
                && out.iter().filter(|v| **v > 0.0).count() == SHARES
        );
        assert!(out[23] == 0.0 && out[24] > 0.0 && out[79] > out[78], "{out:?}");
    }

    #[test]
    fn samples_come_back_and_impossible_ones_do_not() {
        let mut good = sample(&[0.5, 0.0, 0.5]);
        good.close(&Outcomes([1.0, 0.25, 0.0, 0.5, 0.125]));
        assert!(good.came().0.iter().zip([1.0, 0.25, 0.0, 0.5, 0.125]).all(|(a, b)| (a - b).abs() < 1e-4));
        let read = |sample: Sample| from_tensors(&to_tensors([good, sample].iter()));
        assert_eq!(read(good).unwrap(), [good, good]);
        let over = Board::new(&[0; 26], &{
            let mut other = [0; 26];
            other[3] = 2;
            other
        });
        for bad in [
            Sample { count: SHARES as u8 + 1, ..good },
            Sample { plays: [999; SHARES], ..good },
            Sample { turn: Turn { board: over.unwrap(), ..good.turn }, ..good },
        ] {
            let sentence = read(bad).map_err(|e| e.to_string());
            assert!(sentence.as_ref().is_err_and(|e| e.contains("cannot have been")), "{sentence:?}");
        }
    }
}
