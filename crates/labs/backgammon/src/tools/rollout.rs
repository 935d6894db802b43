//! The tool `rollout`: the value of a position, or a comparison of plays, from many games.

use learnery_backgammon_play::players::MAX_PLIES;
use learnery_backgammon_play::rollout::{Rollout, RolloutOptions};
use learnery_backgammon_play::{Worth, position_and_dice};
use learnery_lab::{
    AskAgain, Interrupt, LabError, NamedText, Source, Tool, ToolAbout, ToolProgress, ToolStatus,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{MAX_POSITION, network_of, refuse_position};
use crate::Backgammon;
use crate::networks::TrainedNetwork;

/// Games from each candidate between two events, for 0, 1 and 2 plies of lookahead: fewer where a game takes
/// longer. A step plays this many, or a multiple if that would leave threads without work.
const GAMES_PER_EVENT: [u64; MAX_PLIES as usize + 1] = [36, 6, 1];

/// What to roll out, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonRolloutInput"))]
pub struct RolloutInput {
    /// A position ID or an XGID. With two dice, the plays that are best without lookahead are compared.
    #[schemars(length(max = MAX_POSITION))]
    pub position: String,
    /// Games from each position, unless the rollout ends earlier.
    #[schemars(range(min = 1, max = 100_000_000), extend("x-unit" = "games"))]
    pub games: u32,
    /// Rolls after which the network values the position; 0 plays every game to its end.
    #[schemars(range(min = 0, max = 4096), extend("x-unit" = "rolls"))]
    pub truncate: u32,
    /// Plies of lookahead of both sides.
    #[schemars(range(min = 0, max = MAX_PLIES), extend("x-unit" = "plies"))]
    pub plies: u8,
    /// Selects the dice.
    #[schemars(range(min = 0, max = 4_294_967_295_u32))]
    pub seed: u32,
    /// Leaves the luck of the rolls in the results.
    pub keep_luck: bool,
    /// Ends once the standard error of every equity is below this limit; 0 for no limit.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub until_error: f64,
    /// With dice: ends once the best play is ahead of every other one by this many standard errors; 0 for no
    /// limit.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub until_difference: f64,
}

impl Default for RolloutInput {
    fn default() -> Self {
        let RolloutOptions { seed, .. } = RolloutOptions::default();
        Self {
            position: String::new(),
            games: 1296,
            truncate: 0,
            plies: 0,
            seed,
            keep_luck: false,
            until_error: 0.0,
            until_difference: 0.0,
        }
    }
}

/// The estimate so far, after some more games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonRolloutEvent"))]
pub struct RolloutEvent {
    /// Games from each position.
    #[cfg_attr(feature = "bindings", ts(type = "number"))]
    pub games: u64,
    /// The equity of the best play, or of the position, and its standard error.
    pub equity: f64,
    pub error: f64,
}

/// The estimates.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonRolloutOutput"))]
pub struct RolloutOutput {
    /// The estimates of all plays, the best first, or of the position.
    pub rollout: Value,
    /// The same as several lines of text.
    pub text: String,
}

/// A rollout under way.
pub struct RollOut {
    network: TrainedNetwork,
    rollout: Rollout,
    games: u64,
    games_per_event: u64,
    interrupt: Interrupt,
}

/// The rollout that is asked for.
fn rollout_of(network: &TrainedNetwork, input: &RolloutInput) -> Result<Rollout, LabError> {
    let (board, dice) = position_and_dice(&input.position).map_err(refuse_position)?;
    let options = RolloutOptions {
        games: u64::from(input.games),
        truncate: (input.truncate > 0).then_some(input.truncate),
        plies: input.plies,
        seed: input.seed,
        variance_reduction: !input.keep_luck,
        bear_off: true,
        until_error: (input.until_error > 0.0).then_some(input.until_error),
        until_difference: (input.until_difference > 0.0).then_some(input.until_difference),
        worth: Worth::MONEY,
    };
    // The schema has checked all else. What is left is, in the order in which `Rollout::new` checks it, a
    // comparison of plays without dice, and lookahead with a network that has a policy head.
    let compares_no_plays = dice.is_none() && input.until_difference > 0.0;
    let refused_field = if compares_no_plays { "until_difference" } else { "plies" };
    Rollout::new(network, &board, dice, options).map_err(|problem| LabError::input(refused_field, problem))
}

impl RollOut {
    fn output(&self) -> RolloutOutput {
        RolloutOutput { rollout: self.rollout.json(), text: self.rollout.text() }
    }
}

impl Tool for RollOut {
    const ABOUT: ToolAbout = ToolAbout {
        id: "rollout",
        title: "Rollout",
        help: "Plays many games from a position, or from the positions after its best plays.",
        counts: "games",
        in_tab: true,
    };
    type Lab = Backgammon;
    type Input = RolloutInput;
    const INPUT: &'static str = include_str!("rollout.json");
    type Event = RolloutEvent;
    type Output = RolloutOutput;
    const COUNT_HAS_TOTAL: bool = true;

    fn begin(
        source: Source<Backgammon>,
        input: RolloutInput,
        _: Option<NamedText>,
    ) -> Result<Self, LabError> {
        let network = network_of(&source)?;
        Ok(Self {
            rollout: rollout_of(&network, &input)?,
            network,
            games: input.games.into(),
            games_per_event: GAMES_PER_EVENT[usize::from(input.plies)],
            interrupt: Interrupt::default(),
        })
    }

    fn step(&mut self, report: &mut dyn FnMut(RolloutEvent)) -> Result<ToolStatus<RolloutOutput>, LabError> {
        let Self { network, rollout, games, games_per_event, interrupt } = self;
        let tasks_per_event = *games_per_event * rollout.candidates() as u64;
        let events = (rayon::current_num_threads() as u64).div_ceil(tasks_per_event);
        let most = *games_per_event * events;
        rollout.step(network, most, &|| interrupt.is_raised(), &mut |so_far| {
            // Events come after the same games on any number of threads.
            if so_far.games().is_multiple_of(*games_per_event) || so_far.games() == *games {
                let best = so_far.estimates()[so_far.best()];
                report(RolloutEvent { games: so_far.games(), equity: best.equity, error: best.error });
            }
        });
        Ok(match rollout.ending() {
            Some(_) => ToolStatus::Done(self.output()),
            None => ToolStatus::Ready,
        })
    }

    fn progress(&self) -> ToolProgress {
        ToolProgress::of(self.rollout.games(), self.games)
    }

    fn partial(&self) -> Option<RolloutOutput> {
        (self.rollout.games() > 0).then(|| self.output())
    }

    fn interrupt_by(&mut self, interrupt: Interrupt) {
        self.interrupt = interrupt;
    }
}

impl AskAgain for RollOut {
    fn ask_again(&mut self, input: RolloutInput, _: Option<NamedText>) -> Result<(), LabError> {
        self.rollout = rollout_of(&self.network, &input)?;
        self.games = input.games.into();
        self.games_per_event = GAMES_PER_EVENT[usize::from(input.plies)];
        Ok(())
    }
}
