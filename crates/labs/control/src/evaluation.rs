//! Evaluation: the mean return of greedy episodes (the most probable action in every state) in worlds apart
//! from training. Nothing is learned from these episodes.

#[cfg(feature = "gpu")]
mod device;

use learnery_kernels::rng::Stream;
use learnery_worlds::control::AnyWorlds;
use rayon::prelude::*;

use crate::network::{Network, Scratch};

/// Worlds that one thread steps together.
pub const WORLDS_PER_CHUNK: usize = 25;

/// Steps in each world per call of [`Evaluator::step`]. A run can be slowed down to a few such calls a
/// second. With 25 world steps, a call costs about as much as one minibatch update, so a slow run does not
/// mostly evaluate.
const WORLD_STEPS_PER_STEP: u32 = 25;

/// Plays evaluation episodes: the first episode of each of its worlds.
pub struct Evaluator {
    chunks: Vec<Chunk>,
    /// Steps taken in each world.
    steps: u32,
    /// The longest possible episode.
    max_steps: u32,
    /// Whether the world tells successes from other ends.
    has_success: bool,
    /// The number of the first world, in the present evaluation.
    first: u64,
}

struct Chunk {
    worlds: Box<dyn AnyWorlds>,
    scratch: Scratch,
    /// The current observation of each world.
    // [worlds, inputs]
    observations: Vec<f32>,
    /// The action of each world.
    // [worlds, numbers]
    actions: Vec<f32>,
    /// Sum of the rewards so far in each world's first episode.
    returns: Vec<f32>,
    /// Whether each world's first episode has ended.
    finished: Vec<bool>,
    /// Whether it has ended as a success.
    succeeded: Vec<bool>,
}

impl Evaluator {
    /// An evaluation of `episodes` episodes in the worlds with the numbers from 0 on. The start state of an
    /// episode depends on `stream` and the number of its world.
    pub fn new(network: &Network, stream: Stream, episodes: usize) -> Self {
        let task = network.task();
        let chunks = (0..episodes)
            .step_by(WORLDS_PER_CHUNK)
            .map(|begin| {
                let end = (begin + WORLDS_PER_CHUNK).min(episodes);
                let worlds = end - begin;
                Chunk {
                    worlds: task.worlds(begin as u64..end as u64, stream),
                    scratch: network.scratch(worlds),
                    observations: vec![0.0; worlds * network.inputs()],
                    actions: vec![0.0; worlds * network.numbers()],
                    returns: vec![0.0; worlds],
                    finished: vec![false; worlds],
                    succeeded: vec![false; worlds],
                }
            })
            .collect();
        Self { chunks, steps: 0, max_steps: task.max_steps(), has_success: task.has_success(), first: 0 }
    }

    /// Starts another evaluation over the same number of episodes, in the worlds with the numbers from
    /// `first` on.
    pub fn restart(&mut self, stream: Stream, first: u64) {
        let mut next = first;
        for chunk in &mut self.chunks {
            let end = next + chunk.worlds.count() as u64;
            chunk.worlds.reset(next, stream);
            chunk.returns.fill(0.0);
            chunk.finished.fill(false);
            chunk.succeeded.fill(false);
            next = end;
        }
        (self.steps, self.first) = (0, first);
    }

    /// Takes `WORLD_STEPS_PER_STEP` steps in all worlds, and returns whether the first episode of every world
    /// has ended.
    pub fn step(&mut self, network: &Network) -> bool {
        self.step_unless(network, &|| false)
    }

    /// The same unless `is_over` returns true, which is asked before each chunk. Then some chunks are left
    /// out, and the evaluation cannot go on.
    pub fn step_unless(&mut self, network: &Network, is_over: &(impl Fn() -> bool + Sync)) -> bool {
        let step = |chunk: &mut Chunk| {
            let goes_on = !is_over();
            if goes_on {
                (0..WORLD_STEPS_PER_STEP).for_each(|_| chunk.step(network));
            }
            goes_on
        };
        if !self.chunks.par_iter_mut().map(step).reduce(|| true, |all, one| all && one) {
            return false;
        }
        self.steps += WORLD_STEPS_PER_STEP;
        if self.steps >= self.max_steps {
            // A user's world may have no limit of steps; its episodes are truncated here, and are no successes.
            self.chunks.iter_mut().for_each(|chunk| chunk.finished.fill(true));
        }
        self.chunks.iter().all(Chunk::is_done)
    }

    /// The steps taken, as a fraction of the longest possible episode.
    pub fn fraction_done(&self) -> f32 {
        self.steps as f32 / self.max_steps as f32
    }

    /// The returns of the episodes that have ended.
    pub fn returns(&self) -> impl Iterator<Item = f64> {
        let first_episodes = self.chunks.iter().flat_map(|chunk| chunk.returns.iter().zip(&chunk.finished));
        first_episodes.filter(|(_, finished)| **finished).map(|(sum, _)| f64::from(*sum))
    }

    /// The number of episodes that have ended.
    pub fn ended(&self) -> u64 {
        self.returns().count() as u64
    }

    pub fn mean_return(&self) -> f64 {
        self.returns().sum::<f64>() / self.returns().count() as f64
    }

    /// The percentage of successes among the episodes that have ended; `None` where the world tells none.
    pub fn successes(&self) -> Option<f64> {
        self.success_count().map(|count| 100.0 * count as f64 / self.ended() as f64)
    }

    /// The number of successes; `None` where the world tells none.
    pub fn success_count(&self) -> Option<u64> {
        let succeeded = self.chunks.iter().flat_map(|chunk| &chunk.succeeded);
        self.has_success.then(|| succeeded.filter(|succeeded| **succeeded).count() as u64)
    }
}

impl Chunk {
    fn is_done(&self) -> bool {
        self.finished.iter().all(|finished| *finished)
    }

    /// Takes one greedy step in every world of the chunk.
    fn step(&mut self, network: &Network) {
        if self.is_done() {
            return;
        }
        let n = self.worlds.count();
        self.worlds.observe(&mut self.observations);
        network.normaliser.apply(&mut self.observations);
        let outputs = network.actor_outputs(&self.observations, n, &mut self.scratch);
        network.bounds().greedy(network.policy(), outputs, &mut self.actions);
        self.worlds.step(&self.actions);
        // Worlds restart at the end of an episode; only the first episode counts.
        for ((sum, finished), reward) in
            self.returns.iter_mut().zip(&self.finished).zip(self.worlds.rewards())
        {
            *sum += if *finished { 0.0 } else { *reward };
        }
        for world in self.worlds.ended() {
            let i = *world as usize;
            if !self.finished[i] {
                (self.finished[i], self.succeeded[i]) = (true, self.worlds.succeeded(i));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use learnery_lab::{Entry, Session};
    use serde_json::json;

    use super::*;
    use crate::bounds::ActionBounds;
    use crate::trained::TrainedNetwork;
    use crate::training::Control;
    use crate::world::BuiltIn;

    /// An episode of the evaluation is one that takes the actions of [`TrainedNetwork::act`], one step at a
    /// time: the trained network of other programs does what was evaluated.
    #[test]
    fn episodes_are_those_of_the_actions_for_other_programs() {
        for bounds in [ActionBounds::Clipped, ActionBounds::Squashed] {
            let settings = json!({
                "world": "pendulum", "worlds": 16, "horizon": 8, "hidden": 8, "minibatches": 2,
                "normalise_observations": true, "learning_rate": 0.05, "eval_every": 0, "action_bounds": bounds
            });
            let mut session = Session::start(Entry::of::<Control>(), &settings, 3).expect("good settings");
            (0..4).for_each(|_| _ = session.advance_unit());
            let saved = session.save();
            let config = saved.settings::<Control>().expect("its own settings");
            let network = Network::from_tensors(&config, &saved.network()).expect("its own network");
            let trained = TrainedNetwork::from_checkpoint(&saved).expect("its own network");
            let (kind, stream) = (config.world.kind().expect("Pendulum"), Stream::new(1, 2));
            let mut evaluator = Evaluator::new(&network, stream, 5);
            while !evaluator.step(&network) {}
            let mut strongest: f32 = 0.0;
            let expected = (0..5).map(|world| {
                let (mut state, mut sum) = (kind.start(stream, world, 0), 0.0);
                for _ in 0..kind.spec().max_steps {
                    let mut observation = vec![0.0; network.inputs()];
                    kind.observe(&state, &mut observation);
                    let action = trained.act(&observation)[0];
                    strongest = strongest.max(action.abs());
                    let stepped = kind.step(&state, action);
                    sum += stepped.reward;
                    state = stepped.state;
                }
                f64::from(sum)
            });
            assert_eq!(evaluator.returns().collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{bounds:?}");
            assert!(strongest <= 2.0 && kind.outputs() == 1, "{bounds:?}: {strongest}");
        }
    }
}
