//! Many worlds with the same rules, dealt into fixed chunks for threads. No Python here.

use learnery_kernels::simd::{Op, Simd, dispatch};
use learnery_worlds::control::{Autoreset, SavedWorld, StepResults, VectorWorlds, Verdict};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::rules::{ActionShape, Variant};

/// Worlds in a chunk: so few that what a step reads and writes stays in the cache of a core, so many that a
/// chunk is worth handing to a thread. A multiple of sixteen, so that only the last chunk is padded.
pub const CHUNK: usize = 1024;

/// Converts the actions of a step to floats, as the worlds take them. Returns whether all are below `count`
/// and not negative.
struct ConvertActions<'a> {
    count: u64,
    from: &'a [i64],
    to: &'a mut [f32],
}

impl Op for ConvertActions<'_> {
    type Output = bool;
    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> bool {
        // As an unsigned number, a negative action is large. The loop has no branch, so the compiler
        // vectorises it.
        let mut are_valid = true;
        for (to, from) in self.to.iter_mut().zip(self.from) {
            are_valid &= (*from as u64) < self.count;
            *to = *from as i32 as f32;
        }
        are_valid
    }
}

/// The worlds and the threads that step them. A world does not depend on its chunk, so the number of threads
/// changes no bit.
pub struct Batch {
    variant: Variant,
    autoreset: Autoreset,
    count: usize,
    chunks: Vec<VectorWorlds>,
    /// The actions of the next step, checked.
    /// Shape: `[worlds, numbers of an action]`.
    actions: Vec<f32>,
    /// Absent with one thread: the caller's own steps the worlds.
    pool: Option<ThreadPool>,
}

impl Batch {
    /// Creates `count` worlds, at the start of the episodes of the seed 0.
    pub fn new(variant: Variant, count: usize, autoreset: Autoreset, threads: usize) -> Result<Self, String> {
        let start_pool = || {
            ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .map_err(|error| format!("cannot start {threads} threads: {error}"))
        };
        let numbers = match variant.rules.actions() {
            ActionShape::Choice(_) => 1,
            ActionShape::Numbers(numbers) => numbers,
        };
        Ok(Self {
            chunks: make_chunks(&variant, count, autoreset),
            variant,
            autoreset,
            count,
            actions: vec![0.0; count * numbers],
            pool: if threads == 1 { None } else { Some(start_pool()?) },
        })
    }

    pub fn count(&self) -> usize {
        self.count
    }

    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    pub fn autoreset(&self) -> Autoreset {
        self.autoreset
    }

    /// Goes on with other constants, from the present states.
    pub fn set_variant(&mut self, variant: Variant) -> Result<(), String> {
        let saved = self.save();
        let mut chunks = make_chunks(&variant, self.count, self.autoreset);
        restore(&mut chunks, &saved)?;
        (self.variant, self.chunks) = (variant, chunks);
        Ok(())
    }

    /// Sets the actions of the next step. If one is not allowed, all are refused.
    pub fn set_discrete_actions(&mut self, actions: &[i64]) -> Result<(), String> {
        let ActionShape::Choice(count) = self.variant.rules.actions() else {
            return Err("actions must be floats, not integers".into());
        };
        if dispatch(ConvertActions { count: count as u64, from: actions, to: &mut self.actions }) {
            return Ok(());
        }
        // The refused action is looked for only now, because the conversion does not tell which it was.
        let wrong = actions.iter().position(|action| *action as u64 >= count as u64).unwrap_or_default();
        Err(format!(
            "the action of world {wrong} is {}, not an integer from 0 to {}",
            actions[wrong],
            count - 1
        ))
    }

    /// Sets the actions of the next step. If one is not allowed, all are refused.
    pub fn set_continuous_actions(&mut self, actions: &[f32]) -> Result<(), String> {
        if let Some(wrong) = actions.iter().position(|action| !action.is_finite()) {
            let world = wrong / (actions.len() / self.count);
            return Err(format!("the action of world {world} is {}, not a finite number", actions[wrong]));
        }
        self.actions.copy_from_slice(actions);
        Ok(())
    }

    /// The worlds whose last episode has ended and whose next one has not begun, ascending.
    pub fn waiting(&self) -> Vec<usize> {
        self.indexed_chunks()
            .flat_map(|(begin, chunk)| chunk.waiting().iter().map(move |i| begin + *i as usize))
            .collect()
    }

    pub fn any_waits(&self) -> bool {
        self.chunks.iter().any(|chunk| !chunk.waiting().is_empty())
    }

    /// Steps every world with the actions that were set.
    pub fn step(&mut self, results: StepResults<'_>) {
        let size = self.variant.rules.observation_size();
        let StepResults { observations, rewards, terminated, truncated } = results;
        let outputs = observations.chunks_mut(CHUNK * size).zip(rewards.chunks_mut(CHUNK));
        let ends = terminated.chunks_mut(CHUNK).zip(truncated.chunks_mut(CHUNK));
        let numbers = self.actions.len() / self.count;
        let inputs = self.chunks.iter_mut().zip(self.actions.chunks(CHUNK * numbers));
        let chunks = inputs.zip(outputs).zip(ends).map(
            |(((worlds, actions), (observations, rewards)), (terminated, truncated))| {
                (worlds, actions, StepResults { observations, rewards, terminated, truncated })
            },
        );
        match &self.pool {
            None => chunks.for_each(|(worlds, actions, mut results)| worlds.step(actions, &mut results)),
            Some(pool) => {
                let chunks: Vec<_> = chunks.collect();
                pool.install(|| {
                    chunks
                        .into_par_iter()
                        .for_each(|(worlds, actions, mut results)| worlds.step(actions, &mut results));
                });
            }
        }
    }

    /// Starts an episode in world `i`: the first episode of the world with the index `world`, or without an
    /// index the next episode of the same world.
    pub fn reset(&mut self, i: usize, world: Option<u64>) {
        self.chunks[i / CHUNK].reset(i % CHUNK, world);
    }

    /// Writes the current observation of each world.
    /// Shape: `out [worlds, observation]`.
    pub fn observe(&self, out: &mut [f32]) {
        let size = CHUNK * self.variant.rules.observation_size();
        self.chunks.iter().zip(out.chunks_mut(size)).for_each(|(chunk, out)| chunk.observe(out));
    }

    /// The worlds whose episode ended in the last step, ascending, and the last observations of these
    /// episodes.
    /// Shapes: `[ended]`, `[ended, observation]`.
    pub fn ended(&self) -> (Vec<i64>, Vec<f32>) {
        let size = self.variant.rules.observation_size();
        let (mut ended, mut observations) = (Vec::new(), Vec::new());
        for (begin, chunk) in self.indexed_chunks() {
            for (k, i) in chunk.ended().iter().enumerate() {
                ended.push((begin + *i as usize) as i64);
                observations.resize(observations.len() + size, 0.0);
                let end = observations.len();
                chunk.final_observation(k, &mut observations[end - size..]);
            }
        }
        (ended, observations)
    }

    /// What the rules say about the end of the episode that world `i` finished in the last step.
    pub fn verdict(&self, i: usize) -> Option<Verdict> {
        let chunk = &self.chunks[i / CHUNK];
        let k = chunk.ended().binary_search(&((i % CHUNK) as u32)).ok()?;
        Some(chunk.verdict(k))
    }

    /// The worlds whose episode ended in the last step, ascending, and what the rules say about its end.
    pub fn verdicts(&self) -> Vec<(usize, Verdict)> {
        let of_chunk = |(begin, chunk): (usize, &VectorWorlds)| -> Vec<(usize, Verdict)> {
            let ended = chunk.ended().iter().enumerate();
            ended.map(|(k, i)| (begin + *i as usize, chunk.verdict(k))).collect()
        };
        self.indexed_chunks().flat_map(of_chunk).collect()
    }

    /// The states that the observations show, and the number of steps in each episode.
    /// Shapes: `[worlds, state]`, `[worlds]`.
    pub fn states(&self) -> (Vec<f32>, Vec<u32>) {
        let size = self.variant.rules.state_size();
        let mut states = vec![0.0; self.count * size];
        for (i, state) in states.chunks_exact_mut(size).enumerate() {
            self.chunks[i / CHUNK].state(i % CHUNK, state);
        }
        (states, (0..self.count).map(|i| self.chunks[i / CHUNK].steps(i % CHUNK)).collect())
    }

    /// Continues each episode in the given state, after the given number of steps. If one state is
    /// impossible, all are refused. Shapes: `states [worlds, state]`, `steps [worlds]`.
    pub fn set_states(&mut self, states: &[f32], steps: &[u32]) -> Result<(), String> {
        let size = self.variant.rules.state_size();
        let each = || states.chunks_exact(size).zip(steps).enumerate();
        if let Some((i, (state, steps))) =
            each().find(|(_, (state, steps))| !self.chunks[0].allows(state, **steps))
        {
            return Err(format!(
                "no running episode can be in the state {state:?} of world {i} after {steps} steps"
            ));
        }
        for (i, (state, steps)) in each() {
            self.chunks[i / CHUNK].set_state(i % CHUNK, state, *steps);
        }
        Ok(())
    }

    /// What continues each world with the same bits.
    pub fn save(&self) -> Vec<SavedWorld> {
        (0..self.count).map(|i| self.save_world(i)).collect()
    }

    /// What continues world `i` with the same bits.
    pub fn save_world(&self, i: usize) -> SavedWorld {
        self.chunks[i / CHUNK].save(i % CHUNK, self.variant.rules.state_size())
    }

    /// Continues from what [`Batch::save`] returned.
    pub fn restore(&mut self, saved: &[SavedWorld]) -> Result<(), String> {
        restore(&mut self.chunks, saved)
    }

    /// The chunks, each with the position of its first world.
    fn indexed_chunks(&self) -> impl Iterator<Item = (usize, &VectorWorlds)> {
        self.chunks.iter().enumerate().map(|(k, chunk)| (k * CHUNK, chunk))
    }
}

fn make_chunks(variant: &Variant, count: usize, autoreset: Autoreset) -> Vec<VectorWorlds> {
    let observations = variant.rules.observation_size();
    let chunks = (0..count).step_by(CHUNK).map(|begin| {
        let end = count.min(begin + CHUNK);
        VectorWorlds::new(variant.worlds(begin as u64..end as u64), observations, autoreset)
    });
    chunks.collect()
}

fn restore(chunks: &mut [VectorWorlds], saved: &[SavedWorld]) -> Result<(), String> {
    for (chunk, saved) in chunks.iter_mut().zip(saved.chunks(CHUNK)) {
        if !chunk.restore(saved) {
            return Err("no running episode can be in one of the saved states".into());
        }
    }
    Ok(())
}
