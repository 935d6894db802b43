//! What a text, a task and a reader must get right, beside the contract.

use learnery_kernels::rng::Stream;
use learnery_lab::{Budget, Entry, EvalRequest, Lab, LabError, NamedText, Session, Status};
use learnery_nn::Trainer;
use learnery_nn::transformer::IGNORE;
use learnery_worlds::text::Split;
use serde_json::{Value, json};

use super::learner::Learner;
use super::material::{Material, tokenizer};
use super::network::Network;
use super::{Language, LanguageCommand, LanguageConfig, Source, Tokens};

fn small(source: Source) -> LanguageConfig {
    LanguageConfig {
        source,
        size: 3,
        width: 8,
        layers: 1,
        heads: 2,
        length: 24,
        batch: 5,
        updates: 1,
        judge_every: 1,
        judge_size: 300,
        ..LanguageConfig::default()
    }
}

fn unit(run: &mut Language) {
    while run.advance(&mut Budget::unlimited()) != Status::Unit {}
}

/// A text of ten thousand bytes in which every line can be told.
fn lines() -> String {
    (0..400).map(|i| format!("line {i} of a text\n")).collect()
}

fn bring(run: &mut Language, text: &str) -> Result<(), LabError> {
    run.apply(LanguageCommand::Text { name: "lines.txt".into(), text: text.into() })
}

#[test]
fn rows_of_a_task_ask_for_the_answer_alone() {
    let config = small(Source::Addition);
    let tokens = tokenizer(&config, None).expect("good settings");
    let mut material = Material::new(&config, 3).expect("good settings");
    let length = 12;
    let (mut inputs, mut targets) = (vec![0; 4 * length], vec![0; 4 * length]);
    material.batch(&tokens, 7, length, &mut inputs, &mut targets);
    for (row, (inputs, targets)) in (0..).zip(inputs.chunks(length).zip(targets.chunks(length))) {
        let problems = material.problems().expect("a task");
        let problem = problems.problem((7 << 16) + row, Split::Training).clone();
        let asked: Vec<u16> = targets.iter().copied().filter(|target| *target != IGNORE).collect();
        assert_eq!(tokens.decode(&asked), format!("{}\n", problem.answer).as_bytes());
        let whole = tokens.decode(inputs);
        let expected = format!("{}{}", problem.question, problem.answer);
        assert!(whole.starts_with(expected.as_bytes()), "{expected} in {whole:?}");
        assert_eq!(targets.iter().position(|target| *target != IGNORE), Some(problem.question.len() - 1));
    }
}

#[test]
fn rows_of_a_batch_are_cut_from_stories_of_their_own() {
    for tokens in [Tokens::Bytes, Tokens::Pairs] {
        let config = LanguageConfig { tokens, vocabulary: 400, ..small(Source::Stories) };
        let tokens = tokenizer(&config, None).expect("good settings");
        let mut material = Material::new(&config, 3).expect("good settings");
        let (mut inputs, mut targets) = (vec![0; 96], vec![0; 96]);
        let mut seen: Vec<Vec<u16>> = Vec::new();
        for batch in 2..12 {
            material.batch(&tokens, batch, 24, &mut inputs, &mut targets);
            for (inputs, targets) in inputs.chunks(24).zip(targets.chunks(24)) {
                assert_eq!(inputs[1..], targets[..23]);
                assert!(!seen.contains(&inputs.to_vec()), "the same row again");
                seen.push(inputs.to_vec());
            }
        }
        material.batch(&tokens, 2, 24, &mut inputs, &mut targets);
        assert_eq!(inputs[..24], seen[0], "a batch depends on what was asked before");
    }
}

/// The loss that is shown is that of rows that are as they were told.
#[test]
fn echoes_are_learned_from_but_not_counted() {
    let config = LanguageConfig { echoes: 0.6, length: 200, batch: 7, ..small(Source::Stories) };
    let tokens = tokenizer(&config, None).expect("good settings");
    let mut material = Material::new(&config, 3).expect("good settings");
    let mut network = Network::new(&config, tokens, 3).expect("good settings");
    let mut trainer = Trainer::new(&network.net, 200, 7);
    let (mut inputs, mut targets) = (vec![0; 1400], vec![0; 1400]);
    material.batch(&network.tokenizer, 0, 200, &mut inputs, &mut targets);
    let plain = trainer.loss(&network.net, &network.weights, &inputs[800..], &targets[800..]);
    let mut learner = Learner::new(&config, &network);
    let update =
        std::iter::repeat_with(|| learner.step(&config, &mut network, &mut material)).flatten().next();
    let update = update.expect("a batch ends");
    let bits = plain.sum / std::f64::consts::LN_2;
    assert!((update.bits - bits).abs() < 1e-3 * bits, "{} bits, not {bits}", update.bits);
    assert_eq!(update.bytes, 600);
}

#[test]
fn a_network_that_was_told_of_places_otherwise_is_refused() {
    let run = Language::new(small(Source::Addition), 0).expect("good settings");
    let mut state = run.save();
    assert!(Language::load(small(Source::Addition), 0, &state).is_ok());
    state.tensors.insert("network/places", &[1], &[1u8]);
    let refused = Language::load(small(Source::Addition), 0, &state).err().expect("it is refused");
    assert!(refused.to_string().contains("places"), "{refused}");
}

#[test]
fn what_cannot_be_learned_is_refused_by_name() {
    let refused = |settings: Value| {
        let result = Session::start(Entry::of::<Language>(), &settings, 0);
        result.err().unwrap_or_else(|| panic!("{settings} was accepted")).to_string()
    };
    assert!(refused(json!({"width": 64, "heads": 5})).contains("5 heads cannot share a width of 64"));
    assert!(refused(json!({"source": "parity", "size": 99})).contains("size"));
    assert!(refused(json!({"width": 1024, "layers": 24})).contains("parameters"));
    let wide = json!({"source": "stories", "length": 1024, "batch": 1024});
    assert!(refused(wide).contains("tokens in a batch"));
}

#[test]
fn a_text_brought_first_decides_the_tokens_and_one_brought_later_does_not() {
    let config = LanguageConfig { tokens: Tokens::Characters, ..small(Source::Text) };
    let mut run = Language::new(config, 0).expect("good settings");
    bring(&mut run, &lines()).expect("a good text");
    let view = run.view();
    assert_eq!((view.source, view.text_name.as_str()), (Source::Text, "lines.txt"));
    // Digits, letters, space and line break, and one token for all else.
    assert_eq!(view.vocabulary, 10 + "aefilnotx".len() as u32 + 2 + 1);
    unit(&mut run);
    let learned = run.network.weights.flat().to_vec();
    let strange = lines().replace("text", "täxt");
    let sentence = bring(&mut run, &strange).expect_err("characters it cannot read").to_string();
    assert!(sentence.contains('ä'), "{sentence}");
    bring(&mut run, &lines().replace("of", "on")).expect("a text in the same characters");
    assert_eq!(run.network.weights.flat(), learned, "what was learned is gone");
    unit(&mut run);
    let view = run.view();
    assert!(view.bits.is_some() && view.gzip.is_some() && view.order3.is_some() && view.floor.is_none());
    // It goes on from its file with the text in it.
    let again = Language::load(run.config.clone(), 0, &run.save()).expect("our own file");
    assert_eq!(again.view().text_name, "lines.txt");
}

#[test]
fn texts_that_are_none_are_refused_in_one_sentence() {
    let mut run = Language::new(small(Source::Text), 0).expect("good settings");
    for text in ["", "too short", "a\0b"] {
        let sentence = bring(&mut run, text).expect_err("no text").to_string();
        assert!(sentence.contains("lines.txt") && !sentence.contains('\n'), "{sentence}");
    }
    assert_eq!(run.view().source, Source::Stories);
    let mut task = Language::new(small(Source::Sort), 0).expect("good settings");
    assert!(bring(&mut task, &lines()).is_err());
}

#[test]
fn a_text_is_judged_on_what_was_held_out_of_it() {
    let mut run = Language::new(small(Source::Text), 0).expect("good settings");
    bring(&mut run, &lines()).expect("a good text");
    unit(&mut run);
    let network = run.save().tensors.under("network/");
    let judge = |text: Option<NamedText>| {
        Language::evaluate(&run.config, &network, &EvalRequest { text, ..EvalRequest::default() })
    };
    let text = NamedText { name: "lines.txt".into(), bytes: lines().into_bytes() };
    let report = judge(Some(text)).expect("it can be judged");
    let names: Vec<&str> = report.figures.iter().map(|figure| figure.0).collect();
    assert_eq!(names, ["bits", "gzip", "order 3", "parameters"]);
    assert!(judge(None).expect_err("no text").to_string().contains("--text"));
    let binary = NamedText { name: "x".into(), bytes: vec![0xff; 5000] };
    assert!(judge(Some(binary)).expect_err("no text").to_string().contains("UTF-8"));
}

/// The judge's windows ask for every token once: with a network that holds all tokens equally likely, any text costs eight
/// bits a byte.
#[test]
fn a_network_without_an_opinion_needs_eight_bits_a_byte() {
    for length in [24, 130] {
        let config = LanguageConfig { length, ..small(Source::Stories) };
        let mut run = Language::new(config, 0).expect("good settings");
        run.network.weights.update(|params| params.fill(0.0));
        let (text, _) = run.material.held_out(300).expect("stories");
        let verdict = loop {
            let Language { judge, network, learner, material, .. } = &mut run;
            if let Some(verdict) = judge.step(network, learner.trainer(), material) {
                break verdict;
            }
        };
        assert_eq!(run.judge.bytes(), text.len());
        assert!((verdict.bits.expect("a text") - 8.0).abs() < 1e-4, "{verdict:?}");
    }
}

/// What the judge calls right without writing is what the network writes.
#[test]
fn the_judge_agrees_with_what_is_written() {
    let config = LanguageConfig {
        size: 2,
        width: 32,
        batch: 64,
        updates: 5,
        learning_rate: 1e-2,
        ..small(Source::Copy)
    };
    let mut run = Language::new(config, 0).expect("good settings");
    let exact = (0..100).find_map(|_| {
        unit(&mut run);
        run.verdict.exact.filter(|exact| (0.2..0.9).contains(exact))
    });
    let exact = exact.expect("it never knew some and only some");
    let mut writer = super::Writer::new(&run.network);
    let problems = run.material.problems().expect("a task");
    let exercise = *problems.exercise();
    let mut right = 0;
    for index in 0..300 {
        let problem = problems.problem(index, Split::HeldOut).clone();
        let given = super::grid::answer(&run.network, &mut writer, &exercise, &problem.question);
        right += usize::from(given == problem.answer);
    }
    assert_eq!(right as f64 / 300.0, exact);
}

#[test]
fn the_stage_answers_what_a_visitor_does() {
    let mut run = Language::new(small(Source::Stories), 0).expect("good settings");
    unit(&mut run);
    let refused = |run: &mut Language, command: Value| {
        let command = serde_json::from_value(command).expect("a command");
        run.apply(command).expect_err("nonsense").to_string()
    };
    run.apply(LanguageCommand::Prompt { text: "The fox".into() }).expect("bytes have every text");
    run.apply(LanguageCommand::Dials { temperature: 1.0, top_k: 5 }).expect("good dials");
    run.apply(LanguageCommand::Read { text: "One fine day".into() }).expect("a text");
    run.apply(LanguageCommand::Token { index: 3 }).expect("a token");
    for _ in 0..200 {
        run.animate(0.05);
    }
    let view = run.view();
    assert!(view.sample.done && view.sample.text.starts_with("The fox"), "{:?}", view.sample.text);
    let pieces: String = view.sample.pieces.iter().map(|piece| piece.text.as_str()).collect();
    assert_eq!(pieces, view.sample.text);
    assert_eq!((view.reading.pieces.len(), view.reading.surprise.len(), view.reading.chosen), (12, 12, 3));
    assert_eq!(view.reading.attention.len(), 2 * 4);
    let sums = view.reading.attention.chunks(4).map(|head| head.iter().sum::<f32>());
    assert!(sums.into_iter().all(|sum| (sum - 1.0).abs() < 1e-4));
    assert_eq!(view.reading.next.len(), 12);
    assert_eq!(view.earlier.len(), 1);
    assert!(refused(&mut run, json!({"type": "token", "index": 12})).contains("no token 12"));
    assert!(
        refused(&mut run, json!({"type": "dials", "temperature": -1.0, "topK": 0})).contains("temperature")
    );
    assert!(refused(&mut run, json!({"type": "read", "text": ""})).contains("nothing"));
    assert!(refused(&mut run, json!({"type": "ask", "question": "1+1"})).contains("no problems"));

    let mut run = Language::new(small(Source::Addition), 0).expect("good settings");
    run.apply(LanguageCommand::Ask { question: "12+345".into() }).expect("a problem");
    run.animate(0.05);
    let grid = run.view().grid.expect("a task has one");
    let own = grid.own.expect("it was asked");
    assert_eq!((own.question.as_str(), own.answer.as_str()), ("12+345=", "357"));
    assert!(grid.right.0.iter().any(|right| *right != 2));
    assert!(refused(&mut run, json!({"type": "ask", "question": "12-5"})).len() > 10);
    assert!(refused(&mut run, json!({"type": "prompt", "text": "abc"})).contains("'a'"));
}

/// The same seed writes the same, whatever was looked at between.
#[test]
fn writers_are_functions_of_their_stream() {
    let run = Language::new(small(Source::Stories), 5).expect("good settings");
    let dials = super::Dials { temperature: 1.0, top_k: 0 };
    let text = |forget: bool| {
        let mut writer = super::Writer::new(&run.network);
        writer.begin(&run.network, &[]);
        for i in 0..60 {
            if forget && i % 7 == 0 {
                writer.forget();
            }
            writer.write(&run.network, dials, Stream::new(9, 0), 4);
        }
        writer.tokens().to_vec()
    };
    // Up to where the context is full, what is forgotten is taken in again to the bit.
    assert_eq!(text(false)[..24], text(true)[..24]);
    assert_eq!(text(false), text(false));
}
