//! A batch of worlds (environments) of one text with automatic reset: a world whose episode ends starts the
//! next one in the same step. The interface is that of `worlds::control::Worlds`, with actions of several
//! numbers, failures told from successes, and parameters that may change between steps.
//!
//! Memory layout: blocks of one or [`BLOCK_LINES`] lines of sixteen worlds, number by number, as the
//! registers of vector code are. A step copies a block's state to the first registers, runs the code, and
//! copies the results back.

mod episodes;
mod step;

use std::ops::Range;
use std::sync::Arc;

use learnery_kernels::rng::Stream;

use crate::code::{BLOCK_LINES, Counters, LANES, Line};
use crate::graph::Op;
use crate::reference::Moment;
use crate::world::{Fault, World};

/// How a step ended an episode, if it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The episode goes on.
    Running,
    Failed,
    Succeeded,
    /// The episode reached its limit of steps: what would have followed counts for learning.
    Truncated,
}

/// Bit masks of the worlds of a line whose episode ended in the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Ends {
    /// Includes faults.
    failed: u16,
    succeeded: u16,
    truncated: u16,
    faulted: u16,
}

impl Ends {
    /// The episode of the world in this lane has not ended.
    fn clear(&mut self, lane: usize) {
        for ends in [&mut self.failed, &mut self.succeeded, &mut self.truncated, &mut self.faulted] {
            *ends &= !(1 << lane);
        }
    }
}

/// Where an observation is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// It is a number of the state.
    State(usize),
    /// It has this place among those that are computed.
    Computed(usize),
}

/// A batch of worlds.
#[derive(Clone, Debug)]
pub struct Worlds {
    world: Arc<World>,
    parameters: Vec<f32>,
    stream: Stream,
    count: usize,
    /// Lines of a block: [`BLOCK_LINES`], or 1 if there are few worlds, so that little is computed for
    /// nobody.
    lines: usize,
    /// Number of steps of the batch since the last [`Self::reset`]; starts again at 0 after 2^32.
    now: u32,
    /// Shape: `[blocks, numbers of the state, lines of a block]`.
    state: Vec<Line>,
    /// Where each observation is kept.
    sources: Vec<Source>,
    /// The number of observations that are computed.
    computed_count: usize,
    /// The observations that are computed. Shape: `[blocks, computed, lines of a block]`.
    computed: Vec<Line>,
    /// One entry for each line, like the next three.
    counters: Vec<Counters>,
    ends: Vec<Ends>,
    /// A bit for each world whose episode began with a fault: its next step fails.
    broken: Vec<u16>,
    rewards: Vec<Line>,
    /// Registers of the code of a step and of the beginning, with its constants.
    step_registers: Vec<Line>,
    begin_registers: Vec<Line>,
    /// The worlds whose episode ended in the last step, ascending. The next four arrays have an entry for
    /// each.
    ended: Vec<u32>,
    /// The lengths of these episodes, in steps.
    lengths: Vec<u32>,
    /// Shape: `[ended, numbers of the state]`.
    final_states: Vec<f32>,
    /// Shape: `[ended, observations]`.
    final_observations: Vec<f32>,
    /// The actions of these worlds in the last step; empty if no world had a fault in it.
    fault_actions: Vec<Vec<f32>>,
}

impl Worlds {
    /// Creates the worlds with the indices `range`. Their episodes start in states drawn from `stream`. A
    /// world's trajectory does not depend on the other worlds of the batch.
    pub fn new(world: Arc<World>, parameters: &[f32], range: Range<u64>, stream: Stream) -> Self {
        let count = (range.end - range.start) as usize;
        let lines = if count.div_ceil(LANES) < BLOCK_LINES { 1 } else { BLOCK_LINES };
        let all_lines = count.div_ceil(LANES).next_multiple_of(lines);
        let n = world.spec().state.len();
        let mut computed = 0;
        let sources = world.programs.state[2..].iter().map(|observation| {
            if let Op::State(i) = world.graph.op(*observation) {
                return Source::State(usize::from(i));
            }
            computed += 1;
            Source::Computed(computed - 1)
        });
        let sources = sources.collect();
        let counters = Counters { index: [[0; LANES]; 2], episode: [0; LANES], begun: [0; LANES] };
        let mut this = Self {
            parameters: Vec::new(),
            stream,
            count,
            lines,
            now: 0,
            state: vec![Line::ZERO; all_lines * n],
            sources,
            computed_count: computed,
            computed: vec![Line::ZERO; all_lines * computed],
            counters: vec![counters; all_lines],
            ends: vec![Ends::default(); all_lines],
            broken: vec![0; all_lines],
            rewards: vec![Line::ZERO; all_lines],
            step_registers: vec![Line::ZERO; world.step.registers * lines],
            begin_registers: vec![Line::ZERO; world.begin.registers],
            ended: Vec::new(),
            lengths: Vec::new(),
            final_states: Vec::new(),
            final_observations: Vec::new(),
            fault_actions: Vec::new(),
            world,
        };
        this.set_parameters(parameters);
        this.reset(range.start, stream);
        this
    }

    /// Changes the parameters of all worlds, from the next step on.
    ///
    /// # Panics
    /// If there are not as many as the text has.
    pub fn set_parameters(&mut self, parameters: &[f32]) {
        assert_eq!(parameters.len(), self.world.spec().parameters.len(), "one value for each parameter");
        self.parameters = parameters.to_vec();
        self.world.step.set_parameters(parameters, &mut self.step_registers, self.lines);
        self.world.begin.set_parameters(parameters, &mut self.begin_registers, 1);
    }

    /// Starts new episodes as the worlds with indices from `first` on, with initial states drawn from
    /// `stream`.
    pub fn reset(&mut self, first: u64, stream: Stream) {
        (self.stream, self.now) = (stream, 0);
        self.ends.fill(Ends::default());
        self.clear_ended();
        let mut index = first;
        for counters in &mut self.counters {
            for lane in 0..LANES {
                (counters.index[0][lane], counters.index[1][lane]) = (index as u32, (index >> 32) as u32);
                index = index.wrapping_add(1);
            }
            counters.episode.fill(0);
        }
        let all: Vec<u32> = (0..(self.counters.len() * LANES) as u32).collect();
        self.begin(&all);
    }

    pub fn world(&self) -> &Arc<World> {
        &self.world
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Writes the current observation of each world.
    ///
    /// Shapes: `out [worlds, observations]`.
    pub fn observe(&self, out: &mut [f32]) {
        let width = self.sources.len();
        assert_eq!(out.len(), self.count * width, "one observation for each world");
        for (line, out) in out.chunks_mut(LANES * width).enumerate() {
            for (k, source) in self.sources.iter().enumerate() {
                let from = &self.observed(line, *source).0;
                for (x, out) in from.iter().zip(out[k..].iter_mut().step_by(width)) {
                    *out = *x;
                }
            }
        }
    }

    /// The observations of a line from one source.
    fn observed(&self, line: usize, source: Source) -> &Line {
        match source {
            Source::State(i) => &self.state[place_of(line, self.states(), self.lines) + i * self.lines],
            Source::Computed(i) => {
                &self.computed[place_of(line, self.computed_count, self.lines) + i * self.lines]
            }
        }
    }

    /// Numbers of a state.
    fn states(&self) -> usize {
        self.world.spec().state.len()
    }

    /// The state of world `i`.
    pub fn state(&self, i: usize, out: &mut [f32]) {
        assert!(i < self.count, "there is no world {i}");
        for (k, out) in out.iter_mut().enumerate() {
            *out = self.observed(i / LANES, Source::State(k)).0[i % LANES];
        }
    }

    /// The reward of world `i` in the last step.
    pub fn reward(&self, i: usize) -> f32 {
        self.rewards[i / LANES].0[i % LANES]
    }

    /// Writes the reward of each world in the last step.
    pub fn rewards(&self, out: &mut [f32]) {
        assert_eq!(out.len(), self.count, "one reward for each world");
        for (line, out) in self.rewards.iter().zip(out.chunks_mut(LANES)) {
            out.copy_from_slice(&line.0[..out.len()]);
        }
    }

    /// Whether and how the last step ended the episode of world `i`.
    pub fn outcome(&self, i: usize) -> Outcome {
        let (ends, bit) = (self.ends[i / LANES], 1 << (i % LANES));
        match (ends.failed & bit != 0, ends.succeeded & bit != 0, ends.truncated & bit != 0) {
            (true, ..) => Outcome::Failed,
            (_, true, _) => Outcome::Succeeded,
            (.., true) => Outcome::Truncated,
            _ => Outcome::Running,
        }
    }

    /// The indices of the worlds whose episode ended in the last step, ascending.
    pub fn ended(&self) -> &[u32] {
        &self.ended
    }

    /// The lengths of the episodes that ended in the last step, in the order of [`Worlds::ended`].
    pub fn episode_lengths(&self) -> &[u32] {
        &self.lengths
    }

    /// The last state of the episode that world `ended()[k]` finished in the last step.
    pub fn final_state(&self, k: usize) -> &[f32] {
        &self.final_states[k * self.states()..][..self.states()]
    }

    /// The last observation of that episode.
    pub fn final_observation(&self, k: usize) -> &[f32] {
        &self.final_observations[k * self.sources.len()..][..self.sources.len()]
    }

    /// Whether the episode of world `i` failed by itself in the last step.
    pub fn has_fault(&self, i: usize) -> bool {
        self.ends[i / LANES].faulted >> (i % LANES) & 1 == 1
    }

    /// Why the episode of world `ended()[k]` failed by itself, if it did. The world is stepped again by the
    /// reference.
    pub fn fault(&self, k: usize) -> Option<Fault> {
        let i = self.ended[k] as usize;
        if !self.has_fault(i) {
            return None;
        }
        let counters = &self.counters[i / LANES];
        // The next episode has begun.
        let episode = counters.episode[i % LANES].wrapping_sub(1);
        let mut moment = Moment { stream: self.stream, world: self.index(i), episode, step: 0 };
        if let Some(fault) = self.world.begin(&self.parameters, moment).fault
            && self.lengths[k] == 1
        {
            return Some(fault);
        }
        moment.step = self.lengths[k];
        let (state, observation) = (self.final_state(k), self.final_observation(k));
        self.world.step(&self.parameters, state, observation, &self.fault_actions[k], moment).fault
    }

    /// The index of world `i`, which selects its random numbers.
    pub fn index(&self, i: usize) -> u64 {
        let index = &self.counters[i / LANES].index;
        u64::from(index[1][i % LANES]) << 32 | u64::from(index[0][i % LANES])
    }

    /// The number of steps in the current episode of world `i`.
    pub fn steps(&self, i: usize) -> u32 {
        self.now.wrapping_sub(self.counters[i / LANES].begun[i % LANES])
    }

    /// The number of completed episodes of world `i`.
    pub fn episodes(&self, i: usize) -> u32 {
        self.counters[i / LANES].episode[i % LANES]
    }

    /// Writes state and observation of world `i`.
    fn put(&mut self, i: usize, state: &[f32], observation: &[f32]) {
        let (line, lane) = (i / LANES, i % LANES);
        let (states, computed) =
            (place_of(line, self.states(), self.lines), place_of(line, self.computed_count, self.lines));
        for (k, x) in state.iter().enumerate() {
            self.state[states + k * self.lines].0[lane] = *x;
        }
        for (source, x) in self.sources.iter().zip(observation) {
            if let Source::Computed(k) = source {
                self.computed[computed + k * self.lines].0[lane] = *x;
            }
        }
    }

    fn clear_ended(&mut self) {
        self.ended.clear();
        self.lengths.clear();
        self.final_states.clear();
        self.final_observations.clear();
        self.fault_actions.clear();
    }
}

/// Where a line has its first of `count` numbers, in blocks of `lines` lines. Number k is `k * lines` behind
/// it, because a block has its lines of the first number, then those of the second one, and so on.
fn place_of(line: usize, count: usize, lines: usize) -> usize {
    // The remainder: the number of lines of a block is a power of two.
    let in_block = line & (lines - 1);
    (line - in_block) * count + in_block
}
