//! The tool `match`: two networks play one match against each other with the doubling cube. The answer holds
//! the match as a file.

use learnery_backgammon_play::PlayedMatch;
use learnery_backgammon_play::players::MAX_PLIES;
use learnery_lab::{LabError, NamedText, Source, Tool, ToolAbout, ToolProgress, ToolStatus};
use learnery_match_files::{Refusal, write_mat};
use learnery_worlds::backgammon::matches::LONGEST_MATCH;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{network_of, opponent};
use crate::Backgammon;
use crate::networks::{Scratch, TrainedNetwork};

/// Names of the players in the match file.
const NAMES: [&str; 2] = ["First agent", "Second agent"];

/// Against whom, and how long.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonMatchInput"))]
pub struct MatchInput {
    /// The file of the other network: a checkpoint or an exported network.
    #[schemars(extend("x-input" = "file"))]
    pub against: String,
    /// Points that win the match. It is played with the doubling cube and the Crawford rule.
    #[schemars(range(min = 1, max = LONGEST_MATCH), extend("x-unit" = "points"))]
    pub length: u8,
    /// Plies (dice rolls) of lookahead before each play and each decision about the cube, for both.
    #[schemars(range(min = 0, max = MAX_PLIES), extend("x-unit" = "plies"))]
    pub plies: u8,
    /// Selects the dice.
    #[schemars(range(min = 0, max = 4_294_967_295_u32))]
    pub seed: u32,
}

impl Default for MatchInput {
    fn default() -> Self {
        Self { against: String::new(), length: 7, plies: 0, seed: 0 }
    }
}

/// The match. In a partial answer it is not over.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonMatchOutput"))]
pub struct MatchOutput {
    /// Points of the first network and of the other one.
    pub score: [u32; 2],
    /// Points that win the match.
    pub length: u8,
    /// Games that have ended.
    pub games: u32,
    pub plies: u8,
    pub seed: u32,
    /// The match as a `.mat` file, which backgammon programs read.
    pub file: String,
}

/// A match under way.
pub struct PlayMatch {
    networks: [TrainedNetwork; 2],
    played: PlayedMatch<Scratch>,
    input: MatchInput,
}

impl PlayMatch {
    fn output(&self) -> MatchOutput {
        MatchOutput {
            score: self.played.session().score(),
            length: self.input.length,
            games: self.played.games_played() as u32,
            plies: self.input.plies,
            seed: self.input.seed,
            file: write_mat(self.played.record(), None),
        }
    }
}

impl Tool for PlayMatch {
    const ABOUT: ToolAbout = ToolAbout {
        id: "match",
        title: "Match",
        help: "Lets the network play a match with the doubling cube against another one, and writes it as a file.",
        counts: "points",
        in_tab: true,
    };
    type Lab = Backgammon;
    type Input = MatchInput;
    const INPUT: &'static str = include_str!("match.json");
    type Event = ();
    type Output = MatchOutput;
    const COUNT_HAS_TOTAL: bool = true;

    fn begin(
        source: Source<Backgammon>,
        input: MatchInput,
        file: Option<NamedText>,
    ) -> Result<Self, LabError> {
        let no_file = || LabError::input("against", "expected the file of a network");
        let networks = [network_of(&source)?, opponent(file.ok_or_else(no_file)?)?];
        let MatchInput { length, plies, seed, .. } = input;
        let played = PlayedMatch::new(networks.each_ref(), NAMES, length, plies, seed);
        let played = played.map_err(|illegal| LabError::input("length", illegal.to_string()))?;
        Ok(Self { networks, played, input })
    }

    /// Plays a turn.
    fn step(&mut self, _: &mut dyn FnMut(())) -> Result<ToolStatus<MatchOutput>, LabError> {
        // Games of untrained networks may never end.
        let refuse = |refusal| match refusal {
            Refusal::TooLong => {
                LabError::Tool("a game has not ended after 5,000 actions, so the match was given up".into())
            }
            other => LabError::Tool(other.to_string()),
        };
        self.played.play_turn(self.networks.each_ref()).map_err(refuse)?;
        let is_over = self.played.session().winner().is_some();
        Ok(if is_over { ToolStatus::Done(self.output()) } else { ToolStatus::Ready })
    }

    /// The points of the side that leads, out of the length.
    fn progress(&self) -> ToolProgress {
        let [first, second] = self.played.session().score();
        let length = u32::from(self.input.length);
        // The last game may win more points than are needed.
        ToolProgress::of(first.max(second).min(length).into(), length.into())
    }

    fn partial(&self) -> Option<MatchOutput> {
        Some(self.output())
    }
}
