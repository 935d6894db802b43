//! The positions after all plays of one or of all rolls. They are valued together, because for a network
//! they share the first layer's sums of the board before the roll.

use learnery_worlds::backgammon::{Board, Dice, Plays};

use crate::Evaluator;
use crate::Worth;
use crate::outcomes::{OUTCOMES, Outcomes};

/// Initial capacity of the buffers. No roll has more than 3,060 plays, and all rolls together rarely have
/// more than this.
const INITIAL_PLAYS: usize = 4096;

/// The plays of some rolls, and their values. Owns the buffers for that.
pub struct RolledPlays {
    plays: Plays,
    rolls: Vec<Dice>,
    /// The position after each play of the first roll, then of the second, and so on.
    boards: Vec<Board>,
    /// The index in `boards` at which the plays of each roll end.
    ends: Vec<usize>,
    /// The value of each position for the side that rolls next.
    values: Vec<Outcomes>,
    /// What gammons count for the side that makes the plays. It decides which play is the best.
    worth: Worth,
}

impl Default for RolledPlays {
    fn default() -> Self {
        Self {
            plays: Plays::new(),
            rolls: Vec::with_capacity(Dice::ALL.len()),
            boards: Vec::with_capacity(INITIAL_PLAYS),
            ends: Vec::with_capacity(Dice::ALL.len()),
            values: Vec::with_capacity(INITIAL_PLAYS),
            worth: Worth::MONEY,
        }
    }
}

impl RolledPlays {
    /// From now on, the best play of a roll is the best by `worth`, which is that of the side that makes it.
    /// New buffers have [`Worth::MONEY`].
    pub fn set_worth(&mut self, worth: Worth) {
        self.worth = worth;
    }

    /// Finds the plays of each roll on a board.
    pub fn find(&mut self, board: &Board, rolls: &[Dice]) {
        self.rolls.clear();
        self.rolls.extend_from_slice(rolls);
        self.boards.clear();
        self.ends.clear();
        for roll in rolls {
            self.plays.find(board, *roll);
            self.boards.extend(self.plays.iter());
            self.ends.push(self.boards.len());
        }
    }

    /// Finds the plays of each roll on a board, and values the positions after them. A pruning network
    /// removes plays that are far from the best of their roll.
    pub fn find_and_value<E: Evaluator>(
        &mut self,
        evaluator: &E,
        scratch: &mut E::Scratch,
        board: &Board,
        rolls: &[Dice],
    ) {
        self.find(board, rolls);
        // The positions are seen from the side that rolls next, so the board before the roll is flipped.
        let (boards, ends) = self.to_prune();
        evaluator.prune(&board.flipped(), boards, ends, scratch);
        let (boards, values) = self.to_value();
        evaluator.values_of_boards(&board.flipped(), boards, scratch, values);
    }

    /// The positions after the plays, and where those of each roll end.
    pub fn to_prune(&mut self) -> (&mut Vec<Board>, &mut [usize]) {
        (&mut self.boards, &mut self.ends)
    }

    /// The positions after the plays, and the buffer for as many values.
    pub fn to_value(&mut self) -> (&[Board], &mut Vec<Outcomes>) {
        self.values.clear();
        self.values.resize(self.boards.len(), Outcomes::default());
        (&self.boards, &mut self.values)
    }

    /// The positions after the plays of roll number `roll`, and their values for the side that rolls next.
    pub fn of_roll(&self, roll: usize) -> (&[Board], &[Outcomes]) {
        // The plays of a roll begin where those of the roll before end.
        let begin = roll.checked_sub(1).map_or(0, |before| self.ends[before]);
        let range = begin..self.ends[roll];
        (&self.boards[range.clone()], &self.values[range])
    }

    /// The mean over the rolls of the value after the best play, for the side that makes the play. The rolls
    /// must be all 21.
    pub fn mean(&self) -> [f64; OUTCOMES] {
        debug_assert_eq!(self.rolls, Dice::ALL);
        let mut mean = [0.0; OUTCOMES];
        for (i, roll) in self.rolls.iter().enumerate() {
            let value = self.best_value(i);
            let probability = f64::from(roll.ways()) / 36.0;
            mean.iter_mut().zip(value.0).for_each(|(mean, value)| *mean += probability * f64::from(value));
        }
        mean
    }

    /// The luck of roll number `roll` for the side that rolls: the value after its best play minus the mean
    /// of that over all 21 rolls, for each outcome probability. Weighted with the rolls' probabilities, its
    /// mean is zero.
    pub fn luck(&self, roll: usize) -> [f64; OUTCOMES] {
        let (value, mean) = (self.best_value(roll), self.mean());
        std::array::from_fn(|i| f64::from(value.0[i]) - mean[i])
    }

    /// The value after the best play of roll number `roll`, for the side that makes the play.
    fn best_value(&self, roll: usize) -> Outcomes {
        let (_, values) = self.of_roll(roll);
        let (_, best) = self.worth.best_play(values);
        best.flipped()
    }
}
