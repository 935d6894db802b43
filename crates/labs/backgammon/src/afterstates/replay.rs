//! The replay buffer of the afterstate learner: the latest positions with their targets, in a ring buffer.

use learnery_lab::LabError;
use learnery_nn::Tensors;
use learnery_worlds::backgammon::Board;

use crate::counters::check_equal;
use crate::outcomes::{OUTCOMES, Outcomes};

/// Positions and their targets.
pub struct Replay {
    boards: Vec<Board>,
    targets: Vec<Outcomes>,
    capacity: usize,
    /// 0 until the buffer is full. From then on the index of the oldest position, which the next position overwrites.
    next: usize,
}

impl Replay {
    pub fn new(capacity: usize) -> Self {
        Self {
            boards: Vec::with_capacity(capacity),
            targets: Vec::with_capacity(capacity),
            capacity,
            next: 0,
        }
    }

    /// Adds positions, which replace the oldest once the buffer is full.
    pub fn extend(&mut self, boards: &[Board], targets: &[Outcomes]) {
        for (board, target) in boards.iter().zip(targets) {
            if self.boards.len() < self.capacity {
                self.boards.push(*board);
                self.targets.push(*target);
            } else {
                self.boards[self.next] = *board;
                self.targets[self.next] = *target;
                self.next = (self.next + 1) % self.capacity;
            }
        }
    }

    pub fn len(&self) -> usize {
        self.boards.len()
    }

    /// Returns the index of the position with this age: 0 is the newest, 1 the one before it, and so on.
    pub fn recent(&self, age: usize) -> usize {
        let n = self.boards.len();
        // The newest position lies before `next`, around the end of the ring.
        (self.next + n - 1 - age % n) % n
    }

    pub fn board(&self, i: usize) -> Board {
        self.boards[i]
    }

    pub fn target(&self, i: usize) -> &Outcomes {
        &self.targets[i]
    }

    pub fn to_tensors(&self) -> Tensors {
        let boards: Vec<u8> = self.boards.iter().flat_map(board_to_bytes).collect();
        let targets: Vec<f32> = self.targets.iter().flat_map(|target| target.0).collect();
        let n = self.boards.len();
        let mut tensors = Tensors::new();
        tensors.insert("boards", &[n, 32], &boards);
        tensors.insert("targets", &[n, OUTCOMES], &targets);
        tensors.insert("next", &[1], &[self.next as u64]);
        tensors
    }

    /// Restores what [`Replay::to_tensors`] saved after `positions` positions were added.
    pub fn restore(&mut self, positions: u64, tensors: &Tensors) -> Result<(), LabError> {
        let capacity = self.capacity as u64;
        let n = positions.min(capacity) as usize;
        let boards: Vec<u8> = tensors.get("boards", &[n, 32])?;
        let targets: Vec<f32> = tensors.get("targets", &[n, OUTCOMES])?;
        let next = tensors.get::<u64>("next", &[1])?[0];
        check_equal("replay/next", next, Some(if positions > capacity { positions % capacity } else { 0 }))?;
        for bytes in boards.as_chunks().0 {
            self.boards.push(board_from_bytes(bytes)?);
        }
        self.targets.extend(targets.as_chunks().0.iter().map(|target| Outcomes(*target)));
        self.next = next as usize;
        Ok(())
    }
}

/// The bytes of a board in a checkpoint: the key of the side on roll, then that of the other side, 16 bytes each,
/// little-endian.
pub fn board_to_bytes(board: &Board) -> [u8; 32] {
    let (own, other) = board.key();
    let mut bytes = [0; 32];
    bytes[..16].copy_from_slice(&own.to_le_bytes());
    bytes[16..].copy_from_slice(&other.to_le_bytes());
    bytes
}

/// The inverse of [`board_to_bytes`].
pub fn board_from_bytes(bytes: &[u8; 32]) -> Result<Board, LabError> {
    let (own, other) = bytes.split_at(16);
    let side = |half: &[u8]| half.try_into().map(u128::from_le_bytes).unwrap_or_default();
    Board::from_key((side(own), side(other))).map_err(|e| LabError::Checkpoint(format!("a board in it: {e}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replay_keeps_the_latest_positions() {
        // A buffer of five gets eight positions, which are marked by their targets.
        let mut replay = Replay::new(5);
        for i in 0..8 {
            replay.extend(&[Board::START], &[Outcomes([i as f32; 5])]);
            let latest: Vec<f32> =
                (0..replay.len()).map(|age| replay.target(replay.recent(age)).0[0]).collect();
            let expected: Vec<f32> = (0..=i).rev().take(5).map(|i| i as f32).collect();
            assert_eq!(latest, expected);
        }
        let mut restored = Replay::new(5);
        restored.restore(8, &replay.to_tensors()).expect("its own tensors");
        assert_eq!(
            (&restored.boards, &restored.targets, restored.next),
            (&replay.boards, &replay.targets, replay.next)
        );
        // With another capacity or number of positions, the tensors are impossible.
        assert!(Replay::new(4).restore(8, &replay.to_tensors()).is_err());
        assert!(Replay::new(5).restore(9, &replay.to_tensors()).is_err());
    }

    #[test]
    fn boards_survive_a_round_trip_and_impossible_ones_are_refused() {
        assert_eq!(board_from_bytes(&board_to_bytes(&Board::START)).ok(), Some(Board::START));
        let refused = board_from_bytes(&[0xff; 32]).map_err(|e| e.to_string());
        assert!(refused.is_err_and(|e| e.contains("at most 15")));
    }
}
