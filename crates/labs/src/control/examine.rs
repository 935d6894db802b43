//! Examinations: greedy episodes in fresh worlds that nobody learns from.

use learnery_kernels::rng::Stream;
use learnery_worlds::control::CartPoles;
use rayon::prelude::*;

use super::agent::{Agent, Scratch, greedy};

/// Worlds that are examined together on one thread.
const CHUNK: usize = 25;

/// World steps in one step of an examination: about as much work as one update of the networks, so that
/// slow motion does not spend itself on examinations.
const STRIDE: u32 = 25;

/// An examination, from its first step to its last.
pub struct Examination {
    chunks: Vec<Candidates>,
    steps: u32,
}

struct Candidates {
    worlds: CartPoles,
    scratch: Scratch,
    actions: Vec<u8>,
    /// The return of each world's first episode, once it has ended.
    returns: Vec<Option<u32>>,
}

impl Examination {
    /// An examination of `episodes` episodes. Episode `i` starts as `stream` has world `first + i`.
    pub fn new(agent: &Agent, stream: Stream, first: u64, episodes: usize) -> Self {
        let chunks = (0..episodes)
            .step_by(CHUNK)
            .map(|begin| {
                let end = (begin + CHUNK).min(episodes);
                Candidates {
                    worlds: CartPoles::new(first + begin as u64..first + end as u64, stream),
                    scratch: agent.scratch(end - begin),
                    actions: vec![0; end - begin],
                    returns: vec![None; end - begin],
                }
            })
            .collect();
        Self { chunks, steps: 0 }
    }

    /// Holds another examination with the same number of episodes, starting as worlds `first` and on.
    pub fn begin(&mut self, stream: Stream, first: u64) {
        let mut next = first;
        for chunk in &mut self.chunks {
            let end = next + chunk.worlds.len() as u64;
            chunk.worlds.begin(next, stream);
            chunk.returns.fill(None);
            next = end;
        }
        self.steps = 0;
    }

    /// A stride in every world whose first episode still runs; true when none does.
    pub fn step(&mut self, agent: &Agent) -> bool {
        self.chunks.par_iter_mut().for_each(|chunk| (0..STRIDE).for_each(|_| chunk.step(agent)));
        self.steps += STRIDE;
        self.chunks.iter().all(Candidates::finished)
    }

    /// World steps taken so far.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// The returns of the episodes that have ended.
    pub fn returns(&self) -> impl Iterator<Item = f64> {
        self.chunks.iter().flat_map(|chunk| &chunk.returns).flatten().map(|r| f64::from(*r))
    }

    /// Their mean.
    pub fn mean(&self) -> f64 {
        self.returns().sum::<f64>() / self.returns().count() as f64
    }
}

impl Candidates {
    fn finished(&self) -> bool {
        self.returns.iter().all(Option::is_some)
    }

    fn step(&mut self, agent: &Agent) {
        if self.finished() {
            return;
        }
        let n = self.worlds.len();
        let seen = self.worlds.observations().as_flattened();
        let logits = agent.logits(seen, n, &mut self.scratch);
        for (action, logits) in self.actions.iter_mut().zip(logits.chunks_exact(2)) {
            *action = greedy(logits);
        }
        let returns = &mut self.returns;
        self.worlds.step(&self.actions, |world, length| {
            // Worlds start anew; only the first episode counts.
            returns[world].get_or_insert(length);
        });
    }
}
