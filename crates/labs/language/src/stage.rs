//! The stage: a sample that is being written, a text that is looked into, problems that are asked. None of this is saved and
//! none of it touches what is learned.

use learnery_kernels::rng::Stream;
use learnery_lab::LabError;
use learnery_worlds::text::Split;

use super::diary::is_long;
use super::grid::Grid;
use super::material::Material;
use super::network::Network;
use super::reading::Reading;
use super::spelling::Spelling;
use super::view::{LanguageCommand, LanguagePiece, LanguageSample};
use super::writer::{Dials, Writer};

/// Bytes a second that a sample grows by.
const PACE: f64 = 60.0;
/// Tokens written at once at most, however long the page slept.
const AT_ONCE: usize = 16;
/// Seconds that a finished sample stands.
const REST: f64 = 2.5;
/// The longest prompt, in bytes.
const LONGEST: usize = 4096;

/// What samples begin with where nobody says otherwise.
const OPENING: &str = "One";

/// What is only there to be looked at.
pub struct Show {
    stream: Stream,
    prompt: String,
    /// Whether somebody typed it; a task's own prompts change.
    typed: bool,
    dials: Dials,
    writer: Writer,
    /// Which sample this is, and when it was begun.
    text: u64,
    unit: u64,
    tokens_seen: u64,
    done: bool,
    /// Bytes that are due, and seconds that a finished sample has stood.
    owed: f64,
    rested: f64,
    /// Updates that the writer knows of.
    updates: u64,
    /// What ends a sample.
    end: Option<u16>,
    /// A text that is looked into.
    pub reading: Reading,
    /// Problems that are asked.
    pub grid: Option<Grid>,
}

/// How far the run is.
#[derive(Clone, Copy, Debug)]
pub struct Now {
    /// Iterations.
    pub unit: u64,
    /// Updates.
    pub updates: u64,
    /// Tokens.
    pub tokens_seen: u64,
}

/// What samples of this material begin with, and what ends one.
pub fn opening(network: &Network, material: &mut Material) -> (String, Option<u16>) {
    if let Some(problems) = material.problems() {
        let question = problems.problem(0, Split::HeldOut).question.clone();
        return (question, network.end_of_answers());
    }
    let fits = |text: &str| network.encode(text).is_ok();
    let first = || material.held_out(LONGEST).map(|(text, _)| text).unwrap_or_default();
    match material {
        Material::Stories(_) if fits(OPENING) => (OPENING.into(), None),
        // The first word of what is held out, which every network of this text can read.
        _ => (first().split_whitespace().next().filter(|word| fits(word)).unwrap_or_default().into(), None),
    }
}

impl Show {
    /// The stage of a network.
    pub fn new(network: &Network, material: &mut Material, stream: Stream) -> Self {
        let (prompt, end) = opening(network, material);
        let text = match material.problems() {
            Some(_) => String::new(),
            None => material.held_out(400).map(|(text, _)| text).unwrap_or_default(),
        };
        let mut show = Self {
            stream,
            prompt,
            typed: false,
            // The likeliest answer is the one to a problem.
            dials: Dials { temperature: if end.is_some() { 0.0 } else { 0.8 }, top_k: 0 },
            writer: Writer::new(network),
            text: 0,
            unit: 0,
            tokens_seen: 0,
            done: false,
            owed: 0.0,
            rested: 0.0,
            updates: 0,
            end,
            reading: Reading::new(network),
            grid: material.problems().map(|problems| Grid::new(network, problems)),
        };
        let text = match material.problems() {
            Some(problems) => {
                let problem = problems.problem(1, Split::HeldOut);
                format!("{}{}", problem.question, problem.answer)
            }
            None => text,
        };
        show.reading.open(network.encode(&text).unwrap_or_default());
        show.begin(network, Now { unit: 0, updates: 0, tokens_seen: 0 });
        show
    }

    fn begin(&mut self, network: &Network, now: Now) {
        // A prompt was checked when it was typed.
        self.writer.begin(network, &network.encode(&self.prompt).unwrap_or_default());
        self.text += 1;
        (self.unit, self.tokens_seen, self.updates) = (now.unit, now.tokens_seen, now.updates);
        self.done = false;
        (self.owed, self.rested) = (0.0, 0.0);
    }

    /// Carries out what a visitor asked for.
    pub fn apply(&mut self, network: &Network, command: LanguageCommand, now: Now) -> Result<(), LabError> {
        let read = |text: &str| {
            if text.len() > LONGEST {
                return Err(LabError::Command(format!("{} bytes; at most {LONGEST} fit here", text.len())));
            }
            network.encode(text)
        };
        match command {
            LanguageCommand::Prompt { text } => {
                read(&text)?;
                (self.prompt, self.typed) = (text, true);
                self.begin(network, now);
            }
            LanguageCommand::Dials { temperature, top_k } => {
                if !(0.0..=2.0).contains(&temperature) {
                    return Err(LabError::Command(format!(
                        "a temperature of {temperature}; expected 0 to 2"
                    )));
                }
                self.dials = Dials { temperature, top_k: top_k as usize };
            }
            LanguageCommand::Again => self.begin(network, now),
            LanguageCommand::Read { text } => {
                let tokens = read(&text)?;
                if tokens.is_empty() {
                    return Err(LabError::Command("there is nothing to look into".into()));
                }
                self.reading.open(tokens);
                self.reading.look(network, now.updates, f64::INFINITY);
            }
            LanguageCommand::Token { index } => self.reading.choose(network, index as usize)?,
            LanguageCommand::Ask { question } => match &mut self.grid {
                Some(grid) => grid.ask(network, &question)?,
                None => {
                    return Err(LabError::Command("a text has no problems; type a prompt instead".into()));
                }
            },
            LanguageCommand::Text { .. } => {}
        }
        Ok(())
    }

    /// Lets time pass.
    pub fn animate(&mut self, network: &Network, material: &mut Material, seconds: f64, now: Now) {
        self.reading.look(network, now.updates, seconds);
        if let Some(grid) = &mut self.grid {
            grid.animate(network, now.updates);
        }
        if self.done {
            self.rested += seconds;
            // A network that has not changed would write much the same.
            if self.rested >= REST && now.updates != self.updates {
                if let (false, Some(problems)) = (self.typed, material.problems()) {
                    let problem = problems.problem(self.text, Split::HeldOut);
                    self.prompt.clone_from(&problem.question);
                }
                self.begin(network, now);
            }
            return;
        }
        self.owed += seconds * PACE;
        for _ in 0..AT_ONCE {
            if self.owed < 1.0 || self.done {
                break;
            }
            if now.updates != self.updates {
                self.updates = now.updates;
                self.writer.forget();
            }
            let token = self.writer.write(network, self.dials, self.stream, self.text);
            self.owed -= network.tokenizer.piece(token).len() as f64;
            self.done = Some(token) == self.end || is_long(network, &self.writer);
        }
        self.owed = self.owed.min(PACE / 4.0);
    }

    /// What samples begin with, and how daring they are.
    pub fn dials(&self) -> (&str, Dials) {
        (&self.prompt, self.dials)
    }

    /// The newest sample.
    pub fn sample(&self, network: &Network) -> LanguageSample {
        let mut spelling = Spelling::default();
        let each = self.writer.tokens().iter().zip(self.writer.probabilities());
        let each = each.filter(|(token, _)| Some(**token) != self.end);
        let pieces: Vec<LanguagePiece> = each
            .map(|(token, probability)| LanguagePiece {
                text: spelling.push(network.tokenizer.piece(*token)),
                probability: *probability,
            })
            .collect();
        LanguageSample {
            unit: self.unit as u32,
            tokens_seen: self.tokens_seen as f64,
            text: pieces.iter().map(|piece| piece.text.as_str()).collect(),
            pieces,
            prompt_pieces: self.writer.prompt() as u32,
            done: self.done,
        }
    }
}
