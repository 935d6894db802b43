//! Worlds of a kind that is known only at run time: what a lab with a dial for the world, a command line and a
//! page need.

use std::ops::Range;

use learnery_kernels::rng::Stream;

use super::rules::{Rules, WorldSpec, complete_one};
use super::worlds::{Outcome, Worlds};
use super::{Acrobot, CartPole, MountainCar, Pendulum};

/// The kinds there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Balance a pole on a cart.
    CartPole,
    /// Swing a weak car up a hill.
    MountainCar,
    /// Swing a pendulum up and hold it there.
    Pendulum,
    /// Swing two linked rods up over a line.
    Acrobot,
}

/// Calls a generic function with the rules of a kind and the number of their fields.
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

/// What a step of one world leads to.
#[derive(Clone, Debug, PartialEq)]
pub struct StepResult {
    /// The state after it.
    pub state: Vec<f32>,
    /// What an agent sees of that.
    pub observation: Vec<f32>,
    /// What it earns.
    pub reward: f32,
    /// Whether nothing can come after.
    pub terminated: bool,
}

impl Kind {
    /// What is known of it.
    pub fn spec(self) -> &'static WorldSpec {
        match self {
            Self::CartPole => const { &CartPole::SPEC },
            Self::MountainCar => const { &MountainCar::SPEC },
            Self::Pendulum => const { &Pendulum::SPEC },
            Self::Acrobot => const { &Acrobot::SPEC },
        }
    }

    /// The worlds numbered `range`, whose episodes start as `stream` has it.
    pub fn worlds(self, range: Range<u64>, stream: Stream) -> Box<dyn AnyWorlds> {
        fn make<R: Rules<N>, const N: usize>(range: Range<u64>, stream: Stream) -> Box<dyn AnyWorlds> {
            Box::new(Worlds::<R, N>::new(range, stream))
        }
        with_rules!(self, make(range, stream))
    }

    /// One step from any state, with the bits it has among many. The state must be of the right length.
    pub fn step(self, state: &[f32], action: f32) -> StepResult {
        // A world alone, so that there is one piece of code for one and for thousands.
        fn one<R: Rules<N>, const N: usize>(state: &[f32], action: f32) -> StepResult {
            let mut alone = Worlds::<R, N>::new(0..1, Stream::new(0, 0));
            alone.set_state(0, state, 0);
            alone.step(&[action]);
            let fields = alone.final_fields().first().copied().unwrap_or_else(|| alone.fields(0));
            StepResult {
                state: fields[..R::SPEC.state_size].to_vec(),
                observation: R::SPEC.observation.iter().map(|field| fields[*field]).collect(),
                reward: alone.rewards()[0],
                terminated: alone.outcome(0) == Outcome::Terminated,
            }
        }
        with_rules!(self, one(state, action))
    }

    /// What an agent sees of a state.
    pub fn observe(self, state: &[f32], out: &mut [f32]) {
        fn seen<R: Rules<N>, const N: usize>(state: &[f32], out: &mut [f32]) {
            let fields = complete_one::<R, N>(fields::<R, N>(state));
            for (out, field) in out.iter_mut().zip(R::SPEC.observation) {
                *out = fields[*field];
            }
        }
        with_rules!(self, seen(state, out));
    }

    /// The start of an episode, a function of world and episode alone.
    pub fn start(self, stream: Stream, world: u64, episode: u32) -> Vec<f32> {
        fn start<R: Rules<N>, const N: usize>(stream: Stream, world: u64, episode: u32) -> Vec<f32> {
            Worlds::<R, N>::start(stream, world, episode)[..R::SPEC.state_size].to_vec()
        }
        with_rules!(self, start(stream, world, episode))
    }
}

/// The fields of a state, those that follow from it still to be filled in.
fn fields<R: Rules<N>, const N: usize>(state: &[f32]) -> [f32; N] {
    assert_eq!(state.len(), R::SPEC.state_size, "numbers in a state of {}", R::SPEC.id);
    let mut fields = [0.0; N];
    fields[..state.len()].copy_from_slice(state);
    fields
}

/// [`Worlds`] of any kind; see there.
pub trait AnyWorlds: Send + Sync {
    /// Starts all over as the worlds numbered from `first`, with the starts of `stream`.
    fn reset(&mut self, first: u64, stream: Stream);
    /// Number of worlds.
    fn count(&self) -> usize;
    /// One step in every world.
    fn step(&mut self, actions: &[f32]);
    /// What each world's agent sees now. // [worlds, observation]
    fn observe(&self, out: &mut [f32]);
    /// What the last step earned in each world.
    fn rewards(&self) -> &[f32];
    /// The worlds that ended in the last step, in order.
    fn ended(&self) -> &[u32];
    /// How the last step ended the episode of world `i`, if it did.
    fn outcome(&self, i: usize) -> Outcome;
    /// What was seen last in the `k`-th of the worlds that ended.
    fn final_observation(&self, k: usize, out: &mut [f32]);
    /// The state of world `i`.
    fn state(&self, i: usize, out: &mut [f32]);
    /// Steps taken in the present episode of world `i`.
    fn steps(&self, i: usize) -> u32;
    /// Episodes of world `i` that are over.
    fn episodes(&self, i: usize) -> u32;
    /// Puts world `i` where it once was; false, and nothing changed, where it cannot have been there.
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
        let lawful =
            state.len() == R::SPEC.state_size && R::is_valid_state(state) && steps < R::SPEC.max_steps;
        if lawful {
            Self::restore(self, i, state, steps, episodes);
        }
        lawful
    }
}
