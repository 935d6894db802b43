//! Learning on the GPU beside the same learner on the CPU. Without an adapter the tests are skipped, with a
//! visible line, except where the environment variable `CI` is set.

use learnery_gpu::testing::{device, relative_distance};
use learnery_kernels::rng::Stream;
use learnery_lab::{OnDevice, Pump, Row};

use super::super::samples::{Sample, Sampler};
use super::*;
use crate::config::{PuzzleName, TurnMetric};
use crate::large::puzzle;

fn config_of(learner: Method) -> CubeConfig {
    CubeConfig {
        puzzle: PuzzleName::Three,
        learner,
        hidden_1: 24,
        hidden_2: 16,
        batch: 300,
        scramble: 7,
        updates: 1,
        anneal: 1000,
        learning_rate: 0.01,
        refresh_every: 8,
        refresh_below: 0.0,
        residual_fraction: 0.4,
        ..CubeConfig::default()
    }
}

/// A learner with its network, on the device or not.
struct Pair {
    learner: Learner,
    network: Network,
    device: Option<Pump<DeviceLearner>>,
}

impl Pair {
    fn new(config: &CubeConfig, gpu: Option<&Gpu>) -> Self {
        let network = Network::new(config, puzzle(), Stream::new(3, 1));
        let learner = Learner::new(config, 5, &network);
        let mut pair = Self { learner, network, device: None };
        gpu.into_iter().for_each(|gpu| pair.use_gpu(gpu, config));
        pair
    }

    fn use_gpu(&mut self, gpu: &Gpu, config: &CubeConfig) {
        let device = DeviceLearner::new(gpu, config, &self.learner, &self.network);
        self.device = Some(Pump::new(device.expect("the device can be used")));
    }

    /// Makes some updates. Returns the sum of their losses and that of the gradient norms.
    fn update(&mut self, config: &CubeConfig, updates: u32) -> [f64; 2] {
        let config = CubeConfig { updates, ..config.clone() };
        let Self { learner, network, device } = self;
        learner.begin_unit();
        loop {
            let status = match device {
                Some(device) => device.step(DeviceRun { config: &config, network, learner }),
                None => learner.step(&config, network),
            };
            match status {
                Status::Ready => {}
                Status::Waiting => std::thread::yield_now(),
                Status::UnitFinished => break,
                Status::Failed => panic!("{:?}", device.as_ref().and_then(OnDevice::failure)),
            }
        }
        while let Some(device) = device
            && device.prepare_save(DeviceRun { config: &config, network, learner }) == Status::Waiting
        {
        }
        let mut row = Row::new(crate::about::ABOUT.metrics);
        self.learner.metrics(&mut row);
        ["loss", "gradNorm"].map(|name| row.get(name) * f64::from(updates))
    }

    fn first_moments(&self) -> Vec<f32> {
        self.learner.adam.to_tensors().get_vec("m").expect("the first moments")
    }
}

/// All methods, with the distillation, in both metrics, with one hidden layer up to three.
fn cases() -> Vec<CubeConfig> {
    let walks = config_of(Method::Cayleypy);
    vec![
        walks.clone(),
        CubeConfig {
            metric: TurnMetric::Half,
            hidden_2: 0,
            scramble: 11,
            ..config_of(Method::Efficientcube)
        },
        CubeConfig { hidden_3: 20, ..config_of(Method::Davi) },
        CubeConfig { metric: TurnMetric::Half, ..config_of(Method::Davi) },
        // Distilled after the first update.
        CubeConfig { anneal: 1, distil: 100, ..walks },
    ]
}

/// The gradient is read from the optimiser: after its first step the first moments are a tenth of it.
#[test]
fn losses_and_gradients_are_those_of_the_cpu() {
    let Some(gpu) = device() else { return };
    for config in cases() {
        let config = CubeConfig { max_grad_norm: 1000.0, ..config };
        let [mut cpu, mut gpu] = [Pair::new(&config, None), Pair::new(&config, Some(gpu))];
        if config.distil > 0 {
            // The update before the distillation. What is compared is the student's first update.
            [&mut cpu, &mut gpu].into_iter().for_each(|pair| _ = pair.update(&config, 1));
        }
        let [expected, found] = [cpu.update(&config, 1), gpu.update(&config, 1)];
        for (expected, found) in expected.into_iter().zip(found) {
            assert!((found - expected).abs() < 1e-4 * expected, "{config:?}: {found}, not {expected}");
        }
        let distance = relative_distance(&gpu.first_moments(), &cpu.first_moments());
        assert!(distance < 1e-4, "{config:?}: the gradients are {distance} apart");
    }
}

#[test]
fn updates_are_those_of_the_cpu() {
    let Some(gpu) = device() else { return };
    // A distilled network that goes on learning without its teacher, see `Learner::set_updates`.
    let without_teacher = CubeConfig { distil: 100, ..config_of(Method::Cayleypy) };
    for config in cases().into_iter().chain([without_teacher]) {
        let mut pairs = [Pair::new(&config, None), Pair::new(&config, Some(gpu))];
        if config.distil > 0 && config.anneal > 1 {
            for (pair, gpu) in pairs.iter_mut().zip([None, Some(gpu)]) {
                pair.network = pair.network.with_distances_after_turns(&config);
                pair.learner = Learner::new(&config, 5, &pair.network);
                gpu.into_iter().for_each(|gpu| pair.use_gpu(gpu, &config));
            }
        }
        let begin = pairs[0].network.weights.flat().to_vec();
        let [[expected, _], [found, _]] = pairs.each_mut().map(|pair| pair.update(&config, 12));
        assert!((found - expected).abs() < 1e-3 * expected, "{config:?}: {found}, not {expected}");
        let [cpu, gpu] = pairs.each_ref().map(|pair| pair.network.weights.flat());
        if begin.len() != cpu.len() {
            // A distillation has begun: the student's weights are not those that the run began with.
            continue;
        }
        let change =
            |weights: &[f32]| -> Vec<f32> { weights.iter().zip(&begin).map(|(a, b)| a - b).collect() };
        let distance = relative_distance(&change(gpu), &change(cpu));
        assert!(distance < 0.01, "{config:?}: the changes of the parameters are {distance} apart");
    }
}

/// Walks have the CPU's random words, also where the number of the walk exceeds 32 bits, and the last one of
/// a minibatch is cut.
#[test]
fn samples_are_those_of_the_cpu_bit_for_bit() {
    let Some(gpu) = device() else { return };
    for (metric, scramble, update) in [
        (TurnMetric::Quarter, 7, 0),
        (TurnMetric::Quarter, 26, (1 << 33) + 5),
        (TurnMetric::Half, 1, 3),
        (TurnMetric::Half, 100, 1 << 40),
    ] {
        let config = CubeConfig { metric, scramble, batch: 130, ..config_of(Method::Cayleypy) };
        let mut pair = Pair::new(&config, Some(gpu));
        pair.learner.set_updates(update);
        pair.update(&config, 1);
        let learner = &pair.learner;
        let network = &pair.network;
        let sampler = Sampler {
            config: &config,
            network,
            walks: learner.walks,
            neighbours: learner.neighbours,
            residual_replay: None,
            update,
        };
        let mut expected = Vec::new();
        sampler.draw(0..130, &mut expected);
        let device = pair.device.as_ref().expect("it is on the device");
        let [states, labels] = device.trainer().trainer.read_samples().expect("the samples");
        let states = states.as_chunks::<4>().0;
        for ((sample, state), label) in expected.iter().zip(states).zip(labels.as_chunks::<4>().0) {
            let Sample { turn, length, next, first_neighbour, .. } = *sample;
            assert_eq!(*state, packed(&sample.state), "{metric:?}, {scramble} turns, update {update}");
            assert_eq!(*label, [u32::from(turn), length, u32::from(next), first_neighbour]);
        }
        assert_eq!(states.len(), expected.len());
    }
}

/// Samples by residual: after some updates, the device draws from the states that it has kept as the CPU
/// would draw from them. Sums of the device are in single precision, so one state may be the neighbour in the
/// buffer of the state that the CPU draws.
#[test]
fn samples_by_residual_are_those_of_the_cpu() {
    let Some(gpu) = device() else { return };
    let config = config_of(Method::Davi);
    let mut pair = Pair::new(&config, Some(gpu));
    pair.update(&config, 6);
    let residual_replay = pair.learner.residual_replay.as_mut().expect("value iteration");
    // All 300 samples of the first update are stored. Each later one draws 120 samples (0.4 of 300) and
    // stores the other 180.
    let (states, ..) = residual_replay.parts();
    assert_eq!(states.len(), 300 + 5 * 180);
    residual_replay.draw(6, residual_sample_count(&config));
    let expected: Vec<_> = (0..residual_replay.drawn()).map(|i| packed(residual_replay.state(i))).collect();
    assert_eq!(expected.len(), 120);
    pair.update(&config, 1);
    let device = pair.device.as_ref().expect("it is on the device");
    let [states, _] = device.trainer().trainer.read_samples().expect("the samples");
    let found = states.as_chunks::<4>().0;
    let different = expected.iter().zip(found).filter(|(a, b)| a != b).count();
    assert!(different <= 1, "{different} of 120 are others");
}

/// Where all places are taken, the newest states replace the oldest, on the device as on the CPU.
#[test]
fn newest_states_replace_the_oldest() {
    let Some(gpu) = device() else { return };
    let config = config_of(Method::Davi);
    let mut pairs = [Pair::new(&config, None), Pair::new(&config, None)];
    // Of the buffer's 65,536 places 100 are left. Each of two updates draws 120 states and brings 180 new
    // ones.
    let states: Vec<State> = vec![puzzle().after(&puzzle().solved(), 3); 65_436];
    for (pair, gpu) in pairs.iter_mut().zip([None, Some(gpu)]) {
        let residual_replay = pair.learner.residual_replay.as_mut().expect("value iteration");
        residual_replay.replace(states.clone(), vec![2.0; states.len()], 0);
        if let Some(gpu) = gpu {
            pair.use_gpu(gpu, &config);
        }
        pair.update(&config, 2);
    }
    let [(cpu_states, cpu_squares, cpu_next), (gpu_states, gpu_squares, gpu_next)] =
        pairs.each_ref().map(|pair| pair.learner.residual_replay.as_ref().expect("value iteration").parts());
    // The buffer is full, and of the 360 new states 260 have replaced the oldest.
    assert_eq!((cpu_states.len(), cpu_next), (65_536, 260));
    assert_eq!((gpu_states.len(), gpu_next), (65_536, 260));
    assert!(cpu_states == gpu_states, "other states are kept");
    // Sums in single precision may draw other places than the CPU. Then both places differ: one has a new
    // square on the device, the other one on the CPU. So 120 draws change at most 240 squares.
    let is_other = |(a, b): &(&f32, &f32)| (*a - *b).abs() > 0.01 * *b;
    let others = gpu_squares.iter().zip(cpu_squares).filter(is_other).count();
    assert!(others <= 2 * 240, "{others} squares are others");
    assert!(gpu_squares[..260].iter().zip(&cpu_squares[..260]).filter(is_other).count() <= 2);
}
