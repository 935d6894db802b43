//! Products in f16: rounding at the ends of its range, and the transformer compared with the same in f32.

use learnery_gpu::matmul::{Epilogue, Matrix, Size};
use learnery_gpu::transformer::{Algorithm, Trainer, Update};
use learnery_gpu::{Gpu, GpuError, PlanBuilder, Precision, Progress};

use super::matmul::rounded;
use super::transformer::{batch, network, shapes, trainer_for};
use crate::{arrive, device, half_device, numbers, relative_distance};

/// The products of each value and one, in f16: the values rounded as operands are.
fn through_half(gpu: &Gpu, values: &[f32]) -> Vec<f32> {
    let buffers = [values.len(), 1, values.len()].map(|words| gpu.buffer(words).expect("a small buffer"));
    gpu.write(&buffers[0], 0, values);
    gpu.write(&buffers[1], 0, &[1.0f32]);
    let mut plan = PlanBuilder::new(gpu);
    plan.set_precision(Precision::F16);
    let [a, b, c] = buffers.each_ref().map(|buffer| Matrix::new(buffer, 0, 1));
    plan.matmul(Size::new(values.len(), 1, 1), a, b, c, Epilogue::Store);
    plan.build().expect("a plan").submit_all();
    gpu.read(&buffers[2], 0, values.len()).expect("the device answers")
}

#[test]
fn operands_are_rounded_to_halves_and_never_become_infinite() {
    let Some(gpu) = half_device() else { return };
    // 1.000488 and 1.001465 lie halfway between two halves. Then come the smallest normal half, the smallest
    // half, about half of it, the largest half, and numbers beyond it.
    let mut values = vec![1.0, -1.0, 1.000_488_3, 1.001_464_8, 6.1035e-5, 5.96e-8, 2.9e-8, 65504.0, 65519.0];
    values.extend([65520.0, 1e6, -1e6, 1e30, -3.4e38, 0.0]);
    values.extend(numbers(500, 9));
    for (value, found) in values.iter().zip(through_half(gpu, &values)) {
        assert_eq!(found, rounded(*value, Precision::F16), "{value}");
    }
}

#[test]
fn loss_scale_is_a_power_of_two_that_brings_the_gradient_of_a_logit_to_16() {
    for targets in [1.0f32, 3.0, 7.0, 1000.0, 16_384.0, 1e6] {
        let update = Update { gradient_scale: 1.0 / targets, ..Update::default() };
        let scale = update.loss_scale(Precision::F16);
        assert_eq!(update.loss_scale(Precision::F32), 1.0);
        assert_eq!(scale.to_bits() & 0x7f_ffff, 0, "{scale} is no power of two");
        assert!((16.0..32.0).contains(&(scale / targets)), "{targets} targets: {scale}");
    }
    // A pass without gradient, and a batch without targets.
    for gradient_scale in [0.0, f32::INFINITY, f32::NAN] {
        let update = Update { gradient_scale, ..Update::default() };
        assert_eq!(update.loss_scale(Precision::F16), 1.0);
    }
}

#[test]
fn device_without_halves_is_refused_in_a_sentence() {
    let Some(gpu) = device() else { return };
    match gpu.check_precision(Precision::F16) {
        Ok(()) => assert!(gpu.info().half_precision),
        Err(error) => {
            assert_eq!(error, GpuError::NoHalfPrecision(gpu.info().name.clone()));
            let (shape, length, sequences) = shapes().swap_remove(0);
            let (net, weights) = network(&shape);
            let groups = net.parameter_groups(0.1);
            let size = [length, sequences];
            let algorithm = Algorithm::Adamw;
            let refused = Trainer::new(gpu, Precision::F16, &net, weights.len(), size, algorithm, &groups, 4);
            assert_eq!(refused.err(), Some(error));
        }
    }
}

/// Rounding an operand changes it by 2^-12 on average; the gradient, computed from many such operands, is
/// about 0.07 % off.
#[test]
fn loss_and_gradient_in_f16_are_close_to_those_in_f32() {
    let Some(gpu) = half_device() else { return };
    for (shape, length, sequences) in shapes() {
        let (net, weights) = network(&shape);
        let (inputs, targets) = batch(&shape, length * sequences, 1);
        // As in a batch of a million tokens, whose gradients would be zero in f16 without the loss scale.
        let update = Update { gradient_scale: 1e-6, slot: 1, ..Update::default() };
        let [(expected_loss, expected_gradient), (loss, gradient)] =
            [Precision::F32, Precision::F16].map(|precision| {
                let trainer =
                    trainer_for(gpu, precision, &net, &weights, [length, sequences], Algorithm::Adamw);
                trainer.submit_gradient(&inputs, &targets, update);
                let scale = update.loss_scale(precision);
                let scaled: Vec<f32> = arrive(gpu, &trainer.read_gradient());
                let gradient: Vec<f32> = scaled.iter().map(|x| x / scale).collect();
                // Each slot has two metrics, of which the loss is the first.
                let loss_of_slot_1 = arrive::<f32>(gpu, &trainer.read_metrics(2))[2];
                (loss_of_slot_1, gradient)
            });
        assert!((loss / expected_loss - 1.0).abs() < 2e-4, "{shape:?}: {loss} {expected_loss}");
        let whole = relative_distance(&gradient, &expected_gradient);
        assert!(whole > 0.0, "{shape:?}: the products were not computed in f16");
        assert!(whole < 2e-3, "{shape:?}: the gradient is {whole} apart");
        for name in weights.layout().names().filter(|name| !name.ends_with("qkv/bias")) {
            let range = weights.layout().find(name).unwrap();
            let distance = relative_distance(&gradient[range.clone()], &expected_gradient[range]);
            assert!(distance < 3e-3, "{shape:?}: the gradient of {name} is {distance} apart");
        }
    }
}

/// Three updates: losses and norms as in f32, and parameters that moved in nearly the same direction. Adam
/// divides each gradient by its own size, so small gradients, of which f16 keeps fewer digits, move as far as
/// large ones.
#[test]
fn updates_in_f16_are_close_to_those_in_f32() {
    let Some(gpu) = half_device() else { return };
    for algorithm in [Algorithm::Adamw, Algorithm::Muon] {
        for (shape, length, sequences) in [shapes().swap_remove(2), shapes().swap_remove(3)] {
            let (net, weights) = network(&shape);
            let [expected, found, again] =
                [Precision::F32, Precision::F16, Precision::F16].map(|precision| {
                    let mut trainer =
                        trainer_for(gpu, precision, &net, &weights, [length, sequences], algorithm);
                    for slot in 0..3 {
                        let (inputs, targets) = batch(&shape, length * sequences, 10 + slot);
                        let update = Update {
                            gradient_scale: 1.0 / inputs.len() as f32,
                            uncounted: 0,
                            slot,
                            learning_rate: 3e-3,
                            muon_rate: 0.02,
                            max_norm: 0.5,
                            betas: (0.9, 0.95),
                            epsilon: 1e-8,
                            momentum: 0.95,
                            muon_decay: 0.1,
                        };
                        trainer.begin(&inputs, &targets, update);
                        while trainer.advance().unwrap() != Progress::Finished {}
                    }
                    (
                        arrive::<f32>(gpu, &trainer.read_weights()),
                        arrive::<f32>(gpu, &trainer.read_metrics(3)),
                    )
                });
            assert!(found == again, "{algorithm:?} {shape:?}: two runs differ");
            for (i, (a, b)) in found.1.iter().zip(&expected.1).enumerate() {
                assert!((a / b - 1.0).abs() < 1e-2, "{algorithm:?} {shape:?}: metric {i} is {a}, not {b}");
            }
            let moved = |end: &[f32]| -> Vec<f32> {
                end.iter().zip(weights.flat()).map(|(end, start)| end - start).collect()
            };
            let distance = relative_distance(&moved(&found.0), &moved(&expected.0));
            assert!(distance < 0.03, "{algorithm:?} {shape:?}: the parameters moved {distance} apart");
        }
    }
}
