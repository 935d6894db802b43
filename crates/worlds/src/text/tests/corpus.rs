//! Tests of the corpus: validation, splits, and drawing of rows.

use learnery_kernels::rng::Stream;

use crate::text::{Corpus, Tokenizer};

/// A text of distinct lines of about 18 bytes. The dash is not ASCII, so characters and bytes differ.
fn numbered(lines: u32) -> String {
    (0..lines).map(|i| format!("Line {i} – of many.\n")).collect()
}

#[test]
fn corpus_rejects_invalid_bytes_with_a_reason() {
    // In Latin-1, 0xe9 is an accented letter; in UTF-8, it begins a character that is then cut off.
    let latin_1 = [numbered(200).as_bytes(), b"caf\xe9"].concat();
    let binary = [numbered(200).as_bytes(), &[0]].concat();
    let not_text = format!("it is not UTF-8 text (byte {} is wrong); save it as UTF-8", latin_1.len());
    let cases: [(&[u8], &str); 5] = [
        (b"", "it is empty"),
        (b"Once upon a time.", "it has 17 bytes of text, but at least 2048 are needed"),
        (&[b' '; 5000], "it has 0 bytes of text, but at least 2048 are needed"),
        (&latin_1, &not_text),
        (&binary, "it contains zero bytes, so it is a binary file and not text"),
    ];
    for (bytes, sentence) in cases {
        let error = Corpus::new("poem.txt", bytes, Stream::new(1, 2)).expect_err(sentence);
        assert_eq!(error.to_string(), format!("poem.txt cannot be used: {sentence}"));
    }
}

#[test]
fn corpus_puts_every_byte_into_exactly_one_split() {
    // 120 lines: blocks of the minimum length. 30,000 lines: blocks of the maximum length.
    for lines in [120, 1000, 30_000] {
        let text = numbered(lines);
        let corpus = Corpus::new("it", text.as_bytes(), Stream::new(lines, 2)).expect("a text");
        let held_out: usize = corpus.held_out().map(str::len).sum();
        let fraction = held_out as f64 / text.len() as f64;
        assert!((0.05..0.15).contains(&fraction), "{fraction}");
        let training: usize = corpus.training().map(str::len).sum();
        assert_eq!(training + held_out, text.len());
        // Lines are distinct. The second line of a held-out passage is whole, and in no training passage.
        let training_lines: Vec<&str> = corpus.training().flat_map(|passage| passage.split('\n')).collect();
        assert!(
            corpus
                .held_out()
                .all(|passage| !training_lines.contains(&passage.split('\n').nth(1).expect("many lines")))
        );
    }
}

#[test]
fn corpus_split_is_reproducible() {
    let text = numbered(1000);
    let split = || Corpus::new("it", text.as_bytes(), Stream::new(1, 2)).expect("a text");
    assert_eq!(split(), split());
}

#[test]
fn rows_are_uniform_over_all_starts_within_passages() {
    /// The tokens (here: bytes) of a row.
    const LENGTH: usize = 100;
    let text = numbered(300);
    let corpus = Corpus::new("it", text.as_bytes(), Stream::new(7, 2)).expect("a text");
    let tokenizer = Tokenizer::bytes();
    let passages = corpus.passages(&tokenizer, LENGTH).expect("long enough");
    let passage_texts: Vec<&str> = corpus.training().collect();
    let starts: usize = passage_texts.iter().map(|text| text.len() - (LENGTH - 1)).sum();
    let mut counts = std::collections::HashMap::new();
    for step in 0..200 {
        for row in 0..500 {
            let tokens = passages.row(Stream::new(1, 1), step, row);
            assert_eq!(tokens.len(), LENGTH);
            *counts.entry(tokenizer.decode(tokens)).or_insert(0) += 1;
        }
    }
    assert!(
        counts
            .keys()
            .all(|row| passage_texts.iter().any(|text| text.as_bytes().windows(LENGTH).any(|at| at == row)))
    );
    // A hundred thousand rows from some five thousand starts: about twenty for each.
    assert_eq!(counts.len(), starts);
    assert!(counts.values().all(|times| (2..60).contains(times)));
}

#[test]
fn passages_reject_rows_longer_than_every_passage() {
    let text = numbered(110);
    let corpus = Corpus::new("it", text.as_bytes(), Stream::new(7, 2)).expect("a text");
    let error = corpus.passages(&Tokenizer::bytes(), 5000).expect_err("too long");
    assert_eq!(error.to_string(), "this text is too short: no passage of it has the 5000 tokens of a row");
}
