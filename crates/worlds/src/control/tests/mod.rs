//! Compares every kind of world with Gymnasium's formulas in f64 and with recorded steps of Gymnasium itself.

mod autoreset;
mod batches;
mod reference;

use learnery_kernels::rng::Stream;
use learnery_kernels::simd::{Isa, Op, Simd};

use super::*;
use reference::Reference;

/// The source of all random numbers in these tests.
const STREAM: Stream = Stream::new(3, 1);
/// Largest accepted absolute error.
const TOLERANCE: f64 = 1e-5;

/// A step in double precision from a state with an action.
type Formula = fn(&[f64], f64) -> Reference;

/// Half widths and centres of the ranges in which random states are uniform, for each number of the state.
/// The ranges are a little wider than the bounds of an episode where a state can leave these.
type StateRange = (&'static [f32], &'static [f32]);

const CARTPOLE: StateRange = (&[2.4, 4.0, 0.25, 4.0], &[0.0; 4]);
const MOUNTAIN_CAR: StateRange = (&[0.9, 0.07], &[-0.3, 0.0]);
const PENDULUM: StateRange = (&[83.0, 8.0], &[0.0; 2]);
// The velocities are up to 4 pi and 9 pi.
const ACROBOT: StateRange = (&[std::f32::consts::PI, std::f32::consts::PI, 12.566_37, 28.274_33], &[0.0; 4]);

/// Converts a number in [0, 1) into an action; a continuous action may be outside its interval.
fn action_of(actions: Actions, u: f32) -> f32 {
    match actions {
        Actions::Discrete(n) => (u * n as f32).floor(),
        Actions::Continuous { low, high } => 1.5 * (low + u * (high - low)),
    }
}

/// Compares a step from a million random states with `formula`, in batches, with every instruction set.
fn check_against_reference<R: Rules<N>, const N: usize>(formula: Formula, (half_width, centre): StateRange) {
    // Worlds and their actions.
    struct Steps<'a, R, const N: usize>(&'a mut Worlds<R, N>, &'a [f32]);
    impl<R: Rules<N>, const N: usize> Op for Steps<'_, R, N> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            self.0.step_with(s, self.1);
        }
    }
    const WORLDS: usize = 1 << 14;
    let spec = R::SPEC;
    let mut worst = 0.0f64;
    // 66 batches of 2^14 worlds are a little more than a million. The instruction sets take turns.
    for (batch, isa) in (0..).zip(Isa::available().cycle_to(66)) {
        let mut worlds = Worlds::<R, N>::new(0..WORLDS as u64, STREAM);
        let mut uniforms = vec![0.0; (spec.state_size + 1) * WORLDS];
        STREAM.fill_uniform(batch, &mut uniforms);
        let uniforms = uniforms.chunks_exact(spec.state_size + 1);
        let mut states = Vec::new();
        let mut actions = Vec::new();
        for (i, uniform) in uniforms.enumerate() {
            let state: Vec<f32> =
                (0..spec.state_size).map(|k| centre[k] + half_width[k] * (2.0 * uniform[k] - 1.0)).collect();
            worlds.set_state(i, &state, 0);
            actions.push(action_of(spec.actions, uniform[spec.state_size]));
            states.push(state);
        }
        isa.run(Steps(&mut worlds, &actions));
        let mut ended = worlds.ended().iter().zip(worlds.final_fields()).peekable();
        for (i, (state, action)) in states.iter().zip(&actions).enumerate() {
            let exact: Vec<f64> = state.iter().map(|x| f64::from(*x)).collect();
            let Reference { state: next, observation, reward, terminated } =
                formula(&exact, f64::from(*action));
            let final_fields = ended.next_if(|(world, _)| **world == i as u32);
            let ours = final_fields.map_or_else(|| worlds.fields(i), |(_, fields)| *fields);
            let describe = || format!("{} on {}, {state:?} and {action}", spec.id, isa.name());
            for (k, (o, e)) in ours.iter().zip(&next).enumerate() {
                let mut error = (f64::from(*o) - e).abs();
                // Angles of plus and minus half a turn are equal.
                if spec.id == "Acrobot-v1" && k < 2 {
                    error = error.min(std::f64::consts::TAU - error);
                }
                worst = worst.max(error);
                assert!(error < TOLERANCE, "{}: {ours:?}, not {next:?}", describe());
            }
            for (field, e) in spec.observation.iter().zip(&observation) {
                assert!(
                    (f64::from(ours[*field]) - e).abs() < TOLERANCE,
                    "{}: not {observation:?}",
                    describe()
                );
            }
            let terminates = worlds.outcome(i) == Outcome::Terminated;
            if terminates != terminated {
                assert!(is_at_a_bound(spec.id, &next), "{}: terminated is {terminates}", describe());
            } else {
                assert!(
                    (f64::from(worlds.rewards()[i]) - reward).abs() < TOLERANCE,
                    "{}: not {reward}",
                    describe()
                );
            }
        }
        assert!(ended.next().is_none(), "the ended worlds are listed in order");
    }
    println!("{}: the largest error is {worst:.1e}", spec.id);
}

/// Whether a state is so close to the bound of termination that rounding decides.
fn is_at_a_bound(id: &str, state: &[f64]) -> bool {
    let distance = match id {
        "CartPole-v1" => (state[0].abs() - 2.4).abs().min((state[2].abs() - 0.209_439_51).abs()),
        "MountainCar-v0" => (state[0] - 0.5).abs().min(state[1].abs()),
        "Acrobot-v1" => (-state[0].cos() - (state[0] + state[1]).cos() - 1.0).abs(),
        _ => f64::INFINITY,
    };
    distance < TOLERANCE
}

trait CycleTo<T> {
    /// The first `n` items of the endless repetition.
    fn cycle_to(self, n: usize) -> impl Iterator<Item = T>;
}

impl<I: Iterator<Item = Isa>> CycleTo<Isa> for I {
    /// The first `n` items of the endless repetition.
    fn cycle_to(self, n: usize) -> impl Iterator<Item = Isa> {
        let all: Vec<Isa> = self.collect();
        (0..n).map(move |i| all[i % all.len()])
    }
}

#[test]
fn cartpole_agrees_with_the_reference() {
    check_against_reference::<CartPole, 4>(reference::cartpole, CARTPOLE);
}

#[test]
fn mountain_car_agrees_with_the_reference() {
    check_against_reference::<MountainCar, 2>(reference::mountain_car, MOUNTAIN_CAR);
}

#[test]
fn pendulum_agrees_with_the_reference() {
    check_against_reference::<Pendulum, 4>(reference::pendulum, PENDULUM);
}

#[test]
fn acrobot_agrees_with_the_reference() {
    check_against_reference::<Acrobot, 8>(reference::acrobot, ACROBOT);
}

/// Compares with recorded steps of Gymnasium (`scripts/make_control_golden.py`), of which at least `min_ends`
/// end an episode.
fn check_against_gymnasium<R: Rules<N>, const N: usize>(golden: &str, min_ends: u32) {
    let (spec, mut ends) = (R::SPEC, 0);
    // Columns: state, action, next state, observation, reward, terminated.
    for line in golden.lines().filter(|line| !line.starts_with('#')) {
        let numbers: Vec<f64> = line.split('\t').map(|n| n.parse().unwrap()).collect();
        let (state, rest) = numbers.split_at(spec.state_size);
        let (action, rest) = rest.split_first().unwrap();
        let (next, rest) = rest.split_at(spec.state_size);
        let (observation, rest) = rest.split_at(spec.observation.len());
        let mut fields = [0.0; N];
        fields.iter_mut().zip(state).for_each(|(field, x)| *field = *x as f32);
        let ours = step_one::<R, N>(fields, *action as f32);
        let near = |a: f32, b: f64| (f64::from(a) - b).abs() < TOLERANCE;
        assert!(ours.fields.iter().zip(next).all(|(o, e)| near(*o, *e)), "{line}: {ours:?}");
        let agrees = spec.observation.iter().zip(observation).all(|(field, e)| near(ours.fields[*field], *e));
        assert!(agrees && near(ours.reward, rest[0]), "{line}: {ours:?}");
        assert_eq!(ours.terminated, rest[1] == 1.0, "{line}: {ours:?}");
        ends += u32::from(ours.terminated);
    }
    assert!(ends >= min_ends, "the golden file must contain ends of episodes: {ends}");
}

#[test]
fn worlds_agree_with_recorded_steps_of_gymnasium() {
    macro_rules! golden {
        ($name:literal) => {
            include_str!(concat!("../../../../../tests/golden/control/", $name, ".tsv"))
        };
    }
    check_against_gymnasium::<CartPole, 4>(golden!("CartPole-v1"), 20);
    check_against_gymnasium::<MountainCar, 2>(golden!("MountainCar-v0"), 10);
    check_against_gymnasium::<Pendulum, 4>(golden!("Pendulum-v1"), 0);
    check_against_gymnasium::<Acrobot, 8>(golden!("Acrobot-v1"), 10);
}
