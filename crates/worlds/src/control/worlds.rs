//! Many worlds of one kind, each starting anew in the same step in which its episode ends.
//!
//! They lie in blocks of sixteen, field by field, so that a block is one or a few vectors and lies together in
//! memory. A step goes over all blocks once; then those few worlds that ended, in vectors of their own, start anew.

use std::marker::PhantomData;
use std::ops::Range;

use learnery_kernels::rng::Stream;
use learnery_kernels::simd::{MAX_LANES, Op, Simd, dispatch, load_words, store_compressed, store_partial};

use super::rules::{About, Rules, complete_one, lanes, start_one};

/// Sixteen worlds.
#[derive(Clone, Debug, PartialEq)]
#[repr(align(64))]
struct Block<const N: usize> {
    fields: [[f32; MAX_LANES]; N],
    /// The step, by [`Worlds::now`], at which time is up.
    deadlines: [u32; MAX_LANES],
}

/// How a step ended an episode, if it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It goes on.
    Running,
    /// It is over: nothing can come after.
    Terminated,
    /// The time was up while it could have gone on.
    Truncated,
}

/// Which worlds of a block ended in the last step, a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Ends {
    terminated: u16,
    truncated: u16,
}

/// Many worlds of the kind `R`.
#[derive(Clone, Debug, PartialEq)]
pub struct Worlds<R, const N: usize> {
    first: u64,
    stream: Stream,
    count: usize,
    /// Steps taken, wrapping.
    now: u32,
    /// The last block may be filled up with worlds that nobody sees.
    blocks: Vec<Block<N>>,
    /// Episodes begun before the present one.
    episodes: Vec<u32>,
    rewards: Vec<f32>,
    ends: Vec<Ends>,
    /// How many worlds ended in the last step.
    over: usize,
    /// Which, with room for a block more than there are.
    ended: Vec<u32>,
    /// Where they were then.
    finals: Vec<[f32; N]>,
    /// How many steps they had taken.
    lengths: Vec<u32>,
    rules: PhantomData<R>,
}

impl<R: Rules<N>, const N: usize> Worlds<R, N> {
    /// The worlds numbered `worlds`, whose episodes start as `stream` has it. The same world goes the
    /// same way whichever others it is kept with.
    pub fn new(worlds: Range<u64>, stream: Stream) -> Self {
        let count = (worlds.end - worlds.start) as usize;
        let padded = count.next_multiple_of(MAX_LANES);
        let block = Block { fields: [[0.0; MAX_LANES]; N], deadlines: [0; MAX_LANES] };
        let mut this = Self {
            first: worlds.start,
            stream,
            count,
            now: 0,
            blocks: vec![block; padded / MAX_LANES],
            episodes: vec![0; padded],
            rewards: vec![R::ABOUT.steady_reward.unwrap_or(0.0); padded],
            ends: vec![Ends::default(); padded / MAX_LANES],
            over: 0,
            ended: vec![0; padded + MAX_LANES],
            finals: vec![[0.0; N]; padded],
            lengths: vec![0; padded],
            rules: PhantomData,
        };
        this.begin(worlds.start, stream);
        this
    }

    /// Starts all over as the worlds numbered from `first`, with the starts of `stream`.
    pub fn begin(&mut self, first: u64, stream: Stream) {
        (self.first, self.stream, self.now) = (first, stream, 0);
        self.episodes.fill(0);
        self.forget_ends();
        for i in 0..self.episodes.len() {
            self.put(i, Self::start(stream, first + i as u64, 0), 0);
        }
    }

    /// The start of an episode, a function of world and episode alone.
    pub fn start(stream: Stream, world: u64, episode: u32) -> [f32; N] {
        start_one::<R, N>(stream.uniform4(world, u64::from(episode)))
    }

    /// What is known of this kind of world.
    pub fn about(&self) -> &'static About {
        const { &R::ABOUT }
    }

    /// Number of worlds.
    pub fn len(&self) -> usize {
        self.count
    }

    /// True for no worlds at all.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The fields of world `i`.
    pub fn fields(&self, i: usize) -> [f32; N] {
        assert!(i < self.count, "there is no world {i}");
        self.blocks[i / MAX_LANES].fields.map(|field| field[i % MAX_LANES])
    }

    /// Puts world `i` into any state at all, after `steps` steps of its episode.
    pub fn set_state(&mut self, i: usize, state: &[f32], steps: u32) {
        assert!(i < self.count && state.len() == R::ABOUT.state && steps < R::ABOUT.limit);
        let mut fields = [0.0; N];
        fields[..state.len()].copy_from_slice(state);
        self.put(i, complete_one::<R, N>(fields), steps);
    }

    /// Puts world `i` where it once was: its state, its steps, and how many episodes it had behind it.
    pub fn put_back(&mut self, i: usize, state: &[f32], steps: u32, episodes: u32) {
        self.set_state(i, state, steps);
        self.episodes[i] = episodes;
    }

    fn put(&mut self, i: usize, fields: [f32; N], steps: u32) {
        let block = &mut self.blocks[i / MAX_LANES];
        for (field, x) in block.fields.iter_mut().zip(fields) {
            field[i % MAX_LANES] = x;
        }
        block.deadlines[i % MAX_LANES] = self.now.wrapping_add(R::ABOUT.limit - steps);
    }

    /// Steps taken in the present episode of world `i`.
    pub fn steps(&self, i: usize) -> u32 {
        let deadline = self.blocks[i / MAX_LANES].deadlines[i % MAX_LANES];
        R::ABOUT.limit - deadline.wrapping_sub(self.now)
    }

    /// Episodes of world `i` that are over.
    pub fn episodes(&self, i: usize) -> u32 {
        self.episodes[i]
    }

    /// What each world's agent sees now. // [worlds, observation]
    pub fn observe(&self, out: &mut [f32]) {
        let seen = R::ABOUT.observation;
        assert_eq!(out.len(), self.count * seen.len(), "one observation for each world");
        for (block, out) in self.blocks.iter().zip(out.chunks_mut(MAX_LANES * seen.len())) {
            for (lane, out) in out.chunks_exact_mut(seen.len()).enumerate() {
                for (out, field) in out.iter_mut().zip(seen) {
                    *out = block.fields[*field][lane];
                }
            }
        }
    }

    /// What the last step earned in each world.
    pub fn rewards(&self) -> &[f32] {
        &self.rewards[..self.count]
    }

    /// How the last step ended the episode of world `i`, if it did.
    pub fn outcome(&self, i: usize) -> Outcome {
        let (ends, bit) = (self.ends[i / MAX_LANES], 1 << (i % MAX_LANES));
        match (ends.terminated & bit != 0, ends.truncated & bit != 0) {
            (true, _) => Outcome::Terminated,
            (_, true) => Outcome::Truncated,
            _ => Outcome::Running,
        }
    }

    /// The worlds that ended in the last step, in order.
    pub fn ended(&self) -> &[u32] {
        &self.ended[..self.over]
    }

    /// How many steps they had taken.
    pub fn lengths(&self) -> &[u32] {
        &self.lengths[..self.over]
    }

    /// Where they were when they ended, before they started anew: all fields.
    pub fn finals(&self) -> &[[f32; N]] {
        &self.finals[..self.over]
    }

    /// One step in every world.
    pub fn step(&mut self, actions: &[f32]) {
        struct StepAll<'a, R, const N: usize>(&'a mut Worlds<R, N>, &'a [f32]);
        impl<R: Rules<N>, const N: usize> Op for StepAll<'_, R, N> {
            type Output = ();
            #[inline(always)]
            fn run<S: Simd>(self, s: S) {
                self.0.step_with(s, self.1);
            }
        }
        dispatch(StepAll(self, actions));
    }

    /// The same with one instruction set.
    #[inline(always)]
    pub fn step_with<S: Simd>(&mut self, s: S, actions: &[f32]) {
        assert_eq!(actions.len(), self.count, "one action for each world");
        self.now = self.now.wrapping_add(1);
        let (actions, rest) = actions.as_chunks::<MAX_LANES>();
        let mut last = [0.0; MAX_LANES];
        last[..rest.len()].copy_from_slice(rest);
        let over = self.step_blocks(s, actions, &last);
        self.over = over;
        self.start_ended(s);
    }

    /// Steps all blocks, the one that is not full with `last`. Returns how many worlds ended, the unseen ones counted.
    #[inline(always)]
    fn step_blocks<S: Simd>(&mut self, s: S, actions: &[[f32; MAX_LANES]], last: &[f32; MAX_LANES]) -> usize {
        let now = s.splat_u(self.now);
        let mut over = 0;
        let (rewards, _) = self.rewards.as_chunks_mut::<MAX_LANES>();
        let blocks = self.blocks.iter_mut().zip(rewards).zip(&mut self.ends);
        for (i, ((block, rewards), ends)) in blocks.enumerate() {
            let actions = actions.get(i).unwrap_or(last);
            let (mut terminated, mut late) = (0, 0);
            for at in (0..MAX_LANES).step_by(S::LANES) {
                let fields = std::array::from_fn(
                    #[inline(always)]
                    |k| lanes(s, &block.fields[k], at),
                );
                let step = R::step(s, fields, lanes(s, actions, at));
                for (field, x) in block.fields.iter_mut().zip(step.fields) {
                    store_partial(s, &mut field[at..at + S::LANES], x);
                }
                if R::ABOUT.steady_reward.is_none() {
                    store_partial(s, &mut rewards[at..at + S::LANES], step.reward);
                }
                let deadlines = load_words(s, &block.deadlines[at..at + S::LANES]);
                let up = s.mask_bits(s.eq_u(deadlines, now));
                terminated |= step.terminated << at;
                late |= up << at;
                let worlds = s.count_from((i * MAX_LANES + at) as u32);
                over += store_compressed(s, &mut self.ended[over..], step.terminated | up, worlds);
            }
            *ends = Ends { terminated: terminated as u16, truncated: (late & !terminated) as u16 };
        }
        over
    }

    fn forget_ends(&mut self) {
        self.ends.fill(Ends::default());
        self.over = 0;
    }

    /// Keeps where the worlds in `ended` are and starts them anew, sixteen at a time; then forgets the unseen ones.
    #[inline(always)]
    fn start_ended<S: Simd>(&mut self, s: S) {
        let Self { first, now, blocks, episodes, .. } = self;
        let places = self.finals.chunks_mut(MAX_LANES).zip(self.lengths.chunks_mut(MAX_LANES));
        for (begin, (finals, lengths)) in (0..self.over).step_by(MAX_LANES).zip(places) {
            let ended = &self.ended[begin..self.over.min(begin + MAX_LANES)];
            let mut episode = [0; MAX_LANES];
            for (episode, &i) in episode.iter_mut().zip(ended) {
                let count = &mut episodes[i as usize];
                *count = count.wrapping_add(1);
                *episode = *count;
            }
            let mut starts = [[0.0; MAX_LANES]; N];
            for at in (0..MAX_LANES).step_by(S::LANES) {
                // There is room for a block more, so this reads no further than that.
                let world = numbered(s, *first, load_words(s, &self.ended[begin + at..]));
                let sub = [load_words(s, &episode[at..]), s.splat_u(0)];
                let fields = R::start(s, self.stream.uniform4_lanes(s, world, sub));
                for (start, x) in starts.iter_mut().zip(fields) {
                    store_partial(s, &mut start[at..at + S::LANES], x);
                }
            }
            for (from, (&i, (fields, length))) in ended.iter().zip(finals.iter_mut().zip(lengths)).enumerate()
            {
                let (block, lane) = (&mut blocks[i as usize / MAX_LANES], i as usize % MAX_LANES);
                *fields = std::array::from_fn(|k| block.fields[k][lane]);
                for (field, start) in block.fields.iter_mut().zip(&starts) {
                    field[lane] = start[from];
                }
                *length = R::ABOUT.limit - block.deadlines[lane].wrapping_sub(*now);
                block.deadlines[lane] = now.wrapping_add(R::ABOUT.limit);
            }
        }
        self.over = self.ended[..self.over].partition_point(|&i| (i as usize) < self.count);
    }
}

/// The numbers `first + i` in two words each, the lower first.
#[inline(always)]
fn numbered<S: Simd>(s: S, first: u64, i: S::U) -> [S::U; 2] {
    let base = s.splat_u(first as u32);
    let low = s.add_u(base, i);
    // A sum carries where both of its highest bits were set, or one of them and that of the sum is not.
    let carried = s.or(s.and(base, i), s.and(s.or(base, i), s.xor(low, s.splat_u(u32::MAX))));
    [low, s.add_u(s.splat_u((first >> 32) as u32), s.shr(carried, 31))]
}
