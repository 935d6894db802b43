//! The residual network on the device against [`learnery_nn::ResNet`] and Adam on the CPU. The network's
//! inputs are compared in the tests of `alphazero::gpu`.

use learnery_backgammon::alphazero::resnet::{
    Evaluator, INPUTS, Minibatch, OUTCOMES, Position, Trainer, UpdateOptions,
};
use learnery_gpu::testing::{arrive, device, numbers, relative_distance, wait_for};
use learnery_gpu::{Gpu, Pending};
use learnery_kernels::activation::Activation;
use learnery_kernels::rng::Stream;
use learnery_nn::loss::sigmoid_cross_entropy;
use learnery_nn::{Adam, AdamOptions, HeadShape, Layout, ResNet, ResNetShape, Weights};

/// A network with random parameters of which none is zero, so that every gradient matters.
fn network(width: usize, blocks: usize, policy: Option<usize>) -> (ResNet, Weights) {
    let mut heads = Vec::new();
    if let Some(outputs) = policy {
        heads.push(HeadShape {
            name: "policy",
            hidden: vec![width; 2],
            outputs,
            output_activation: Activation::Identity,
        });
    }
    heads.push(HeadShape {
        name: "value",
        hidden: vec![width],
        outputs: OUTCOMES,
        output_activation: Activation::Sigmoid,
    });
    let mut layout = Layout::default();
    let net = ResNet::new(&mut layout, "net", &ResNetShape { inputs: INPUTS, width, blocks, heads });
    let mut weights = Weights::new(layout);
    weights.update(|params| {
        net.init(params, Stream::new(5, 1));
        let noise = numbers(params.len(), 6);
        params.iter_mut().zip(noise).for_each(|(param, noise)| *param += 0.05 * noise);
    });
    (net, weights)
}

/// Positions with a few checkers at random places of each side, every other one with a roll.
fn random_positions(count: usize, seed: u32) -> Vec<Position> {
    let stream = Stream::new(seed, 9);
    let position = |i: usize| {
        let mut position = Position::default();
        for k in 0..12 {
            let (side, place) = (k % 2, stream.below(i as u64, k, 26) as usize);
            let word = &mut position[4 * side as usize + place / 8];
            let shift = 4 * (place % 8);
            if *word >> shift & 15 < 9 {
                *word += (1 + stream.below(i as u64, 50 + k, 3)) << shift;
            }
        }
        if i.is_multiple_of(2) {
            let number = |k: u64| 1 + stream.below(i as u64, 100 + k, 6);
            position[3] |= number(0) << 8 | number(1) << 12 | stream.below(i as u64, 102, 5) << 16;
        }
        position
    };
    (0..count).map(position).collect()
}

/// The network's inputs of a position: [`Position`] and `wgsl/observation.wgsl`.
fn inputs(position: &Position) -> Vec<f32> {
    let field = |side: usize, i: usize| position[4 * side + i / 8] >> (4 * (i % 8)) & 15;
    let count = |count: u32| -> Vec<f32> {
        let mut features: Vec<f32> = (1..=5).map(|n| f32::from(u8::from(count >= n))).collect();
        features.push(count.saturating_sub(5) as f32 / 10.0);
        features
    };
    let one_hot = |from: u32, to: u32, value: u32| (from..=to).map(move |n| f32::from(u8::from(n == value)));
    let mut inputs = Vec::new();
    for place in 0..26 {
        inputs.extend(if place < 25 { count(field(0, 25 - place)) } else { vec![0.0; 6] });
        inputs.extend(if place > 0 { count(field(1, place)) } else { vec![0.0; 6] });
    }
    inputs.extend(one_hot(1, 6, field(0, 26)));
    inputs.extend(one_hot(1, 6, field(0, 27)));
    inputs.extend(one_hot(1, 4, field(0, 28)));
    inputs.extend([field(0, 0) as f32 / 15.0, field(1, 0) as f32 / 15.0]);
    let rolled = f32::from(u8::from(field(0, 26) > 0));
    inputs.extend([0.0, 0.0, rolled, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(inputs.len(), INPUTS);
    inputs
}

fn results(gpu: &Gpu, mut pending: Pending) -> Vec<f32> {
    wait_for(gpu, || pending.poll())
}

#[test]
fn evaluations_are_those_of_the_cpu_whatever_the_batch() {
    let Some(gpu) = device() else { return };
    for (width, blocks, policy) in [(32, 2, Some(50)), (24, 1, None), (128, 3, Some(676))] {
        let (net, weights) = network(width, blocks, policy);
        let evaluator = Evaluator::new(gpu, &net, weights.len()).expect("the network fits");
        evaluator.set_weights(weights.flat());
        let positions = random_positions(150, 1);
        let rows = positions.len();
        let x: Vec<f32> = positions.iter().flat_map(inputs).collect();
        let (mut scratch, mut trunk) = (net.scratch(), vec![0.0; rows * width]);
        net.infer_trunk(&weights, &x, rows, &mut scratch, &mut trunk);
        let heads = net.heads().len();
        let mut head = |head: usize, trunk: &[f32]| {
            let mut out = vec![0.0; rows * net.heads()[head].outputs()];
            net.infer_head(&weights, head, trunk, rows, &mut scratch, &mut out);
            out
        };
        let expected = head(heads - 1, &trunk);

        let [outcomes, trunks] = evaluator.submit_values(&positions).map(|pending| results(gpu, pending));
        let largest = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert_eq!(outcomes.len(), expected.len());
        assert!(largest(&outcomes, &expected) < 1e-5, "width {width}: {}", largest(&outcomes, &expected));
        // Two other batches: the bits are the same.
        let parts = positions.chunks(70).flat_map(|part| {
            let [outcomes, _] = evaluator.submit_values(part);
            results(gpu, outcomes)
        });
        assert!(parts.eq(outcomes.iter().copied()), "width {width}: the bits depend on the batch");
        match policy {
            None => assert!(trunks.is_empty()),
            Some(_) => {
                assert!(relative_distance(&trunks, &trunk) < 1e-5, "width {width}");
                let tables = results(gpu, evaluator.submit_policies(&trunks));
                assert!(relative_distance(&tables, &head(0, &trunk)) < 1e-5, "width {width}");
            }
        }
    }
    let (net, weights) = network(24, 1, None);
    let evaluator = Evaluator::new(gpu, &net, weights.len()).expect("the network fits");
    assert!(evaluator.submit_values(&[]).into_iter().all(|pending| results(gpu, pending).is_empty()));
}

/// The plays of position `row`: the entries of each, and its target probability. Some positions teach no
/// policy.
fn random_plays(row: usize, outputs: usize) -> Vec<(Vec<u16>, f32)> {
    let stream = Stream::new(3, 8);
    let count = if row % 3 == 1 { 0 } else { 1 + stream.below(row as u64, 0, 70) as usize };
    let targets: Vec<f32> =
        (0..count).map(|play| if play % 4 == 2 { 0.0 } else { 1.0 + play as f32 }).collect();
    let sum: f32 = targets.iter().sum();
    let entries = |play: usize| {
        let length = 1 + stream.below(row as u64, 1000 + play as u64, 8);
        (0..length).map(move |k| {
            stream.below(row as u64, 2000 + (8 * play) as u64 + u64::from(k), outputs as u32) as u16
        })
    };
    targets.iter().enumerate().map(|(play, target)| (entries(play).collect(), target / sum)).collect()
}

/// Adds the gradient of the policy loss of a row to `gradient`, in `f64`, and returns loss and entropy.
fn policy_loss(table: &[f32], plays: &[(Vec<u16>, f32)], scale: f32, gradient: &mut [f32]) -> [f64; 2] {
    let logit = |entries: &Vec<u16>| entries.iter().map(|at| f64::from(table[usize::from(*at)])).sum::<f64>();
    let logits: Vec<f64> = plays.iter().map(|(entries, _)| logit(entries)).collect();
    let log_sum = logits.iter().map(|x| x.exp()).sum::<f64>().ln();
    let [mut loss, mut entropy] = [0.0; 2];
    for (logit, (entries, target)) in logits.iter().zip(plays) {
        let (log_p, target) = (logit - log_sum, f64::from(*target));
        if target > 0.0 {
            loss += target * (target.ln() - log_p);
        }
        entropy -= log_p.exp() * log_p;
        for at in entries {
            gradient[usize::from(*at)] += (f64::from(scale) * (log_p.exp() - target)) as f32;
        }
    }
    [loss, entropy]
}

/// Several updates, with minibatches that take one pass and more: metrics and parameters as on the CPU.
#[test]
fn updates_are_those_of_the_cpu() {
    let Some(gpu) = device() else { return };
    for (width, blocks, policy, batch) in [(32, 2, Some(50), 130), (24, 1, None, 130), (16, 1, None, 2100)] {
        let (net, mut weights) = network(width, blocks, policy);
        let trainer = Trainer::new(gpu, &net, weights.len(), batch, 4).expect("the network fits");
        let mut adam = Adam::new(weights.len());
        trainer.set_weights(weights.flat());
        trainer.load_adam(&adam.to_tensors()).expect("an optimiser's state");
        trainer.clear_metrics();
        let options = AdamOptions { lr: 3e-3, weight_decay: 0.05, max_norm: 0.5, ..AdamOptions::default() };
        let value_weight = 0.7;
        let heads = net.heads().len();
        let mut tape = net.tape(batch);
        let mut expected = Vec::new();
        for update in 0..4 {
            let positions = random_positions(batch, 10 + update);
            let targets: Vec<f32> =
                numbers(batch * OUTCOMES, 20 + update).iter().map(|x| 0.5 + 0.5 * x).collect();
            let mut minibatch = Minibatch {
                positions: positions.clone(),
                outcomes: targets.as_chunks().0.to_vec(),
                ..Minibatch::default()
            };
            let x: Vec<f32> = positions.iter().flat_map(inputs).collect();
            net.forward(&weights, &x, batch, &mut tape);
            let mut sums = [0.0; 3];
            let scale = 1.0 / batch as f32;
            if let Some(outputs) = policy {
                let (tables, gradients) = tape.outputs_and_gradients(0, batch);
                gradients.fill(0.0);
                let rows = tables.chunks_exact(outputs).zip(gradients.chunks_exact_mut(outputs));
                for (row, (table, gradient)) in rows.enumerate() {
                    let plays = random_plays(row, outputs);
                    minibatch.policies.begin_position();
                    plays.iter().for_each(|(entries, target)| minibatch.policies.add_play(entries, *target));
                    if !plays.is_empty() {
                        let [loss, entropy] = policy_loss(table, &plays, scale, gradient);
                        sums[1] += loss;
                        sums[2] += entropy;
                    }
                }
            }
            let (logits, gradients) = tape.outputs_and_gradients(heads - 1, batch);
            let mut losses = vec![0.0; batch];
            sigmoid_cross_entropy(&mut losses, gradients, logits, &targets, scale * value_weight);
            sums[0] = losses.iter().map(|loss| f64::from(*loss)).sum();
            let mut grads = vec![0.0; weights.len()];
            net.backward(&weights, &x, batch, &mut tape, &mut grads);
            let norm = weights.update(|params| adam.step(params, &grads, &options));
            expected.push((sums, norm));
            trainer.submit(
                &minibatch,
                UpdateOptions {
                    slot: update as usize,
                    learning_rate: options.lr,
                    max_norm: options.max_norm,
                    weight_decay: options.weight_decay,
                    value_weight,
                },
            );
        }
        let reading = trainer.read_metrics(4);
        let metrics = wait_for(gpu, || reading.poll());
        for (update, (found, (sums, norm))) in metrics.iter().zip(&expected).enumerate() {
            let found = [found.value_loss, found.policy_loss, found.entropy, found.gradient_norm];
            let expected = [sums[0], sums[1], sums[2], f64::from(*norm)];
            for (found, expected) in found.into_iter().zip(expected) {
                let error = (f64::from(found) - expected).abs();
                assert!(error <= 1e-3 * expected, "width {width}, update {update}: {found}, not {expected}");
            }
        }
        let found: Vec<f32> = arrive(gpu, &trainer.read_weights());
        let distance = relative_distance(&found, weights.flat());
        assert!(distance < 1e-3, "width {width}: the parameters are {distance} apart");
        let reading = trainer.read_adam();
        let tensors = wait_for(gpu, || reading.poll());
        assert_eq!(tensors.get::<u64>("t", &[1]).expect("the steps"), [4]);
    }
}
