//! Problems that nothing is learned from, asked one after the other while the network learns, and one that a visitor asked.

use learnery_kernels::rng::Stream;
use learnery_lab::{Bytes, LabError};
use learnery_worlds::text::{Exercise, Problem, Split};

use super::material::{Problems, refused};
use super::network::Network;
use super::view::{LanguageGrid, LanguageProblem};
use super::writer::{Dials, Writer};

/// Problems along and down.
const SIDE: usize = 16;
/// Multiplications that the problems asked in one frame may take, about.
const WORK: usize = 10_000_000;

/// The likeliest answer is the one that counts.
const GREEDY: Dials = Dials { temperature: 0.0, top_k: 0 };

/// A problem, and what was answered last.
struct Asked {
    problem: Problem,
    given: Option<String>,
    /// After how many updates it was asked.
    updates: Option<u64>,
}

/// The problems.
pub struct Grid {
    exercise: Exercise,
    writer: Writer,
    asked: Vec<Asked>,
    own: Option<Asked>,
    next: usize,
}

impl Grid {
    /// Nothing asked yet.
    pub fn new(network: &Network, problems: &mut Problems) -> Self {
        let asked =
            (0..(SIDE * SIDE) as u64).map(|index| Asked::new(problems.problem(index, Split::HeldOut)));
        Self {
            asked: asked.collect(),
            exercise: *problems.exercise(),
            writer: Writer::new(network),
            own: None,
            next: 0,
        }
    }

    /// Asks a visitor's problem.
    pub fn ask(&mut self, network: &Network, question: &str) -> Result<(), LabError> {
        let mut own = Asked::new(&self.exercise.answer(question).map_err(refused)?);
        own.ask(network, &mut self.writer, &self.exercise);
        self.own = Some(own);
        Ok(())
    }

    /// Asks some problems that the network as it is has not been asked.
    pub fn animate(&mut self, network: &Network, updates: u64) {
        let each = network.weights.len() * self.exercise.max_length();
        let Self { exercise, writer, asked, own, next } = self;
        let mut ask = |asked: &mut Asked| {
            if asked.updates.replace(updates) != Some(updates) {
                asked.ask(network, writer, exercise);
            }
        };
        own.iter_mut().for_each(&mut ask);
        for _ in 0..(WORK / each).clamp(1, SIDE) {
            ask(&mut asked[*next]);
            *next = (*next + 1) % (SIDE * SIDE);
        }
    }

    /// What can be drawn.
    pub fn view(&self) -> LanguageGrid {
        let right = |asked: &Asked| match &asked.given {
            None => 2,
            Some(given) => u8::from(*given == asked.problem.answer),
        };
        let right: Vec<u8> = self.asked.iter().map(right).collect();
        let known = right.iter().filter(|it| **it != 2).count();
        LanguageGrid {
            side: SIDE as u32,
            share: right.iter().filter(|it| **it == 1).count() as f32 / known.max(1) as f32,
            right: Bytes(right),
            problems: self.asked.iter().map(Asked::view).collect(),
            own: self.own.as_ref().map(Asked::view),
        }
    }
}

impl Asked {
    fn new(problem: &Problem) -> Self {
        Self { problem: problem.clone(), given: None, updates: None }
    }

    fn ask(&mut self, network: &Network, writer: &mut Writer, exercise: &Exercise) {
        self.given = Some(answer(network, writer, exercise, &self.problem.question));
    }

    fn view(&self) -> LanguageProblem {
        LanguageProblem {
            question: self.problem.question.clone(),
            answer: self.problem.answer.clone(),
            given: self.given.clone().unwrap_or_default(),
        }
    }
}

/// What the network answers: all up to the first line break, or as much as an answer may have.
pub fn answer(network: &Network, writer: &mut Writer, exercise: &Exercise, question: &str) -> String {
    let mut tokens = Vec::new();
    network.tokenizer.encode(question, &mut tokens);
    writer.begin(network, &tokens);
    let mut bytes = Vec::new();
    for _ in tokens.len()..exercise.max_length() {
        let token = writer.write(network, GREEDY, Stream::new(0, 0), 0);
        match network.tokenizer.piece(token) {
            b"\n" => break,
            piece => bytes.extend_from_slice(piece),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
