//! A batch of worlds (environments) of one kind with automatic reset: a world whose episode ends starts the
//! next one in the same step. The fields of a world are the numbers stored of it: its state, and numbers
//! derived from the state.
//!
//! Memory layout: blocks of sixteen worlds, field by field (array of structures of arrays), so that a field
//! of a block is one or a few SIMD vectors. A step makes one pass over all blocks. The worlds whose episode
//! ended, usually few, are then gathered into vectors of their own to compute new initial states.

use std::marker::PhantomData;
use std::ops::Range;

use learnery_kernels::rng::Stream;
use learnery_kernels::simd::{MAX_LANES, Op, Simd, dispatch, load_words, store_compressed, store_partial};

use super::rules::{Rules, WorldSpec, complete_one, lanes, start_one};

/// Sixteen worlds; a *lane* is the index of a world in its block.
#[derive(Clone, Debug, PartialEq)]
#[repr(align(64))]
struct Block<const N: usize> {
    fields: [[f32; MAX_LANES]; N],
    /// The value of [`Worlds::now`] at which each episode is truncated. Storing this instead of the number of
    /// steps means that a step need not count up in every world.
    deadlines: [u32; MAX_LANES],
}

/// How a step ended an episode, if it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The episode goes on.
    Running,
    /// The episode reached a terminal state: its return needs no bootstrapping.
    Terminated,
    /// The episode reached the step limit in a state that is not terminal.
    Truncated,
}

/// Bit masks of the worlds of a block whose episode ended in the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Ends {
    terminated: u16,
    truncated: u16,
}

/// A batch of worlds of the kind `R`.
#[derive(Clone, Debug, PartialEq)]
pub struct Worlds<R, const N: usize> {
    stream: Stream,
    /// The index of each world, which selects its random numbers in `stream`.
    indices: Vec<u64>,
    count: usize,
    /// An episode is truncated after this many steps.
    max_steps: u32,
    /// Number of steps of the batch since the last [`Self::reset`]; starts again at 0 after 2^32.
    now: u32,
    /// The worlds. The last block is padded with unused worlds, which run like the others and are left out of
    /// all results.
    blocks: Vec<Block<N>>,
    /// The number of completed episodes of each world.
    episodes: Vec<u32>,
    rewards: Vec<f32>,
    ends: Vec<Ends>,
    /// The number of worlds whose episode ended in the last step. Only this many entries of the next three
    /// arrays are valid; they are in ascending order of worlds.
    ended_count: usize,
    /// The positions of these worlds in the batch. The array has one block more than there are worlds, for
    /// stores beyond the last entry.
    ended: Vec<u32>,
    /// The fields of these worlds at the end of the episode.
    final_fields: Vec<[f32; N]>,
    /// The lengths of the episodes.
    lengths: Vec<u32>,
    rules: PhantomData<R>,
}

impl<R: Rules<N>, const N: usize> Worlds<R, N> {
    /// Creates the worlds with the indices `worlds`. Their episodes start in states drawn from `stream`. A
    /// world's trajectory does not depend on the other worlds of the batch.
    pub fn new(worlds: Range<u64>, stream: Stream) -> Self {
        Self::with_max_steps(worlds, stream, R::SPEC.max_steps)
    }

    /// [`Worlds::new`] with episodes that are truncated after `max_steps` steps instead of those of the kind.
    pub fn with_max_steps(worlds: Range<u64>, stream: Stream, max_steps: u32) -> Self {
        let count = (worlds.end - worlds.start) as usize;
        let padded = count.next_multiple_of(MAX_LANES);
        let block = Block { fields: [[0.0; MAX_LANES]; N], deadlines: [0; MAX_LANES] };
        let mut this = Self {
            stream,
            indices: vec![0; padded],
            count,
            max_steps,
            now: 0,
            blocks: vec![block; padded / MAX_LANES],
            episodes: vec![0; padded],
            rewards: vec![R::SPEC.constant_reward.unwrap_or(0.0); padded],
            ends: vec![Ends::default(); padded / MAX_LANES],
            ended_count: 0,
            ended: vec![0; padded + MAX_LANES],
            final_fields: vec![[0.0; N]; padded],
            lengths: vec![0; padded],
            rules: PhantomData,
        };
        this.reset(worlds.start, stream);
        this
    }

    /// Starts new episodes as the worlds with indices from `first` on, with initial states drawn from
    /// `stream`.
    pub fn reset(&mut self, first: u64, stream: Stream) {
        (self.stream, self.now) = (stream, 0);
        self.clear_ends();
        for i in 0..self.episodes.len() {
            self.start_episode(i, first.wrapping_add(i as u64), 0);
        }
    }

    /// Makes world `i` the world with the index `world`, at the start of this episode.
    pub fn start_episode(&mut self, i: usize, world: u64, episode: u32) {
        (self.indices[i], self.episodes[i]) = (world, episode);
        self.put(i, Self::start(self.stream, world, episode), 0);
    }

    /// Sets these worlds, which are in ascending order, back to the start of their episodes, in which each
    /// has taken one step.
    pub fn undo_first_step(&mut self, worlds: &[u32]) {
        struct UndoAll<'a, R, const N: usize>(&'a mut Worlds<R, N>, &'a [u32]);
        impl<R: Rules<N>, const N: usize> Op for UndoAll<'_, R, N> {
            type Output = ();
            #[inline(always)]
            fn run<S: Simd>(self, s: S) {
                let Self(this, worlds) = self;
                for worlds in worlds.chunks(MAX_LANES) {
                    let starts = this.starts(s, worlds);
                    let deadline = this.now.wrapping_add(this.max_steps);
                    for (start_lane, &i) in worlds.iter().enumerate() {
                        let block = &mut this.blocks[i as usize / MAX_LANES];
                        let lane = i as usize % MAX_LANES;
                        for (field, start) in block.fields.iter_mut().zip(&starts) {
                            field[lane] = start[start_lane];
                        }
                        block.deadlines[lane] = deadline;
                    }
                }
            }
        }
        // No first step reaches a terminal state, so it ends an episode only if there is no second one.
        if self.max_steps == 1 {
            self.forget_ended(worlds);
        }
        dispatch(UndoAll(self, worlds));
    }

    /// Takes back that these worlds, which are in ascending order, ended an episode in the last step.
    fn forget_ended(&mut self, worlds: &[u32]) {
        let mut kept = 0;
        for k in 0..self.ended_count {
            let i = self.ended[k];
            if worlds.binary_search(&i).is_err() {
                self.ended[kept] = i;
                self.final_fields[kept] = self.final_fields[k];
                self.lengths[kept] = self.lengths[k];
                kept += 1;
                continue;
            }
            let (i, bit) = (i as usize, 1 << (i as usize % MAX_LANES));
            self.episodes[i] = self.episodes[i].wrapping_sub(1);
            let ends = &mut self.ends[i / MAX_LANES];
            (ends.terminated, ends.truncated) = (ends.terminated & !bit, ends.truncated & !bit);
        }
        self.ended_count = kept;
    }

    /// Continues as if the episodes of these worlds, which are in ascending order, had ended in the last step
    /// in these states: with the ends that were saved with the worlds.
    /// Shape: `states [worlds, state]`.
    pub fn restore_ended(&mut self, worlds: &[u32], states: &[f32]) {
        self.clear_ends();
        self.ended_count = worlds.len();
        self.ended[..worlds.len()].copy_from_slice(worlds);
        for (fields, state) in self.final_fields.iter_mut().zip(states.chunks_exact(R::SPEC.state_size)) {
            let mut all = [0.0; N];
            all[..state.len()].copy_from_slice(state);
            *fields = complete_one::<R, N>(all);
        }
    }

    /// The initial fields of an episode: a pure function of the stream, the world's index and the episode's
    /// number.
    pub fn start(stream: Stream, world: u64, episode: u32) -> [f32; N] {
        start_one::<R, N>(stream.uniform4(world, u64::from(episode)))
    }

    pub fn spec(&self) -> &'static WorldSpec {
        const { &R::SPEC }
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The index of world `i`, which selects its random numbers.
    pub fn index(&self, i: usize) -> u64 {
        self.indices[i]
    }

    pub fn fields(&self, i: usize) -> [f32; N] {
        assert!(i < self.count, "there is no world {i}");
        self.blocks[i / MAX_LANES].fields.map(|field| field[i % MAX_LANES])
    }

    /// Sets the state of world `i` and the number of steps in its episode.
    pub fn set_state(&mut self, i: usize, state: &[f32], steps: u32) {
        assert!(i < self.count && state.len() == R::SPEC.state_size && steps < self.max_steps);
        let mut fields = [0.0; N];
        fields[..state.len()].copy_from_slice(state);
        self.put(i, complete_one::<R, N>(fields), steps);
    }

    /// Whether a running episode can be in this state after this number of steps.
    pub fn allows(&self, state: &[f32], steps: u32) -> bool {
        state.len() == R::SPEC.state_size && R::is_valid_state(state) && steps < self.max_steps
    }

    /// Restores world `i` from a checkpoint.
    pub fn restore(&mut self, i: usize, state: &[f32], steps: u32, episodes: u32) {
        self.set_state(i, state, steps);
        self.episodes[i] = episodes;
    }

    /// Writes the fields of world `i` and the deadline of its episode.
    fn put(&mut self, i: usize, fields: [f32; N], steps: u32) {
        let block = &mut self.blocks[i / MAX_LANES];
        for (field, x) in block.fields.iter_mut().zip(fields) {
            field[i % MAX_LANES] = x;
        }
        block.deadlines[i % MAX_LANES] = self.now.wrapping_add(self.max_steps - steps);
    }

    /// The number of steps in the current episode of world `i`.
    pub fn steps(&self, i: usize) -> u32 {
        let deadline = self.blocks[i / MAX_LANES].deadlines[i % MAX_LANES];
        // The steps that are left lie between now and the deadline.
        self.max_steps - deadline.wrapping_sub(self.now)
    }

    /// The number of completed episodes of world `i`.
    pub fn episodes(&self, i: usize) -> u32 {
        self.episodes[i]
    }

    /// Writes the current observation of each world.
    ///
    /// Shapes: `out [worlds, observation]`.
    pub fn observe(&self, out: &mut [f32]) {
        let observed = R::SPEC.observation;
        assert_eq!(out.len(), self.count * observed.len(), "one observation for each world");
        for (block, out) in self.blocks.iter().zip(out.chunks_mut(MAX_LANES * observed.len())) {
            for (lane, out) in out.chunks_exact_mut(observed.len()).enumerate() {
                for (out, field) in out.iter_mut().zip(observed) {
                    *out = block.fields[*field][lane];
                }
            }
        }
    }

    /// The reward of each world in the last step.
    pub fn rewards(&self) -> &[f32] {
        &self.rewards[..self.count]
    }

    /// Whether and how the last step ended the episode of world `i`.
    pub fn outcome(&self, i: usize) -> Outcome {
        let (ends, bit) = (self.ends[i / MAX_LANES], 1 << (i % MAX_LANES));
        match (ends.terminated & bit != 0, ends.truncated & bit != 0) {
            (true, _) => Outcome::Terminated,
            (_, true) => Outcome::Truncated,
            _ => Outcome::Running,
        }
    }

    /// The indices of the worlds whose episode ended (terminated or truncated) in the last step, ascending.
    pub fn ended(&self) -> &[u32] {
        &self.ended[..self.ended_count]
    }

    /// The lengths of the episodes that ended in the last step, in the order of [`Worlds::ended`].
    pub fn episode_lengths(&self) -> &[u32] {
        &self.lengths[..self.ended_count]
    }

    /// The last fields of the episodes that ended in the last step, before the reset, in the order of
    /// [`Worlds::ended`].
    pub fn final_fields(&self) -> &[[f32; N]] {
        &self.final_fields[..self.ended_count]
    }

    /// Steps every world, with one action for each.
    pub fn step(&mut self, actions: &[f32]) {
        struct StepAll<'a, R, const N: usize>(&'a mut Worlds<R, N>, &'a [f32]);
        impl<R: Rules<N>, const N: usize> Op for StepAll<'_, R, N> {
            type Output = ();
            #[inline(always)]
            fn run<S: Simd>(self, s: S) {
                let Self(worlds, actions) = self;
                worlds.step_with(s, actions);
            }
        }
        dispatch(StepAll(self, actions));
    }

    /// [`Worlds::step`] with the instruction set of `s`.
    #[inline(always)]
    pub fn step_with<S: Simd>(&mut self, s: S, actions: &[f32]) {
        assert_eq!(actions.len(), self.count, "one action for each world");
        self.now = self.now.wrapping_add(1);
        let (actions, rest) = actions.as_chunks::<MAX_LANES>();
        let mut last = [0.0; MAX_LANES];
        last[..rest.len()].copy_from_slice(rest);
        self.ended_count = self.step_blocks(s, actions, &last);
        self.reset_ended(s);
    }

    /// Steps all blocks. `actions` has the actions of the full blocks, `last` the actions of a padded last
    /// block. Returns the number of worlds whose episode ended, including padding.
    #[inline(always)]
    fn step_blocks<S: Simd>(&mut self, s: S, actions: &[[f32; MAX_LANES]], last: &[f32; MAX_LANES]) -> usize {
        let now = s.splat_u(self.now);
        let mut ended_count = 0;
        let (rewards, _) = self.rewards.as_chunks_mut::<MAX_LANES>();
        let blocks = self.blocks.iter_mut().zip(rewards).zip(&mut self.ends);
        for (i, ((block, rewards), ends)) in blocks.enumerate() {
            let actions = actions.get(i).unwrap_or(last);
            let (mut terminated, mut expired) = (0, 0);
            for at in (0..MAX_LANES).step_by(S::LANES) {
                let fields = std::array::from_fn(
                    #[inline(always)]
                    |k| lanes(s, &block.fields[k], at),
                );
                let step = R::step(s, fields, lanes(s, actions, at));
                for (field, x) in block.fields.iter_mut().zip(step.fields) {
                    store_partial(s, &mut field[at..at + S::LANES], x);
                }
                if R::SPEC.constant_reward.is_none() {
                    store_partial(s, &mut rewards[at..at + S::LANES], step.reward);
                }
                let deadlines = load_words(s, &block.deadlines[at..at + S::LANES]);
                let expired_lanes = s.mask_bits(s.eq_u(deadlines, now));
                terminated |= step.terminated << at;
                expired |= expired_lanes << at;
                let worlds = s.count_from((i * MAX_LANES + at) as u32);
                let ended = &mut self.ended[ended_count..];
                ended_count += store_compressed(s, ended, step.terminated | expired_lanes, worlds);
            }
            *ends = Ends { terminated: terminated as u16, truncated: (expired & !terminated) as u16 };
        }
        ended_count
    }

    /// Clears the record of ended episodes.
    fn clear_ends(&mut self) {
        self.ends.fill(Ends::default());
        self.ended_count = 0;
    }

    /// Saves the final fields of the worlds in `ended` and starts their next episodes, sixteen worlds at a
    /// time. Then removes padding from the list.
    #[inline(always)]
    fn reset_ended<S: Simd>(&mut self, s: S) {
        for begin in (0..self.ended_count).step_by(MAX_LANES) {
            let end = self.ended_count.min(begin + MAX_LANES);
            let mut ended = [0; MAX_LANES];
            let ended = &mut ended[..end - begin];
            ended.copy_from_slice(&self.ended[begin..end]);
            for &i in ended.iter() {
                let count = &mut self.episodes[i as usize];
                *count = count.wrapping_add(1);
            }
            let starts = self.starts(s, ended);
            let Self { now, max_steps, blocks, final_fields, lengths, .. } = self;
            let outputs = final_fields[begin..].iter_mut().zip(&mut lengths[begin..]);
            for (start_lane, (&i, (fields, length))) in ended.iter().zip(outputs).enumerate() {
                let (block, lane) = (&mut blocks[i as usize / MAX_LANES], i as usize % MAX_LANES);
                *fields = std::array::from_fn(|k| block.fields[k][lane]);
                for (field, start) in block.fields.iter_mut().zip(&starts) {
                    field[lane] = start[start_lane];
                }
                *length = *max_steps - block.deadlines[lane].wrapping_sub(*now);
                block.deadlines[lane] = now.wrapping_add(*max_steps);
            }
        }
        // Entries are in ascending order, so padding is at the end.
        self.ended_count = self.ended[..self.ended_count].partition_point(|&i| (i as usize) < self.count);
    }

    /// The initial fields of the current episodes of at most sixteen worlds: the lane of a world is its
    /// position in `worlds`.
    #[inline(always)]
    fn starts<S: Simd>(&self, s: S, worlds: &[u32]) -> [[f32; MAX_LANES]; N] {
        // The random counter: the two words of a world's index, and the number of its episode. Lanes beyond
        // the last world are computed and not used.
        let (mut index, mut episode) = ([[0; MAX_LANES]; 2], [0; MAX_LANES]);
        for (lane, &i) in worlds.iter().enumerate() {
            let world = self.indices[i as usize];
            (index[0][lane], index[1][lane]) = (world as u32, (world >> 32) as u32);
            episode[lane] = self.episodes[i as usize];
        }
        let mut starts = [[0.0; MAX_LANES]; N];
        for at in (0..MAX_LANES).step_by(S::LANES) {
            let world = [load_words(s, &index[0][at..]), load_words(s, &index[1][at..])];
            let sub = [load_words(s, &episode[at..]), s.splat_u(0)];
            let fields = R::start(s, self.stream.uniform4_lanes(s, world, sub));
            for (start, x) in starts.iter_mut().zip(fields) {
                store_partial(s, &mut start[at..at + S::LANES], x);
            }
        }
        starts
    }
}
