//! The rounds of a sweep: one, or with successive halving several, after each of which only the best
//! combinations of settings go on.
//!
//! Nothing is remembered between two starts of a sweep. Who goes on is decided by the rows of the runs up to
//! the end of the round, which stay the same, so a sweep that is continued decides like before.

use learnery_fleet::sweep::{CompletedRun, Halving, Standing, StopCondition};

use super::Sweep;
use crate::run::metrics_file;
use crate::terminal::numbers::{count_of, duration};

/// The most combinations whose names are printed after a round.
const MAX_NAMED: usize = 12;

/// Where a sweep is in its rounds.
pub struct Rounds<'a> {
    sweep: &'a Sweep,
    /// Counted from 0.
    round: u32,
    /// The last round of each configuration that does not go on; `None` for those that are trained.
    last_round: Vec<Option<u32>>,
    /// The runs of this round that are at its end.
    completed: Vec<CompletedRun>,
    /// The runs of configurations that do not go on.
    dropped: Vec<CompletedRun>,
}

impl<'a> Rounds<'a> {
    pub fn new(sweep: &'a Sweep) -> Self {
        let last_round = vec![None; sweep.configurations.len()];
        Self { sweep, round: 0, last_round, completed: Vec::new(), dropped: Vec::new() }
    }

    /// The indices of the runs of this round.
    pub fn jobs(&self) -> Vec<u32> {
        let jobs = self.sweep.jobs.iter().enumerate();
        let is_trained = |configuration: usize| self.last_round[configuration].is_none();
        jobs.filter(|(_, job)| is_trained(job.configuration)).map(|(index, _)| index as u32).collect()
    }

    /// Where the runs of a configuration end in this round. Those that do not go on stay at their end.
    pub fn end(&self, configuration: usize) -> StopCondition {
        let end = self.sweep.settings[configuration].end;
        match &self.sweep.halving {
            Some(halving) => {
                let round = self.last_round[configuration].unwrap_or(self.round);
                StopCondition { units: end.units.map(|all| halving.units(round, all)), ..end }
            }
            None => end,
        }
    }

    /// The share of its units (training iterations) that a run has had at the end of this round.
    pub fn share(&self) -> f64 {
        self.sweep.halving.map_or(1.0, |halving| halving.share(self.round))
    }

    /// The share of all its units that a run has had.
    pub fn share_of(&self, configuration: usize, units: u64) -> f64 {
        match self.sweep.settings[configuration].end.units {
            Some(all) => (units as f64 / all.max(1) as f64).min(self.share()),
            // Nobody knows when it ends.
            None => 0.0,
        }
    }

    /// How many whole runs all rounds are together.
    pub fn whole_runs(&self) -> f64 {
        let (jobs, configurations) = (self.sweep.jobs.len() as f64, self.sweep.configurations.len());
        let Some(halving) = self.sweep.halving else { return jobs };
        // In each round: the runs that are in it, times the share of a run that is trained in it.
        let share_before = |round: u32| round.checked_sub(1).map_or(0.0, |before| halving.share(before));
        let part = |round: u32| halving.size(round, configurations) as f64 / configurations as f64;
        let in_round = |round: u32| jobs * part(round) * (halving.share(round) - share_before(round));
        (0..halving.rounds()).map(in_round).sum()
    }

    /// Adds a run that is at the end of this round.
    pub fn complete(&mut self, run: CompletedRun) {
        self.completed.push(run);
    }

    /// Runs at the end of this round that reached their goal.
    pub fn solved(&self) -> usize {
        self.completed.iter().filter(|run| run.solved_at.is_some()).count()
    }

    pub fn is_complete(&self) -> bool {
        self.completed.len() == self.jobs().len()
    }

    pub fn is_last(&self) -> bool {
        self.sweep.halving.is_none_or(|halving| self.round + 1 >= halving.rounds())
    }

    /// Begins the next round, after all runs have completed this one. Returns a sentence about it.
    pub fn begin_next(&mut self, halving: Halving) -> String {
        let metric = self.sweep.metric;
        let standing = |run: &CompletedRun| {
            let units = self.end(run.configuration).units.unwrap_or(u64::MAX);
            // A run that went on before has newer values.
            let is_same = |job: &&super::Job| (job.configuration, job.seed) == (run.configuration, run.seed);
            let job = self.sweep.jobs.iter().find(is_same);
            let value = job.and_then(|job| metrics_file::last_value(&job.folder, metric.name, units));
            Standing {
                configuration: run.configuration,
                value: value.map_or(f64::NAN, |(_, value)| value),
                solved_at: run.solved_at.filter(|unit| *unit <= units),
            }
        };
        let standings: Vec<Standing> = self.completed.iter().map(standing).collect();
        let before = self.last_round.iter().filter(|last| last.is_none()).count();
        let survivors = halving.survivors(&standings, metric.better);
        for run in self.completed.drain(..) {
            if !survivors.contains(&run.configuration) {
                self.last_round[run.configuration] = Some(self.round);
                self.dropped.push(CompletedRun { is_dropped: true, ..run });
            }
        }
        self.round += 1;
        let round = self.round;
        if standings.iter().all(|run| run.value.is_nan()) {
            return format!(
                "Round {round} has no value of {}, so all {before} combinations go on.\n",
                metric.name
            );
        }
        let names: Vec<String> =
            survivors.iter().map(|index| self.sweep.configurations[*index].label()).collect();
        let names = match names.len() {
            n if n <= MAX_NAMED => format!(": {}", names.join("; ")),
            _ => String::new(),
        };
        format!("After round {round}, {} of {before} combinations go on{names}.\n", survivors.len())
    }

    /// The results of the sweep: those of runs that are at their end, and of those that did not go on.
    pub fn into_completed(self) -> Vec<CompletedRun> {
        let Self { sweep, completed, mut dropped, .. } = self;
        let is_at_end =
            |run: &CompletedRun| sweep.settings[run.configuration].end.is_reached(run.units, run.solved_at);
        dropped.extend(completed.into_iter().filter(is_at_end));
        dropped
    }

    /// The rounds as a sentence; empty if there is only one.
    pub fn plan(&self) -> String {
        let Some(halving) = self.sweep.halving.filter(|halving| halving.rounds() > 1) else {
            return String::new();
        };
        let (configurations, unit) = (self.sweep.configurations.len(), self.sweep.entry.about.unit);
        let all = self.sweep.settings.iter().filter_map(|setting| setting.end.units).max().unwrap_or(0);
        let parts = (0..halving.rounds()).map(|round| {
            let units = halving.units(round, all);
            let units = if round == 0 { count_of(units, unit) } else { units.to_string() };
            format!("{} for {units}", halving.size(round, configurations))
        });
        let parts: Vec<String> = parts.collect();
        format!("Combinations in each round: {}.\n", parts.join(", then "))
    }

    /// The progress of the round, as a line. `seconds` is the estimate of the time left.
    pub fn progress_line(&self, seconds: Option<f64>) -> String {
        let round = match &self.sweep.halving {
            Some(halving) if halving.rounds() > 1 => {
                format!("Round {} of {}: ", self.round + 1, halving.rounds())
            }
            _ => String::new(),
        };
        let left = seconds.map_or(String::new(), |seconds| format!(" About {} left.", duration(seconds)));
        format!(
            "{round}{} of {} runs are done, {} reached the goal.{left}\n",
            self.completed.len(),
            self.jobs().len(),
            self.solved()
        )
    }
}
