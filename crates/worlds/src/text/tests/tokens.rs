//! Tests of the tokenizers: lossless round trips, and merges equal to those of a slow reference
//! implementation.

use learnery_kernels::rng::Stream;

use crate::text::Tokenizer;

const SAMPLE: &str = "The cat sat on the mat.  \n\nThe other cat sat there, the one that can't sit on 1234 mats; \
    naïve cats in Zürich — 猫 — sat and sat and sat aaaaaaaa.\n";

/// A random string of ASCII, letters of other scripts and white space.
fn random_text(index: u64) -> String {
    let stream = Stream::new(5, 1);
    let length = stream.below(index, 0, 300);
    let draw = |i: u64| {
        let [kind, which, ..] = stream.block(index, i);
        let all: Vec<char> = match kind % 4 {
            0 => SAMPLE.chars().collect(),
            1 => " \n\t \r".chars().collect(),
            2 => "éß漢字🙂ж\u{0}\u{7f}".chars().collect(),
            _ => "the cat sat".chars().collect(),
        };
        all[which as usize % all.len()]
    };
    (1..=u64::from(length)).map(draw).collect()
}

fn round_trip(tokenizer: &Tokenizer, text: &str) -> Vec<u16> {
    let mut tokens = Vec::new();
    tokenizer.encode(text, &mut tokens);
    assert!(tokens.iter().all(|token| usize::from(*token) < tokenizer.len()));
    assert_eq!(tokenizer.decode(&tokens), text.as_bytes());
    tokens
}

#[test]
fn tokenizers_round_trip_any_text() {
    let all = [
        Tokenizer::bytes(),
        Tokenizer::byte_pairs(SAMPLE, 270),
        Tokenizer::byte_pairs(SAMPLE, 16_384),
        Tokenizer::byte_pairs("", 999),
    ];
    for tokenizer in &all {
        for index in 0..500 {
            round_trip(tokenizer, &random_text(index));
        }
        round_trip(tokenizer, &"x".repeat(1000));
        round_trip(tokenizer, &" ".repeat(1000));
    }
    assert_eq!(all[1].len(), 270);
    assert_eq!(all[3].len(), 256);
}

#[test]
fn character_tokenizer_replaces_unknown_characters() {
    let tokenizer = Tokenizer::characters(SAMPLE);
    assert_eq!(round_trip(&tokenizer, SAMPLE).len(), SAMPLE.chars().count());
    let mut tokens = Vec::new();
    tokenizer.encode("cat q", &mut tokens);
    assert_eq!(usize::from(tokens[4]), tokenizer.len() - 1);
    assert_eq!(tokenizer.decode(&tokens), "cat \u{fffd}".as_bytes());
    assert!(tokenizer.covers("cat"));
    assert!(!tokenizer.covers("cat q"));
    assert!(tokenizer.piece(u16::MAX).is_empty());
}

/// A reference implementation of byte pair encoding, which counts all pairs again before each merge.
fn slow_pairs(words: &[&str], vocabulary: usize) -> Vec<[u16; 2]> {
    let mut words: Vec<Vec<u16>> = words.iter().map(|word| word.bytes().map(u16::from).collect()).collect();
    let mut pairs = Vec::new();
    for token in 256..vocabulary as u16 {
        let mut counts = std::collections::BTreeMap::new();
        for two in words.iter().flat_map(|word| word.windows(2)) {
            *counts.entry([two[0], two[1]]).or_insert(0) += 1;
        }
        // Of the most frequent pairs, the smallest.
        let Some((pair, _)) = counts.into_iter().rev().filter(|(_, n)| *n > 1).max_by_key(|(_, n)| *n) else {
            break;
        };
        for word in &mut words {
            let mut i = 0;
            while i + 1 < word.len() {
                if word[i..i + 2] == pair {
                    word.splice(i..i + 2, [token]);
                }
                i += 1;
            }
        }
        pairs.push(pair);
    }
    pairs
}

#[test]
fn byte_pairs_agree_with_the_definition() {
    let words = [
        "The", " cat", " sat", " on", " the", " mat", ".", " Then", " the", " cat", " atea", " 12", "12",
        "!?", " aaaaa", " aaaa", " banana", " ananas", "\n\n", "the", "\n", "naïve", " naïve", " bandana",
    ];
    let slow = slow_pairs(&words, 400);
    assert!(slow.len() > 15);
    let Ok(saved) = serde_json::to_value(Tokenizer::byte_pairs(&words.concat(), 400)) else { panic!() };
    let fast: Vec<u16> = serde_json::from_value(saved["pairs"].clone()).expect("numbers");
    assert_eq!(fast, slow.concat());
}

#[test]
fn byte_pairs_make_a_frequent_word_one_token() {
    let tokenizer = Tokenizer::byte_pairs(&SAMPLE.repeat(3), 16_384);
    let mut tokens = Vec::new();
    tokenizer.encode(" cat sat", &mut tokens);
    assert_eq!(tokens.len(), 2);
    assert_eq!(tokenizer.piece(tokens[0]), b" cat");
}

#[test]
fn tokenizers_round_trip_through_json_and_reject_damage() {
    for tokenizer in [Tokenizer::bytes(), Tokenizer::characters(SAMPLE), Tokenizer::byte_pairs(SAMPLE, 400)] {
        let text = serde_json::to_string(&tokenizer).expect("JSON");
        let again: Tokenizer = serde_json::from_str(&text).expect("the same");
        assert_eq!(again, tokenizer);
    }
    for damaged in [r#"{"characters":"ba"}"#, r#"{"pairs":[1,2,3]}"#, r#"{"pairs":[1,256]}"#, r#""words""#] {
        assert!(serde_json::from_str::<Tokenizer>(damaged).is_err(), "{damaged}");
    }
}
