//! Worlds (environments) whose kind is chosen at run time: dynamic dispatch over [`Rules`], with one virtual
//! call for a step of a whole batch.

use std::ops::Range;

use learnery_kernels::rng::Stream;

use super::autoreset::RestartableWorlds;
use super::rules::{Rules, WorldSpec, complete_one};
use super::worlds::{Outcome, Worlds};
use super::{Acrobot, CartPole, MountainCar, Pendulum};

/// The kinds of world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Balance a pole on a cart.
    CartPole,
    /// Drive a car up a hill that is too steep for its engine, by swinging back and forth.
    MountainCar,
    /// Swing a pendulum up and hold it there.
    Pendulum,
    /// Swing two linked rods up over a line.
    Acrobot,
}

/// Calls a generic function with the rules of a kind and their number of fields. Fields are the numbers
/// stored of a world: the state, then numbers derived from it, such as sines.
macro_rules! with_rules {
    ($kind:expr, $function:ident($($argument:expr),*)) => {
        match $kind {
            Kind::CartPole => $function::<CartPole, 4>($($argument),*),
            Kind::MountainCar => $function::<MountainCar, 2>($($argument),*),
            Kind::Pendulum => $function::<Pendulum, 4>($($argument),*),
            Kind::Acrobot => $function::<Acrobot, 8>($($argument),*),
        }
    };
}

/// The result of a step of one world.
#[derive(Clone, Debug, PartialEq)]
pub struct StepResult {
    pub state: Vec<f32>,
    pub observation: Vec<f32>,
    pub reward: f32,
    pub terminated: bool,
}

impl Kind {
    pub fn spec(self) -> &'static WorldSpec {
        match self {
            Self::CartPole => const { &CartPole::SPEC },
            Self::MountainCar => const { &MountainCar::SPEC },
            Self::Pendulum => const { &Pendulum::SPEC },
            Self::Acrobot => const { &Acrobot::SPEC },
        }
    }

    /// Creates the worlds with the indices `range`. Their episodes start in states drawn from `stream`.
    pub fn worlds(self, range: Range<u64>, stream: Stream) -> Box<dyn AnyWorlds> {
        fn make<R: Rules<N>, const N: usize>(range: Range<u64>, stream: Stream) -> Box<dyn AnyWorlds> {
            Box::new(Worlds::<R, N>::new(range, stream))
        }
        with_rules!(self, make(range, stream))
    }

    /// [`Kind::worlds`] for batches with an autoreset mode. Episodes are truncated after `max_steps` steps.
    pub fn restartable_worlds(
        self,
        range: Range<u64>,
        stream: Stream,
        max_steps: u32,
    ) -> Box<dyn RestartableWorlds> {
        fn make<R: Rules<N>, const N: usize>(
            range: Range<u64>,
            stream: Stream,
            max_steps: u32,
        ) -> Box<dyn RestartableWorlds> {
            Box::new(Worlds::<R, N>::with_max_steps(range, stream, max_steps))
        }
        with_rules!(self, make(range, stream, max_steps))
    }

    /// Runs one step from any state, bit-identical to a step in a batch. Panics if the state has the wrong
    /// length.
    pub fn step(self, state: &[f32], action: f32) -> StepResult {
        // A batch of one world, so that there is only one implementation.
        fn step_one_world<R: Rules<N>, const N: usize>(state: &[f32], action: f32) -> StepResult {
            // Any stream will do, because the random initial state is replaced.
            let mut batch = Worlds::<R, N>::new(0..1, Stream::new(0, 0));
            batch.set_state(0, state, 0);
            batch.step(&[action]);
            // If the step ended the episode, the world has been reset, and the list of final fields has its
            // one entry.
            let fields = batch.final_fields().first().copied().unwrap_or_else(|| batch.fields(0));
            StepResult {
                state: fields[..R::SPEC.state_size].to_vec(),
                observation: R::SPEC.observation.iter().map(|field| fields[*field]).collect(),
                reward: batch.rewards()[0],
                terminated: batch.outcome(0) == Outcome::Terminated,
            }
        }
        with_rules!(self, step_one_world(state, action))
    }

    /// Writes the observation of a state.
    pub fn observe(self, state: &[f32], out: &mut [f32]) {
        fn write_observation<R: Rules<N>, const N: usize>(state: &[f32], out: &mut [f32]) {
            let fields = complete_one::<R, N>(fields_of_state::<R, N>(state));
            for (out, field) in out.iter_mut().zip(R::SPEC.observation) {
                *out = fields[*field];
            }
        }
        with_rules!(self, write_observation(state, out));
    }

    /// The initial state of an episode: a pure function of the stream, the world's index and the episode's
    /// number.
    pub fn start(self, stream: Stream, world: u64, episode: u32) -> Vec<f32> {
        fn start<R: Rules<N>, const N: usize>(stream: Stream, world: u64, episode: u32) -> Vec<f32> {
            Worlds::<R, N>::start(stream, world, episode)[..R::SPEC.state_size].to_vec()
        }
        with_rules!(self, start(stream, world, episode))
    }
}

/// The fields of a state; the derived fields are still zero.
fn fields_of_state<R: Rules<N>, const N: usize>(state: &[f32]) -> [f32; N] {
    assert_eq!(state.len(), R::SPEC.state_size, "numbers in a state of {}", R::SPEC.id);
    let mut fields = [0.0; N];
    fields[..state.len()].copy_from_slice(state);
    fields
}

/// A batch of worlds of any kind; see [`Worlds`].
pub trait AnyWorlds: Send + Sync {
    /// Starts new episodes as the worlds with indices from `first` on, with initial states drawn from
    /// `stream`.
    fn reset(&mut self, first: u64, stream: Stream);
    fn count(&self) -> usize;
    fn step(&mut self, actions: &[f32]);
    /// Writes the current observation of each world.
    ///
    /// Shapes: `out [worlds, observation]`.
    fn observe(&self, out: &mut [f32]);
    fn rewards(&self) -> &[f32];
    /// The indices of the worlds whose episode ended (terminated or truncated) in the last step, ascending.
    fn ended(&self) -> &[u32];
    /// The indices of the worlds whose last step only began an episode, whatever the action, ascending. There
    /// is nothing to learn from it. None of the project's worlds has such steps; environments of Gymnasium
    /// that the Python package learns in may have them (its autoreset mode `NextStep`).
    fn only_began(&self) -> &[u32] {
        &[]
    }
    fn outcome(&self, i: usize) -> Outcome;
    /// Whether the last step ended the episode of world `i` as a success. Only worlds that a user has
    /// described (`learnery_world_rules`) tell a success from other ends, and only they have faults.
    fn succeeded(&self, _i: usize) -> bool {
        false
    }
    /// Whether a fault of the rules, such as a division by zero, ended the episode of world `i` in the last
    /// step.
    fn has_fault(&self, _i: usize) -> bool {
        false
    }
    /// This fault and its line in the user's text, for the episode that world `ended()[k]` finished; `None`
    /// if there was none. It is found by stepping the world again, slowly.
    fn fault(&self, _k: usize) -> Option<String> {
        None
    }
    /// The last observation of the episode that world `ended()[k]` finished in the last step.
    fn final_observation(&self, k: usize, out: &mut [f32]);
    fn state(&self, i: usize, out: &mut [f32]);
    /// The number of steps in the current episode of world `i`.
    fn steps(&self, i: usize) -> u32;
    /// The number of completed episodes of world `i`.
    fn episodes(&self, i: usize) -> u32;
    /// Restores world `i` from a checkpoint. Returns false and changes nothing if no running episode can be
    /// in this state.
    fn restore(&mut self, i: usize, state: &[f32], steps: u32, episodes: u32) -> bool;
}

impl<R: Rules<N>, const N: usize> AnyWorlds for Worlds<R, N> {
    fn reset(&mut self, first: u64, stream: Stream) {
        Self::reset(self, first, stream);
    }
    fn count(&self) -> usize {
        self.len()
    }
    fn step(&mut self, actions: &[f32]) {
        Self::step(self, actions);
    }
    fn observe(&self, out: &mut [f32]) {
        Self::observe(self, out);
    }
    fn rewards(&self) -> &[f32] {
        Self::rewards(self)
    }
    fn ended(&self) -> &[u32] {
        Self::ended(self)
    }
    fn outcome(&self, i: usize) -> Outcome {
        Self::outcome(self, i)
    }
    fn final_observation(&self, k: usize, out: &mut [f32]) {
        for (out, field) in out.iter_mut().zip(R::SPEC.observation) {
            *out = self.final_fields()[k][*field];
        }
    }
    fn state(&self, i: usize, out: &mut [f32]) {
        out.copy_from_slice(&self.fields(i)[..R::SPEC.state_size]);
    }
    fn steps(&self, i: usize) -> u32 {
        Self::steps(self, i)
    }
    fn episodes(&self, i: usize) -> u32 {
        Self::episodes(self, i)
    }
    fn restore(&mut self, i: usize, state: &[f32], steps: u32, episodes: u32) -> bool {
        let is_valid = self.allows(state, steps);
        if is_valid {
            Self::restore(self, i, state, steps, episodes);
        }
        is_valid
    }
}
