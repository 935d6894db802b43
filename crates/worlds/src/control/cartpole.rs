//! CartPole-v1 of Gymnasium: balance a pole on a cart by pushing left or right (Barto, Sutton and
//! Anderson, 1983). Explicit Euler, reward 1 on every step including the last, strict bounds, 500 steps.

use std::ops::Range;

use learnery_kernels::math;
use learnery_kernels::rng::Stream;

/// Numbers in an observation: position, speed, angle, angular speed.
pub const OBSERVATION: usize = 4;

const GRAVITY: f32 = 9.8;
const POLE_MASS: f32 = 0.1;
const TOTAL_MASS: f32 = 1.1;
/// Half the length of the pole, in metres.
const HALF_LENGTH: f32 = 0.5;
const POLE_MASS_LENGTH: f32 = POLE_MASS * HALF_LENGTH;
const RESET_SPREAD: f32 = 0.05;

/// The rules, free of any number of worlds.
pub struct CartPole;

impl CartPole {
    /// Seconds in a step.
    pub const TAU: f32 = 0.02;
    /// The force of an action, in newtons; action 0 pushes left, 1 right.
    pub const FORCE: f32 = 10.0;
    /// The cart has left the track strictly beyond this.
    pub const TRACK: f32 = 2.4;
    /// The pole has fallen strictly beyond this angle: 12 degrees.
    pub const ANGLE: f32 = (12.0 * 2.0 * std::f64::consts::PI / 360.0) as f32;
    /// An episode is cut off after this many steps.
    pub const LIMIT: u32 = 500;

    /// The state after `force` newtons have acted for one step.
    pub fn step(state: [f32; OBSERVATION], force: f32) -> [f32; OBSERVATION] {
        let [x, x_dot, theta, theta_dot] = state;
        let (sin, cos) = math::sin_cos(theta);
        let pull = (force + POLE_MASS_LENGTH * theta_dot * theta_dot * sin) / TOTAL_MASS;
        let theta_acc =
            (GRAVITY * sin - cos * pull) / (HALF_LENGTH * (4.0 / 3.0 - POLE_MASS * cos * cos / TOTAL_MASS));
        let x_acc = pull - POLE_MASS_LENGTH * theta_acc * cos / TOTAL_MASS;
        [
            x + Self::TAU * x_dot,
            x_dot + Self::TAU * x_acc,
            theta + Self::TAU * theta_dot,
            theta_dot + Self::TAU * theta_acc,
        ]
    }

    /// True where the pole has fallen or the cart has left the track.
    pub fn is_over(state: [f32; OBSERVATION]) -> bool {
        let within = state[0].abs() <= Self::TRACK && state[2].abs() <= Self::ANGLE;
        !within // so that a state that is not a number is over too
    }

    /// The start of an episode: four numbers uniform within 0.05, a function of world and episode alone.
    pub fn start(stream: Stream, world: u64, episode: u64) -> [f32; OBSERVATION] {
        stream.uniform4(world, episode).map(|u| (2.0 * u - 1.0) * RESET_SPREAD)
    }
}

/// How a step ended an episode, if it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It goes on.
    Running,
    /// The pole fell or the cart left the track: nothing can come after.
    Terminated,
    /// The time was up while all was well: much could have come after.
    Truncated,
}

/// Many worlds, each starting anew in the same step in which its episode ends.
#[derive(Clone, Debug, PartialEq)]
pub struct CartPoles {
    first: u64,
    stream: Stream,
    states: Vec<[f32; OBSERVATION]>,
    steps: Vec<u32>,
    episodes: Vec<u64>,
    finals: Vec<[f32; OBSERVATION]>,
    outcomes: Vec<Outcome>,
}

impl CartPoles {
    /// The worlds numbered `worlds`, whose episodes start as `stream` has it. The same world goes the
    /// same way whichever others it is kept with.
    pub fn new(worlds: Range<u64>, stream: Stream) -> Self {
        let count = (worlds.end - worlds.start) as usize;
        Self {
            first: worlds.start,
            stream,
            states: worlds.clone().map(|world| CartPole::start(stream, world, 0)).collect(),
            steps: vec![0; count],
            episodes: vec![0; count],
            finals: vec![[0.0; OBSERVATION]; count],
            outcomes: vec![Outcome::Running; count],
        }
    }

    /// Starts all over as the worlds numbered from `first`, with the starts of `stream`.
    pub fn begin(&mut self, first: u64, stream: Stream) {
        (self.first, self.stream) = (first, stream);
        for (world, state) in (first..).zip(&mut self.states) {
            *state = CartPole::start(stream, world, 0);
        }
        self.steps.fill(0);
        self.episodes.fill(0);
        self.outcomes.fill(Outcome::Running);
    }

    /// Number of worlds.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// True for no worlds at all.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// What each world's agent sees now.
    pub fn observations(&self) -> &[[f32; OBSERVATION]] {
        &self.states
    }

    /// Steps taken in each present episode.
    pub fn steps(&self) -> &[u32] {
        &self.steps
    }

    /// How the last step ended each episode, if it did.
    pub fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// Where world `i` was when its last episode ended; meaningful only right after that step.
    pub fn final_observation(&self, i: usize) -> [f32; OBSERVATION] {
        self.finals[i]
    }

    /// One step in every world: action 0 pushes left, 1 right. The reward of a step is always 1. Calls
    /// `ended(world, return)` for each episode that ends.
    pub fn step(&mut self, actions: &[u8], mut ended: impl FnMut(usize, u32)) {
        assert_eq!(actions.len(), self.len(), "one action for each world");
        for (i, action) in actions.iter().enumerate() {
            let force = if *action == 0 { -CartPole::FORCE } else { CartPole::FORCE };
            let state = CartPole::step(self.states[i], force);
            self.steps[i] += 1;
            let outcome = if CartPole::is_over(state) {
                Outcome::Terminated
            } else if self.steps[i] >= CartPole::LIMIT {
                Outcome::Truncated
            } else {
                Outcome::Running
            };
            self.outcomes[i] = outcome;
            self.states[i] = state;
            if outcome != Outcome::Running {
                ended(i, self.steps[i]);
                self.finals[i] = state;
                self.episodes[i] += 1;
                self.steps[i] = 0;
                self.states[i] = CartPole::start(self.stream, self.first + i as u64, self.episodes[i]);
            }
        }
    }

    /// Everything that cannot be worked out from the constructor's arguments: states, steps, episodes.
    pub fn snapshot(&self) -> (&[[f32; OBSERVATION]], &[u32], &[u64]) {
        (&self.states, &self.steps, &self.episodes)
    }

    /// Puts back what [`CartPoles::snapshot`] gave; false, and nothing changed, where it does not fit.
    pub fn restore(&mut self, states: &[[f32; OBSERVATION]], steps: &[u32], episodes: &[u64]) -> bool {
        let fits = states.len() == self.len() && steps.len() == self.len() && episodes.len() == self.len();
        let lawful =
            states.iter().all(|s| !CartPole::is_over(*s)) && steps.iter().all(|s| *s < CartPole::LIMIT);
        if fits && lawful {
            self.states.copy_from_slice(states);
            self.steps.copy_from_slice(steps);
            self.episodes.copy_from_slice(episodes);
        }
        fits && lawful
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: Stream = Stream::new(3, 1);

    /// Gymnasium's formulas in f64, written from its source without a thought for speed.
    fn reference(state: [f64; 4], force: f64) -> [f64; 4] {
        let [x, x_dot, theta, theta_dot] = state;
        let (sin, cos) = (theta.sin(), theta.cos());
        let temp = (force + 0.05 * theta_dot.powi(2) * sin) / 1.1;
        let theta_acc = (9.8 * sin - cos * temp) / (0.5 * (4.0 / 3.0 - 0.1 * cos.powi(2) / 1.1));
        let x_acc = temp - 0.05 * theta_acc * cos / 1.1;
        [x + 0.02 * x_dot, x_dot + 0.02 * x_acc, theta + 0.02 * theta_dot, theta_dot + 0.02 * theta_acc]
    }

    #[test]
    fn one_step_agrees_with_the_formulas_in_f64() {
        for i in 0..100_000u64 {
            let [a, b, c, d] = STREAM.uniform4(i, 0).map(|u| 2.0 * u - 1.0);
            let state = [a * 2.4, b * 4.0, c * 0.25, d * 4.0];
            let force = if i % 2 == 0 { 10.0 } else { -10.0 };
            let ours = CartPole::step(state, force);
            let exact = reference(state.map(f64::from), f64::from(force));
            for (o, e) in ours.iter().zip(exact) {
                assert!((f64::from(*o) - e).abs() < 1e-5, "{state:?}: {ours:?} against {exact:?}");
            }
        }
    }

    #[test]
    fn one_step_agrees_with_the_real_gymnasium() {
        let golden = include_str!("../../../../tests/golden/cartpole.tsv");
        let mut ends = 0;
        for line in golden.lines().filter(|line| !line.starts_with('#')) {
            let numbers: Vec<f64> = line.split('\t').map(|n| n.parse().unwrap()).collect();
            let state = std::array::from_fn(|k| numbers[k] as f32);
            let force = if numbers[4] == 0.0 { -CartPole::FORCE } else { CartPole::FORCE };
            let ours = CartPole::step(state, force);
            for k in 0..OBSERVATION {
                assert!((f64::from(ours[k]) - numbers[5 + k]).abs() < 1e-5, "{line}: {ours:?}");
            }
            assert_eq!(numbers[9], 1.0, "the reward of a step is always 1");
            assert_eq!(CartPole::is_over(ours), numbers[10] == 1.0, "{line}");
            ends += u32::from(CartPole::is_over(ours));
        }
        assert!(ends > 50, "the golden file holds endings too");
    }

    #[test]
    fn bounds_are_strict() {
        assert!(!CartPole::is_over([CartPole::TRACK, 0.0, CartPole::ANGLE, 0.0]));
        assert!(CartPole::is_over([CartPole::TRACK.next_up(), 0.0, 0.0, 0.0]));
        assert!(CartPole::is_over([0.0, 0.0, -CartPole::ANGLE.next_up(), 0.0]));
        assert!(CartPole::is_over([f32::NAN, 0.0, 0.0, 0.0]));
    }

    #[test]
    fn resets_are_uniform_within_their_spread_and_differ() {
        let starts: Vec<_> = (0..10_000).map(|w| CartPole::start(STREAM, w, 0)).collect();
        assert!(starts.iter().flatten().all(|v| v.abs() <= RESET_SPREAD));
        for k in 0..OBSERVATION {
            let mean: f32 = starts.iter().map(|s| s[k]).sum::<f32>() / starts.len() as f32;
            let variance: f32 = starts.iter().map(|s| s[k] * s[k]).sum::<f32>() / starts.len() as f32;
            assert!(mean.abs() < 0.002 && (variance - RESET_SPREAD * RESET_SPREAD / 3.0).abs() < 5e-5);
        }
        assert_ne!(CartPole::start(STREAM, 0, 0), CartPole::start(STREAM, 0, 1));
    }

    /// A simple hand-made controller survives to the limit: the episode is truncated, not terminated.
    #[test]
    fn time_runs_out_as_truncation_with_return_500() {
        let mut worlds = CartPoles::new(0..64, STREAM);
        let (mut truncated, mut terminated) = (0, 0);
        for _ in 0..500 {
            let actions: Vec<u8> = worlds
                .observations()
                .iter()
                .map(|[x, x_dot, th, th_dot]| u8::from(0.05 * x + 0.1 * x_dot + th + 0.3 * th_dot > 0.0))
                .collect();
            worlds.step(&actions, |_, length| assert_eq!(length, 500));
            truncated += worlds.outcomes().iter().filter(|o| **o == Outcome::Truncated).count();
            terminated += worlds.outcomes().iter().filter(|o| **o == Outcome::Terminated).count();
        }
        assert_eq!((truncated, terminated), (64, 0));
        assert!(worlds.steps().iter().all(|s| *s == 0));
        assert!(worlds.final_observation(0) != worlds.observations()[0]);
    }

    #[test]
    fn falling_terminates_and_starts_anew_in_the_same_step() {
        let mut worlds = CartPoles::new(0..8, STREAM);
        let mut lengths = Vec::new();
        while lengths.is_empty() {
            worlds.step(&[1; 8], |world, length| lengths.push((world, length)));
        }
        let (world, length) = lengths[0];
        assert!((8..=11).contains(&length), "always right lasts about ten steps, not {length}");
        assert_eq!(worlds.outcomes()[world], Outcome::Terminated);
        assert!(CartPole::is_over(worlds.final_observation(world)));
        assert_eq!(worlds.observations()[world], CartPole::start(STREAM, world as u64, 1));
    }

    #[test]
    fn a_world_goes_its_way_whoever_its_neighbours_are() {
        let mut all = CartPoles::new(0..10, STREAM);
        let mut some = CartPoles::new(6..10, STREAM);
        for step in 0..200u64 {
            let actions: Vec<u8> = (0..10).map(|w| STREAM.below(w, step, 2) as u8).collect();
            all.step(&actions, |_, _| {});
            some.step(&actions[6..], |_, _| {});
            assert_eq!(all.observations()[6..], *some.observations());
        }
    }

    #[test]
    fn an_unlawful_snapshot_is_refused() {
        let mut worlds = CartPoles::new(0..2, STREAM);
        assert!(!worlds.restore(&[[0.0; 4]], &[0], &[0]));
        assert!(!worlds.restore(&[[9.0, 0.0, 0.0, 0.0]; 2], &[0; 2], &[0; 2]));
        assert!(!worlds.restore(&[[0.0; 4]; 2], &[500; 2], &[0; 2]));
        assert!(worlds.restore(&[[0.0; 4]; 2], &[499; 2], &[7; 2]));
    }
}
