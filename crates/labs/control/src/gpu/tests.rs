//! Compares training on the GPU with training on the CPU: steps of the environments (worlds), a rollout,
//! advantages, a gradient, whole units (training iterations), and evaluations. Without an adapter the tests
//! print a line and are skipped; where the environment variable `CI` is set, they fail.
#![allow(clippy::print_stdout)] // The tests print how close the results are.

mod evaluation;
#[cfg(feature = "own-worlds")]
mod slow_compiler;

use super::ppo::{Trainer, step_worlds};
use learnery_gpu::testing::{arrive, device, wait_for};
use learnery_gpu::{Gpu, Progress};
use learnery_kernels::rng::Stream;

use super::*;
use crate::collector::WORLDS_PER_CHUNK;
use crate::config::ControlConfig;
use crate::evaluation::Evaluator;
use crate::learner::Learner;
use crate::objective::{Columns, Objective, Outputs};
#[cfg(feature = "own-worlds")]
use crate::own::{OwnWorld, Parameters};
use crate::purpose;
use crate::rollout::Sample;
use crate::task::Task;
use crate::world::{BuiltIn, World};

const WORLDS: [World; 4] = [World::CartPole, World::MountainCar, World::Pendulum, World::Acrobot];

/// The name of a world on the device.
fn on_device(world: World) -> ppo::World {
    match world {
        World::CartPole => ppo::World::CartPole,
        World::MountainCar => ppo::World::MountainCar,
        World::Pendulum => ppo::World::Pendulum,
        World::Acrobot => ppo::World::Acrobot,
        World::Own => unreachable!("its steps are compared in the crate learnery-gpu"),
    }
}

/// The ranges of the state variables in the tests of single steps: wider than those of training.
fn ranges(world: World) -> [f32; 4] {
    use std::f32::consts::PI;
    match world {
        World::CartPole => [2.5, 3.0, 0.4, 4.0],
        World::MountainCar => [0.9, 0.07, 0.0, 0.0],
        World::Pendulum => [20.0, 8.0, 0.0, 0.0],
        World::Acrobot => [PI, PI, 4.0 * PI, 9.0 * PI],
        World::Own => unreachable!("not among the built-in worlds"),
    }
}

#[test]
fn steps_are_within_1e_5_of_those_of_the_cpu() {
    let Some(gpu) = device() else { return };
    let count = 20_000;
    for world in WORLDS {
        let spec = world.kind().expect("built in").spec();
        let numbers = |i: u64| Stream::new(9, 0).uniform4(i, 0).map(|u| 2.0 * u - 1.0);
        let states: Vec<[f32; 4]> = (0..count)
            .map(|i| {
                let (range, numbers) = (ranges(world), numbers(i));
                // MountainCar's track is not symmetric.
                let shift = if world == World::MountainCar { [-0.3, 0.0, 0.0, 0.0] } else { [0.0; 4] };
                std::array::from_fn(|k| range[k] * numbers[k] + shift[k])
            })
            .collect();
        let actions: Vec<f32> = (0..count)
            .map(|i| match world.kind().expect("built in").outputs() {
                1 => 3.0 * numbers(count + i)[0],
                n => Stream::new(9, 1).below(i, 0, n as u32) as f32,
            })
            .collect();
        let found = step_worlds(gpu, on_device(world), &states, &actions).expect("the device answers");
        let mut largest: f32 = 0.0;
        for ((state, action), found) in states.iter().zip(&actions).zip(&found) {
            let expected = world.kind().expect("built in").step(&state[..spec.state_size], *action);
            for (k, (a, b)) in found.state.iter().zip(&expected.state).enumerate() {
                // Angles wrap around: those just below pi and just above -pi are close.
                let turn = if world == World::Acrobot && k < 2 { std::f32::consts::TAU } else { 0.0 };
                let difference = (a - b).abs();
                let difference =
                    if turn > 0.0 { difference.min((difference - turn).abs()) } else { difference };
                // The relative error of numbers beyond 1, the absolute error of smaller ones.
                largest = largest.max(difference / b.abs().max(1.0));
            }
            assert!(
                (found.reward - expected.reward).abs() <= 1e-5 * expected.reward.abs().max(1.0)
                    || is_near_termination(world, &expected.state)
            );
            assert!(
                found.terminated == expected.terminated || is_near_termination(world, &expected.state),
                "{world:?} from {state:?}"
            );
        }
        println!("{world:?}: largest difference {largest:e}");
        assert!(largest < 1e-5, "{world:?}: {largest}");
    }
}

/// Whether a state is so close to a termination threshold that rounding decides whether the episode ends.
fn is_near_termination(world: World, state: &[f32]) -> bool {
    let near = |a: f32, b: f32| (a - b).abs() < 1e-5;
    match world {
        World::CartPole => near(state[0].abs(), 2.4) || near(state[2].abs(), 0.209_439_51),
        World::MountainCar => near(state[0], 0.5) || state[1].abs() < 1e-5,
        World::Pendulum => false,
        World::Acrobot => near(-state[0].cos() - (state[0] + state[1]).cos(), 1.0),
        World::Own => unreachable!("not among the built-in worlds"),
    }
}

/// Settings of a small run with every optional technique. 70 worlds do not fill tiles; 41 and 100 neurons do
/// not fill vectors.
fn small_config(world: World) -> ControlConfig {
    ControlConfig {
        world,
        worlds: 70,
        horizon: 23,
        hidden: if world == World::Acrobot { 100 } else { 41 },
        epochs: 2,
        minibatches: 1,
        normalise_observations: true,
        reward_scale: 0.1,
        shaping: 5.0,
        entropy_weight: 0.01,
        value_clip: 0.2,
        initial_spread: 0.7,
        eval_every: 0,
        ..ControlConfig::default()
    }
}

/// The parts of a run on the CPU.
struct Parts {
    network: Network,
    collector: Collector,
    learner: Learner,
}

/// The parts of a run whose normaliser has seen observations, and most of whose worlds are near the time
/// limit of their episodes.
fn parts_of_run(config: &ControlConfig) -> Parts {
    parts_of_task(config, Task::new(config.world))
}

/// The same for a run that learns this.
fn parts_of_task(config: &ControlConfig, task: Task) -> Parts {
    let seed = 5;
    let mut network = Network::new(config, task, seed);
    // Noise on the weights, so that the policy is not uniform.
    network.weights.update(|weights| {
        let mut noise = vec![0.0; weights.len()];
        Stream::new(1, 1).fill_normal(0, &mut noise);
        weights.iter_mut().zip(noise).for_each(|(weight, noise)| *weight += 0.05 * noise);
    });
    let mut collector = Collector::new(config, seed, &network);
    for _ in 0..8 {
        while !collector.step(&network, config) {}
        collector.observation_sums().for_each(|sums| network.normaliser.absorb(sums));
    }
    let mut worlds = collector.worlds_for_device(&network);
    let limit = network.task().max_steps();
    for (i, steps) in worlds.steps.iter_mut().enumerate().filter(|(i, _)| i % 3 > 0) {
        *steps = limit - 1 - i as u32 % 20;
    }
    assert!(collector.put_worlds(&network, &worlds), "valid states");
    let learner = Learner::new(seed, &network, collector.len());
    Parts { network, collector, learner }
}

fn context(config: &ControlConfig) -> Context<'_, ControlConfig> {
    Context { config, seed: 5, unit: 8 }
}

/// A trainer with the state of these parts. `slice_cost` sets the size of its submissions to the GPU.
fn build_trainer(
    gpu: &Gpu,
    config: &ControlConfig,
    Parts { network, collector, learner }: &Parts,
    slice_cost: f64,
) -> Trainer {
    let trainer = new_trainer(gpu, config, network.task(), slice_cost).expect("the device can be used");
    trainer.set_weights(network.weights.flat());
    trainer
        .set_adam(&adam_for_device(&learner.adam.to_tensors(), network.weights.len()).expect("Adam's state"));
    trainer.set_worlds(0, &collector.worlds_for_device(network));
    trainer
}

/// Submits a whole unit.
fn run_unit(trainer: &mut Trainer, unit: &Unit) {
    trainer.begin(unit).expect("the device answers");
    while trainer.advance().expect("the device answers") != Progress::Finished {}
}

/// A step of a rollout of the CPU.
#[derive(Clone)]
struct Step {
    observation: Vec<f32>,
    action: f32,
    sample: Sample,
}

/// The steps of a rollout of the CPU in the order of the device: [horizon][worlds].
fn steps_of_cpu(config: &ControlConfig, network: &Network, collector: &Collector) -> Vec<Step> {
    let (worlds, horizon) = (config.worlds as usize, config.horizon as usize);
    let mut steps = vec![None; worlds * horizon];
    let mut index = 0;
    // The collector's records are ordered by chunks of worlds.
    for first in (0..worlds).step_by(WORLDS_PER_CHUNK) {
        let n = WORLDS_PER_CHUNK.min(worlds - first);
        for t in 0..horizon {
            for i in 0..n {
                let record = collector.records().get(index);
                let (observation, rest) = record.split_at(network.inputs());
                let sample = Sample::from_record(record);
                steps[t * worlds + first + i] =
                    Some(Step { observation: observation.to_vec(), action: rest[0], sample });
                index += 1;
            }
        }
    }
    steps.into_iter().map(|step| step.expect("every step")).collect()
}

fn norm(values: impl Iterator<Item = f64>) -> f64 {
    values.map(|x| x * x).sum::<f64>().sqrt()
}

/// Observations, actions, log-probabilities, values, advantages and returns are those of the CPU's collector.
#[test]
fn rollout_and_advantages_are_those_of_the_cpu() {
    let Some(gpu) = device() else { return };
    for world in WORLDS {
        let config = small_config(world);
        let mut parts = parts_of_run(&config);
        let unit = unit_parameters(context(&config), &parts.network, &parts.collector);
        let mut trainer = build_trainer(gpu, &config, &parts, 1e7);
        run_unit(&mut trainer, &unit);
        let [observations, steps, _, targets] = trainer.read_rollout().expect("the device answers");
        let Parts { network, collector, .. } = &mut parts;
        while !collector.step(network, &config) {}
        let (worlds, inputs) = (config.worlds as usize, network.inputs());
        let expected = steps_of_cpu(&config, network, collector);
        // Rounding can change a sampled action. From then on the trajectory of that world differs, so it is
        // not compared any more.
        let mut diverged = vec![false; worlds];
        let mut largest = 0.0f32;
        for (at, Step { observation, action, sample }) in expected.iter().enumerate() {
            let world = at % worlds;
            let found = &observations[at * inputs..][..inputs];
            let step = &steps[4 * at..][..4];
            diverged[world] |= network.outputs() > 1 && step[0] != *action;
            if diverged[world] {
                continue;
            }
            let target = &targets[4 * at..][..4];
            let pairs = found.iter().zip(observation).chain([
                (&step[0], action),
                (&step[1], &sample.log_prob),
                (&target[0], &sample.value),
            ]);
            largest = pairs.map(|(a, b)| (a - b).abs() / b.abs().max(1.0)).fold(largest, f32::max);
        }
        let count = diverged.iter().filter(|diverged| **diverged).count();
        println!("{world:?}: largest difference {largest:e}, {count} worlds took another action");
        assert!(largest < 1e-4, "{world:?}: {largest}");
        assert!(count <= 2, "{world:?}: {count} worlds");
        // Advantages and returns depend on the whole trajectory, so only worlds that never diverged are
        // compared.
        for (at, Step { sample, .. }) in expected.iter().enumerate().filter(|(at, _)| !diverged[at % worlds])
        {
            let target = &targets[4 * at..][..4];
            for (a, b) in [(target[1], sample.advantage), (target[2], sample.ret)] {
                assert!((a - b).abs() < 1e-3 * b.abs().max(1.0), "{world:?}: {a} instead of {b}");
            }
        }
        let returned = trainer.read_worlds(worlds);
        let returned = wait_for(gpu, || returned.poll());
        let own = collector.worlds_for_device(network);
        for i in (0..worlds).filter(|i| !diverged[*i]) {
            assert_eq!(
                (returned.steps[i], returned.episodes[i]),
                (own.steps[i], own.episodes[i]),
                "world {i}"
            );
            assert!((returned.returns[i] - own.returns[i]).abs() < 1e-2 * own.returns[i].abs().max(1.0));
        }
    }
}

/// The gradient of one minibatch, which is the whole rollout of the GPU, is that of the CPU.
#[test]
fn gradient_is_within_1e_4_of_its_norm() {
    let Some(gpu) = device() else { return };
    for world in WORLDS {
        // The second epoch, so that the policy is not the one that collected the rollout.
        let config =
            ControlConfig { epochs: 2, learning_rate: 1e-2, max_grad_norm: 1000.0, ..small_config(world) };
        let parts = parts_of_run(&config);
        let first = Unit { epochs: 1, ..unit_parameters(context(&config), &parts.network, &parts.collector) };
        let mut once = build_trainer(gpu, &config, &parts, 1e7);
        run_unit(&mut once, &first);
        let updated: Vec<f32> = arrive(gpu, &once.read_weights());
        let [observations, steps, _, targets] = once.read_rollout().expect("the device answers");
        // The same unit again, from the same state: now the gradient of the second epoch is the last.
        let mut again = build_trainer(gpu, &config, &parts, 1e7);
        run_unit(&mut again, &Unit { epochs: 2, ..first });
        let found = again.read_gradient().expect("the device answers");

        let Parts { mut network, .. } = parts;
        network.weights.update(|weights| weights.copy_from_slice(&updated));
        let rows = targets.len() / 4;
        let mut columns = Columns::new(rows);
        let advantages: Vec<f64> = targets.chunks_exact(4).map(|target| f64::from(target[1])).collect();
        for (row, (step, target)) in steps.chunks_exact(4).zip(targets.chunks_exact(4)).enumerate() {
            let [action, log_prob, ..] = step else { unreachable!() };
            let sample =
                Sample { log_prob: *log_prob, value: target[0], advantage: target[1], ret: target[2] };
            columns.put(row, &[*action], &sample);
        }
        let mean = advantages.iter().sum::<f64>() / rows as f64;
        let variance = advantages.iter().map(|a| (a - mean) * (a - mean)).sum::<f64>() / rows as f64;
        let objective = Objective::new(&config, network.policy(), rows, [mean, variance.sqrt()]);
        let x = &observations[..rows * network.inputs()];
        let mut tapes = network.tapes(rows);
        network.forward(x, rows, &mut tapes);
        let mut expected = vec![0.0; network.weights.len()];
        let (actor, d_actor) = tapes.actor.outputs_and_gradients(rows);
        let (values, d_values) = tapes.critic.outputs_and_gradients(rows);
        let mut stats = LossStats::default();
        let outputs = Outputs { actor, d_actor, values, d_values };
        let d_log_stds = objective.loss_and_gradient(&mut columns, rows, outputs, &mut stats);
        network.backward(x, rows, &mut tapes, &mut expected);
        if let Some(range) = network.log_std_range() {
            expected[range.start] += d_log_stds[0];
        }
        let distance = norm(found.iter().zip(&expected).map(|(a, b)| f64::from(*a) - f64::from(*b)));
        let length = norm(expected.iter().map(|x| f64::from(*x)));
        println!("{world:?}: gradient {length}, distance {distance:e}");
        assert!(distance < 1e-4 * length, "{world:?}: {distance} of {length}");
        let metrics = again.read_unit();
        let metrics = wait_for(gpu, || metrics.poll());
        let last = metrics.updates[1];
        for (name, a, b) in [
            ("policy loss", last.policy_loss, stats.policy_loss),
            ("value loss", last.value_loss, stats.value_loss),
            ("entropy", last.entropy, stats.entropy),
            ("KL divergence", last.kl, stats.kl),
            ("clipped", last.clipped, stats.clipped),
            ("norm", last.gradient_norm, length),
        ] {
            // Rounding may move one sample across the clipping threshold.
            let bound = 1e-3 * b.abs().max(1e-3 * rows as f64) + if name == "clipped" { 1.0 } else { 0.0 };
            assert!((f64::from(a) - b).abs() <= bound, "{world:?}: {name} is {a}, not {b}");
        }
    }
}

/// However a unit is split into submissions to the GPU, it gives the same bits, also when it is repeated. So
/// does what it reports of faults of the rules of a text.
#[test]
fn slices_and_repeats_give_the_same_bits() {
    let Some(gpu) = device() else { return };
    let tasks = WORLDS.into_iter().chain([World::Own]).map(|world| (world, Task::new(world)));
    #[cfg(feature = "own-worlds")]
    let tasks = tasks.chain([(World::Own, faulty())]);
    for (k, (world, task)) in tasks.enumerate() {
        let config = ControlConfig { minibatches: 5, ..small_config(world) };
        let parts = parts_of_task(&config, task);
        let unit = unit_parameters(context(&config), &parts.network, &parts.collector);
        let run = |slice_cost| {
            let mut trainer = build_trainer(gpu, &config, &parts, slice_cost);
            run_unit(&mut trainer, &unit);
            let metrics = trainer.read_unit();
            let weights: Vec<f32> = arrive(gpu, &trainer.read_weights());
            let bits: Vec<u32> = weights.iter().map(|x| x.to_bits()).collect();
            (bits, wait_for(gpu, || metrics.poll()))
        };
        let whole = run(1e12);
        assert_eq!(whole.1.faults.is_some(), k > WORLDS.len(), "{world:?}: {:?}", whole.1.faults);
        assert_eq!(whole, run(1e12), "{world:?}: a repetition");
        for slice_cost in [1.0, 1e6, 1e7] {
            assert_eq!(whole, run(slice_cost), "{world:?}: slices of {slice_cost}");
        }
    }
}

/// A text with faults of all kinds.
#[cfg(feature = "own-worlds")]
fn faulty() -> Task {
    let text = include_str!("../../tests/main/gpu/worlds/faults.world");
    Task::Own(OwnWorld::new("faults", text, &Parameters::new()).expect("a good world"))
}

/// Every sample is in exactly one minibatch of an epoch. So with a learning rate of zero the sums of a term
/// of the loss over all minibatches of an epoch add up to the sum of a single, whole minibatch.
#[test]
fn minibatches_of_an_epoch_hold_every_sample_once() {
    let Some(gpu) = device() else { return };
    let config =
        ControlConfig { learning_rate: 0.0, normalise_advantages: false, ..small_config(World::CartPole) };
    let parts = parts_of_run(&config);
    let run = |epochs, minibatches| {
        let unit = unit_parameters(context(&config), &parts.network, &parts.collector);
        let mut trainer = build_trainer(gpu, &config, &parts, 1e7);
        run_unit(&mut trainer, &Unit { epochs, minibatches, ..unit });
        let metrics = trainer.read_unit();
        wait_for(gpu, || metrics.poll()).updates
    };
    let whole = run(1, 1)[0];
    let minibatches = run(2, 7);
    for epoch in minibatches.chunks_exact(7) {
        let sum: f64 = epoch.iter().map(|update| f64::from(update.value_loss)).sum();
        assert!(
            (sum / f64::from(whole.value_loss) - 1.0).abs() < 1e-5,
            "{sum} instead of {}",
            whole.value_loss
        );
    }
    // The epochs are shuffled differently.
    assert_ne!(minibatches[0].value_loss, minibatches[7].value_loss);
}

/// Early stopping: a unit ends after the first epoch whose mean KL divergence exceeds the limit.
#[test]
fn kl_limit_stops_after_an_epoch() {
    let Some(gpu) = device() else { return };
    let config =
        ControlConfig { epochs: 9, minibatches: 3, learning_rate: 1e-2, ..small_config(World::CartPole) };
    let parts = parts_of_run(&config);
    let run = |target_kl| {
        let unit = unit_parameters(context(&config), &parts.network, &parts.collector);
        let mut trainer = build_trainer(gpu, &config, &parts, 1e7);
        run_unit(&mut trainer, &Unit { target_kl, ..unit });
        let (metrics, adam) = (trainer.read_unit(), trainer.read_adam());
        (wait_for(gpu, || metrics.poll()).updates, wait_for(gpu, || adam.poll()).steps)
    };
    let (all, _) = run(0.0);
    assert_eq!(all.len(), 27);
    let samples = f64::from(config.worlds * config.horizon);
    let divergence =
        |epoch: usize| all[3 * epoch..][..3].iter().map(|u| f64::from(u.kl)).sum::<f64>() / samples;
    assert!(divergence(1) < divergence(2), "{} {}", divergence(1), divergence(2));
    // The limit lies halfway between the divergences of the second and the third epoch.
    let (limited, steps) = run((0.5 * (divergence(1) + divergence(2))) as f32);
    assert_eq!((limited.len(), steps), (9, 9));
    assert_eq!(limited, all[..9]);
}
