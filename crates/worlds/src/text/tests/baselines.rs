//! Baselines held to zlib and to probability theory.

use learnery_kernels::rng::Stream;

use crate::text::baselines::{OrderThree, gzip_bits_per_byte};

/// A text that any language makes alike: words by a linear congruence.
fn words() -> String {
    let all = "the a cat dog house river walked saw and or quietly never blue small old"
        .split(' ')
        .collect::<Vec<_>>();
    let mut state = 1_u32;
    let mut text = String::new();
    for _ in 0..4000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        text.push_str(all[(state >> 16) as usize % all.len()]);
        text.push(' ');
    }
    text
}

/// `gzip -9` makes 3,658 bytes of this text (18 of them its frame); the encoder here searches a little
/// differently.
#[test]
fn gzip_is_what_gzip_says() {
    let text = words();
    assert_eq!(text.len(), 19_435);
    let bytes = gzip_bits_per_byte(text.as_bytes()) * text.len() as f64 / 8.0;
    assert!((bytes / 3658.0 - 1.0).abs() < 0.01, "{bytes}");
}

#[test]
fn probabilities_sum_to_one() {
    let text = words();
    let model = OrderThree::fit(text.as_bytes());
    for context in [&b"the"[..], b"t d", b"zzz", b"e", b"", b"q c"] {
        let sum: f64 = (0..=255).map(|byte| model.probability(context, byte)).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{sum}");
    }
}

/// Counted by hand: after "a" three times of four "b"; two kinds.
#[test]
fn a_short_text_by_hand() {
    let model = OrderThree::fit(b"ababaab");
    // Order 0: a 4, b 3, two kinds. Order 1 after a: b 3, a 1.
    let zero = |count: f64| (count + 2.0 / 256.0) / 9.0;
    let one = (3.0 + 2.0 * zero(3.0)) / 6.0;
    assert!((model.probability(b"a", b'b') - one).abs() < 1e-15);
    // "ca" was never seen, so what follows "a" says it all.
    assert!((model.probability(b"ca", b'b') - one).abs() < 1e-15);
    // After "ba": b 1, a 1.
    assert!((model.probability(b"ba", b'b') - (1.0 + 2.0 * one) / 4.0).abs() < 1e-15);
}

/// Letters drawn evenly carry two bits, and a model can neither beat that nor miss it by much.
#[test]
fn noise_keeps_its_entropy() {
    let stream = Stream::new(1, 1);
    let text: Vec<u8> = (0..120_000).map(|i| b'a' + stream.below(i, 0, 4) as u8).collect();
    let (training, held_out) = text.split_at(100_000);
    let bits = OrderThree::fit(training).bits_per_byte(held_out);
    assert!((1.99..2.02).contains(&bits), "{bits}");
    assert!((2.0..2.6).contains(&gzip_bits_per_byte(held_out)));
    // A text that repeats is foretold almost wholly.
    let again = b"abcd".repeat(1000);
    assert!(OrderThree::fit(&again).bits_per_byte(&again) < 0.02);
}
