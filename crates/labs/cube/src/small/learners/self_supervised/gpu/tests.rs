//! Learning the 2x2x2 on the GPU beside the same learner on the CPU. Without an adapter the tests are
//! skipped, with a visible line, except where the environment variable `CI` is set.

use learnery_gpu::testing::{device, relative_distance};
use learnery_kernels::rng::Stream;
use learnery_lab::{OnDevice, Pump, Row};
use learnery_worlds::cube::{State, corners, turns};

use super::*;
use crate::config::TurnMetric;
use crate::gpu::pack;
use crate::small::scramble::scramble_up_to;

fn config(learner: Method) -> CubeConfig {
    CubeConfig {
        learner,
        hidden_1: 24,
        hidden_2: 16,
        batch: 300,
        learning_rate: 0.01,
        refresh_every: 8,
        residual_fraction: 0.4,
        max_grad_norm: 1000.0,
        ..CubeConfig::default()
    }
}

/// A learner with its network, on the device or not.
struct Pair {
    learner: SelfSupervised,
    network: Network,
    space: StateSpace,
    device: Option<Pump<DeviceLearner>>,
}

impl Pair {
    fn new(config: &CubeConfig, gpu: Option<&Gpu>) -> Self {
        let space = StateSpace::new(config.metric.to_rules(), config.uses_symmetry());
        let network = Network::new(config, Stream::new(3, 1));
        let learner = SelfSupervised::new(config, 5, &network, &space);
        let mut pair = Self { learner, network, space, device: None };
        gpu.into_iter().for_each(|gpu| pair.use_gpu(gpu, config));
        pair
    }

    fn use_gpu(&mut self, gpu: &Gpu, config: &CubeConfig) {
        let device = DeviceLearner::new(gpu, config, &self.learner, &self.network, &self.space);
        self.device = Some(Pump::new(device.expect("the device can be used")));
    }

    /// Makes some updates. Returns the sum of their losses and that of the gradient norms.
    fn update(&mut self, config: &CubeConfig, updates: u32) -> [f64; 2] {
        let config = CubeConfig { updates, ..config.clone() };
        let Self { learner, network, space, device } = self;
        learner.begin_unit();
        loop {
            let Some(device) = device else {
                if learner.step(&config, network, space) {
                    break;
                }
                continue;
            };
            match device.step(DeviceRun { config: &config, network, learner }) {
                Status::Ready => {}
                Status::Waiting => std::thread::yield_now(),
                Status::UnitFinished => break,
                Status::Failed => panic!("{:?}", device.failure()),
            }
        }
        while let Some(device) = device
            && device.prepare_save(DeviceRun { config: &config, network, learner }) == Status::Waiting
        {
        }
        let mut row = Row::new(crate::about::ABOUT.metrics);
        learner.metrics(&mut row);
        ["loss", "gradNorm"].map(|name| row.get(name) * f64::from(updates))
    }

    fn first_moments(&self) -> Vec<f32> {
        self.learner.adam.to_tensors().get_vec("m").expect("the first moments")
    }
}

/// All methods, in both metrics, with classes of symmetric states and without.
fn cases() -> [CubeConfig; 4] {
    let half = |learner| CubeConfig { metric: TurnMetric::Half, hidden_2: 0, ..config(learner) };
    [
        config(Method::Davi),
        half(Method::Davi),
        half(Method::Efficientcube),
        CubeConfig { symmetry: false, ..config(Method::Cayleypy) },
    ]
}

/// One update. The gradient is read from the optimiser: after its first step the first moments are a tenth of
/// it. No samples are drawn by residual, because the device's sums in single precision may draw a neighbour
/// of the CPU's node.
#[test]
fn losses_and_gradients_are_those_of_the_cpu() {
    let Some(gpu) = device() else { return };
    for config in cases() {
        let config = CubeConfig { residual_fraction: 0.0, ..config };
        let [mut cpu, mut gpu] = [Pair::new(&config, None), Pair::new(&config, Some(gpu))];
        let [expected, found] = [cpu.update(&config, 1), gpu.update(&config, 1)];
        for (expected, found) in expected.into_iter().zip(found) {
            assert!((found - expected).abs() < 1e-4 * expected, "{config:?}: {found}, not {expected}");
        }
        let distance = relative_distance(&gpu.first_moments(), &cpu.first_moments());
        assert!(distance < 1e-4, "{config:?}: the gradients are {distance} apart");
    }
}

/// Twenty updates. Target values are refreshed after eight updates at the latest (`refresh_every`), or sooner
/// if the loss allows it.
#[test]
fn updates_are_those_of_the_cpu() {
    let Some(gpu) = device() else { return };
    for config in cases() {
        let config = CubeConfig { refresh_below: 3.0, ..config };
        let mut pairs = [Pair::new(&config, None), Pair::new(&config, Some(gpu))];
        let begin = pairs[0].network.weights.flat().to_vec();
        let [[expected, _], [found, _]] = pairs.each_mut().map(|pair| pair.update(&config, 20));
        assert!((found - expected).abs() < 0.01 * expected, "{config:?}: {found}, not {expected}");
        let [cpu, gpu] = &pairs;
        let change = |pair: &Pair| -> Vec<f32> {
            pair.network.weights.flat().iter().zip(&begin).map(|(a, b)| a - b).collect()
        };
        let distance = relative_distance(&change(gpu), &change(cpu));
        assert!(distance < 0.01, "{config:?}: the changes of the parameters are {distance} apart");
        if let [Some(cpu), Some(gpu)] = [cpu, gpu].map(|pair| pair.learner.target_values.as_ref()) {
            assert!(cpu.refreshed_at() > 0);
            assert_eq!(gpu.refreshed_at(), cpu.refreshed_at());
            let distance = relative_distance(gpu.values(), cpu.values());
            assert!(distance < 0.01, "{config:?}: the target values are {distance} apart");
            assert_eq!(gpu.values()[0].to_bits(), 0, "the solved cube is at distance zero");
        }
    }
}

/// The packed state that the device should have for a node: the value of a place is three times the corner
/// there plus its twist.
fn packed_state(space: &StateSpace, node: u32) -> [u32; 4] {
    let found = corners(space.state(node));
    let values: Vec<u8> =
        found.corner.iter().zip(found.twist).map(|(corner, twist)| 3 * corner + twist).collect();
    pack(&values)
}

/// Scrambles have the CPU's random words, also where the number of the scramble exceeds 32 bits.
#[test]
fn scrambles_are_those_of_the_cpu_bit_for_bit() {
    let Some(gpu) = device() else { return };
    for (metric, symmetry, scramble, update) in [
        (TurnMetric::Quarter, true, 20, 0),
        (TurnMetric::Half, true, 100, 1 << 40),
        (TurnMetric::Quarter, false, 1, (1 << 33) + 5),
        (TurnMetric::Half, false, 14, 3),
    ] {
        let config = CubeConfig { metric, symmetry, scramble, batch: 130, ..config(Method::Cayleypy) };
        let mut pair = Pair::new(&config, Some(gpu));
        pair.learner.set_updates(update);
        pair.update(&config, 1);
        let Pair { learner, space, device, .. } = &pair;
        let device = device.as_ref().expect("it is on the device");
        let [states, labels] = device.trainer().trainer.read_samples().expect("the samples");
        for (row, (found, label)) in
            states.as_chunks::<4>().0.iter().zip(labels.as_chunks::<4>().0).enumerate()
        {
            let index = update * 130 + row as u64;
            let (state, turn, length): (State, _, _) =
                scramble_up_to(turns(), learner.scrambles, index, scramble, space.metric());
            assert_eq!(*found, packed_state(space, space.node(state)), "{metric:?}, update {update}");
            // Two of the four words are not used, see `wgsl/scrambles.wgsl`.
            assert_eq!(*label, [u32::from(turn), length, 0, 0]);
        }
        assert_eq!(states.len(), 4 * 130);
    }
}

/// Nodes drawn by residual from the table of target values, and the targets of all samples.
#[test]
fn samples_by_residual_and_targets_are_those_of_the_cpu() {
    let Some(gpu) = device() else { return };
    let config = CubeConfig { refresh_every: 1000, ..config(Method::Davi) };
    let mut pair = Pair::new(&config, None);
    // Values that look random, so that most nodes have a residual.
    let values: Vec<f32> = (0..pair.space.nodes())
        .map(|i| if i == 0 { 0.0 } else { (i * 7919 % 10_007) as f32 / 1000.0 })
        .collect();
    let Pair { learner, space, .. } = &mut pair;
    learner.target_values.as_mut().expect("value iteration").restore(space, values, 0);
    pair.use_gpu(gpu, &config);
    pair.update(&config, 1);
    let Pair { learner, space, device, .. } = &pair;
    let target_values = learner.target_values.as_ref().expect("value iteration");
    let device = device.as_ref().expect("it is on the device");
    let [states, labels] = device.trainer().trainer.read_samples().expect("the samples");
    let mut others = 0;
    for (row, (found, label)) in states.as_chunks::<4>().0.iter().zip(labels.as_chunks::<4>().0).enumerate() {
        // Of the 300 samples, the first 120 (`residual_fraction` is 0.4) are drawn by residual.
        let node = if row < 120 {
            let offset = learner.residual_samples.uniform(0, row as u64);
            target_values.sample_at((row as f64 + f64::from(offset)) / 120.0).expect("there are residuals")
        } else {
            let (state, ..) =
                scramble_up_to(turns(), learner.scrambles, row as u64, config.scramble, space.metric());
            space.node(state)
        };
        if *found != packed_state(space, node) {
            // Sums of the device are in single precision, so it may draw the neighbour of the node that the
            // CPU draws.
            assert!(row < 120, "sample {row} is another scramble");
            others += 1;
            continue;
        }
        // Node 0 is the solved cube.
        let expected = if node == 0 { 0.0 } else { target_values.target(space, node) };
        assert_eq!(f32::from_bits(label[1]), expected, "the target of sample {row}");
    }
    assert!(others <= 1, "{others} of 120 nodes are others");
}
