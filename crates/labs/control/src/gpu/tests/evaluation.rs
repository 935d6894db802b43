//! Evaluations on the GPU beside those of the CPU.

use super::*;
use crate::bounds::ActionBounds;

/// Makes the actor of worlds with discrete actions choose by the direction of a movement: the last action
/// where the pole falls to the right, or where car or rods move forward, and the first one otherwise. So the
/// car and the rods reach their goal. Pendulum's actor stays as it is.
fn teach(network: &mut Network, config: &ControlConfig) {
    let (inputs, outputs) = (network.inputs(), network.outputs());
    if outputs == 1 {
        return;
    }
    let hidden = config.hidden as usize;
    // The first neuron of each hidden layer has the movement, with the layout of `Layout::parameters`.
    network.weights.update(|weights| {
        let layer_2 = (inputs + 1) * hidden;
        let heads = layer_2 + (hidden + 1) * hidden;
        for i in 0..inputs {
            weights[i * hidden] = if i + 1 == inputs { 2.0 } else { 0.0 };
        }
        for i in 0..hidden {
            weights[layer_2 + i * hidden] = if i == 0 { 3.0 } else { 0.0 };
        }
        weights[heads] = -3.0;
        weights[heads + outputs - 1] = 3.0;
    });
}

/// An evaluation at its start. Its worlds fill no tile, and their numbers go beyond 32 bits.
fn start_evaluation(network: &Network) -> Evaluator {
    let stream = Stream::new(5, purpose::TRAINING_EVALUATION);
    let mut evaluator = Evaluator::new(network, stream, 58);
    evaluator.restart(stream, (1 << 32) - 20);
    evaluator
}

/// The returns of an evaluation on the GPU, and which of its episodes ended as a success.
fn run_evaluation(gpu: &Gpu, trainer: &mut Trainer, network: &Network) -> (Vec<f32>, Vec<bool>) {
    let start = start_evaluation(network).start_for_device(network, 5);
    trainer.begin_evaluation(&start).expect("the device answers");
    while trainer.advance_evaluation().expect("the device answers") != Progress::Finished {}
    let reading = trainer.read_returns().expect("an evaluation has begun");
    wait_for(gpu, || reading.poll())
}

/// The greedy policy earns in each episode what it earns on the CPU, from the same start. Rewards of discrete
/// actions are whole numbers, so their sums are equal unless rounding has changed an action of the episode.
#[test]
fn evaluations_are_those_of_the_cpu() {
    let Some(gpu) = device() else { return };
    let [clipped, squashed] = [ActionBounds::Clipped, ActionBounds::Squashed];
    let cases = [
        (World::CartPole, clipped, false),
        (World::CartPole, clipped, true),
        (World::MountainCar, clipped, true),
        (World::Pendulum, clipped, false),
        (World::Pendulum, squashed, false),
        (World::Acrobot, clipped, true),
    ];
    for (world, action_bounds, is_taught) in cases {
        let config = ControlConfig { action_bounds, ..small_config(world) };
        let mut parts = parts_of_run(&config);
        if is_taught {
            teach(&mut parts.network, &config);
        }
        let mut evaluator = start_evaluation(&parts.network);
        while !evaluator.step(&parts.network) {}
        let expected: Vec<f64> = evaluator.returns().collect();
        let mut trainer = build_trainer(gpu, &config, &parts, 1e7);
        let (found, successes) = run_evaluation(gpu, &mut trainer, &parts.network);
        evaluator.put_results(&found, &successes);
        let found: Vec<f64> = evaluator.returns().collect();
        assert_eq!(found.len(), expected.len());
        // Standing poles and fast rods multiply a difference of states by thousands in a hundred steps, after
        // which rounding changes some actions. A return is the number of steps there, up to its sign.
        let (tolerance, longest) = match world {
            World::CartPole | World::Acrobot => (0.0, 100.0),
            World::MountainCar => (0.0, f64::INFINITY),
            World::Pendulum => (1e-4, f64::INFINITY),
            World::Own => unreachable!("not among the built-in worlds"),
        };
        let compared: Vec<_> = found.iter().zip(&expected).filter(|(_, b)| b.abs() <= longest).collect();
        let differing = compared.iter().filter(|(a, b)| (*a - *b).abs() > tolerance * b.abs()).count();
        let [found_mean, mean] = [&found, &expected].map(|x| x.iter().sum::<f64>() / x.len() as f64);
        println!("{world:?}: mean return {found_mean}, on the CPU {mean}");
        println!("  {differing} of {} returns differ", compared.len());
        assert!(expected.iter().any(|x| *x != expected[0]), "{world:?}: nothing depends on the policy");
        assert!(differing <= 2, "{world:?}: {compared:?}");
        assert!((found_mean - mean).abs() <= 0.1 * mean.abs(), "{world:?}: {found_mean}, not {mean}");
    }
}

/// However an evaluation is split into submissions to the GPU, also if that changes between two units, and
/// whatever was evaluated before, it gives the same bits. It leaves training as it is.
#[test]
fn evaluations_have_the_same_bits_in_any_slices_and_change_none_of_training() {
    let Some(gpu) = device() else { return };
    for world in WORLDS {
        let config = small_config(world);
        let mut parts = parts_of_run(&config);
        teach(&mut parts.network, &config);
        let unit = unit_parameters(context(&config), &parts.network, &parts.collector);
        let run_with = |slice_costs: [f64; 2], evaluations: usize| {
            let mut trainer = build_trainer(gpu, &config, &parts, slice_costs[0]);
            let mut returns = Vec::new();
            for slice_cost in slice_costs {
                trainer.set_slice_cost(slice_cost).expect("the device answers");
                let dispatches = trainer.rollout_dispatches();
                // Each step of a rollout is a dispatch of its own, or all are one.
                assert!(slice_cost != 1.0 || dispatches > config.horizon as usize, "{dispatches}");
                assert!(slice_cost != 1e12 || dispatches < config.horizon as usize, "{dispatches}");
                run_unit(&mut trainer, &unit);
                for _ in 0..evaluations {
                    let (found, _) = run_evaluation(gpu, &mut trainer, &parts.network);
                    returns.push(found.into_iter().map(f32::to_bits).collect::<Vec<_>>());
                }
            }
            let weights: Vec<f32> = arrive(gpu, &trainer.read_weights());
            let weights: Vec<u32> = weights.into_iter().map(f32::to_bits).collect();
            (weights, returns)
        };
        let run = |slice_cost, evaluations| run_with([slice_cost; 2], evaluations);
        let (weights, returns) = run(1e12, 2);
        assert_eq!(weights, run(1e12, 0).0, "{world:?}: training without evaluations");
        assert!(returns[0] == returns[1] && returns[2] == returns[3], "{world:?}: a repetition");
        if world == World::Pendulum {
            assert_ne!(returns[0], returns[2], "the unit between has changed the policy");
        }
        for slice_cost in [1.0, 1e6, 1e7] {
            let (_, sliced) = run(slice_cost, 1);
            assert_eq!(
                [&sliced[0], &sliced[1]],
                [&returns[0], &returns[2]],
                "{world:?}: slices of {slice_cost}"
            );
        }
        // One world is enough: the dispatches of all are cut by the same rule.
        if world == World::Pendulum {
            for slice_costs in [[1.0, 1e12], [1e12, 1.0]] {
                let (changed, sliced) = run_with(slice_costs, 1);
                assert_eq!(changed, weights, "slices of {slice_costs:?}");
                assert_eq!([&sliced[0], &sliced[1]], [&returns[0], &returns[2]], "slices of {slice_costs:?}");
            }
        }
    }
}

/// The same for worlds of the user's own: with choices and with numbers as actions, random numbers in every
/// step, ends that are a success, episodes that begin with an error of the rules, and without a limit.
#[cfg(feature = "own-worlds")]
#[test]
fn evaluations_of_own_worlds_have_the_same_bits_in_any_slices() {
    let Some(gpu) = device() else { return };
    let texts = [
        include_str!("../../../tests/main/gpu/worlds/three_numbers.world"),
        include_str!("../../../tests/main/gpu/worlds/faults.world"),
        include_str!("../../../tests/main/gpu/worlds/hostile.world"),
    ];
    let config = ControlConfig { reward_scale: 1.0, shaping: 0.0, ..small_config(World::Own) };
    let (mut successes, mut has_learned) = (0, false);
    for text in texts {
        let own = OwnWorld::new("test.world", text, &Parameters::new()).expect("a good world");
        let parts = parts_of_task(&config, Task::Own(own.clone()));
        let unit = unit_parameters(context(&config), &parts.network, &parts.collector);
        let run = |slice_cost| {
            let mut trainer = build_trainer(gpu, &config, &parts, slice_cost);
            let mut found = Vec::new();
            for _ in 0..2 {
                let (returns, succeeded) = run_evaluation(gpu, &mut trainer, &parts.network);
                found.push((returns.into_iter().map(f32::to_bits).collect::<Vec<_>>(), succeeded));
                run_unit(&mut trainer, &unit);
            }
            found
        };
        let whole = run(1e12);
        has_learned |= whole[0] != whole[1];
        successes += whole[0].1.iter().filter(|succeeded| **succeeded).count();
        // A step in each submission, some steps, and several submissions of many steps.
        for slice_cost in [1.0, 2e6, 2e7] {
            assert_eq!(whole, run(slice_cost), "slices of {slice_cost}: {text}");
        }
    }
    assert!(successes > 0, "some episodes end as a success");
    assert!(has_learned, "a unit between two evaluations has changed a policy");
}
