//! Tests of the corpus: validation, splits, and drawing of rows.

use learnery_kernels::rng::Stream;

use crate::text::{Corpus, Tokenizer};

fn numbered(lines: u32) -> String {
    (0..lines).map(|i| format!("Line {i} – of many.\n")).collect()
}

#[test]
fn corpus_refuses_invalid_bytes_with_a_reason() {
    let latin = [numbered(200).as_bytes(), b"caf\xe9"].concat();
    let binary = [numbered(200).as_bytes(), &[0]].concat();
    let not_text = format!("it is not UTF-8 text (byte {} is wrong); save it as UTF-8", latin.len());
    let cases: [(&[u8], &str); 5] = [
        (b"", "it is empty"),
        (b"Once upon a time.", "it has 17 bytes of text, but at least 2048 are needed"),
        (&[b' '; 5000], "it has 0 bytes of text, but at least 2048 are needed"),
        (&latin, &not_text),
        (&binary, "it contains zero bytes, so it is a binary file and not text"),
    ];
    for (bytes, sentence) in cases {
        let error = Corpus::new("poem.txt", bytes, Stream::new(1, 2)).expect_err(sentence);
        assert_eq!(error.to_string(), format!("poem.txt cannot be used: {sentence}"));
    }
}

#[test]
fn corpus_puts_every_byte_into_exactly_one_split() {
    for lines in [120, 1000, 30_000] {
        let text = numbered(lines);
        let corpus = Corpus::new("it", text.as_bytes(), Stream::new(lines, 2)).expect("a text");
        assert_eq!(corpus, Corpus::new("it", text.as_bytes(), Stream::new(lines, 2)).expect("a text"));
        let held: usize = corpus.held_out().map(str::len).sum();
        let share = held as f64 / text.len() as f64;
        assert!((0.05..0.15).contains(&share), "{share}");
        let training: usize = corpus.training().map(str::len).sum();
        assert_eq!(training + held, text.len());
        // Lines are unique, so no line is in both splits.
        let lines: Vec<&str> = corpus.training().flat_map(|passage| passage.split('\n')).collect();
        assert!(
            corpus
                .held_out()
                .all(|passage| !lines.contains(&passage.split('\n').nth(1).expect("many lines")))
        );
    }
}

#[test]
fn passages_draw_rows_uniformly_and_within_one_passage() {
    let text = numbered(300);
    let corpus = Corpus::new("it", text.as_bytes(), Stream::new(7, 2)).expect("a text");
    let tokenizer = Tokenizer::bytes();
    let passages = corpus.passages(&tokenizer, 100).expect("long enough");
    let passage_texts: Vec<&str> = corpus.training().collect();
    let starts: usize = passage_texts.iter().map(|text| text.len() - 99).sum();
    let mut seen = std::collections::HashMap::new();
    for step in 0..200 {
        for row in 0..500 {
            let tokens = passages.row(Stream::new(1, 1), step, row);
            assert_eq!(tokens.len(), 100);
            *seen.entry(tokenizer.decode(tokens)).or_insert(0) += 1;
        }
    }
    assert!(
        seen.keys()
            .all(|row| passage_texts.iter().any(|text| text.as_bytes().windows(100).any(|at| at == row)))
    );
    // A hundred thousand rows from some five thousand starts: about twenty for each.
    assert_eq!(seen.len(), starts);
    assert!(seen.values().all(|times| (2..60).contains(times)));
}

#[test]
fn passages_refuse_rows_longer_than_every_passage() {
    let text = numbered(110);
    let corpus = Corpus::new("it", text.as_bytes(), Stream::new(7, 2)).expect("a text");
    let error = corpus.passages(&Tokenizer::bytes(), 5000).expect_err("too long");
    assert_eq!(error.to_string(), "this text is too short: no passage of it has the 5000 tokens of a row");
}
