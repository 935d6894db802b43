//! Analysis of a match that was played: what every play and every cube decision cost, the luck of every roll,
//! and what follows from them about both players, as GNU Backgammon counts it ([`statistics`]).
//!
//! Decisions are judged one by one ([`judge`]), each apart from all others, so the result is the same on any
//! number of threads, and an analysis that was stopped says what it has found so far.

mod annotations;
mod json;
mod judge;
mod judgement;
mod player_report;
mod ratings;
mod report;
mod statistics;
mod tasks;

#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicUsize, Ordering};

pub use learnery_match_files::MAX_BYTES as MAX_FILE_BYTES;
use learnery_match_files::{FileError, MatchRecord};
use rayon::prelude::*;

use judge::Judge;
pub use judgement::{
    Amount, AnswerJudgement, CubeJudgement, Judged, Judgement, Mistake, PlayJudgement, PlayValue,
};
pub use player_report::PlayerReport;
pub use ratings::{LuckClass, Rating, Severity, fibs_rating};
pub use report::play_text;
pub use statistics::{Count, MatchResult, MatchStatistics, PlayerStatistics};
use tasks::{Task, tasks};

use crate::Evaluator;
use crate::players::MAX_PLIES;

/// The tool `analyse` refuses matches with more decisions. The longest matches have a few thousand.
pub const MAX_DECISIONS: usize = 20_000;

/// An analysis of a match, complete or under way.
#[derive(Clone, Debug)]
pub struct MatchAnalysis {
    record: MatchRecord,
    plies: u8,
    tasks: Vec<Task>,
    /// The judgements of the tasks that are done, which are the first ones, in order.
    judgements: Vec<Judgement>,
}

impl MatchAnalysis {
    /// Whether an analysis with this evaluator and depth is possible. An error is a sentence about the
    /// options.
    pub fn check(evaluator: &impl Evaluator, plies: u8) -> Result<(), String> {
        if plies > MAX_PLIES {
            return Err(format!("{plies} plies; expected 0 to {MAX_PLIES}"));
        }
        if plies > 0 && evaluator.has_policy_head() {
            return Err("an analysis with a network that has a policy head looks 0 plies ahead".into());
        }
        Ok(())
    }

    /// An analysis of a match of which nothing is judged yet. [`Self::check`] says which `plies` are
    /// possible.
    pub fn new(record: MatchRecord, plies: u8) -> Self {
        Self { tasks: tasks(&record), record, plies, judgements: Vec::new() }
    }

    /// Reads a `.mat` or `.sgf` file. An error names the line.
    pub fn read(bytes: &[u8], plies: u8) -> Result<Self, FileError> {
        Ok(Self::new(learnery_match_files::read(bytes)?.record, plies))
    }

    pub fn record(&self) -> &MatchRecord {
        &self.record
    }

    pub fn plies(&self) -> u8 {
        self.plies
    }

    /// The number of decisions, judged or not.
    pub fn decisions(&self) -> usize {
        self.tasks.len()
    }

    /// Whether every decision is judged.
    pub fn is_finished(&self) -> bool {
        self.judgements.len() == self.tasks.len()
    }

    /// What is judged so far, in the order of the match.
    pub fn judgements(&self) -> &[Judgement] {
        &self.judgements
    }

    /// Judges the next decision with an evaluator, which must be the same in every call. Returns its
    /// judgement, or `None` if the analysis is finished.
    pub fn step(&mut self, evaluator: &impl Evaluator) -> Option<&Judgement> {
        let task = self.tasks.get(self.judgements.len())?;
        let judgement = Judge::new(evaluator, self.plies).judge(task, &|| false)?;
        self.judgements.push(judgement);
        self.judgements.last()
    }

    /// Judges the next decisions, at most `most` of them, on all threads of the pool. `stop` is asked often:
    /// once it answers true, decisions that are complete count and the others are discarded.
    pub fn run(&mut self, evaluator: &impl Evaluator, most: usize, stop: &(dyn Fn() -> bool + Sync)) {
        let (begin, plies) = (self.judgements.len(), self.plies);
        let chosen_tasks = &self.tasks[..self.tasks.len().min(begin.saturating_add(most))];
        let next = AtomicUsize::new(begin);
        // Each worker takes the next decision, so only the last few can have gaps before them after a stop.
        let worker = |_| {
            let mut judge = Judge::new(evaluator, plies);
            let mut judged_here = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(judgement) = chosen_tasks.get(index).and_then(|task| judge.judge(task, stop)) else {
                    return judged_here;
                };
                judged_here.push((index, judgement));
            }
        };
        let workers = rayon::current_num_threads();
        let mut new_judgements: Vec<(usize, Judgement)> =
            (0..workers).into_par_iter().with_max_len(1).flat_map_iter(worker).collect();
        new_judgements.sort_unstable_by_key(|(index, _)| *index);
        // Only the decisions before the first gap.
        let in_order =
            new_judgements.into_iter().zip(begin..).take_while(|((index, _), place)| index == place);
        self.judgements.extend(in_order.map(|((_, judgement), _)| judgement));
    }

    /// The statistics of both players over what is judged so far.
    pub fn statistics(&self) -> MatchStatistics {
        MatchStatistics::new(&self.judgements)
    }
}
