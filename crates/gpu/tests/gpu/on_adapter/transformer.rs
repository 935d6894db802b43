//! The transformer on the device against [`learnery_nn::Trainer`] and the optimisers on the CPU.

use learnery_gpu::transformer::{Algorithm, Trainer, Update};
use learnery_gpu::{Gpu, Precision, Progress};
use learnery_kernels::rng::Stream;
use learnery_nn::transformer::IGNORE;
use learnery_nn::{
    Adam, AdamOptions, Layout, Muon, MuonOptions, Trainer as CpuTrainer, Transformer, TransformerShape,
    Weights,
};

use crate::{arrive, device, relative_distance};

/// A network with random parameters of which none is zero, so that every gradient matters.
pub fn network(shape: &TransformerShape) -> (Transformer, Weights) {
    let mut layout = Layout::default();
    let net = Transformer::new(&mut layout, "transformer", shape);
    let mut weights = Weights::new(layout);
    weights.update(|params| {
        net.init(params, Stream::new(5, 1));
        let noise = crate::numbers(params.len(), 6);
        params.iter_mut().zip(noise).for_each(|(param, noise)| *param += 0.05 * noise);
    });
    (net, weights)
}

/// A batch of random tokens, some of whose targets are ignored.
pub fn batch(shape: &TransformerShape, rows: usize, seed: u32) -> (Vec<u16>, Vec<u16>) {
    let stream = Stream::new(seed, 3);
    let token = |i: usize, place: u64| (stream.uniform(i as u64, place) * shape.vocabulary as f32) as u16;
    let inputs = (0..rows).map(|i| token(i, 0)).collect();
    let targets = (0..rows).map(|i| if i % 7 == 3 { IGNORE } else { token(i, 1) }).collect();
    (inputs, targets)
}

/// A trainer with these parameters, on batches of `size`: the length of a sequence and the sequences.
pub fn trainer_for(
    gpu: &Gpu,
    precision: Precision,
    net: &Transformer,
    weights: &Weights,
    size: [usize; 2],
    algorithm: Algorithm,
) -> Trainer {
    let groups = net.parameter_groups(0.1);
    let trainer = Trainer::new(gpu, precision, net, weights.len(), size, algorithm, &groups, 8)
        .expect("the network fits");
    trainer.set_weights(weights.flat());
    trainer.clear_metrics();
    trainer
}

/// Shapes of networks, each with the length of a sequence and the number of sequences in a batch.
pub fn shapes() -> Vec<(TransformerShape, usize, usize)> {
    let shape = |vocabulary, context, width, layers, heads, rotary| TransformerShape {
        vocabulary,
        context,
        width,
        layers,
        heads,
        rotary,
    };
    vec![
        (shape(11, 7, 8, 1, 2, false), 7, 5),
        (shape(11, 7, 8, 2, 2, true), 7, 5),
        (shape(65, 33, 24, 2, 3, true), 31, 3),
        (shape(300, 100, 64, 2, 4, true), 100, 3),
        (shape(20, 70, 96, 1, 1, false), 70, 2),
        (shape(13, 9, 30, 1, 5, true), 9, 4),
    ]
}

#[test]
fn loss_and_gradient_are_those_of_the_cpu() {
    let Some(gpu) = device() else { return };
    for (shape, length, sequences) in shapes() {
        let (net, weights) = network(&shape);
        let (inputs, targets) = batch(&shape, length * sequences, 1);
        let mut cpu = CpuTrainer::new(&net, length, sequences);
        let mut expected = vec![0.0; weights.len()];
        let loss = cpu.gradient(&net, &weights, &inputs, &targets, &mut expected);
        let size = [length, sequences];
        let trainer = trainer_for(gpu, Precision::F32, &net, &weights, size, Algorithm::Adamw);
        let update = Update { gradient_scale: 1.0 / loss.count as f32, slot: 1, ..Update::default() };
        trainer.submit_gradient(&inputs, &targets, update);
        // Each slot has two metrics: the sum of the losses, then the norm of the gradient.
        let metrics: Vec<f32> = arrive(gpu, &trainer.read_metrics(2));
        let loss_of_slot_1 = metrics[2];
        let gradient: Vec<f32> = arrive(gpu, &trainer.read_gradient());
        assert!(
            (f64::from(loss_of_slot_1) - loss.sum).abs() < 1e-5 * loss.sum,
            "{shape:?}: {loss_of_slot_1} {}",
            loss.sum
        );
        let whole = relative_distance(&gradient, &expected);
        assert!(whole < 1e-4, "{shape:?}: the gradient is {whole} apart");
        for name in weights.layout().names() {
            let range = weights.layout().find(name).unwrap();
            let distance = relative_distance(&gradient[range.clone()], &expected[range]);
            // The gradient of the keys' biases is zero but for rounding, because softmax ignores a common
            // term.
            let bound = if name.ends_with("qkv/bias") { 1e-2 } else { 1e-4 };
            assert!(distance < bound, "{shape:?}: the gradient of {name} is {distance} apart");
        }
    }
}

#[test]
fn likeliest_tokens_are_those_of_the_cpu() {
    let Some(gpu) = device() else { return };
    for (shape, length, sequences) in shapes() {
        let (net, weights) = network(&shape);
        let (inputs, _) = batch(&shape, length * sequences, 2);
        let mut expected = vec![0; inputs.len()];
        CpuTrainer::new(&net, length, sequences).likeliest(&net, &weights, &inputs, &mut expected);
        let size = [length, sequences];
        let trainer = trainer_for(gpu, Precision::F32, &net, &weights, size, Algorithm::Adamw);
        let found: Vec<u32> = arrive(gpu, &trainer.submit_likeliest(&inputs));
        let same =
            found.iter().zip(&expected).filter(|(found, expected)| **found == u32::from(**expected)).count();
        assert!(same * 100 >= 99 * expected.len(), "{shape:?}: {same} of {}", expected.len());
    }
}

/// Three updates with each optimiser, cut into several micro-batches: parameters and losses as on the CPU,
/// and the same bits when the work is sliced otherwise.
#[test]
fn updates_are_those_of_the_cpu() {
    let Some(gpu) = device() else { return };
    for algorithm in [Algorithm::Adamw, Algorithm::Muon] {
        for (shape, length, sequences) in [shapes().swap_remove(2), shapes().swap_remove(3)] {
            let (net, mut weights) = network(&shape);
            let groups = net.parameter_groups(0.1);
            let new_trainer =
                || trainer_for(gpu, Precision::F32, &net, &weights, [length, sequences], algorithm);
            let mut on_device = [new_trainer(), new_trainer()];
            let mut cpu = CpuTrainer::new(&net, length, sequences);
            let mut grads = vec![0.0; weights.len()];
            let mut adam = Adam::new(weights.len());
            let mut muon = Muon::new(net.hidden_matrices(), &groups);
            let adam_options =
                AdamOptions { lr: 3e-3, betas: (0.9, 0.95), max_norm: 0.5, ..AdamOptions::default() };
            let muon_options =
                MuonOptions { lr: 0.02, weight_decay: 0.1, adam: adam_options, ..MuonOptions::default() };
            for slot in 0..3 {
                let (inputs, targets) = batch(&shape, length * sequences, 10 + slot);
                let loss = cpu.gradient(&net, &weights, &inputs, &targets, &mut grads);
                let norm = weights.update(|params| match algorithm {
                    Algorithm::Adamw => adam.step_groups(params, &grads, &adam_options, &groups),
                    Algorithm::Muon => muon.step(params, &grads, &muon_options),
                });
                let update = Update {
                    gradient_scale: 1.0 / loss.count as f32,
                    uncounted: 0,
                    slot,
                    learning_rate: adam_options.lr,
                    muon_rate: muon_options.lr,
                    max_norm: adam_options.max_norm,
                    betas: adam_options.betas,
                    epsilon: adam_options.eps,
                    momentum: muon_options.momentum,
                    muon_decay: muon_options.weight_decay,
                };
                for trainer in &mut on_device {
                    trainer.begin(&inputs, &targets, update);
                    while trainer.advance().unwrap() != Progress::Finished {}
                }
                let metrics: Vec<f32> = arrive(gpu, &on_device[0].read_metrics(8));
                let [loss_sum, gradient_norm] = [metrics[2 * slot as usize], metrics[2 * slot as usize + 1]];
                assert!(
                    (f64::from(loss_sum) / loss.sum - 1.0).abs() < 1e-3,
                    "{algorithm:?} {slot}: {loss_sum} {loss:?}"
                );
                assert!(
                    (gradient_norm / norm - 1.0).abs() < 1e-2,
                    "{algorithm:?} {slot}: {gradient_norm} {norm}"
                );
            }
            let all = on_device.each_ref().map(|trainer| arrive::<f32>(gpu, &trainer.read_weights()));
            assert!(all[0] == all[1], "{algorithm:?}: two runs differ");
            let distance = relative_distance(&all[0], weights.flat());
            assert!(distance < 2e-3, "{algorithm:?} {shape:?}: the parameters are {distance} apart");
        }
    }
}
