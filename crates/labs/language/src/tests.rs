//! Tests of whole runs, beside those that all labs share: the user's text, evaluation, generation and the
//! stage (the interactive part of the page, apart from training). A unit is one training iteration.

use learnery_kernels::rng::Stream;
use learnery_lab::{
    self as lab, Context, Entry, Job, Lab, LabError, NamedText, Report, Session, State, Status, Tool,
    from_tagged,
};
use learnery_nn::Trainer;
use learnery_worlds::text::Split;
use serde_json::{Value, json};

use super::evaluation::{EvaluationResult, Evaluator};
use super::learner::Learner;
use super::training_data::TrainingData;
use super::{
    Evaluate, EvaluationInput, Language, LanguageCommand, LanguageConfig, LanguageView, Network,
    SamplingOptions, Source, TextGenerator, Tokens, tokenizer,
};

/// Settings of a network so small that a unit takes milliseconds. Every unit is evaluated.
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
        evaluate_every: 1,
        evaluation_size: 300,
        ..LanguageConfig::default()
    }
}

/// A run without a session. It keeps what a session would keep for the run.
struct Run {
    lab: Language,
    config: LanguageConfig,
    /// Completed units.
    unit: u64,
}

fn context(config: &LanguageConfig, unit: u64) -> Context<'_, LanguageConfig> {
    Context { config, seed: 0, unit }
}

impl Run {
    fn new(config: LanguageConfig) -> Self {
        Self { lab: Language::new(context(&config, 0)).expect("valid settings"), config, unit: 0 }
    }

    fn advance_unit(&mut self) {
        while self.lab.step(context(&self.config, self.unit)) != Status::UnitFinished {}
        self.unit += 1;
    }

    fn apply(&mut self, command: LanguageCommand) -> Result<(), LabError> {
        self.lab.apply(context(&self.config, self.unit), command).map(drop)
    }

    fn animate(&mut self, seconds: f64) {
        self.lab.animate(context(&self.config, self.unit), seconds);
    }

    fn view(&self) -> LanguageView {
        self.lab.view(context(&self.config, self.unit))
    }

    fn set_text(&mut self, text: &str) -> Result<(), LabError> {
        self.apply(LanguageCommand::SetText { name: "lines.txt".into(), text: text.into() })
    }
}

/// A text of ten thousand bytes with 400 different lines.
fn lines() -> String {
    (0..400).map(|i| format!("line {i} of a text\n")).collect()
}

#[test]
fn repeated_rows_are_trained_on_but_not_counted_in_the_loss() {
    // Seven rows of 200 tokens. Sixty percent of them, rounded to four, repeat their own beginning and come
    // first; three do not.
    let config = LanguageConfig { repeat_fraction: 0.6, length: 200, batch: 7, ..small(Source::Stories) };
    let tokenizer = tokenizer::build_tokenizer(&config, None).expect("valid settings");
    let mut data = TrainingData::new(&config, 3).expect("valid settings");
    let mut network = Network::new(&config, tokenizer, 3).expect("valid settings");
    let mut trainer = Trainer::new(&network.net, 200, 7);
    let (mut inputs, mut targets) = (vec![0; 1400], vec![0; 1400]);
    data.batch(&network.tokenizer, 0, 200, &mut inputs, &mut targets);
    let unrepeated = trainer.loss(&network.net, &network.weights, &inputs[800..], &targets[800..]);
    // The learner must report the loss of the three other rows, of the same weights.
    let mut learner = Learner::new(&config, &network);
    let update = std::iter::repeat_with(|| learner.step(&config, &mut network, &mut data)).flatten().next();
    let update = update.expect("a batch ends");
    let bits = unrepeated.sum / std::f64::consts::LN_2;
    assert!((update.bits - bits).abs() < 1e-3 * bits, "{} bits, not {bits}", update.bits);
    // A token of stories is a byte.
    assert_eq!(update.bytes, 600);
}

#[test]
fn settings_that_do_not_go_together_are_refused_by_name() {
    let refusal = |settings: Value| {
        let result = Session::start(Entry::of::<Language>(), &settings, 0);
        result.err().unwrap_or_else(|| panic!("{settings} was accepted")).to_string()
    };
    assert!(refusal(json!({"width": 64, "heads": 5})).contains("5 heads cannot share a width of 64"));
    assert!(refusal(json!({"source": "parity", "size": 99})).contains("size"));
    assert!(refusal(json!({"width": 1024, "layers": 24})).contains("parameters"));
    let huge_batch = json!({"source": "stories", "length": 1024, "batch": 1024});
    assert!(refusal(huge_batch).contains("tokens in a batch"));
}

#[test]
fn text_determines_the_tokenizer_before_the_first_update_only() {
    let mut run = Run::new(LanguageConfig { tokens: Tokens::Characters, ..small(Source::Text) });
    run.set_text(&lines()).expect("a valid text");
    let view = run.view();
    assert_eq!((view.source, view.text_name.as_str()), (Source::Text, "lines.txt"));
    // Digits, letters, space and line break, and one token for all other characters.
    assert_eq!(view.vocabulary, 10 + "aefilnotx".len() as u32 + 2 + 1);
    run.advance_unit();
    let learned = run.lab.network.weights.flat().to_vec();
    let sentence =
        run.set_text(&lines().replace("text", "täxt")).expect_err("unknown characters").to_string();
    assert!(sentence.contains('ä'), "{sentence}");
    // A text with the same characters.
    run.set_text(&lines().replace("of", "on")).expect("a valid text");
    assert_eq!(run.lab.network.weights.flat(), learned, "the network was reset");
    run.advance_unit();
    let view = run.view();
    assert!(view.bits.is_some() && view.gzip.is_some() && view.order3.is_some() && view.floor.is_none());
    let state: State = run.lab.save();
    let restored = Language::load(context(&run.config, run.unit), &state).expect("our own state");
    assert_eq!(restored.view(context(&run.config, run.unit)).text_name, "lines.txt");
}

#[test]
fn unusable_texts_are_refused_in_one_sentence() {
    let mut run = Run::new(small(Source::Text));
    for text in ["", "too short", "a\0b"] {
        let sentence = run.set_text(text).expect_err("an unusable text").to_string();
        assert!(sentence.contains("lines.txt") && !sentence.contains('\n'), "{sentence}");
    }
    assert_eq!(run.view().source, Source::Stories);
    assert!(Run::new(small(Source::Sort)).set_text(&lines()).is_err());
}

#[test]
fn evaluation_on_a_text_uses_its_held_out_part() {
    let mut run = Run::new(small(Source::Text));
    run.set_text(&lines()).expect("a valid text");
    run.advance_unit();
    let network = run.lab.save().tensors.under("network/");
    let evaluate = |text: Option<NamedText>| -> Result<Report, LabError> {
        let (config, network) = (run.config.clone(), network.clone());
        let source = lab::Source { config, network, seed: 0, units: 1, work: 0 };
        Job::of(Evaluate::begin(source, EvaluationInput::default(), text)?, 1).answer()
    };
    let text = NamedText { name: "lines.txt".into(), bytes: lines().into_bytes() };
    let report = evaluate(Some(text)).expect("a valid text");
    let names: Vec<&str> = report.figures.iter().map(|figure| figure.name).collect();
    assert_eq!(names, ["bits", "gzip", "order 3", "parameters"]);
    assert!(evaluate(None).expect_err("no text").to_string().contains("name one as `text`"));
    let binary = NamedText { name: "x".into(), bytes: vec![0xff; 5000] };
    assert!(evaluate(Some(binary)).expect_err("not a text").to_string().contains("UTF-8"));
}

/// All tokens are equally likely for a network whose weights are zero.
#[test]
fn network_of_zeros_needs_eight_bits_per_byte() {
    // A window that is a multiple of the stride, and one that is not.
    for length in [24, 130] {
        let mut run = Run::new(LanguageConfig { length, ..small(Source::Stories) }).lab;
        run.network.weights.update(|params| params.fill(0.0));
        // 300 is the evaluation size of `small`.
        let held_out = run.data.held_out(300).expect("stories").text;
        let result = loop {
            let Language { evaluator, network, learner, data, .. } = &mut run;
            if let Some(result) = evaluator.step(network, learner.trainer(network), data) {
                break result;
            }
        };
        // Every byte counts once.
        assert_eq!(run.evaluator.bytes(), held_out.len());
        assert!((result.bits.expect("a text") - 8.0).abs() < 1e-4, "{result:?}");
    }
}

/// What is known after a part of the rows is the result of an evaluation on these rows alone. (Held-out stories
/// are whole, so no shorter text of them ends with a given row.)
#[test]
fn result_so_far_is_that_of_the_first_rows() {
    for source in [Source::Copy, Source::Text] {
        let mut run = Run::new(small(source));
        if source == Source::Text {
            run.set_text(&lines()).expect("a valid text");
        }
        run.advance_unit();
        let Language { network, data, .. } = &mut run.lab;
        let (length, strides) = (network.net.shape().context, 4);
        let mut trainer = Trainer::new(&network.net, length, Trainer::sequences(length, 1));
        let rows = trainer.micro_batch() / length;
        // The size of an evaluation of this many rows: problems, or the bytes that as many windows count.
        let size =
            |rows: usize| if source == Source::Copy { rows } else { length + (rows - 1) * length / strides };
        let mut whole = Evaluator::new(network, data, size(3 * rows), strides);
        assert_eq!((whole.rows(), whole.result_so_far()), (3 * rows, None), "{source:?}");
        for steps in 1..=2 {
            let done = steps * rows;
            while whole.evaluated_rows() < done {
                assert_eq!(whole.step(network, &mut trainer, data), None, "{source:?}");
            }
            let mut first = Evaluator::new(network, data, size(done), strides);
            assert_eq!(first.rows(), done, "{source:?}");
            let result = loop {
                if let Some(result) = first.step(network, &mut trainer, data) {
                    break result;
                }
            };
            let known = whole.result_so_far().expect("some rows are evaluated");
            assert_eq!(known, EvaluationResult { excess: None, ..result }, "{source:?}, {steps} steps");
            assert_eq!(whole.bytes(), first.bytes(), "{source:?}");
        }
    }
}

/// The evaluation compares the most likely token after each prefix of the correct answer. Here the answers to
/// the same 300 problems are generated token by token.
#[test]
fn teacher_forced_evaluation_agrees_with_greedy_generation() {
    let config = LanguageConfig {
        size: 2,
        width: 32,
        batch: 64,
        updates: 5,
        learning_rate: 1e-2,
        ..small(Source::Copy)
    };
    let mut run = Run::new(config);
    let exact = (0..100).find_map(|_| {
        run.advance_unit();
        run.lab.evaluation.exact.filter(|exact| (0.2..0.9).contains(exact))
    });
    let exact = exact.expect("at some time it answers some of the problems, but not all");
    let Language { network, data, .. } = &mut run.lab;
    let mut generator = TextGenerator::new(network);
    let problems = data.problems().expect("a task");
    let exercise = *problems.exercise();
    let mut correct = 0;
    for index in 0..300 {
        let problem = problems.problem(index, Split::HeldOut).clone();
        let given = super::problem_grid::answer(network, &mut generator, &exercise, &problem.question);
        correct += usize::from(given == problem.answer);
    }
    assert_eq!(correct as f64 / 300.0, exact);
}

/// The error of a command, given as the page sends it.
fn refusal(run: &mut Run, command: Value) -> String {
    let command = from_tagged(command).expect("a command");
    run.apply(command).expect_err("the command is refused").to_string()
}

#[test]
fn stage_of_a_text_follows_the_user() {
    let mut run = Run::new(small(Source::Stories));
    run.advance_unit();
    run.apply(LanguageCommand::SetPrompt { text: "The fox".into() }).expect("bytes encode every text");
    run.apply(LanguageCommand::SetSampling { temperature: 1.0, top_k: 5 }).expect("valid options");
    run.apply(LanguageCommand::Inspect { text: "One fine day".into() }).expect("a text");
    run.apply(LanguageCommand::ChooseToken { index: 3 }).expect("a token");
    // Ten seconds, long enough for the sample to end.
    for _ in 0..200 {
        run.animate(0.05);
    }
    let view = run.view();
    assert!(view.sample.done && view.sample.text.starts_with("The fox"), "{:?}", view.sample.text);
    let pieces: String = view.sample.pieces.iter().map(|piece| piece.text.as_str()).collect();
    assert_eq!(pieces, view.sample.text);
    // "One fine day" has twelve tokens.
    assert_eq!((view.reading.pieces.len(), view.reading.surprise.len(), view.reading.chosen), (12, 12, 3));
    // Two heads, each with a weight for tokens 0 to 3.
    assert_eq!(view.reading.attention.len(), 2 * 4);
    let sums = view.reading.attention.chunks(4).map(|head| head.iter().sum::<f32>());
    assert!(sums.into_iter().all(|sum| (sum - 1.0).abs() < 1e-4));
    // The page shows the twelve most likely next tokens, and a sample after one iteration.
    assert_eq!(view.reading.next.len(), 12);
    assert_eq!(view.earlier.len(), 1);
    assert!(refusal(&mut run, json!({"type": "token", "index": 12})).contains("no token 12"));
    let negative = json!({"type": "dials", "temperature": -1.0, "topK": 0});
    assert!(refusal(&mut run, negative).contains("temperature"));
    assert!(refusal(&mut run, json!({"type": "read", "text": ""})).contains("nothing"));
    assert!(refusal(&mut run, json!({"type": "ask", "question": "1+1"})).contains("no problems"));
}

#[test]
fn first_sample_of_a_restored_run_says_how_far_the_run_is() {
    let mut run = Run::new(small(Source::Addition));
    run.advance_unit();
    run.lab = Language::load(context(&run.config, run.unit), &run.lab.save()).expect("our own state");
    run.animate(0.05);
    let sample = run.view().sample;
    assert!(sample.unit == 1 && sample.tokens_seen > 0.0, "{} {}", sample.unit, sample.tokens_seen);
}

#[test]
fn stage_of_a_task_answers_the_users_problem() {
    let mut run = Run::new(small(Source::Addition));
    run.apply(LanguageCommand::AnswerProblem { question: "12+345".into() }).expect("a problem");
    run.animate(0.05);
    let grid = run.view().grid.expect("a task has a grid");
    let own = grid.own.expect("the user's problem");
    assert_eq!((own.question.as_str(), own.answer.as_str()), ("12+345=", "357"));
    // 2 is a problem that is not answered yet.
    assert!(grid.right.0.iter().any(|right| *right != 2));
    assert!(refusal(&mut run, json!({"type": "ask", "question": "12-5"})).len() > 10);
    assert!(refusal(&mut run, json!({"type": "prompt", "text": "abc"})).contains("'a'"));
}

#[test]
fn generated_text_depends_on_its_stream_and_not_on_the_cache() {
    let network = Run::new(small(Source::Stories)).lab.network;
    let options = SamplingOptions { temperature: 1.0, top_k: 0 };
    // Generates 60 tokens. If `clear_cache` is true, the cache is rebuilt every seven tokens.
    let text_number = 4;
    let generate = |clear_cache: bool| {
        let mut generator = TextGenerator::new(&network);
        generator.start(&network, &[]);
        for i in 0..60 {
            if clear_cache && i % 7 == 0 {
                generator.clear_cache();
            }
            generator.next_token(&network, options, Stream::new(9, 0), text_number);
        }
        generator.tokens().to_vec()
    };
    // Until the context of 24 tokens is full, a rebuilt cache holds the same bits. Then the beginning of the
    // text is cut off, at a place that depends on when the cache was built.
    assert_eq!(generate(false)[..24], generate(true)[..24]);
    assert_eq!(generate(false), generate(false));
}
