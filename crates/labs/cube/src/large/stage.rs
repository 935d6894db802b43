//! The stage: one puzzle on the page that the user turns, scrambles or enters, and that the agent solves by
//! searches. It is no part of training and is not saved.

use learnery_kernels::rng::Stream;
use learnery_lab::{Floats, LabError};
use learnery_worlds::puzzle::{Puzzle, State, Turn};

use super::network::Network;
use super::remote::{MakeGuide, NetworkGuide};
use super::search::AnytimeSearch;
use crate::beam::LayerSummary;
use crate::config::TurnMetric;
use crate::view::{CubeCommand, LargeStageView};

/// The width of the beam (states kept at each depth) in the first searches and in the last ones.
const FIRST_AND_LAST_WIDTH: [usize; 2] = [256, 1 << 16];
/// States that a search expands between two pictures: a few hundredths of a second in a browser.
const STATES_PER_PICTURE: u64 = 4096;
/// The most turns of a scramble that the user asks for.
const MAX_SCRAMBLE: u32 = 100;
/// The most turns that are sent to the page.
const MAX_SENT_TURNS: usize = 200;
/// The length of the scramble that the stage opens with.
const OPENING_SCRAMBLE: u32 = 8;

pub struct Stage {
    /// What counts as one turn of a solution.
    metric: TurnMetric,
    scrambles: Stream,
    /// The next unused index of `scrambles`.
    next_index: u64,
    state: State,
    /// The last [`MAX_SENT_TURNS`] turns since the puzzle was scrambled or entered.
    made: Vec<Turn>,
    /// Counts all turns ever made on the stage, so that the page can tell which of `made` are new.
    count: u32,
    /// The search from the state in which the agent began to solve. It goes on until it ends or is stopped,
    /// and is kept for the view until the solution is forgotten.
    search: Option<AnytimeSearch>,
    is_searching: bool,
    /// The shortest solution, and how many of its turns were made.
    solution: Vec<Turn>,
    solution_made: usize,
    /// The network on a GPU, as it was when the search began.
    guide: Option<Box<dyn NetworkGuide>>,
}

impl Stage {
    pub fn new(network: &Network, metric: TurnMetric, scrambles: Stream) -> Self {
        let mut stage = Self {
            metric,
            scrambles,
            next_index: 0,
            state: network.puzzle().solved(),
            made: Vec::new(),
            count: 0,
            search: None,
            is_searching: false,
            solution: Vec::new(),
            solution_made: 0,
            guide: None,
        };
        stage.scramble(network, OPENING_SCRAMBLE);
        stage
    }

    fn place(&mut self, state: State) {
        self.state = state;
        self.made.clear();
        self.forget_solution();
    }

    fn forget_solution(&mut self) {
        self.search = None;
        self.is_searching = false;
        self.solution.clear();
        self.solution_made = 0;
    }

    fn scramble(&mut self, network: &Network, length: u32) {
        let mut state = network.puzzle().solved();
        let keep_last = |_: Turn, after: &State| state = *after;
        network.puzzle().walk(network.turns(), self.scrambles, self.next_index, length as usize, keep_last);
        self.next_index += 1;
        self.place(state);
    }

    /// Makes a turn of the user. The stage keeps its solution if the turn is the next one of the solution, or
    /// undoes the last turn that was made of it.
    fn turn(&mut self, puzzle: &Puzzle, turn: Turn) {
        self.state = puzzle.after(&self.state, turn);
        self.count = self.count.wrapping_add(1);
        self.made.push(turn);
        if self.made.len() > MAX_SENT_TURNS {
            self.made.remove(0);
        }
        let next = self.solution.get(self.solution_made);
        let last = self.solution_made.checked_sub(1).and_then(|last| self.solution.get(last));
        if next == Some(&turn) {
            self.is_searching = false;
            self.solution_made += 1;
        } else if last.is_some_and(|last| puzzle.inverse(*last) == turn) {
            self.is_searching = false;
            self.solution_made -= 1;
        } else {
            self.forget_solution();
        }
    }

    /// Executes a command of the user. A command that is refused changes nothing.
    pub fn apply(&mut self, network: &Network, command: &CubeCommand) -> Result<(), LabError> {
        let puzzle = network.puzzle();
        match command {
            CubeCommand::Turn { turns } => {
                let turns = puzzle.parse(turns).map_err(LabError::Command)?;
                turns.into_iter().for_each(|turn| self.turn(puzzle, turn));
            }
            CubeCommand::Scramble { turns } if (1..=MAX_SCRAMBLE).contains(turns) => {
                self.scramble(network, *turns);
            }
            CubeCommand::Scramble { turns } => {
                return Err(LabError::Command(format!("{turns} turns; a scramble has 1 to {MAX_SCRAMBLE}")));
            }
            // A random state at a given distance is for the 2x2x2 alone, whose distances are all known.
            CubeCommand::Away { .. } => {
                return Err(LabError::Command(format!(
                    "the distances of the {} are not known; scramble it instead",
                    puzzle.name()
                )));
            }
            CubeCommand::Place { stickers } => {
                let state = puzzle.from_text(stickers).map_err(LabError::Command)?;
                self.place(state);
            }
            CubeCommand::Solve => {
                self.forget_solution();
                // All states that are as far from solved because they are symmetric or inverse.
                let variants = AnytimeSearch::all_variants(puzzle);
                self.search = Some(AnytimeSearch::new(
                    network,
                    &self.state,
                    FIRST_AND_LAST_WIDTH,
                    variants,
                    self.metric,
                ));
                self.is_searching = self.state != puzzle.solved();
            }
            CubeCommand::Stop => self.is_searching = false,
        }
        Ok(())
    }

    /// Continues the search in progress until it has expanded [`STATES_PER_PICTURE`] states more. It uses the
    /// weights of this moment: while the run learns, they change during a search.
    pub fn animate(&mut self, network: &Network) {
        let Some(search) = self.search.as_mut().filter(|_| self.is_searching) else { return };
        let enough = search.expanded() + STATES_PER_PICTURE;
        while !search.is_done() && search.expanded() < enough {
            search.step(network);
        }
        self.take_best();
    }

    /// Like `animate`, with the network on a GPU. A search keeps the weights with which it began there,
    /// because new ones would discard the scores that the GPU is computing.
    pub fn animate_on(&mut self, make_guide: &MakeGuide, network: &Network) -> Result<(), LabError> {
        let Some(search) = self.search.as_mut().filter(|_| self.is_searching) else { return Ok(()) };
        let can_guide = |guide: &mut Box<dyn NetworkGuide>| !search.is_new() || guide.set_network(network);
        if !self.guide.as_mut().is_some_and(can_guide) {
            // There is no guide yet, or it cannot take this network.
            self.guide = Some(make_guide(network)?);
        }
        let guide = self.guide.as_mut().expect("it was made");
        search.step_remotely(&mut **guide)?;
        self.take_best();
        Ok(())
    }

    /// Stops the search, because the GPU has failed.
    pub fn stop(&mut self) {
        self.is_searching = false;
    }

    /// Takes the shortest solution of the search so far.
    fn take_best(&mut self) {
        let Some(search) = &self.search else { return };
        if let Some(best) = search.best() {
            self.solution = best.to_vec();
        }
        self.is_searching = !search.is_done();
    }

    pub fn view(&self, puzzle: &Puzzle) -> LargeStageView {
        let names = |turns: &[Turn]| turns.iter().map(|turn| puzzle.turn_name(*turn).to_owned()).collect();
        let layers: Vec<LayerSummary> =
            self.search.as_ref().map_or(Vec::new(), |search| search.beam().layers().collect());
        let floats = |value: fn(&LayerSummary) -> f32| Floats(layers.iter().map(value).collect());
        let [searches, improvements] = self.search.as_ref().map_or([0; 2], AnytimeSearch::searches);
        LargeStageView {
            stickers: puzzle.to_text(&self.state),
            searching: self.is_searching,
            is_solved: self.state == puzzle.solved(),
            beam_states: floats(|layer| layer.states as f32),
            beam_best: floats(|layer| layer.best),
            beam_worst: floats(|layer| layer.worst),
            width: self.search.as_ref().map_or(0, |search| search.beam().limits().width as u32),
            searches,
            improvements,
            solution: names(&self.solution),
            solution_made: self.solution_made as u32,
            count: self.count,
            made: names(&self.made),
        }
    }
}
