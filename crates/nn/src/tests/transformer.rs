//! The transformer: gradients against finite differences of a reference in `f64`, generation with a KV cache
//! against whole sequences, and equal bits for any number of threads and any split into micro-batches.

use learnery_kernels::rng::Stream;

use super::reference::Params;
use super::{assert_close, numbers, random_weights};
use crate::transformer::{IGNORE, Loss, Sampler};
use crate::{
    Adam, AdamOptions, Generator, Layout, Muon, MuonOptions, Reader, Trainer, Transformer, TransformerShape,
    Weights,
};

/// Small, with sizes that are not multiples of a vector.
const ODD: TransformerShape =
    TransformerShape { vocabulary: 11, context: 9, width: 6, layers: 2, heads: 3, rotary: false };

/// [`ODD`] with rotary embedding. A head has three features: two are rotated, and one has token shift (it
/// comes from the token before).
const ROTARY: TransformerShape = TransformerShape { heads: 2, rotary: true, ..ODD };

/// Large enough for whole vectors and several blocks in every kernel.
const LARGE: TransformerShape =
    TransformerShape { vocabulary: 70, context: 80, width: 64, layers: 2, heads: 4, rotary: true };

/// A network of this shape with random weights.
fn network(shape: &TransformerShape) -> (Transformer, Weights) {
    let mut layout = Layout::default();
    let net = Transformer::new(&mut layout, "net", shape);
    (net, random_weights(layout))
}

/// `count` random tokens from the random stream `stream`.
fn tokens(shape: &TransformerShape, count: usize, stream: u32) -> Vec<u16> {
    (0..count as u64).map(|i| Stream::new(7, stream).below(i, 0, shape.vocabulary as u32) as u16).collect()
}

/// The mean loss, computed by the reference.
fn loss(params: Params, shape: &TransformerShape, inputs: &[u16], targets: &[u16], length: usize) -> f64 {
    let logits =
        inputs.chunks(length).flat_map(|inputs| params.transformer("net", shape.heads, shape.rotary, inputs));
    let rows: Vec<Vec<f64>> = logits.collect();
    let loss = |(row, target): (&Vec<f64>, &u16)| {
        row.iter().map(|v| v.exp()).sum::<f64>().ln() - row[usize::from(*target)]
    };
    let counted = rows.iter().zip(targets).filter(|(_, target)| **target != IGNORE);
    let losses: Vec<f64> = counted.map(loss).collect();
    losses.iter().sum::<f64>() / losses.len() as f64
}

/// Converts to double precision.
fn wide(values: &[f32]) -> Vec<f64> {
    values.iter().copied().map(f64::from).collect()
}

#[test]
fn transformer_gradients_agree_with_finite_differences() {
    [ODD, ROTARY].iter().for_each(check_gradients);
}

/// Compares all gradients of a small network with central differences of the reference.
fn check_gradients(shape: &TransformerShape) {
    let (net, weights) = network(shape);
    let (length, sequences) = (7, 3);
    let inputs = tokens(shape, length * sequences, 1);
    let mut targets = tokens(shape, length * sequences, 2);
    (targets[4], targets[9]) = (IGNORE, IGNORE);
    let mut grads = vec![f32::NAN; weights.len()];
    let got = Trainer::new(&net, length, sequences).gradient(&net, &weights, &inputs, &targets, &mut grads);
    let mut values = wide(weights.flat());
    let run =
        |values: &[f64]| loss(Params { layout: weights.layout(), values }, shape, &inputs, &targets, length);
    assert_eq!(got.count, length * sequences - 2);
    assert!((got.mean() - run(&values)).abs() < 1e-6, "{} and {}", got.mean(), run(&values));
    let derivatives: Vec<f64> = (0..values.len())
        .map(|i| {
            let middle = values[i];
            values[i] = middle + 1e-5;
            let above = run(&values);
            values[i] = middle - 1e-5;
            let below = run(&values);
            values[i] = middle;
            (above - below) / 2e-5
        })
        .collect();
    for name in weights.layout().names() {
        let range = weights.layout().find(name).unwrap();
        assert!(grads[range.clone()].iter().any(|g| *g != 0.0), "{name} gets no gradient");
        assert_close(&grads[range.clone()], &derivatives[range], 2e-6);
    }
}

/// Checks two random directions, because the reference is too slow to vary every parameter.
#[test]
fn large_transformer_gradients_agree_with_directional_derivatives() {
    let (net, weights) = network(&LARGE);
    let length = 40;
    let (inputs, targets) = (tokens(&LARGE, 8 * length, 1), tokens(&LARGE, 8 * length, 2));
    let mut grads = vec![0.0; weights.len()];
    Trainer::new(&net, length, 8).gradient(&net, &weights, &inputs, &targets, &mut grads);
    let run =
        |values: &[f64]| loss(Params { layout: weights.layout(), values }, &LARGE, &inputs, &targets, length);
    for stream in 10..12 {
        let direction = wide(&numbers(weights.len(), stream));
        let moved = |h: f64| -> Vec<f64> {
            weights.flat().iter().zip(&direction).map(|(v, d)| f64::from(*v) + h * d).collect()
        };
        let slope = (run(&moved(1e-6)) - run(&moved(-1e-6))) / 2e-6;
        let ours: f64 = grads.iter().zip(&direction).map(|(g, d)| f64::from(*g) * d).sum();
        assert!((ours - slope).abs() < 1e-4 * (1.0 + slope.abs()), "{ours} and {slope}");
    }
}

#[test]
fn generator_is_bit_identical_to_reading_the_whole_sequence() {
    for shape in [ODD, ROTARY, LARGE] {
        let (net, weights) = network(&shape);
        let text = tokens(&shape, shape.context, 3);
        let (mut reader, mut logits) = (Reader::new(&net), vec![0.0; text.len() * shape.vocabulary]);
        reader.read(&net, &weights, &text);
        reader.logits(&net, &weights, &mut logits);
        let mut generator = Generator::new(&net);
        // One by one, and all at once.
        for max_tokens in [1, 50] {
            generator.clear();
            let mut done = 0;
            while done < text.len() {
                let count = max_tokens.min(text.len() - done);
                let got = generator.feed(&net, &weights, &text[done..done + count]);
                done += count;
                assert_eq!(got, &logits[(done - 1) * shape.vocabulary..][..shape.vocabulary]);
            }
        }
        // One token more than the context: only the last half context is kept, the new token included.
        let kept = shape.context / 2 - 1;
        let mut rest = text[text.len() - kept..].to_vec();
        rest.push(1);
        reader.read(&net, &weights, &rest);
        let logits = &mut logits[..rest.len() * shape.vocabulary];
        reader.logits(&net, &weights, logits);
        assert_eq!(generator.feed(&net, &weights, &[1]), &logits[kept * shape.vocabulary..]);
        // More new tokens than the context: only the last of them count.
        let long = tokens(&shape, shape.context + 5, 4);
        reader.read(&net, &weights, &long[5..]);
        let mut logits = vec![0.0; shape.context * shape.vocabulary];
        reader.logits(&net, &weights, &mut logits);
        let last = &logits[(shape.context - 1) * shape.vocabulary..];
        assert_eq!(generator.feed(&net, &weights, &long), last);
    }
}

#[test]
fn reader_attention_matches_the_reference() {
    let (net, weights) = network(&ODD);
    let text = tokens(&ODD, 5, 3);
    let mut reader = Reader::new(&net);
    reader.read(&net, &weights, &text);
    let values = wide(weights.flat());
    let params = Params { layout: weights.layout(), values: &values };
    let mut table = vec![0.0; text.len() * text.len()];
    for layer in 0..ODD.layers {
        for head in 0..ODD.heads {
            reader.attention(&net, layer, head, &mut table);
            assert_close(
                &table,
                &params.attention_weights("net", [ODD.heads, layer, head], ODD.rotary, &text),
                1e-6,
            );
        }
    }
}

/// Trains for six steps on `threads` threads with micro-batches of at most `sequences` sequences, with Muon
/// or Adam. Returns the parameters and the losses.
fn train(threads: usize, sequences: usize, use_muon: bool) -> (Vec<f32>, Vec<f64>) {
    const LENGTH: usize = 64;
    let mut layout = Layout::default();
    let net = Transformer::new(&mut layout, "net", &LARGE);
    let mut weights = Weights::new(layout);
    weights.update(|params| net.init(params, Stream::new(3, 1)));
    let (inputs, targets) = (tokens(&LARGE, 21 * LENGTH, 1), tokens(&LARGE, 21 * LENGTH, 2));
    let mut trainer = Trainer::new(&net, LENGTH, sequences);
    let groups = net.parameter_groups(0.1);
    let mut adam = Adam::new(weights.len());
    let mut muon = Muon::new(net.hidden_matrices(), &groups);
    let mut grads = vec![0.0; weights.len()];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let losses = pool.install(|| {
        let step = |_| {
            let loss = trainer.gradient(&net, &weights, &inputs, &targets, &mut grads);
            let options = AdamOptions { lr: 3e-3, max_norm: 1.0, ..Default::default() };
            weights.update_parallel(|params| {
                if use_muon {
                    muon.step(params, &grads, &MuonOptions { adam: options, ..Default::default() })
                } else {
                    adam.step_groups(params, &grads, &options, &groups)
                }
            });
            loss.mean()
        };
        (0..6).map(step).collect()
    });
    (weights.flat().to_vec(), losses)
}

#[test]
fn training_has_the_same_bits_on_any_number_of_threads() {
    // A micro-batch is the part of a batch that is processed at a time, here the whole batch or four
    // sequences.
    for (sequences, use_muon) in [(21, false), (4, false), (21, true)] {
        let (params, losses) = train(1, sequences, use_muon);
        assert!(losses[5] < losses[0] - 0.3, "the loss falls: {losses:?}");
        assert!(params.iter().all(|v| v.is_finite()));
        // Not `assert_eq`, which would print all parameters.
        let one_thread = (params, losses);
        assert!(
            (2..4).all(|threads| train(threads, sequences, use_muon) == one_thread),
            "{sequences} sequences, Muon: {use_muon}"
        );
    }
}

#[test]
fn accumulated_gradient_does_not_depend_on_the_micro_batches() {
    let (net, weights) = network(&LARGE);
    let (length, sequences) = (50, 37);
    let (inputs, targets) = (tokens(&LARGE, length * sequences, 1), tokens(&LARGE, length * sequences, 2));
    let mut whole = vec![f32::NAN; weights.len()];
    let loss = Trainer::new(&net, length, sequences).gradient(&net, &weights, &inputs, &targets, &mut whole);
    for shards in [1, 2, 3] {
        let mut trainer = Trainer::new(&net, length, Trainer::sequences(length, shards));
        let micro_batch = trainer.micro_batch();
        // A shard has about 256 tokens: five sequences of 50.
        assert_eq!(micro_batch, 250 * shards);
        let mut grads = vec![f32::NAN; weights.len()];
        let mut accumulated = Loss::default();
        trainer.begin(&mut grads);
        for (inputs, targets) in inputs.chunks(micro_batch).zip(targets.chunks(micro_batch)) {
            let scale = 1.0 / loss.count as f32;
            trainer.add(&net, &weights, inputs, targets, 0, scale, &mut grads, &mut accumulated);
        }
        trainer.finish(&net, &mut grads);
        assert!(grads == whole && accumulated == loss, "{shards} shards");
    }
}

#[test]
fn uncounted_tokens_have_a_gradient_but_no_loss() {
    let (net, weights) = network(&LARGE);
    let (inputs, targets) = (tokens(&LARGE, 20 * 50, 1), tokens(&LARGE, 20 * 50, 2));
    let mut trainer = Trainer::new(&net, 50, 20);
    let gradient = |trainer: &mut Trainer, uncounted| {
        let (mut grads, mut loss) = (vec![f32::NAN; weights.len()], Loss::default());
        trainer.begin(&mut grads);
        trainer.add(&net, &weights, &inputs, &targets, uncounted, 1.0, &mut grads, &mut loss);
        trainer.finish(&net, &mut grads);
        (grads, loss)
    };
    let (grads, all) = gradient(&mut trainer, 0);
    for uncounted in [1, 250, 413, 1000] {
        let (uncounted_grads, counted) = gradient(&mut trainer, uncounted);
        assert!(uncounted_grads == grads, "{uncounted} uncounted");
        assert_eq!(counted.count, 1000 - uncounted);
        // The loss of the counted tokens equals the loss when all others are ignored.
        let mut ignoring = targets.clone();
        ignoring[..uncounted].fill(IGNORE);
        let expected = trainer.loss(&net, &weights, &inputs, &ignoring);
        assert!((counted.sum - expected.sum).abs() < 1e-6 * all.sum, "{counted:?} and {expected:?}");
    }
}

#[test]
fn likeliest_token_has_the_largest_logit() {
    let (net, weights) = network(&LARGE);
    let (length, sequences) = (30, 19);
    let inputs = tokens(&LARGE, length * sequences, 1);
    let mut likeliest = vec![0; inputs.len()];
    Trainer::new(&net, length, 9).likeliest(&net, &weights, &inputs, &mut likeliest);
    let mut reader = Reader::new(&net);
    let mut logits = vec![0.0; length * LARGE.vocabulary];
    for (inputs, likeliest) in inputs.chunks(length).zip(likeliest.chunks(length)) {
        reader.read(&net, &weights, inputs);
        reader.logits(&net, &weights, &mut logits);
        for (logits, likeliest) in logits.chunks(LARGE.vocabulary).zip(likeliest) {
            assert!(logits.iter().all(|logit| *logit <= logits[usize::from(*likeliest)]));
        }
    }
}

#[test]
fn loss_and_gradient_agree_and_are_zero_without_targets() {
    let (net, weights) = network(&LARGE);
    let (inputs, targets) = (tokens(&LARGE, 330, 1), vec![IGNORE; 330]);
    let mut trainer = Trainer::new(&net, 10, 33);
    let mut grads = vec![1.0; weights.len()];
    let no_targets = trainer.gradient(&net, &weights, &inputs, &targets, &mut grads);
    assert!(no_targets.count == 0 && no_targets.mean() == 0.0 && grads.iter().all(|g| *g == 0.0));
    let targets = tokens(&LARGE, 330, 2);
    let with_gradient = trainer.gradient(&net, &weights, &inputs, &targets, &mut grads);
    assert_eq!(with_gradient, trainer.loss(&net, &weights, &inputs, &targets));
    assert_eq!(with_gradient.count, 330);
    // A smaller batch in a trainer that has run a larger one.
    let part = trainer.loss(&net, &weights, &inputs[..50], &targets[..50]);
    let alone = Trainer::new(&net, 10, 5).loss(&net, &weights, &inputs[..50], &targets[..50]);
    assert_eq!(part, alone);
}

/// Two networks of about the sizes that the language lab trains, of 3.26 and 12.3 million parameters. By
/// hand, with width w: `(vocabulary + context) w` for the embeddings, `12 w^2 + 13 w` for each block, and
/// `2 w` for the final norm.
#[test]
fn parameter_counts_agree_with_the_formula() {
    for (width, layers, heads, vocabulary, expected) in
        [(256, 4, 8, 256, 3_257_856), (384, 6, 6, 4096, 12_269_568)]
    {
        let shape = TransformerShape { vocabulary, context: 128, width, layers, heads, rotary: true };
        let mut layout = Layout::default();
        let net = Transformer::new(&mut layout, "net", &shape);
        assert_eq!(layout.len(), expected);
        // The parameter groups are consecutive and cover everything.
        let end = net.parameter_groups(0.1).iter().fold(0, |end, (group, _)| {
            assert_eq!(group.start, end);
            group.end
        });
        assert_eq!(end, expected);
    }
}

#[test]
fn transformer_loss_after_init_is_that_of_uniform_predictions() {
    let mut layout = Layout::default();
    let shape =
        TransformerShape { vocabulary: 256, context: 32, width: 64, layers: 3, heads: 2, rotary: true };
    let net = Transformer::new(&mut layout, "net", &shape);
    let mut weights = Weights::new(layout);
    weights.update(|params| net.init(params, Stream::new(1, 2)));
    let (inputs, targets) = (tokens(&shape, 320, 1), tokens(&shape, 320, 2));
    let loss = Trainer::new(&net, 32, 10).loss(&net, &weights, &inputs, &targets).mean();
    assert!((loss - 256f64.ln()).abs() < 0.3, "{loss}");
    let mut generator = Generator::new(&net);
    let logits = generator.feed(&net, &weights, &[5]);
    let token = Sampler::new(256).draw(logits, 1.0, 40, Stream::new(0, 0), 0);
    assert!(token < 256);
}

#[test]
#[should_panic(expected = "token 11 of 11")]
fn token_beyond_the_vocabulary_is_rejected() {
    let (net, weights) = network(&ODD);
    Reader::new(&net).read(&net, &weights, &[3, 11]);
}
