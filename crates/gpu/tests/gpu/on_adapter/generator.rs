//! Text generation on the device against [`learnery_nn::Generator`] and [`Sampler`] on the CPU.

use learnery_gpu::transformer::{Generated, Generator, Prompt, SOURCES, Sampling};
use learnery_gpu::{Gpu, PlanBuilder, Progress};
use learnery_kernels::math;
use learnery_kernels::rng::Stream;
use learnery_nn::transformer::Sampler;
use learnery_nn::{Generator as CpuGenerator, Transformer, TransformerShape, Weights};

use super::transformer::network;
use crate::{arrive, device, modest_device, relative_distance};

const STREAM: Stream = Stream::new(9, 4);

const GREEDY: Sampling = Sampling { temperature: 0.0, top_k: 0, stream: STREAM };

fn shape_of(
    [vocabulary, context, width]: [usize; 3],
    layers: usize,
    heads: usize,
    rotary: bool,
) -> TransformerShape {
    TransformerShape { vocabulary, context, width, layers, heads, rotary }
}

/// Random tokens.
fn prompt(length: usize, vocabulary: usize, seed: u32) -> Vec<u16> {
    let stream = Stream::new(seed, 5);
    (0..length as u64).map(|i| (stream.uniform(i, 0) * vocabulary as f32) as u16).collect()
}

/// A network whose logits differ by several units, so that it has something to say.
fn talkative(shape: &TransformerShape) -> (Transformer, Weights) {
    let (net, mut weights) = network(shape);
    let gammas = net.final_norm().range();
    let gammas = gammas.start..gammas.start + shape.width;
    weights.update(|params| params[gammas].iter_mut().for_each(|gamma| *gamma *= 4.0));
    (net, weights)
}

fn on_device(gpu: &Gpu, net: &Transformer, weights: &Weights, sequences: usize) -> Generator {
    let tokens = net.shape().vocabulary;
    Generator::new(gpu, net, weights.flat(), sequences, tokens).expect("the network fits")
}

/// The probability of a token at temperature 1.
fn probability(logits: &[f32], token: u16) -> f32 {
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = logits.iter().map(|logit| math::exp(logit - largest)).sum();
    math::exp(logits[usize::from(token)] - largest) / sum
}

/// Whether the random number of a token lies within 1e-4 of the boundary between two tokens, or, without
/// randomness, whether the two most likely tokens are so close.
fn is_close(logits: &[f32], sampling: Sampling, index: u64) -> bool {
    let mut sorted = logits.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    if sampling.temperature == 0.0 {
        return sorted[0] - sorted[1] < 1e-4 * sorted[0].abs();
    }
    let count = if sampling.top_k == 0 { sorted.len() } else { sampling.top_k };
    if count < sorted.len() && sorted[count - 1] - sorted[count] < 1e-4 {
        return true;
    }
    let threshold = sorted[count.min(sorted.len()) - 1];
    let weights = logits.iter().map(|logit| match *logit >= threshold {
        true => f64::from((logit - sorted[0]) / sampling.temperature).exp(),
        false => 0.0,
    });
    let total: f64 = weights.clone().sum();
    let target = f64::from(sampling.stream.uniform(index, 0));
    let mut before = 0.0;
    weights
        .map(|weight| {
            before += weight / total;
            before
        })
        .any(|boundary| (boundary - target).abs() < 1e-4)
}

/// Compares generated tokens of one text with the CPU's, each given the same tokens before. Returns how many
/// were different, which is allowed only where two tokens are equally good.
fn differences(
    (net, weights): (&Transformer, &Weights),
    prompt: Prompt,
    sampling: Sampling,
    generated: &[Generated],
) -> usize {
    let (mut generator, mut sampler) = (CpuGenerator::new(net), Sampler::new(net.shape().vocabulary));
    let mut text = prompt.tokens.to_vec();
    let mut fed = 0;
    let mut different = 0;
    for (i, found) in generated.iter().enumerate() {
        let logits = generator.feed(net, weights, &text[fed..]);
        fed = text.len();
        let index = (u64::from(prompt.number) << 32) + text.len() as u64;
        let token = sampler.draw(logits, sampling.temperature, sampling.top_k, sampling.stream, index);
        if token != found.token {
            assert!(is_close(logits, sampling, index), "token {i} is {}, not {token}", found.token);
            different += 1;
        }
        let expected = probability(logits, found.token);
        assert!(
            (found.probability / expected - 1.0).abs() < 1e-3,
            "token {i}: probability {}, not {expected}",
            found.probability
        );
        text.push(found.token);
    }
    different
}

#[test]
fn random_words_are_those_of_the_cpu() {
    let Some(gpu) = device() else { return };
    // Small numbers, large ones, and all bits of counters and keys.
    let source = Stream::new(1, 2);
    let mut cases: Vec<([u32; 2], u64, u64)> = vec![([0, 0], 0, 0), ([u32::MAX; 2], u64::MAX, u64::MAX)];
    cases.extend((0..64).map(|bit| ([1 << (bit % 32), 7], 1u64 << bit, 1u64 << (63 - bit))));
    cases.extend((0..4000).map(|i| {
        let [a, b, c, d] = source.block(i, 0);
        let [e, f, ..] = source.block(i, 1);
        ([a, b], u64::from(c) << 32 | u64::from(d), u64::from(e) << 32 | u64::from(f))
    }));
    let split = |value: u64| [value as u32, (value >> 32) as u32];
    let mut words: [Vec<u32>; 2] = [Vec::new(), Vec::new()];
    let mut expected = Vec::new();
    for (key, index, sub) in &cases {
        words[0].extend(split(*index).into_iter().chain(split(*sub)));
        words[1].extend(key);
        expected.extend(Stream::new(key[0], key[1]).block(*index, *sub));
    }
    let [counters, keys, out] = [4, 2, 4].map(|width| gpu.buffer(width * cases.len()).unwrap());
    gpu.write(&counters, 0, &words[0]);
    gpu.write(&keys, 0, &words[1]);
    let mut plan = PlanBuilder::new(gpu);
    let buffers = [&counters, &keys, &out];
    plan.dispatch_elements("random_words", &[], &[cases.len().into()], &buffers, cases.len(), 64);
    plan.build().unwrap().submit_all();
    let found: Vec<u32> = gpu.read(&out, 0, 4 * cases.len()).unwrap();
    assert!(found == expected, "other random words than on the CPU");
}

/// Logits after prompts that are shorter or longer than the context, and within texts that outgrow it.
#[test]
fn logits_are_those_of_the_cpu() {
    let Some(gpu) = device() else { return };
    for (shape, length, steps) in [
        (shape_of([11, 7, 8], 1, 2, false), 3, 12),
        (shape_of([11, 8, 8], 2, 2, true), 8, 12),
        (shape_of([11, 1, 8], 1, 1, true), 3, 2),
        (shape_of([11, 3, 8], 1, 4, true), 1, 6),
        (shape_of([65, 33, 24], 2, 3, true), 40, 3),
        (shape_of([13, 9, 30], 2, 5, true), 5, 6),
        (shape_of([300, 100, 64], 2, 4, true), 66, 2),
        (shape_of([20, 70, 128], 1, 1, false), 70, 2),
        (shape_of([21, 300, 20], 1, 2, true), 290, 14),
        (shape_of([7, 5, 3], 1, 1, false), 2, 5),
    ] {
        let (net, weights) = network(&shape);
        let mut generator = on_device(gpu, &net, &weights, 1);
        let mut cpu = CpuGenerator::new(&net);
        let mut text = prompt(length, shape.vocabulary, 1);
        generator.start(&[Prompt { tokens: &text, number: 0 }], GREEDY);
        let mut fed = 0;
        for step in 0..steps {
            let generated = generator.generate(1).unwrap();
            let logits: Vec<f32> = arrive(gpu, &generator.read_logits());
            let expected = cpu.feed(&net, &weights, &text[fed..]);
            let distance = relative_distance(&logits, expected);
            assert!(distance < 1e-4, "{shape:?}, step {step}: the logits are {distance} apart");
            fed = text.len();
            text.push(generated[0].token);
        }
    }
}

/// Phones and older cards offer no more than the limits of this device.
#[test]
fn a_modest_gpu_generates_the_same_tokens() {
    let (Some(gpu), Some(modest)) = (device(), modest_device()) else { return };
    let shape = shape_of([90, 24, 32], 2, 2, true);
    let (net, weights) = talkative(&shape);
    let tokens = prompt(5, shape.vocabulary, 5);
    let prompts = [0, 1].map(|number| Prompt { tokens: &tokens, number });
    let generate = |gpu| {
        let mut generator = on_device(gpu, &net, &weights, prompts.len());
        generator.start(&prompts, Sampling { temperature: 1.0, ..GREEDY });
        let generated = generator.generate(30).expect("the device answers");
        generated.into_iter().map(|generated| generated.token).collect::<Vec<_>>()
    };
    assert_eq!(generate(gpu), generate(&modest));
}

#[test]
fn tokens_are_those_of_the_cpu() {
    let Some(gpu) = device() else { return };
    let shape = shape_of([90, 24, 32], 2, 2, true);
    let (net, weights) = talkative(&shape);
    let prompts: Vec<Vec<u16>> = [5, 24, 1, 60].map(|length| prompt(length, 90, length as u32)).into();
    let numbers = [0, 1, 77, u32::MAX];
    let prompts: Vec<Prompt> =
        prompts.iter().zip(numbers).map(|(tokens, number)| Prompt { tokens, number }).collect();
    let mut generator = on_device(gpu, &net, &weights, prompts.len());
    for (temperature, top_k) in [(0.0, 0), (1.0, 0), (0.7, 5), (1.5, 1), (3.0, 40), (1.0, 90), (1e-3, 0)] {
        let sampling = Sampling { temperature, top_k, stream: STREAM };
        generator.start(&prompts, sampling);
        let generated = generator.generate(60).unwrap();
        assert_eq!(generated.len(), 60 * prompts.len());
        for (i, text) in prompts.iter().enumerate() {
            let own: Vec<Generated> = generated.iter().skip(i).step_by(prompts.len()).copied().collect();
            let different = differences((&net, &weights), *text, sampling, &own);
            assert!(different < 3, "{sampling:?}, text {i}: {different} tokens differ");
            let mut found: Vec<u16> = own.iter().map(|generated| generated.token).collect();
            found.sort_unstable();
            found.dedup();
            if temperature >= 1.0 && top_k != 1 {
                assert!(
                    found.len() > 5,
                    "{sampling:?}: a text of {} different tokens tests little",
                    found.len()
                );
            }
        }
    }
}

/// Texts of a batch, alone and together, and requests and reads of any size: the same bits.
#[test]
fn batches_and_slices_change_no_bit() {
    let Some(gpu) = device() else { return };
    let sampling = Sampling { temperature: 1.0, top_k: 30, stream: STREAM };
    // More texts than one workgroup computes rows, and fewer.
    for (shape, count) in [(shape_of([50, 12, 40], 1, 2, true), 17), (shape_of([45, 12, 18], 2, 3, false), 3)]
    {
        let (net, weights) = talkative(&shape);
        let texts: Vec<Vec<u16>> = (0..count).map(|i| prompt(1 + i, 45, i as u32)).collect();
        let prompts: Vec<Prompt> =
            (0..).zip(&texts).map(|(number, tokens)| Prompt { tokens, number }).collect();
        let mut together = on_device(gpu, &net, &weights, prompts.len());
        together.start(&prompts, sampling);
        let expected = together.generate(20).unwrap();
        let mut alone = on_device(gpu, &net, &weights, 1);
        for i in [0, count - 1] {
            alone.start(&prompts[i..=i], sampling);
            let mut found = Vec::new();
            for steps in [1, 17, 2] {
                found.extend(alone.generate(steps).unwrap());
            }
            let own: Vec<Generated> = expected.iter().skip(i).step_by(prompts.len()).copied().collect();
            assert!(found == own, "{shape:?}: text {i} alone has other bits");
        }
        // Results that are fetched while others are requested.
        together.start(&prompts, sampling);
        let mut found = Vec::new();
        for _ in 0..4 {
            together.request(5);
            together.advance().unwrap();
            found.extend(together.poll().unwrap());
        }
        found.extend(together.generate(0).unwrap());
        assert!(found == expected, "{shape:?}: another slicing has other bits");
    }
}

/// A step of so much work that it is cut into several submissions.
#[test]
fn step_in_several_submissions_has_the_same_bits() {
    let Some(gpu) = device() else { return };
    let shape = shape_of([300, 8, 64], 5, 4, true);
    let (net, weights) = talkative(&shape);
    let tokens = prompt(1, 300, 1);
    let prompts: Vec<Prompt> = (0..64).map(|number| Prompt { tokens: &tokens, number }).collect();
    let sampling = Sampling { temperature: 1.0, top_k: 0, stream: STREAM };
    let mut together = on_device(gpu, &net, &weights, prompts.len());
    together.start(&prompts, sampling);
    together.request(1);
    // Other tests run at the same time and may keep the device busy.
    let progress = std::iter::repeat_with(|| together.advance().unwrap()).find(|p| *p != Progress::Waiting);
    assert_eq!(progress, Some(Progress::Submitted), "more than one submission");
    let expected = together.generate(0).unwrap();
    let mut alone = on_device(gpu, &net, &weights, 1);
    alone.start(&prompts[40..41], sampling);
    assert!(alone.generate(1).unwrap()[0] == expected[40]);
}

/// Products of more rows than the kernel for few rows takes, and a vocabulary of which a part is never
/// sampled.
#[test]
fn large_batches_are_like_small_ones() {
    let Some(gpu) = device() else { return };
    let shape = shape_of([40, 10, 16], 2, 2, true);
    let (net, weights) = talkative(&shape);
    let texts: Vec<Vec<u16>> = (0..70).map(|i| prompt(1 + i % 12, 40, i as u32)).collect();
    let prompts: Vec<Prompt> = (0..).zip(&texts).map(|(number, tokens)| Prompt { tokens, number }).collect();
    let mut generator = Generator::new(gpu, &net, weights.flat(), 70, 25).unwrap();
    generator.start(&prompts, Sampling { temperature: 2.0, top_k: 0, stream: STREAM });
    let generated = generator.generate(12).unwrap();
    assert!(generated.iter().all(|generated| generated.token < 25));
    let logits: Vec<f32> = arrive(gpu, &generator.read_logits());
    for i in [0, 13, 69] {
        let mut text = texts[i].clone();
        text.extend(generated.iter().skip(i).step_by(70).map(|generated| generated.token));
        text.pop();
        let mut cpu = CpuGenerator::new(&net);
        let (begin, rest) = text.split_at(texts[i].len());
        let mut expected = cpu.feed(&net, &weights, begin).to_vec();
        for token in rest {
            expected = cpu.feed(&net, &weights, &[*token]).to_vec();
        }
        let distance = relative_distance(&logits[40 * i..40 * (i + 1)], &expected);
        assert!(distance < 1e-4, "text {i}: the logits are {distance} apart");
    }
}

/// The sampler alone, on logits that are not numbers, infinite or equal.
#[test]
fn sampler_accepts_all_logits() {
    let Some(gpu) = device() else { return };
    const TEXTS: usize = 24;
    for vocabulary in [1, 5, 300, 1000] {
        let mut rows: Vec<Vec<f32>> = (0..TEXTS as u32)
            .map(|seed| crate::numbers(vocabulary, seed).into_iter().map(|x| 4.0 * x).collect())
            .collect();
        // Many equal logits, so that the k-th largest is not unique; both zeros; NaN and infinities. Each of
        // these rows has special values at every third place, the later rows more kinds of them.
        rows[..12].iter_mut().flatten().for_each(|x| *x = x.round());
        let special = [f32::NAN, f32::NEG_INFINITY, -0.0, 0.0, -f32::NAN, f32::MAX, f32::INFINITY];
        for (i, row) in rows.iter_mut().enumerate().skip(4).take(14) {
            let (count, kinds) = (row.len(), special.len().min(1 + i / 2));
            (0..count).step_by(3).for_each(|at| row[(at * 7) % count] = special[(at + i) % kinds]);
        }
        rows[20].fill(f32::NAN);
        rows[21].fill(f32::NEG_INFINITY);
        rows[22].fill(f32::MIN);
        rows[23].fill(0.0);
        let buffers = [4 + TEXTS, TEXTS * vocabulary, 4 * TEXTS, TEXTS, 2 * TEXTS];
        let [options, logits, states, history, results] = buffers.map(|words| gpu.buffer(words).unwrap());
        gpu.write(&logits, 0, &rows.concat());
        let threads = if vocabulary > 512 { 256 } else { 64 };
        let mut plan = PlanBuilder::with_sources(gpu, SOURCES);
        let parameters = [vocabulary, vocabulary, 1, 1, TEXTS].map(Into::into);
        let buffers = [&options, &logits, &states, &history, &results];
        plan.dispatch("sampler", &[("THREADS", threads)], &parameters, &buffers, [TEXTS, 1, 1], 1.0);
        let plan = plan.build().unwrap();
        let mut sampler = Sampler::new(vocabulary);
        for (temperature, top_k) in
            [(0.0, 0), (1.0, 0), (0.5, 2), (2.0, 7), (1.0, 299), (1e-30, 0), (100.0, 3)]
        {
            let [key_0, key_1] = STREAM.key();
            let mut words = vec![f32::to_bits(temperature), top_k as u32, key_0, key_1];
            words.extend(0..TEXTS as u32);
            gpu.write(&options, 0, &words);
            // The rows that the step has fed: text, position, index in the text, slot of the result.
            let begin: Vec<u32> = (0..TEXTS as u32).flat_map(|i| [i, 0, 10 * i, 0]).collect();
            gpu.write(&states, 0, &begin);
            plan.submit_all();
            let found: Vec<[u32; 2]> = gpu.read(&results, 0, 2 * TEXTS).unwrap();
            let moved: Vec<[u32; 4]> = gpu.read(&states, 0, 4 * TEXTS).unwrap();
            for (i, row) in rows.iter().enumerate() {
                let index = ((i as u64) << 32) + 10 * i as u64 + 1;
                let expected = sampler.draw(row, temperature, top_k, STREAM, index);
                let same = found[i][0] == u32::from(expected);
                let sampling = Sampling { temperature, top_k, stream: STREAM };
                let all_finite = row.iter().all(|logit| logit.is_finite());
                let close = all_finite && temperature > 0.0 && is_close(row, sampling, index);
                assert!(
                    same || close,
                    "{vocabulary}, {sampling:?}, row {i}: {}, not {expected}",
                    found[i][0]
                );
                // The text, position and index of the next token, and the slot of its result: there is one
                // slot.
                assert_eq!(moved[i], [i as u32, 1, 10 * i as u32 + 1, 0]);
                if all_finite {
                    let expected = probability(row, found[i][0] as u16);
                    let found = f32::from_bits(found[i][1]);
                    assert!((found - expected).abs() <= 1e-4 * expected, "row {i}: {found}, not {expected}");
                }
            }
        }
    }
}
