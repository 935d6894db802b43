//! The stage is the interactive part of the page: a sample that is being generated, a text that is inspected,
//! and a grid of problems. It is not saved and does not affect training.

use learnery_kernels::rng::Stream;
use learnery_lab::LabError;
use learnery_worlds::text::Split;

use super::generation::{SamplingOptions, TextGenerator};
use super::inspector::Inspector;
use super::network::Network;
use super::problem_grid::ProblemGrid;
use super::samples::is_full_length;
use super::tokenizer::Utf8Decoder;
use super::training_data::TrainingData;
use super::view::{LanguageCommand, SampleView, TokenView};

/// The speed at which a sample is generated.
const BYTES_PER_SECOND: f64 = 60.0;
/// The maximum number of tokens generated in one frame, even if the page was hidden for a long time.
const MAX_TOKENS_PER_FRAME: usize = 16;
/// Seconds for which a finished sample is shown before the next one begins.
const PAUSE_SECONDS: f64 = 2.5;
/// The maximum size of a text that the user types.
const MAX_PROMPT_BYTES: usize = 4096;
/// Bytes of held-out text that the inspector shows at first.
const INSPECTED_BYTES: usize = 400;

/// The default prompt for stories.
const STORY_PROMPT: &str = "One";
/// The default temperature for text: a little less random than the network's own probabilities.
const TEXT_TEMPERATURE: f32 = 0.8;

/// What the user sees and touches.
pub struct Stage {
    /// Random numbers of the samples.
    stream: Stream,
    prompt: String,
    /// Whether the user typed the prompt. If not, each sample of a task has another problem as its prompt.
    is_prompt_typed: bool,
    sampling: SamplingOptions,
    generator: TextGenerator,
    /// The number of the current sample, which selects its random numbers.
    sample_number: u64,
    /// The progress of the run when the current sample was started.
    started: Progress,
    /// Whether the current sample is complete.
    is_finished: bool,
    /// Bytes that may be generated now, at [`BYTES_PER_SECOND`].
    due_bytes: f64,
    /// Seconds for which the finished sample has been shown.
    shown_seconds: f64,
    /// How many updates had been made to the weights with which the KV cache was filled (the keys and values
    /// of the tokens so far). With newer weights the cache is not valid.
    cache_updates: u64,
    /// The token that ends a sample: the end of a task's answer. `None` for stories and texts.
    end_token: Option<u16>,
    pub inspector: Inspector,
    pub grid: Option<ProblemGrid>,
}

/// The progress of the run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// Completed iterations.
    pub unit: u64,
    /// Updates of the weights.
    pub updates: u64,
    /// Tokens trained on.
    pub tokens_seen: u64,
}

/// The default prompt for samples of this data, and the token that ends a sample.
pub fn default_prompt(network: &Network, data: &mut TrainingData) -> (String, Option<u16>) {
    if let Some(problems) = data.problems() {
        let question = problems.problem(0, Split::HeldOut).question.clone();
        return (question, network.end_of_answer());
    }
    let can_encode = |text: &str| network.encode(text).is_ok();
    if matches!(data, TrainingData::Stories(_)) && can_encode(STORY_PROMPT) {
        return (STORY_PROMPT.into(), None);
    }
    let held_out = data.held_out(MAX_PROMPT_BYTES).map(|held_out| held_out.text).unwrap_or_default();
    let first_word = held_out.split_whitespace().next().filter(|word| can_encode(word));
    (first_word.unwrap_or_default().into(), None)
}

/// The text that the inspector shows at first: a problem with its answer, or the beginning of the held-out
/// text.
fn default_inspected_text(data: &mut TrainingData) -> String {
    match data.problems() {
        Some(problems) => {
            // Number 0 is the default prompt of the samples.
            let problem = problems.problem(1, Split::HeldOut);
            format!("{}{}", problem.question, problem.answer)
        }
        None => data.held_out(INSPECTED_BYTES).map(|held_out| held_out.text).unwrap_or_default(),
    }
}

impl Stage {
    pub fn new(network: &Network, data: &mut TrainingData, stream: Stream) -> Self {
        let (prompt, end_token) = default_prompt(network, data);
        let mut stage = Self {
            stream,
            prompt,
            is_prompt_typed: false,
            // A problem has one right answer, so answers are greedy.
            sampling: SamplingOptions {
                temperature: if end_token.is_some() { 0.0 } else { TEXT_TEMPERATURE },
                top_k: 0,
            },
            generator: TextGenerator::new(network),
            sample_number: 0,
            started: Progress::default(),
            is_finished: false,
            due_bytes: 0.0,
            shown_seconds: 0.0,
            cache_updates: 0,
            end_token,
            inspector: Inspector::new(network),
            grid: data.problems().map(|problems| ProblemGrid::new(network, problems)),
        };
        // The inspector stays empty if the vocabulary lacks a character of the text.
        stage.inspector.open(network.encode(&default_inspected_text(data)).unwrap_or_default());
        stage.start_sample(network, Progress::default());
        stage
    }

    /// Starts another sample with the current prompt.
    fn start_sample(&mut self, network: &Network, progress: Progress) {
        // `apply` has checked that a typed prompt can be encoded.
        self.generator.start(network, &network.encode(&self.prompt).unwrap_or_default());
        self.sample_number += 1;
        (self.started, self.cache_updates) = (progress, progress.updates);
        self.is_finished = false;
        (self.due_bytes, self.shown_seconds) = (0.0, 0.0);
    }

    /// Executes a command. `SetText` is not handled here, because it changes the training data (see
    /// `Language::set_text`).
    pub fn apply(
        &mut self,
        network: &Network,
        command: LanguageCommand,
        progress: Progress,
    ) -> Result<(), LabError> {
        let encode = |text: &str| {
            if text.len() > MAX_PROMPT_BYTES {
                let message = format!("this text has {} bytes; the limit is {MAX_PROMPT_BYTES}", text.len());
                return Err(LabError::Command(message));
            }
            network.encode(text)
        };
        match command {
            LanguageCommand::SetPrompt { text } => {
                encode(&text)?;
                (self.prompt, self.is_prompt_typed) = (text, true);
                self.start_sample(network, progress);
            }
            LanguageCommand::SetSampling { temperature, top_k } => {
                if !(0.0..=2.0).contains(&temperature) {
                    let message = format!("the temperature must lie between 0 and 2, not {temperature}");
                    return Err(LabError::Command(message));
                }
                self.sampling = SamplingOptions { temperature, top_k: top_k as usize };
            }
            LanguageCommand::Regenerate => self.start_sample(network, progress),
            LanguageCommand::Inspect { text } => {
                let tokens = encode(&text)?;
                if tokens.is_empty() {
                    return Err(LabError::Command("there is nothing to inspect in an empty text".into()));
                }
                self.inspector.open(tokens);
                // At once, however short ago the last refresh was.
                self.inspector.refresh(network, progress.updates, f64::INFINITY);
            }
            LanguageCommand::ChooseToken { index } => self.inspector.choose(network, index as usize)?,
            LanguageCommand::AnswerProblem { question } => match &mut self.grid {
                Some(grid) => grid.answer_own(network, &question)?,
                None => {
                    let message = "this network learns text and knows no problems; type a prompt instead";
                    return Err(LabError::Command(message.into()));
                }
            },
            // The run has handled this one.
            LanguageCommand::SetText { .. } => {}
        }
        Ok(())
    }

    /// Lets `seconds` pass: generates some tokens and refreshes inspector and grid.
    pub fn animate(&mut self, network: &Network, data: &mut TrainingData, seconds: f64, progress: Progress) {
        self.inspector.refresh(network, progress.updates, seconds);
        if let Some(grid) = &mut self.grid {
            grid.animate(network, progress.updates);
        }
        if self.is_finished {
            self.wait_for_next(network, data, seconds, progress);
        } else {
            self.generate(network, seconds, progress);
        }
    }

    /// Starts the next sample after a pause, but only if the network has changed since the last one:
    /// otherwise the next sample would be of the same quality.
    fn wait_for_next(
        &mut self,
        network: &Network,
        data: &mut TrainingData,
        seconds: f64,
        progress: Progress,
    ) {
        self.shown_seconds += seconds;
        if self.shown_seconds < PAUSE_SECONDS || progress.updates == self.cache_updates {
            return;
        }
        if let (false, Some(problems)) = (self.is_prompt_typed, data.problems()) {
            let problem = problems.problem(self.sample_number, Split::HeldOut);
            self.prompt.clone_from(&problem.question);
        }
        self.start_sample(network, progress);
    }

    /// Generates the tokens that are due.
    fn generate(&mut self, network: &Network, seconds: f64, progress: Progress) {
        if self.generator.generated().is_empty() {
            // `Stage::new` starts the first sample without knowing how far the run is, which matters for a
            // run that was opened again.
            self.started = progress;
        }
        self.due_bytes += seconds * BYTES_PER_SECOND;
        for _ in 0..MAX_TOKENS_PER_FRAME {
            if self.due_bytes < 1.0 || self.is_finished {
                break;
            }
            if progress.updates != self.cache_updates {
                self.cache_updates = progress.updates;
                self.generator.clear_cache();
            }
            let token = self.generator.next_token(network, self.sampling, self.stream, self.sample_number);
            self.due_bytes -= network.tokenizer.piece(token).len() as f64;
            self.is_finished =
                Some(token) == self.end_token || is_full_length(network, self.generator.generated());
        }
        // What a slow page could not generate in time is dropped, except for a quarter of a second, so that
        // the page does not fall further behind.
        self.due_bytes = self.due_bytes.min(BYTES_PER_SECOND / 4.0);
    }

    pub fn prompt(&self) -> &str {
        &self.prompt
    }

    pub fn sampling(&self) -> SamplingOptions {
        self.sampling
    }

    /// The current sample as the page shows it, without the token that ends it.
    pub fn sample_view(&self, network: &Network) -> SampleView {
        let mut decoder = Utf8Decoder::default();
        let tokens = self.generator.tokens().iter().zip(self.generator.probabilities());
        let tokens = tokens.filter(|(token, _)| Some(**token) != self.end_token);
        let pieces: Vec<TokenView> = tokens
            .map(|(token, probability)| TokenView {
                text: decoder.push(network.tokenizer.piece(*token)),
                probability: *probability,
            })
            .collect();
        SampleView {
            unit: self.started.unit as u32,
            tokens_seen: self.started.tokens_seen as f64,
            text: pieces.iter().map(|piece| piece.text.as_str()).collect(),
            pieces,
            prompt_pieces: self.generator.prompt_length() as u32,
            done: self.is_finished,
        }
    }
}
