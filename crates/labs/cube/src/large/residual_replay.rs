//! Prioritised replay for value iteration: recent states, each with its squared Bellman residual as priority.
//! (Bellman residual: how far the network's distance of a state is from its target, one more than the least
//! distance among the neighbours.) Some samples of each minibatch are drawn from these states in proportion
//! to the priority. The checkpoint's keys begin with `focus/`, as the setting is called in files.

use learnery_kernels::rng::Stream;
use learnery_lab::LabError;
use learnery_nn::Tensors;
use learnery_worlds::puzzle::{MAX_PLACES, Puzzle, State};

/// The most states in the replay buffer.
const CAPACITY: usize = 1 << 16;

/// A replay buffer of states, which draws them in proportion to their squared Bellman residual.
pub struct ResidualReplay {
    pub(super) stream: Stream,
    /// Once there are [`CAPACITY`] states, the newest replace the oldest.
    pub(super) states: Vec<State>,
    /// The squared Bellman residual of each state.
    pub(super) squares: Vec<f32>,
    /// The index that the next state is stored at, once the buffer is full.
    pub(super) next: usize,
    /// For each state, the sum of the squares up to and including its own.
    sums: Vec<f64>,
    /// The indices of the states that were drawn for the current minibatch.
    drawn: Vec<u32>,
}

impl ResidualReplay {
    pub fn new(stream: Stream) -> Self {
        Self { stream, states: Vec::new(), squares: Vec::new(), next: 0, sums: Vec::new(), drawn: Vec::new() }
    }

    /// Draws `count` states for an update. Sampling is stratified: one from each of `count` equal parts of
    /// the sum of all squares. Draws none as long as there are fewer than `count` states, or if all residuals
    /// are zero.
    pub fn draw(&mut self, update: u64, count: usize) {
        self.drawn.clear();
        let mut sum = 0.0;
        self.sums.clear();
        self.sums.extend(self.squares.iter().map(|square| {
            sum += f64::from(*square);
            sum
        }));
        if self.states.len() < count || sum <= 0.0 || !sum.is_finite() {
            return;
        }
        for part in 0..count {
            let at = (part as f64 + f64::from(self.stream.uniform(update, part as u64))) / count as f64 * sum;
            let index = self.sums.partition_point(|before| *before <= at).min(self.states.len() - 1);
            self.drawn.push(index as u32);
        }
    }

    /// The number of states that were drawn.
    pub fn drawn(&self) -> usize {
        self.drawn.len()
    }

    /// State number `i` of those drawn.
    pub fn state(&self, i: usize) -> &State {
        &self.states[self.drawn[i] as usize]
    }

    /// Stores the squared residuals of a minibatch. First come the states that were drawn, whose old
    /// residuals are replaced, then other states, which are added to the buffer.
    pub fn update<'a>(&mut self, samples: impl Iterator<Item = (&'a State, f32)>) {
        for (i, (state, square)) in samples.enumerate() {
            if let Some(drawn) = self.drawn.get(i) {
                self.squares[*drawn as usize] = square;
            } else if self.states.len() < CAPACITY {
                self.states.push(*state);
                self.squares.push(square);
            } else {
                self.states[self.next] = *state;
                self.squares[self.next] = square;
                self.next = (self.next + 1) % CAPACITY;
            }
        }
    }

    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = Tensors::new();
        tensors.insert("states", &[self.states.len(), MAX_PLACES], self.states.as_flattened());
        tensors.insert("squares", &[self.squares.len()], &self.squares);
        tensors.insert("next", &[1], &[self.next as u64]);
        tensors
    }

    /// Continues from [`ResidualReplay::to_tensors`] of a checkpoint.
    pub fn restore(&mut self, puzzle: &Puzzle, tensors: &Tensors) -> Result<(), LabError> {
        let squares: Vec<f32> = tensors.get_vec("squares")?;
        let values: Vec<u8> = tensors.get("states", &[squares.len(), MAX_PLACES])?;
        let next: u64 = tensors.get("next", &[1])?[0];
        let (states, _) = values.as_chunks::<MAX_PLACES>();
        let is_possible = squares.len() <= CAPACITY
            && next < CAPACITY as u64
            && (next == 0 || squares.len() == CAPACITY)
            && squares.iter().all(|square| *square >= 0.0)
            && states.iter().all(|state| puzzle.is_reachable(state));
        if !is_possible {
            return Err(LabError::Checkpoint("its states of value iteration are not possible".into()));
        }
        self.states = states.to_vec();
        self.squares = squares;
        self.next = next as usize;
        Ok(())
    }
}
