//! Epochs on the device beside those of the CPU: states, losses, the gradients of every layer, and logits.
//! Without an adapter the tests are skipped, with a visible line, except where the environment variable `CI`
//! is set.

use learnery_gpu::testing::{arrive, device, relative_distance_with_floor};
use learnery_lab::{OnDevice, Pump};

use super::*;
use crate::config::InitialKernels;

const SEED: u32 = 3;

/// Each experiment with few steps; the second with truth tables as parameters, the third with about a third
/// of its gates hard, the fifth with identical kernels.
fn cases() -> Vec<LogicConfig> {
    let cases = Experiment::ALL.into_iter().enumerate().map(|(i, experiment)| LogicConfig {
        experiment,
        parameters: if i == 1 { Parameters::Table } else { Parameters::Kinds },
        initial_kernels: if i == 4 { InitialKernels::Identical } else { InitialKernels::AllDirections },
        initial_noise: 0.5,
        initial_wire_logit: 4.0,
        // 15 grids of 3x3 cells are an odd number of cells, so the device's last tile (two cells) is half
        // empty.
        batch: if experiment == Experiment::Life { 15 } else { 1 },
        steps: if experiment == Experiment::Checkerboard { 3 } else { 2 },
        fire_rate: 0.6,
        discretised_fraction: if i == 2 { 0.3 } else { 0.0 },
        local_search_tries: 0,
        epochs: 1,
        ..LogicConfig::default()
    });
    cases.collect()
}

fn trainer(config: &LogicConfig) -> Trainer {
    Trainer::new(config, Network::new(config, SEED), SEED)
}

/// Runs a unit on the device.
fn run_unit(device: &mut Pump<GpuLearner>, trainer: &mut Trainer, config: &LogicConfig) -> Vec<Losses> {
    let mut losses = Vec::new();
    loop {
        match device.step(DeviceRun { config, seed: SEED, trainer, losses: &mut losses }) {
            Status::UnitFinished => return losses,
            Status::Failed => panic!("{:?}", device.failure()),
            Status::Ready | Status::Waiting => {}
        }
    }
}

/// The gradients of layers far from the loss can be this small; the CPU rounds parts of them away
/// (`GRADIENT_BIAS`).
const NEGLIGIBLE: f64 = 1e-11;

fn distance(a: &[f32], b: &[f32]) -> f64 {
    relative_distance_with_floor(a, b, NEGLIGIBLE)
}

#[test]
fn states_losses_and_gradients_of_every_layer_are_those_of_the_cpu() {
    let Some(gpu) = device() else { return };
    for config in cases() {
        let (mut cpu, mut on_device) = (trainer(&config), trainer(&config));
        let mut device = Pump::new(GpuLearner::new(gpu, &on_device).expect("the device can be used"));
        while !cpu.step(&config, SEED) {}
        let losses = run_unit(&mut device, &mut on_device, &config);
        let name = config.experiment.name();
        assert!((losses[0].soft - cpu.losses.soft).abs() < 1e-5, "{name}: {losses:?} {:?}", cpu.losses);
        assert!((losses[0].hard - cpu.losses.hard).abs() < 1e-12, "{name}: {losses:?} {:?}", cpu.losses);

        let learner = device.trainer();
        let grids = cpu.soft.grids();
        for step in 0..=cpu.soft.steps() {
            let state: Vec<f32> = arrive(gpu, &learner.trainer.read_state(step, learner.state.len()));
            let expected: Vec<f32> = (0..cpu.setup.channels)
                .flat_map(|channel| grids.channel(cpu.soft.state(step), channel).collect::<Vec<_>>())
                .collect();
            let apart = state.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(apart < 1e-4, "{name}: state {step} is {apart} apart");
        }

        let slots: Vec<f32> = arrive(gpu, &learner.trainer.read_coefficient_gradients());
        let gates = cpu.network.circuits.gates();
        let mut gradient = vec![0.0; 4 * gates];
        for part in slots.chunks_exact(4 * gates) {
            gradient.iter_mut().zip(part).for_each(|(sum, x)| *sum += x);
        }
        // After the epoch, the first part holds the sum of all parts (`Backward::finish`).
        let expected = &cpu.backward.d_coefs[0];
        let circuits = &cpu.network.circuits;
        let mut first = 0;
        for (layer, wiring) in circuits.perception.wirings().chain(circuits.update.wirings()).enumerate() {
            let range = 4 * first..4 * (first + wiring.gates());
            let apart = distance(&gradient[range.clone()], &expected[range]);
            assert!(apart < 1e-4, "{name}: the gradient of layer {layer} is {apart} apart");
            first += wiring.gates();
        }
        let apart = distance(&on_device.network.logits, &cpu.network.logits);
        assert!(apart < 1e-4, "{name}: the logits are {apart} apart");
    }
}
