//! The replay buffer of the afterstate learner: the latest positions with their targets, in a ring buffer.

use learnery_backgammon_play::outcomes::{OUTCOMES, Outcomes};
use learnery_lab::LabError;
use learnery_nn::Tensors;
use learnery_worlds::backgammon::Board;

use crate::counters::check_equal;

/// The number of bytes of a board in a checkpoint; see [`board_to_bytes`].
pub const BOARD_BYTES: usize = 32;

/// A ring buffer of positions and their targets.
pub struct ReplayBuffer {
    boards: Vec<Board>,
    /// The probabilities of the outcomes that the network shall predict for each board.
    targets: Vec<Outcomes>,
    capacity: usize,
    /// The index of the oldest position, which is 0 until the buffer is full. A full buffer overwrites it
    /// next.
    oldest: usize,
}

impl ReplayBuffer {
    pub fn new(capacity: usize) -> Self {
        Self {
            boards: Vec::with_capacity(capacity),
            targets: Vec::with_capacity(capacity),
            capacity,
            oldest: 0,
        }
    }

    /// Adds positions and their targets, as many of one as of the other. They replace the oldest once the
    /// buffer is full.
    pub fn extend(&mut self, boards: &[Board], targets: &[Outcomes]) {
        assert_eq!(boards.len(), targets.len());
        for (board, target) in boards.iter().zip(targets) {
            if self.boards.len() < self.capacity {
                self.boards.push(*board);
                self.targets.push(*target);
            } else {
                self.boards[self.oldest] = *board;
                self.targets[self.oldest] = *target;
                self.oldest = (self.oldest + 1) % self.capacity;
            }
        }
    }

    pub fn len(&self) -> usize {
        self.boards.len()
    }

    /// The index of the position of an age: 0 is the newest, 1 the one before it. Ages from `len()` on begin
    /// again with the newest. The buffer must not be empty.
    pub fn index_by_age(&self, age: usize) -> usize {
        let n = self.boards.len();
        // The newest position lies just before the oldest, cyclically.
        (self.oldest + n - 1 - age % n) % n
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
        tensors.insert("boards", &[n, BOARD_BYTES], &boards);
        tensors.insert("targets", &[n, OUTCOMES], &targets);
        // Its name in checkpoints: a full buffer overwrites the oldest position next.
        tensors.insert("next", &[1], &[self.oldest as u64]);
        tensors
    }

    /// Restores the tensors of [`ReplayBuffer::to_tensors`] into an empty buffer. `added` counts all
    /// positions that were ever added, overwritten ones included.
    pub fn restore(&mut self, added: u64, tensors: &Tensors) -> Result<(), LabError> {
        let capacity = self.capacity as u64;
        let n = added.min(capacity) as usize;
        let boards: Vec<u8> = tensors.get("boards", &[n, BOARD_BYTES])?;
        let targets: Vec<f32> = tensors.get("targets", &[n, OUTCOMES])?;
        let oldest = tensors.get::<u64>("next", &[1])?[0];
        // Every position after the first `capacity` has overwritten one and moved `oldest` by one.
        check_equal("replay/next", oldest, Some(if added > capacity { added % capacity } else { 0 }))?;
        for bytes in boards.as_chunks().0 {
            self.boards.push(board_from_bytes(bytes)?);
        }
        self.targets.extend(targets.as_chunks().0.iter().map(|target| Outcomes(*target)));
        self.oldest = oldest as usize;
        Ok(())
    }
}

/// The bytes of a board in a checkpoint: its two 128-bit keys, see [`Board::key`], little-endian. The key of
/// the side on roll comes first.
pub fn board_to_bytes(board: &Board) -> [u8; BOARD_BYTES] {
    let (own, other) = board.key();
    let mut bytes = [0; BOARD_BYTES];
    bytes[..16].copy_from_slice(&own.to_le_bytes());
    bytes[16..].copy_from_slice(&other.to_le_bytes());
    bytes
}

/// The inverse of [`board_to_bytes`].
pub fn board_from_bytes(bytes: &[u8; BOARD_BYTES]) -> Result<Board, LabError> {
    let [own, other] = [0, 1].map(|side| u128::from_le_bytes(bytes.as_chunks().0[side]));
    Board::from_key((own, other)).map_err(|e| LabError::Checkpoint(format!("a saved board: {e}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replay_keeps_the_latest_positions() {
        // A buffer of five gets eight positions, which are marked by their targets.
        let mut replay = ReplayBuffer::new(5);
        for i in 0..8 {
            replay.extend(&[Board::START], &[Outcomes([i as f32; 5])]);
            let latest: Vec<f32> =
                (0..replay.len()).map(|age| replay.target(replay.index_by_age(age)).0[0]).collect();
            let expected: Vec<f32> = (0..=i).rev().take(5).map(|i| i as f32).collect();
            assert_eq!(latest, expected);
        }
        let mut restored = ReplayBuffer::new(5);
        restored.restore(8, &replay.to_tensors()).expect("its own tensors");
        assert_eq!(
            (&restored.boards, &restored.targets, restored.oldest),
            (&replay.boards, &replay.targets, replay.oldest)
        );
        // The tensors do not fit another capacity or another number of added positions.
        assert!(ReplayBuffer::new(4).restore(8, &replay.to_tensors()).is_err());
        assert!(ReplayBuffer::new(5).restore(9, &replay.to_tensors()).is_err());
    }

    #[test]
    fn boards_survive_a_round_trip_and_invalid_ones_are_rejected() {
        assert_eq!(board_from_bytes(&board_to_bytes(&Board::START)).ok(), Some(Board::START));
        let rejected = board_from_bytes(&[0xff; 32]).map_err(|e| e.to_string());
        assert!(rejected.is_err_and(|e| e.contains("at most 15")));
    }
}
