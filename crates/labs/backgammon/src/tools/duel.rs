//! The tool `duel`: two networks play games against each other, in pairs with the same dice and the sides
//! exchanged.

use learnery_backgammon_play::players::{Lookahead, MAX_PLIES};
use learnery_kernels::rng::Stream;
use learnery_lab::{LabError, NamedText, Source, Tool, ToolAbout, ToolProgress, ToolStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{network_of, opponent};
use crate::Backgammon;
use crate::evaluation::{Choice, Match, MatchScore, Player, Setup};
use crate::networks::TrainedNetwork;
use crate::purpose;

/// Games that are played side by side.
const SEATS: usize = 32;
/// Turns of each of these games in one step, by plies of lookahead.
const TURNS_PER_STEP: [u32; MAX_PLIES as usize + 1] = [8, 1, 1];
/// The fewest pairs that have a confidence interval.
const MIN_PAIRS: u64 = 2;

/// Against whom, and how many games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonDuelInput"))]
pub struct DuelInput {
    /// The file of the other network: a checkpoint or an exported network.
    #[schemars(extend("x-input" = "file"))]
    pub against: String,
    /// Number of games. They are played in pairs with the same dice and the sides exchanged, so an odd number
    /// is rounded up.
    #[schemars(range(min = 4, max = 10_000_000), extend("x-unit" = "games"))]
    pub games: u32,
    /// Plies (dice rolls) of lookahead before each play, for both.
    #[schemars(range(min = 0, max = MAX_PLIES), extend("x-unit" = "plies"))]
    pub plies: u8,
    /// Selects the dice.
    #[schemars(range(min = 0, max = 4_294_967_295_u32))]
    pub seed: u32,
}

impl Default for DuelInput {
    fn default() -> Self {
        Self { against: String::new(), games: 1000, plies: 0, seed: 0 }
    }
}

/// The score. Points are those of the first network minus those of the other one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonDuelOutput"))]
pub struct DuelOutput {
    /// Mean points per game over the pairs of games that have ended.
    pub points: f64,
    /// Half the width of its 95 % confidence interval, from the variance over pairs.
    pub margin: f64,
    /// Pairs of which both games have ended.
    pub pairs: u64,
    /// Pairs that were asked for: more in a partial answer.
    pub asked: u64,
    /// Games that have ended.
    pub games: u64,
    /// Games that the first network won, and those with a gammon or a backgammon.
    pub wins: u64,
    pub gammons_won: u64,
    /// Games that the first network lost with a gammon or a backgammon.
    pub gammons_lost: u64,
    pub plies: u8,
    pub seed: u32,
}

/// A duel under way.
pub struct Duel {
    networks: [TrainedNetwork; 2],
    games: Match,
    asked: u64,
    input: DuelInput,
}

/// Both players: each network values the positions after its plays, with the same lookahead.
fn setup(networks: &[TrainedNetwork; 2], plies: u8) -> Setup<'_> {
    let choice = Choice::Lookahead(Lookahead { plies });
    Setup {
        players: networks.each_ref().map(|network| Player::Network(network.as_network(), choice)),
        luck: None,
    }
}

impl Duel {
    fn output(&self, score: &MatchScore) -> Option<DuelOutput> {
        (score.pairs >= MIN_PAIRS).then(|| DuelOutput {
            points: score.mean_of_pairs(),
            margin: score.margin(),
            pairs: score.pairs,
            asked: self.asked,
            games: score.games,
            wins: score.wins,
            gammons_won: score.gammons_won,
            gammons_lost: score.gammons_lost,
            plies: self.input.plies,
            seed: self.input.seed,
        })
    }
}

impl Tool for Duel {
    const ABOUT: ToolAbout = ToolAbout {
        id: "duel",
        title: "Duel",
        help: "Lets the network play games against another one, in pairs with the same dice and the sides exchanged.",
        counts: "pairs of games",
        in_tab: true,
    };
    type Lab = Backgammon;
    type Input = DuelInput;
    const INPUT: &'static str = include_str!("duel.json");
    type Event = ();
    type Output = DuelOutput;
    const COUNT_HAS_TOTAL: bool = true;

    fn begin(
        source: Source<Backgammon>,
        input: DuelInput,
        file: Option<NamedText>,
    ) -> Result<Self, LabError> {
        let no_file = || LabError::input("against", "expected the file of a network");
        let networks = [network_of(&source)?, opponent(file.ok_or_else(no_file)?)?];
        let asked = u64::from(input.games).div_ceil(2);
        let mut games = Match::new(setup(&networks, input.plies), SEATS);
        games.begin(Stream::new(input.seed, purpose::EVALUATION), 0..asked);
        Ok(Self { networks, games, asked, input })
    }

    fn step(&mut self, _: &mut dyn FnMut(())) -> Result<ToolStatus<DuelOutput>, LabError> {
        let plies = self.input.plies;
        let is_over = self.games.step(setup(&self.networks, plies), TURNS_PER_STEP[usize::from(plies)]);
        if !is_over {
            return Ok(ToolStatus::Ready);
        }
        let too_few = || LabError::Tool("too few games came to their end, so there is no score".into());
        self.output(&self.games.score()).map(ToolStatus::Done).ok_or_else(too_few)
    }

    fn progress(&self) -> ToolProgress {
        ToolProgress::of(self.games.score().pairs, self.asked)
    }

    fn partial(&self) -> Option<DuelOutput> {
        self.output(&self.games.score())
    }
}
