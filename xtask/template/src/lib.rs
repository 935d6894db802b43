//! Slot machines with different unknown odds, and an epsilon-greedy learner that estimates them (Sutton and
//! Barto, "Reinforcement Learning", 2018, chapter 2).
//!
//! A *step*, the smallest interruptible piece of work, is one pull of a machine. A *unit*, one training
//! iteration, is a hundred pulls.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // Results are the same bits on every platform.

#[cfg(not(target_family = "wasm"))]
mod tools;

use learnery_kernels::rng::Stream;
#[cfg(not(target_family = "wasm"))]
use learnery_lab::ToolEntry;
use learnery_lab::{About, Better, Context, Goal, Lab, LabError, MetricSpec, Preset, Row, State, Status};
use learnery_nn::Tensors;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The settings. Doc comments become help texts and `range` the limits. A setting with `x-live` can change
/// during a run. Settings are shown by their `x-group`; those with `x-main`, at most six, stand beside the
/// picture.
#[derive(Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BanditConfig {
    /// How many slot machines there are. Up: the best one is harder to find. Down: the best one is found
    /// sooner.
    #[schemars(range(min = 2, max = 100), extend("x-unit" = "machines"))]
    #[schemars(extend("x-group" = "acting", "x-main" = true))]
    pub machines: u32,
    /// Probability of a random machine instead of the one with the best estimate. Up: explores more. Down:
    /// wins more with what it knows.
    #[schemars(range(min = 0.0, max = 1.0), extend("x-live" = true))]
    #[schemars(extend("x-group" = "acting", "x-main" = true))]
    pub exploration: f64,
}

impl Default for BanditConfig {
    fn default() -> Self {
        Self { machines: 10, exploration: 0.1 }
    }
}

/// What the user can do in the picture on the page. There are no commands yet; each would be a variant.
#[derive(Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BanditCommand"))]
pub enum Command {}

/// The data that the page draws.
#[derive(Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BanditView"))]
pub struct View {
    /// The estimated odds of each machine.
    estimates: Vec<f32>,
    /// The true odds of each machine.
    odds: Vec<f32>,
}

/// The state of a run.
pub struct Bandit {
    /// What is learned: the estimated odds of each machine.
    estimates: Vec<f32>,
    /// How often each machine was pulled.
    tries: Vec<u32>,
    /// Pulls since the run began.
    pulls: u64,
    /// Pulls of the current unit that won, or of the last one between units.
    wins_of_unit: u64,
}

/// A unit is so short that a save waits for its end only a moment.
const PULLS_PER_UNIT: u64 = 100;

/// Ids of the lab's independent streams of random numbers.
const ODDS_STREAM: u32 = 1;
const PULLS_STREAM: u32 = 2;

/// The true odds of machine `i`. Random numbers are counter-based: a pure function of seed, stream and index.
fn odds_of_machine(seed: u32, i: usize) -> f32 {
    let (index, sub_index) = (i as u64, 0);
    Stream::new(seed, ODDS_STREAM).uniform(index, sub_index)
}

/// The machine with the best estimate.
fn best_machine(estimates: &[f32]) -> usize {
    (0..estimates.len()).max_by(|a, b| estimates[*a].total_cmp(&estimates[*b])).unwrap_or(0)
}

impl Lab for Bandit {
    const ABOUT: About = About {
        id: "bandit",
        title: "Bandit",
        tagline: "Which one pays best?",
        agent: "No neural network, but a table with the estimated odds of each machine. A pull moves one of them, and \
                the learning rate falls with each.",
        goal: "Win at least four pulls of five. The seed decides the odds of the machines.",
        picture: "What the agent expects of each machine, beside the true odds.",
        work: "pulls",
        unit: "iteration",
        presets: &[
            Preset {
                name: "standard",
                title: "Ten machines",
                help: "A few hundred pulls are enough.",
                settings: "{}",
            },
            Preset {
                name: "crowd",
                title: "A hundred machines",
                help: "Longer to explore.",
                settings: r#"{"machines": 100}"#,
            },
        ],
        metrics: &[MetricSpec {
            name: "winRate",
            label: "won",
            help: "Fraction of the last hundred pulls that won.",
            unit: "",
            better: Better::Higher,
        }],
        charts: &["winRate"],
    };
    type Config = BanditConfig;
    const SETTINGS: &str = include_str!("settings.json");
    type Command = Command;
    type View = View;
    // The page uses no tool of this lab, so its WebAssembly bundles leave them out.
    #[cfg(not(target_family = "wasm"))]
    const TOOLS: &'static [ToolEntry] = &[ToolEntry::of::<tools::Evaluate>()];

    fn new(cx: Context<BanditConfig>) -> Result<Self, LabError> {
        let n = cx.config.machines as usize;
        // Estimates begin at the highest possible odds (optimistic initial values), so that every machine is
        // tried.
        Ok(Self { estimates: vec![1.0; n], tries: vec![0; n], pulls: 0, wins_of_unit: 0 })
    }

    fn goal(_: &BanditConfig) -> Option<Goal> {
        Some(Goal {
            metric: "winRate",
            target: 0.8,
            words: "four pulls of five won".into(),
            exact: false,
            best: None,
        })
    }

    /// Pulls one machine: a random one with the probability `exploration`, otherwise the one with the best
    /// estimate.
    fn step(&mut self, cx: Context<BanditConfig>) -> Status {
        if self.pulls.is_multiple_of(PULLS_PER_UNIT) {
            self.wins_of_unit = 0;
        }
        let [explore, which, luck, _] = Stream::new(cx.seed, PULLS_STREAM).uniform4(self.pulls, 0);
        let random_machine = (which * self.estimates.len() as f32) as usize;
        let explores = explore < cx.config.exploration as f32;
        let machine = if explores { random_machine } else { best_machine(&self.estimates) };
        let won = luck < odds_of_machine(cx.seed, machine);
        self.tries[machine] += 1;
        self.estimates[machine] += (f32::from(won) - self.estimates[machine]) / self.tries[machine] as f32;
        self.wins_of_unit += u64::from(won);
        self.pulls += 1;
        if self.pulls.is_multiple_of(PULLS_PER_UNIT) { Status::UnitFinished } else { Status::Ready }
    }

    fn apply(&mut self, _: Context<BanditConfig>, command: Command) -> Result<Option<String>, LabError> {
        match command {}
    }

    fn work(&self, _: Context<BanditConfig>) -> u64 {
        self.pulls
    }

    fn metrics(&self, _: Context<BanditConfig>, out: &mut Row) {
        out.set("winRate", self.wins_of_unit as f64 / PULLS_PER_UNIT as f64);
    }

    fn view(&self, cx: Context<BanditConfig>) -> View {
        let odds = (0..self.estimates.len()).map(|i| odds_of_machine(cx.seed, i)).collect();
        View { estimates: self.estimates.clone(), odds }
    }

    /// Called between units only, so `wins_of_unit` need not be saved: the next unit counts from zero. The
    /// tensors under `network/` are the trained network, which is all that an evaluation gets.
    fn save(&self) -> State {
        let mut tensors = Tensors::new();
        tensors.insert("network/estimates", &[self.estimates.len()], &self.estimates);
        tensors.insert("tries", &[self.tries.len()], &self.tries);
        State { scalars: json!({}), tensors }
    }

    fn load(cx: Context<BanditConfig>, state: &State) -> Result<Self, LabError> {
        let n = cx.config.machines as usize;
        let tries: Vec<u32> = state.tensors.get("tries", &[n])?;
        let pulls = cx.unit * PULLS_PER_UNIT;
        if tries.iter().map(|tries| u64::from(*tries)).sum::<u64>() != pulls {
            return Err(LabError::Checkpoint("its `tries` do not add up to the pulls of its units".into()));
        }
        Ok(Self { estimates: state.tensors.get("network/estimates", &[n])?, tries, pulls, wins_of_unit: 0 })
    }
}
