//! How the tool `solve` works on each of the two puzzles.

use learnery_lab::{LabError, Source, ToolProgress, ToolStatus};
use learnery_worlds::cube::{HeldCube, held_from_stickers, parse, shortest_solution};
use learnery_worlds::puzzle::Turn;

use super::input::{GivenBy, SolveInput};
use super::solve::{Shortest, Solution, SolveEvent, SolveOutput};
use crate::Cube;
use crate::config::TurnMetric;
use crate::large::{
    Network, NetworkGuide, SearchPlan, Solving, checked_network, count, notation, read_state,
};
use crate::small::{SmallSolving, Solver};

/// A 2x2x2.
pub(super) struct Small {
    solver: Solver,
    /// The cube with its orientation in the user's hand, in which the turns of the solution are named.
    held: HeldCube,
    /// The width of the beam; `None` for the greedy policy.
    width: Option<usize>,
    /// Whether the first step was done.
    has_begun: bool,
    /// The search, once all distances are estimated.
    solving: Option<SmallSolving>,
}

impl Small {
    pub fn begin(source: &Source<Cube>, input: &SolveInput) -> Result<Self, LabError> {
        let solver = Solver::new(&source.config, &source.network, input.metric.metric())?;
        if input.widest > 0 {
            return Err(LabError::input("widest", "wider and wider beams are for the 3x3x3"));
        }
        let held = match input.given_by {
            GivenBy::Scramble => parse(&input.cube),
            GivenBy::Stickers => held_from_stickers(&input.cube),
        };
        let held = held.map_err(|problem| LabError::input("cube", problem))?;
        let width = (input.beam > 0).then_some(input.beam as usize);
        Ok(Self { solver, held, width, has_begun: false, solving: None })
    }

    /// Estimates the distances of some nodes (states, or classes of symmetric states), or searches once all
    /// are estimated.
    pub fn step(&mut self) -> ToolStatus<SolveOutput> {
        if !self.has_begun {
            self.has_begun = true;
            self.solver.begin_estimates();
        }
        let Self { solver, held, width, solving, .. } = self;
        if solving.is_none() && !solver.step_estimates() {
            return ToolStatus::Ready;
        }
        let solving = solving.get_or_insert_with(|| solver.begin_solving(held.state, *width));
        let Some(found) = solver.step_solving(solving) else { return ToolStatus::Ready };
        let best = shortest_solution(held.state, solver.metric());
        let names = |turns: &[Turn]| turns.iter().map(|turn| held.name(*turn)).collect::<Vec<String>>();
        ToolStatus::Done(SolveOutput {
            solution: found.map(|turns| Solution::of_names(names(&turns))),
            shortest: Some(Shortest {
                notation: merged_names(names(&best)).join(" "),
                length: best.len() as u32,
            }),
            searches: 1,
        })
    }

    /// Reports no progress: a 2x2x2 is solved quickly.
    pub fn progress(&self) -> ToolProgress {
        ToolProgress { share: 0.0, count: 0 }
    }
}

impl Solution {
    /// The solution with turns of these names.
    fn of_names(names: Vec<String>) -> Self {
        let merged = merged_names(names.clone());
        let quarters = |name: &String| if name.ends_with('2') { 2 } else { 1 };
        Self {
            notation: merged.join(" "),
            length: names.len() as u32,
            quarter_turns: merged.iter().map(quarters).sum(),
            half_turns: merged.len() as u32,
            turns: names,
        }
    }
}

/// Turns in standard notation, in which two equal quarter turns are one half turn: `F2` for `F' F'`.
fn merged_names(names: Vec<String>) -> Vec<String> {
    let mut merged: Vec<String> = Vec::new();
    for name in names {
        match merged.last_mut() {
            Some(last) if *last == name && !name.ends_with('2') => {
                *last = format!("{}2", name.trim_end_matches('\''));
            }
            _ => merged.push(name),
        }
    }
    merged
}

/// A 3x3x3.
pub(super) struct Large {
    network: Network,
    solving: Solving,
    /// Whether the first step was done.
    has_begun: bool,
    /// The network on a GPU; `None` on the CPU.
    guide: Option<Box<dyn NetworkGuide>>,
}

impl Large {
    pub fn begin(source: &Source<Cube>, input: &SolveInput) -> Result<Self, LabError> {
        let network = checked_network(&source.config, &source.network)?;
        let metric = input.metric.metric().unwrap_or(TurnMetric::Quarter);
        let stickers = (input.given_by == GivenBy::Stickers).then_some(&input.cube[..]);
        let start = read_state(network.puzzle(), &input.cube, stickers);
        let start = start.map_err(|problem| LabError::input("cube", problem))?;
        let width = if input.beam == 0 { SearchPlan::FIRST_WIDTH } else { input.beam as usize };
        let plan = match input.widest as usize {
            0 => SearchPlan::fixed(&network, width, metric),
            widest => SearchPlan::widening(&network, [width, widest.max(width)], metric),
        };
        Ok(Self { solving: Solving::begin(&network, plan, &start), network, has_begun: false, guide: None })
    }

    #[cfg(feature = "gpu")]
    pub fn use_gpu(&mut self, gpu: &learnery_gpu::Gpu) -> Result<(), LabError> {
        self.guide = Some(crate::large::DeviceGuide::maker(gpu)(&self.network)?);
        Ok(())
    }

    /// Does a step of the search. Returns `None` if the GPU is busy, and otherwise the number of turns of a
    /// solution that is shorter than all before.
    fn step_search(&mut self) -> Result<Option<Option<usize>>, LabError> {
        if let Some(guide) = &mut self.guide {
            return self.solving.step_remotely(&self.network, &mut **guide);
        }
        Ok(Some(self.solving.step(&self.network)))
    }

    pub fn step(&mut self, report: &mut dyn FnMut(SolveEvent)) -> Result<ToolStatus<SolveOutput>, LabError> {
        if !self.has_begun {
            self.has_begun = true;
            let plan = self.solving.plan();
            let widths = plan.widths.map(|width| width as u32);
            report(SolveEvent::Searching { widths, bytes: plan.bytes(&self.network) });
        }
        if !self.solving.is_done() {
            match self.step_search()? {
                None => return Ok(ToolStatus::Waiting),
                Some(Some(turns)) => {
                    let width = self.solving.search().best_width() as u32;
                    report(SolveEvent::Improved { turns: turns as u32, width });
                }
                Some(None) => {}
            }
        }
        Ok(if self.solving.is_done() { ToolStatus::Done(self.output()) } else { ToolStatus::Ready })
    }

    /// What was found so far.
    pub fn output(&self) -> SolveOutput {
        let (puzzle, metric) = (self.network.puzzle(), self.solving.plan().metric());
        let counted = |turns: &[Turn], metric| count(puzzle, turns, metric) as u32;
        let solution = self.solving.best().map(|best| Solution {
            turns: notation(puzzle, best, metric).split_whitespace().map(str::to_owned).collect(),
            // In every metric a half turn is written as one, such as F2.
            notation: notation(puzzle, best, TurnMetric::Half),
            length: counted(best, metric),
            quarter_turns: counted(best, TurnMetric::Quarter),
            half_turns: counted(best, TurnMetric::Half),
        });
        let [searches, _] = self.solving.search().searches();
        SolveOutput { solution, shortest: None, searches }
    }

    pub fn progress(&self) -> ToolProgress {
        let (plan, search) = (self.solving.plan(), self.solving.search());
        let ([searches, _], [first, last]) = (search.searches(), plan.widths);
        // A search that widens may end early: once a solution is known to be a shortest one, or when the time
        // that the user gives it is over. So its share is not known.
        let share = if first == last { plan.share_after(searches) } else { 0.0 };
        ToolProgress { share, count: search.expanded() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_equal_quarter_turns_are_one_half_turn() {
        let merge = |text: &str| merged_names(text.split(' ').map(str::to_owned).collect()).join(" ");
        assert_eq!(merge("F' F' R U U U2 R R'"), "F2 R U2 U2 R R'");
    }
}
