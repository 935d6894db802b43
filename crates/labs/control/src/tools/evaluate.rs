//! The tool `evaluate`: plays episodes with the greedy policy, in worlds that training does not use.

use learnery_kernels::rng::Stream;
use learnery_lab::{
    Interrupt, LabError, NamedText, Report, Source, Tool, ToolAbout, ToolProgress, ToolStatus,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::evaluation::{Evaluator, WORLDS_PER_CHUNK};
use crate::network::Network;
use crate::purpose;
use crate::training::Control;

/// Worlds of a group. Groups are played one after the other, so the memory of worlds does not grow with the
/// number of episodes. The 128 chunks are enough for all threads, and few enough that with most networks a
/// step takes a fraction of a second.
const WORLDS_PER_GROUP: usize = 128 * WORLDS_PER_CHUNK;

/// How to evaluate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "ControlEvaluationInput"))]
pub struct EvaluationInput {
    // The option has the same name in all labs.
    /// Episodes to play. More measure the score more precisely.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub games: u32,
    /// Selects the start states.
    #[schemars(range(min = 0, max = 4_294_967_295_u32))]
    pub seed: u32,
}

impl Default for EvaluationInput {
    fn default() -> Self {
        Self { games: 100, seed: 0 }
    }
}

/// An evaluation under way.
pub struct Evaluate {
    network: Network,
    stream: Stream,
    episodes: usize,
    /// Plays the present group.
    group: Evaluator,
    /// The returns of the groups that have ended, in the order of their worlds. The episodes of a group are
    /// not among them before all have ended: short ones end first, and their returns differ from those of
    /// long ones.
    returns: Vec<f64>,
    /// The successes among them; `None` where the world tells none.
    successes: Option<u64>,
    interrupt: Interrupt,
}

impl Evaluate {
    /// The report on the groups that have ended; `None` if none has.
    fn report(&self) -> Option<Report> {
        let Self { network, returns, .. } = self;
        if returns.is_empty() {
            return None;
        }
        let episodes = returns.len() as f64;
        let mean = returns.iter().sum::<f64>() / episodes;
        let variance = returns.iter().map(|r| (r - mean) * (r - mean)).sum::<f64>() / episodes;
        let min = returns.iter().copied().fold(f64::INFINITY, f64::min);
        let verdict = match network.task().solved_return() {
            None => String::new(),
            Some(solved) if mean >= solved => ": solved".into(),
            Some(_) => ": not solved yet".into(),
        };
        let successes = self.successes.map(|count| 100.0 * count as f64 / episodes);
        let share = successes.map_or(String::new(), |percent| format!(", {percent:.1}% ended as a success"));
        let mut figures = vec![
            ("return", mean, ""),
            ("spread", variance.sqrt(), ""),
            ("least", min, ""),
            ("episodes", episodes, ""),
        ];
        figures.extend(successes.map(|percent| ("successes", percent, "%")));
        let summary = format!("mean return {mean:.1} over {episodes} greedy episodes{share}{verdict}");
        Some(Report::new(summary, figures))
    }
}

impl Tool for Evaluate {
    const ABOUT: ToolAbout = ToolAbout {
        id: "evaluate",
        title: "Strength",
        help: "Measures the mean return of episodes in which the most probable action is taken.",
        counts: "episodes",
        in_tab: false,
    };
    type Lab = Control;
    type Input = EvaluationInput;
    const INPUT: &'static str = include_str!("evaluate.json");
    type Event = ();
    type Output = Report;
    const COUNT_HAS_TOTAL: bool = true;

    fn begin(
        source: Source<Control>,
        input: EvaluationInput,
        _: Option<NamedText>,
    ) -> Result<Self, LabError> {
        let network = Network::from_tensors(&source.config, &source.network)?;
        network.task().check_steppable()?;
        let stream = Stream::new(input.seed, purpose::FINAL_EVALUATION);
        let episodes = input.games as usize;
        let group = Evaluator::new(&network, stream, episodes.min(WORLDS_PER_GROUP));
        // No episode has ended, so these are 0 successes, or `None` for a world without successes.
        let (returns, successes) = (Vec::with_capacity(episodes), group.success_count());
        let interrupt = Interrupt::default();
        Ok(Self { network, stream, episodes, group, returns, successes, interrupt })
    }

    fn step(&mut self, _: &mut dyn FnMut(())) -> Result<ToolStatus<Report>, LabError> {
        if !self.group.step_unless(&self.network, &|| self.interrupt.is_raised()) {
            // Also after an interrupt, which ends the job with a partial report.
            return Ok(ToolStatus::Ready);
        }
        self.returns.extend(self.group.returns());
        self.successes = self.successes.zip(self.group.success_count()).map(|(sum, count)| sum + count);
        let ended = self.returns.len();
        let rest = self.episodes - ended;
        if rest == 0 {
            // There is one episode at least.
            let none = || LabError::Evaluation("no episode has ended, so there is no return".into());
            return self.report().map(ToolStatus::Done).ok_or_else(none);
        }
        if rest < WORLDS_PER_GROUP {
            self.group = Evaluator::new(&self.network, self.stream, rest);
        }
        self.group.restart(self.stream, ended as u64);
        Ok(ToolStatus::Ready)
    }

    fn progress(&self) -> ToolProgress {
        let (ended, all) = (self.returns.len() as u64, self.episodes as u64);
        // At the end the last group is among the returns.
        let of_group = if ended == all { 0 } else { self.group.ended() };
        ToolProgress::of(ended + of_group, all)
    }

    fn partial(&self) -> Option<Report> {
        self.report()
    }

    fn interrupt_by(&mut self, interrupt: Interrupt) {
        self.interrupt = interrupt;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use learnery_lab::{Checkpoint, Entry, Job, Outcome, Session};
    use serde_json::json;

    use super::*;

    /// A network whose episodes have different lengths.
    fn trained() -> Checkpoint {
        let settings = json!({"worlds": 16, "horizon": 64, "hidden": 8, "minibatches": 2, "eval_every": 0});
        let mut session = Session::start(Entry::of::<Control>(), &settings, 3).expect("good settings");
        (0..6).for_each(|_| _ = session.advance_unit());
        session.save()
    }

    fn job(games: u32) -> Job<Evaluate> {
        Job::begin(&trained(), EvaluationInput { games, seed: 5 }, None).expect("a good input")
    }

    /// The value of each figure.
    fn values(report: &Report) -> Vec<f64> {
        report.figures.iter().map(|figure| figure.value).collect()
    }

    /// Groups play the episodes of one large group, and a partial report is that of whole groups.
    #[test]
    fn groups_change_no_episode_and_short_episodes_do_not_come_first() {
        let (first, all) = (WORLDS_PER_GROUP as u32, WORLDS_PER_GROUP as u32 + 60);
        let of_first = job(first).answer().expect("it ends");
        let mut in_groups = job(all);
        let mut partials = Vec::new();
        let outcome = loop {
            let mut counts = Vec::new();
            match in_groups.finish(&mut |_, progress| {
                counts.push(progress.count);
                false
            }) {
                Ok(Outcome::Partial(partial)) => partials.push((counts[0], partial)),
                complete => break complete.expect("it goes on"),
            }
        };
        let report = outcome.output().expect("it is complete");
        assert_eq!((in_groups.progress().share, in_groups.progress().count), (1.0, all.into()));
        // Many episodes of the first group have ended before it is reported.
        let early = partials.iter().filter(|(count, partial)| *count > 0 && partial.is_none()).count();
        assert!(early > 0, "no episode has ended before the others");
        let known: Vec<&Report> = partials.iter().filter_map(|(_, partial)| partial.as_ref()).collect();
        assert!(!known.is_empty() && known.iter().all(|partial| **partial == of_first));

        let saved = trained();
        let config = saved.settings::<Control>().expect("its own settings");
        let network = Network::from_tensors(&config, &saved.network()).expect("its own network");
        let mut at_once = Evaluator::new(&network, Stream::new(5, purpose::FINAL_EVALUATION), all as usize);
        while !at_once.step(&network) {}
        let mean = at_once.mean_return();
        let variance = at_once.returns().map(|r| (r - mean) * (r - mean)).sum::<f64>() / f64::from(all);
        let least = at_once.returns().fold(f64::INFINITY, f64::min);
        assert_eq!(values(report), [mean, variance.sqrt(), least, f64::from(all)]);
    }

    /// An interrupt that is raised within a step ends it before the next chunk.
    #[test]
    fn interrupt_ends_a_step_early() {
        static ASKED: AtomicUsize = AtomicUsize::new(0);
        // 1,000 episodes are forty chunks. Each asks once, and only the first two are stepped.
        let mut job = job(1000);
        job.interrupt_by(Interrupt::new(|| ASKED.fetch_add(1, Ordering::Relaxed) >= 2));
        let outcome = job.finish(&mut |_, _| false).expect("it is interrupted");
        assert!(outcome.is_partial() && outcome.output().is_none());
        assert_eq!(ASKED.load(Ordering::Relaxed), 40);
        assert!(job.progress().count <= 50, "{} episodes of two chunks", job.progress().count);
    }
}
