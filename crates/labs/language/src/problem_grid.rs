//! The problem grid on the stage (the interactive part of the page): held-out problems that the network
//! answers again and again while it learns, and a problem that the user has typed.

use learnery_kernels::rng::Stream;
use learnery_lab::{Bytes, LabError};
use learnery_worlds::text::{Exercise, Problem, Split};

use super::generation::{SamplingOptions, TextGenerator};
use super::network::Network;
use super::training_data::{Problems, command_error};
use super::view::{ProblemGridView, ProblemView};

/// Problems in each row and column.
const SIDE: usize = 16;
/// An upper bound of the multiplications that the answers of one frame take, approximately.
const MULTIPLICATIONS_PER_FRAME: usize = 10_000_000;

/// Answers are greedy, as in the evaluation.
const GREEDY: SamplingOptions = SamplingOptions { temperature: 0.0, top_k: 0 };

/// The state of a problem of the grid. The page reads these numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Wrong = 0,
    Correct = 1,
    NotAnswered = 2,
}

/// A problem and the network's last answer.
struct GridProblem {
    problem: Problem,
    /// The network's last answer.
    given: Option<String>,
    /// How many updates had been made to the weights that gave this answer; `None` before
    /// [`ProblemGrid::animate`] has answered the problem.
    updates: Option<u64>,
}

/// The problems of the grid.
pub struct ProblemGrid {
    /// The task with its size.
    exercise: Exercise,
    generator: TextGenerator,
    problems: Vec<GridProblem>,
    /// The user's own problem.
    own: Option<GridProblem>,
    /// Index of the problem that is answered next.
    next: usize,
}

impl ProblemGrid {
    pub fn new(network: &Network, problems: &mut Problems) -> Self {
        let indices = 0..SIDE as u64 * SIDE as u64;
        let grid = indices.map(|index| GridProblem::new(problems.problem(index, Split::HeldOut))).collect();
        Self {
            problems: grid,
            exercise: *problems.exercise(),
            generator: TextGenerator::new(network),
            own: None,
            next: 0,
        }
    }

    /// Answers a problem that the user has typed.
    pub fn answer_own(&mut self, network: &Network, question: &str) -> Result<(), LabError> {
        let mut own = GridProblem::new(&self.exercise.answer(question).map_err(command_error)?);
        own.answer(network, &mut self.generator, &self.exercise);
        self.own = Some(own);
        Ok(())
    }

    /// Answers the user's problem and the next few problems of the grid, each only if the network has changed
    /// since its last answer. `updates` is the number of updates made to the weights so far.
    pub fn animate(&mut self, network: &Network, updates: u64) {
        // About one multiplication for each parameter and token.
        let multiplications_per_problem = network.weights.len() * self.exercise.max_length();
        let Self { exercise, generator, problems, own, next } = self;
        let mut refresh = |problem: &mut GridProblem| {
            if problem.updates.replace(updates) != Some(updates) {
                problem.answer(network, generator, exercise);
            }
        };
        own.iter_mut().for_each(&mut refresh);
        // At least one problem, even of a large network, and at most a row of the grid, even of a small one.
        for _ in 0..(MULTIPLICATIONS_PER_FRAME / multiplications_per_problem).clamp(1, SIDE) {
            refresh(&mut problems[*next]);
            *next = (*next + 1) % (SIDE * SIDE);
        }
    }

    pub fn view(&self) -> ProblemGridView {
        let outcomes = self.problems.iter().map(GridProblem::outcome);
        let count = |outcome| outcomes.clone().filter(|other| *other == outcome).count();
        let answered = self.problems.len() - count(Outcome::NotAnswered);
        ProblemGridView {
            side: SIDE as u32,
            share: count(Outcome::Correct) as f32 / answered.max(1) as f32,
            right: Bytes(outcomes.map(|outcome| outcome as u8).collect()),
            problems: self.problems.iter().map(GridProblem::view).collect(),
            own: self.own.as_ref().map(GridProblem::view),
        }
    }
}

impl GridProblem {
    fn new(problem: &Problem) -> Self {
        Self { problem: problem.clone(), given: None, updates: None }
    }

    fn answer(&mut self, network: &Network, generator: &mut TextGenerator, exercise: &Exercise) {
        self.given = Some(answer(network, generator, exercise, &self.problem.question));
    }

    fn outcome(&self) -> Outcome {
        match &self.given {
            None => Outcome::NotAnswered,
            Some(given) if *given == self.problem.answer => Outcome::Correct,
            Some(_) => Outcome::Wrong,
        }
    }

    fn view(&self) -> ProblemView {
        ProblemView {
            question: self.problem.question.clone(),
            answer: self.problem.answer.clone(),
            given: self.given.clone().unwrap_or_default(),
        }
    }
}

/// Returns the network's greedy answer: its output up to the first line break, or up to the maximum length of
/// a problem.
pub fn answer(
    network: &Network,
    generator: &mut TextGenerator,
    exercise: &Exercise,
    question: &str,
) -> String {
    let mut tokens = Vec::new();
    network.tokenizer.encode(question, &mut tokens);
    generator.start(network, &tokens);
    let mut bytes = Vec::new();
    for _ in tokens.len()..exercise.max_length() {
        // Greedy generation needs no random numbers, so stream and text number do not matter.
        let token = generator.next_token(network, GREEDY, Stream::new(0, 0), 0);
        match network.tokenizer.piece(token) {
            b"\n" => break,
            piece => bytes.extend_from_slice(piece),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
