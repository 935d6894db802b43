//! The positions learned from: the last ones played, each in 32 bytes, with its target.

use learnery_lab::LabError;
use learnery_nn::Tensors;
use learnery_worlds::backgammon::Board;

use super::outcomes::{OUTCOMES, Outcomes};

/// A ring of positions.
pub struct Replay {
    boards: Vec<Board>,
    targets: Vec<Outcomes>,
    capacity: usize,
    /// Where the next one goes once the ring is full.
    next: usize,
}

impl Replay {
    /// Nothing remembered yet.
    pub fn new(capacity: usize) -> Self {
        Self {
            boards: Vec::with_capacity(capacity),
            targets: Vec::with_capacity(capacity),
            capacity,
            next: 0,
        }
    }

    /// Remembers some, in place of the oldest.
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

    /// How many there are.
    pub fn len(&self) -> usize {
        self.boards.len()
    }

    /// Where the last one is, for 0, the one before it, for 1, and so on.
    pub fn recent(&self, back: usize) -> usize {
        let n = self.boards.len();
        (self.next + n - 1 - back % n) % n
    }

    /// One of them.
    pub fn board(&self, i: usize) -> Board {
        self.boards[i]
    }

    /// Its target.
    pub fn target(&self, i: usize) -> &Outcomes {
        &self.targets[i]
    }

    /// All of it.
    pub fn to_tensors(&self) -> Tensors {
        let boards: Vec<u8> = self.boards.iter().flat_map(bytes_of_board).collect();
        let targets: Vec<f32> = self.targets.iter().flat_map(|target| target.0).collect();
        let n = self.boards.len();
        let mut tensors = Tensors::new();
        tensors.insert("boards", &[n, 32], &boards);
        tensors.insert("targets", &[n, OUTCOMES], &targets);
        tensors.insert("next", &[1], &[self.next as u64]);
        tensors
    }

    /// `n` positions of [`Replay::to_tensors`].
    pub fn restore(&mut self, n: usize, tensors: &Tensors) -> Result<(), LabError> {
        let boards: Vec<u8> = tensors.get("boards", &[n, 32])?;
        let targets: Vec<f32> = tensors.get("targets", &[n, OUTCOMES])?;
        let next = tensors.get::<u64>("next", &[1])?[0] as usize;
        if n > self.capacity || next >= self.capacity {
            return Err(LabError::Checkpoint("it remembers more positions than its settings allow".into()));
        }
        for bytes in boards.as_chunks().0 {
            self.boards.push(board_of_bytes(bytes)?);
        }
        self.targets.extend(targets.as_chunks().0.iter().map(|target| Outcomes(*target)));
        self.next = next;
        Ok(())
    }
}

/// A board as it is kept in files.
pub fn bytes_of_board(board: &Board) -> [u8; 32] {
    let (own, other) = board.key();
    let mut bytes = [0; 32];
    bytes[..16].copy_from_slice(&own.to_le_bytes());
    bytes[16..].copy_from_slice(&other.to_le_bytes());
    bytes
}

/// The board of a file.
pub fn board_of_bytes(bytes: &[u8; 32]) -> Result<Board, LabError> {
    let (own, other) = bytes.split_at(16);
    let side = |half: &[u8]| half.try_into().map(u128::from_le_bytes).unwrap_or_default();
    Board::from_key((side(own), side(other))).map_err(|e| LabError::Checkpoint(format!("a board in it: {e}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_are_remembered() {
        let mut replay = Replay::new(5);
        for i in 0..8 {
            replay.extend(&[Board::START], &[Outcomes([i as f32; 5])]);
            let last: Vec<f32> =
                (0..replay.len()).map(|back| replay.target(replay.recent(back)).0[0]).collect();
            let expected: Vec<f32> = (0..=i).rev().take(5).map(|i| i as f32).collect();
            assert_eq!(last, expected);
        }
        let mut again = Replay::new(5);
        again.restore(5, &replay.to_tensors()).expect("its own tensors");
        assert_eq!(
            (&again.boards, &again.targets, again.next),
            (&replay.boards, &replay.targets, replay.next)
        );
        assert!(Replay::new(4).restore(5, &replay.to_tensors()).is_err());
    }

    #[test]
    fn boards_read_back_and_bad_ones_are_refused() {
        assert_eq!(board_of_bytes(&bytes_of_board(&Board::START)).ok(), Some(Board::START));
        let refused = board_of_bytes(&[0xff; 32]).map_err(|e| e.to_string());
        assert!(refused.is_err_and(|e| e.contains("at most 15")));
    }
}
