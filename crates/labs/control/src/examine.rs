//! Examinations: greedy episodes in fresh worlds that nobody learns from.

use learnery_kernels::rng::Stream;
use learnery_worlds::control::AnyWorlds;
use rayon::prelude::*;

use super::agent::{Agent, Scratch};

/// Worlds that are examined together on one thread.
const CHUNK: usize = 25;

/// World steps in one step of an examination: about as much work as one update of the networks, so that
/// slow motion does not spend itself on examinations.
const STRIDE: u32 = 25;

/// An examination, from its first step to its last.
pub struct Examination {
    chunks: Vec<Candidates>,
    steps: u32,
    limit: u32,
}

struct Candidates {
    worlds: Box<dyn AnyWorlds>,
    scratch: Scratch,
    seen: Vec<f32>,
    actions: Vec<f32>,
    /// What each world's first episode has earned so far.
    sums: Vec<f32>,
    /// Which of them are over.
    over: Vec<bool>,
}

impl Examination {
    /// An examination of `episodes` episodes. Episode `i` starts as `stream` has world `first + i`.
    pub fn new(agent: &Agent, stream: Stream, first: u64, episodes: usize) -> Self {
        let kind = agent.world().kind();
        let chunks = (0..episodes)
            .step_by(CHUNK)
            .map(|begin| {
                let end = (begin + CHUNK).min(episodes);
                let n = end - begin;
                Candidates {
                    worlds: kind.worlds(first + begin as u64..first + end as u64, stream),
                    scratch: agent.scratch(n),
                    seen: vec![0.0; n * agent.inputs()],
                    actions: vec![0.0; n],
                    sums: vec![0.0; n],
                    over: vec![false; n],
                }
            })
            .collect();
        Self { chunks, steps: 0, limit: kind.spec().max_steps }
    }

    /// Holds another examination with the same number of episodes, starting as worlds `first` and on.
    pub fn begin(&mut self, stream: Stream, first: u64) {
        let mut next = first;
        for chunk in &mut self.chunks {
            let end = next + chunk.worlds.count() as u64;
            chunk.worlds.reset(next, stream);
            chunk.sums.fill(0.0);
            chunk.over.fill(false);
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

    /// How much of the longest possible examination is done.
    pub fn share(&self) -> f32 {
        self.steps as f32 / self.limit as f32
    }

    /// The returns of the episodes that have ended.
    pub fn returns(&self) -> impl Iterator<Item = f64> {
        let pairs = self.chunks.iter().flat_map(|chunk| chunk.sums.iter().zip(&chunk.over));
        pairs.filter(|(_, over)| **over).map(|(sum, _)| f64::from(*sum))
    }

    /// Their mean.
    pub fn mean(&self) -> f64 {
        self.returns().sum::<f64>() / self.returns().count() as f64
    }
}

impl Candidates {
    fn finished(&self) -> bool {
        self.over.iter().all(|over| *over)
    }

    fn step(&mut self, agent: &Agent) {
        if self.finished() {
            return;
        }
        let n = self.worlds.count();
        self.worlds.observe(&mut self.seen);
        agent.normaliser.apply(&mut self.seen);
        let policy = agent.policy();
        let answers = agent.answers(&self.seen, n, &mut self.scratch);
        for (action, answers) in self.actions.iter_mut().zip(answers.chunks_exact(agent.outputs())) {
            *action = policy.greedy(answers);
        }
        self.worlds.step(&self.actions);
        // Worlds start anew; only the first episode counts.
        for ((sum, over), reward) in self.sums.iter_mut().zip(&self.over).zip(self.worlds.rewards()) {
            *sum += if *over { 0.0 } else { *reward };
        }
        for world in self.worlds.ended() {
            self.over[*world as usize] = true;
        }
    }
}
