//! The texts of the four worlds of classic control (`examples`) compared with the built-in worlds
//! (`learnery_worlds::control`).

use learnery_kernels::rng::Stream;
use learnery_kernels::simd::MAX_LANES;
use learnery_world_rules::{Moment, Outcome, Worlds};
use learnery_worlds::control::Kind;

use crate::support::{example, same, with_every_isa};

/// States on which a text is compared with the built-in world.
const STATES: usize = 20_000;

/// How far two numbers may be apart, relative to numbers above 1.
fn distance(a: f32, b: f32) -> f32 {
    (a - b).abs() / a.abs().max(b.abs()).max(1.0)
}

/// The result of a comparison.
struct Comparison {
    states: usize,
    /// Steps with the same bits in all numbers of the next state, the reward and the observation.
    same: usize,
    /// The largest [`distance`] of two numbers.
    furthest: f32,
}

/// Compares one step from each of many states. `scales` are the sizes of the random numbers of a state.
fn compare(name: &str, kind: Kind, scales: &[f32], tolerance: f32) -> Comparison {
    let world = example(name);
    let spec = kind.spec();
    let parameters = world.parameters();
    let random = Stream::new(1, 7);
    let mut result = Comparison { states: 0, same: 0, furthest: 0.0 };
    let count = 64;
    let mut batch = Worlds::new(world.clone(), &parameters, 0..count as u64, Stream::new(1, 8));
    let scale: Vec<f32> = world.spec().observations.iter().map(|seen| seen.scale).collect();
    let mut block = 0;
    while result.states < STATES {
        let (mut states, mut actions) = (Vec::new(), Vec::new());
        while states.len() < count {
            block += 1;
            let numbers = random.uniform4(block, 0);
            let state: Vec<f32> = scales.iter().zip(numbers).map(|(s, u)| s * (2.0 * u - 1.0)).collect();
            if batch.restore(states.len(), &state, 1, 0) {
                states.push(state);
                actions.push(match spec.actions {
                    learnery_worlds::control::Actions::Discrete(n) => random.below(block, 1, n as u32) as f32,
                    learnery_worlds::control::Actions::Continuous { low, high } => {
                        // Some are beyond the bounds.
                        1.2 * (low + (high - low) * random.uniform(block, 1))
                    }
                });
            }
        }
        batch.step(&actions);
        let mut seen = vec![0.0; count * scale.len()];
        batch.observe(&mut seen);
        for i in 0..count {
            let expected = kind.step(&states[i], actions[i]);
            let (mut state, mut observation) = (vec![0.0; states[i].len()], Vec::new());
            batch.state(i, &mut state);
            observation.extend_from_slice(&seen[i * scale.len()..(i + 1) * scale.len()]);
            if let Some(k) = batch.ended().iter().position(|ended| *ended as usize == i) {
                state = batch.final_state(k).to_vec();
                observation = batch.final_observation(k).to_vec();
            }
            observation.iter_mut().zip(&scale).for_each(|(x, scale)| *x *= scale);
            let ours =
                state.iter().chain([&batch.reward(i)]).chain(&observation).copied().collect::<Vec<_>>();
            let theirs = expected.state.iter().chain([&expected.reward]).chain(&expected.observation);
            let theirs: Vec<f32> = theirs.copied().collect();
            let is_same = ours.iter().zip(&theirs).all(|(a, b)| same(*a, *b));
            let furthest = ours.iter().zip(&theirs).map(|(a, b)| distance(*a, *b)).fold(0.0, f32::max);
            let is_over = matches!(batch.outcome(i), Outcome::Failed | Outcome::Succeeded);
            assert!(furthest <= tolerance, "{name} from {:?}: {ours:?} and {theirs:?}", states[i]);
            assert_eq!(is_over, expected.terminated, "{name} from {:?}", states[i]);
            result.furthest = result.furthest.max(furthest);
            result.same += usize::from(is_same);
            result.states += 1;
        }
    }
    result
}

#[test]
fn cartpole_agrees_with_the_built_in_world() {
    with_every_isa(|_| {
        compare("cartpole", Kind::CartPole, &[2.4, 3.0, 0.21, 3.0], 1e-6);
    });
}

#[test]
fn mountain_car_agrees_to_a_rounding() {
    with_every_isa(|_| {
        let result = compare("mountain_car", Kind::MountainCar, &[1.2, 0.07], 1e-6);
        // The scale of the observations is rounded, so the states are compared.
        assert!(result.furthest < 2e-7);
    });
}

#[test]
fn pendulum_agrees_to_the_bit() {
    with_every_isa(|_| {
        let result = compare("pendulum", Kind::Pendulum, &[90.0, 8.0], 1e-6);
        assert_eq!(result.same, result.states);
    });
}

#[test]
fn acrobot_agrees_to_the_bit_while_it_is_slow() {
    use std::f32::consts::PI;
    with_every_isa(|_| {
        // The built-in world computes faster rods in double precision.
        let result = compare("acrobot", Kind::Acrobot, &[PI, PI, 10.0, 10.0], 1e-6);
        assert_eq!(result.same, result.states);
        compare("acrobot", Kind::Acrobot, &[PI, PI, 4.0 * PI, 9.0 * PI], 2e-3);
    });
}

#[test]
fn episodes_begin_as_in_the_built_in_worlds() {
    let kinds = [
        ("cartpole", Kind::CartPole),
        ("mountain_car", Kind::MountainCar),
        ("pendulum", Kind::Pendulum),
        ("acrobot", Kind::Acrobot),
    ];
    let stream = Stream::new(3, 4);
    for (name, kind) in kinds {
        let world = example(name);
        for i in 0..10 * MAX_LANES as u64 {
            let (index, episode) = (i << 30, i as u32 * 3);
            let moment = Moment { stream, world: index, episode, step: 0 };
            let ours = world.begin(&world.parameters(), moment).state;
            let theirs = kind.start(stream, index, episode);
            let furthest = ours.iter().zip(&theirs).map(|(a, b)| distance(*a, *b)).fold(0.0, f32::max);
            assert!(furthest < 1e-7, "{name}: {ours:?} and {theirs:?}");
        }
    }
}
