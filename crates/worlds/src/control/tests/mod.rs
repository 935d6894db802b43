//! Compares every kind of world with Gymnasium's formulas in f64 and with recorded steps of Gymnasium itself.

mod batches;
mod reference;

use learnery_kernels::rng::Stream;
use learnery_kernels::simd::{Isa, Op, Simd};

use super::*;
use reference::Reference;

const STREAM: Stream = Stream::new(3, 1);
/// Largest accepted absolute error.
const TOLERANCE: f64 = 1e-5;

type Formula = fn(&[f64], f64) -> Reference;

/// Half widths and centres of the ranges from which states are drawn.
type StateRange = (&'static [f32], &'static [f32]);

const CARTPOLE: StateRange = (&[2.4, 4.0, 0.25, 4.0], &[0.0; 4]);
const MOUNTAIN_CAR: StateRange = (&[0.9, 0.07], &[-0.3, 0.0]);
const PENDULUM: StateRange = (&[83.0, 8.0], &[0.0; 2]);
const ACROBOT: StateRange = (&[std::f32::consts::PI, std::f32::consts::PI, 12.566_37, 28.274_33], &[0.0; 4]);

fn action_of(actions: Actions, u: f32) -> f32 {
    match actions {
        Actions::Discrete(n) => (u * n as f32).floor(),
        Actions::Continuous { low, high } => 1.5 * (low + u * (high - low)),
    }
}

/// Steps a million random states in batches, with every instruction set.
fn agrees_with<R: Rules<N>, const N: usize>(formula: Formula, (half_width, centre): StateRange) {
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
    for (round, isa) in (0..).zip(Isa::available().cycle_to(66)) {
        let mut worlds = Worlds::<R, N>::new(0..WORLDS as u64, STREAM);
        let mut draws = vec![0.0; (spec.state_size + 1) * WORLDS];
        STREAM.fill_uniform(round, &mut draws);
        let draws = draws.chunks_exact(spec.state_size + 1);
        let mut states = Vec::new();
        let mut actions = Vec::new();
        for (i, draw) in draws.enumerate() {
            let state: Vec<f32> =
                (0..spec.state_size).map(|k| centre[k] + half_width[k] * (2.0 * draw[k] - 1.0)).collect();
            worlds.set_state(i, &state, 0);
            actions.push(action_of(spec.actions, draw[spec.state_size]));
            states.push(state);
        }
        isa.run(Steps(&mut worlds, &actions));
        let mut ended = worlds.ended().iter().zip(worlds.final_fields()).peekable();
        for (i, (state, action)) in states.iter().zip(&actions).enumerate() {
            let exact: Vec<f64> = state.iter().map(|x| f64::from(*x)).collect();
            let Reference { state: next, seen, reward, terminated } = formula(&exact, f64::from(*action));
            let over = ended.next_if(|(world, _)| **world == i as u32);
            let ours = over.map_or_else(|| worlds.fields(i), |(_, fields)| *fields);
            let describe = || format!("{} on {}, {state:?} and {action}", spec.id, isa.name());
            for (k, (o, e)) in ours.iter().zip(&next).enumerate() {
                let mut off = (f64::from(*o) - e).abs();
                // Angles of plus and minus half a turn are equal.
                if spec.id == "Acrobot-v1" && k < 2 {
                    off = off.min(std::f64::consts::TAU - off);
                }
                worst = worst.max(off);
                assert!(off < TOLERANCE, "{}: {ours:?}, not {next:?}", describe());
            }
            for (field, e) in spec.observation.iter().zip(&seen) {
                assert!((f64::from(ours[*field]) - e).abs() < TOLERANCE, "{}: not {seen:?}", describe());
            }
            let terminates = worlds.outcome(i) == Outcome::Terminated;
            if terminates != terminated {
                assert!(at_an_edge(spec.id, &next), "{}: over is {terminates}", describe());
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
    println!("{}: at most {worst:.1e} off", spec.id);
}

/// Whether a state is so close to the end of an episode that rounding decides.
fn at_an_edge(id: &str, state: &[f64]) -> bool {
    let distance = match id {
        "CartPole-v1" => (state[0].abs() - 2.4).abs().min((state[2].abs() - 0.209_439_51).abs()),
        "MountainCar-v0" => (state[0] - 0.5).abs().min(state[1].abs()),
        "Acrobot-v1" => (-state[0].cos() - (state[0] + state[1]).cos() - 1.0).abs(),
        _ => f64::INFINITY,
    };
    distance < TOLERANCE
}

trait CycleTo<T> {
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
    agrees_with::<CartPole, 4>(reference::cartpole, CARTPOLE);
}

#[test]
fn mountain_car_agrees_with_the_reference() {
    agrees_with::<MountainCar, 2>(reference::mountain_car, MOUNTAIN_CAR);
}

#[test]
fn pendulum_agrees_with_the_reference() {
    agrees_with::<Pendulum, 4>(reference::pendulum, PENDULUM);
}

#[test]
fn acrobot_agrees_with_the_reference() {
    agrees_with::<Acrobot, 8>(reference::acrobot, ACROBOT);
}

/// Compares with steps recorded from Gymnasium.
fn agrees_with_gymnasium<R: Rules<N>, const N: usize>(golden: &str, least_ends: u32) {
    let (spec, mut ends) = (R::SPEC, 0);
    for line in golden.lines().filter(|line| !line.starts_with('#')) {
        let numbers: Vec<f64> = line.split('\t').map(|n| n.parse().unwrap()).collect();
        let (state, rest) = numbers.split_at(spec.state_size);
        let (action, rest) = rest.split_first().unwrap();
        let (next, rest) = rest.split_at(spec.state_size);
        let (seen, rest) = rest.split_at(spec.observation.len());
        let mut fields = [0.0; N];
        fields.iter_mut().zip(state).for_each(|(field, x)| *field = *x as f32);
        let ours = step_one::<R, N>(fields, *action as f32);
        let near = |a: f32, b: f64| (f64::from(a) - b).abs() < TOLERANCE;
        assert!(ours.fields.iter().zip(next).all(|(o, e)| near(*o, *e)), "{line}: {ours:?}");
        let all_seen = spec.observation.iter().zip(seen).all(|(field, e)| near(ours.fields[*field], *e));
        assert!(all_seen && near(ours.reward, rest[0]), "{line}: {ours:?}");
        assert_eq!(ours.terminated, rest[1] == 1.0, "{line}: {ours:?}");
        ends += u32::from(ours.terminated);
    }
    assert!(ends >= least_ends, "the golden file must contain ends of episodes: {ends}");
}

#[test]
fn worlds_agree_with_recorded_steps_of_gymnasium() {
    macro_rules! golden {
        ($name:literal) => {
            include_str!(concat!("../../../../../tests/golden/control/", $name, ".tsv"))
        };
    }
    agrees_with_gymnasium::<CartPole, 4>(golden!("CartPole-v1"), 20);
    agrees_with_gymnasium::<MountainCar, 2>(golden!("MountainCar-v0"), 10);
    agrees_with_gymnasium::<Pendulum, 4>(golden!("Pendulum-v1"), 0);
    agrees_with_gymnasium::<Acrobot, 8>(golden!("Acrobot-v1"), 10);
}
