//! The tool `evaluate`: measures the strength of a network, in points per game against an opponent. (The tool
//! `eval` values a position.)

use std::sync::OnceLock;

use learnery_backgammon_play::players::{Lookahead, MAX_PLIES, MAX_SIMULATIONS};
use learnery_kernels::rng::Stream;
use learnery_lab::{
    Interrupt, LabError, NamedText, Program, Report, Source, Tool, ToolAbout, ToolProgress, ToolStatus,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{network_of, opponent};
use crate::Backgammon;
use crate::evaluation::{Choice, MAX_TURNS, Match, MatchScore, Player, Setup};
use crate::networks::TrainedNetwork;
use crate::purpose;

/// The most games that are played side by side.
const MAX_SEATS: usize = 32;
/// The maximum of seats times simulations, because each seat has a search tree of its own.
const MAX_SIMULATIONS_OF_SEATS: usize = 1 << 17;
/// Turns of each game in one step where a turn is quick: players value only the positions after their plays,
/// luck counts and no program is asked.
const QUICK_TURNS_PER_STEP: u32 = 16;

/// Whether the luck of the dice is subtracted from the score (variance reduction).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonLuck"))]
pub enum Luck {
    /// It counts: a game is worth the points that were won.
    Counted,
    /// It is subtracted from the points that were won.
    Subtracted,
}

/// How to evaluate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "BackgammonEvaluationInput"))]
pub struct EvaluationInput {
    /// Number of games. They are played in pairs with the same dice and the sides exchanged, so an odd number
    /// is rounded up.
    #[schemars(range(min = 1, max = 10_000_000), extend("x-unit" = "games"))]
    pub games: u64,
    /// Plies (dice rolls) of lookahead before each play; 0 values only the positions after the plays. An
    /// opponent that is a network has the same lookahead.
    #[schemars(range(min = 0, max = MAX_PLIES))]
    pub plies: u8,
    /// Simulations of a tree search before each play; none with 0. Cannot be combined with plies. An opponent
    /// that is a network has no tree search.
    #[schemars(range(min = 0, max = MAX_SIMULATIONS))]
    pub simulations: u32,
    /// The opponent: random (random plays), pubeval, or the file of another network.
    #[schemars(extend("x-input" = "opponent", "x-names" = ["random", "pubeval"]))]
    pub against: String,
    /// Whether the luck of every roll, measured by the network without lookahead, is subtracted from the
    /// result. The result that is expected stays the same, and the margin of error becomes smaller, but each
    /// game takes longer.
    pub luck: Luck,
    /// Selects the dice.
    #[schemars(range(min = 0, max = 4_294_967_295_u32))]
    pub seed: u32,
}

impl Default for EvaluationInput {
    fn default() -> Self {
        let (games, against, luck) = (1000, "pubeval".into(), Luck::Counted);
        Self { games, plies: 0, simulations: 0, against, luck, seed: 0 }
    }
}

/// Whom the network plays.
enum Opponent {
    Random,
    Pubeval,
    Network(Box<TrainedNetwork>),
    /// Another program, and its first error.
    Program(Program, OnceLock<String>),
}

/// The two players.
struct Players {
    own: TrainedNetwork,
    choice: Choice,
    opponent: Opponent,
}

impl Players {
    fn setup(&self, input: &EvaluationInput) -> Setup<'_> {
        let network = self.own.as_network();
        let opponent = match &self.opponent {
            Opponent::Random => Player::Random,
            Opponent::Pubeval => Player::Pubeval,
            // The opponent never has a tree search, so that the gain of one can be measured.
            Opponent::Network(other) => {
                Player::Network(other.as_network(), Choice::Lookahead(Lookahead { plies: input.plies }))
            }
            Opponent::Program(program, failure) => Player::Program(program, failure),
        };
        Setup {
            players: [Player::Network(network, self.choice), opponent],
            luck: (input.luck == Luck::Subtracted).then_some(network),
        }
    }

    /// The first error of a program.
    fn failure(&self) -> Option<&String> {
        match &self.opponent {
            Opponent::Program(_, failure) => failure.get(),
            Opponent::Random | Opponent::Pubeval | Opponent::Network(_) => None,
        }
    }
}

/// An evaluation under way.
pub struct Evaluate {
    input: EvaluationInput,
    players: Players,
    games: Match,
    /// The games that are asked for, in whole pairs.
    total_games: u64,
}

impl Evaluate {
    fn new(
        source: &Source<Backgammon>,
        input: EvaluationInput,
        opponent: Opponent,
    ) -> Result<Self, LabError> {
        let choice = match (input.plies, input.simulations) {
            (plies, 0) => Choice::Lookahead(Lookahead { plies }),
            (0, simulations) => Choice::TreeSearch { simulations },
            _ => return Err(LabError::input("simulations", "expected plies or simulations, not both")),
        };
        let players = Players { own: network_of(source)?, choice, opponent };
        let seats = MAX_SEATS.min(MAX_SIMULATIONS_OF_SEATS / input.simulations.max(1) as usize);
        let mut games = Match::new(players.setup(&input), seats);
        // Two games a pair.
        let pairs = input.games.div_ceil(2);
        games.begin(Stream::new(input.seed, purpose::EVALUATION), 0..pairs);
        Ok(Self { input, players, games, total_games: 2 * pairs })
    }

    fn turns_per_step(&self) -> u32 {
        let is_quick = matches!(self.players.choice, Choice::Lookahead(Lookahead { plies: 0 }))
            && self.input.luck == Luck::Counted
            && !matches!(self.players.opponent, Opponent::Program(..));
        if is_quick { QUICK_TURNS_PER_STEP } else { 1 }
    }
}

impl Tool for Evaluate {
    const ABOUT: ToolAbout = ToolAbout {
        id: "evaluate",
        title: "Strength",
        help: "Measures the points per game that the network wins against an opponent.",
        counts: "games",
        in_tab: false,
    };
    type Lab = Backgammon;
    type Input = EvaluationInput;
    const INPUT: &'static str = include_str!("evaluate.json");
    type Event = ();
    type Output = Report;
    const COUNT_HAS_TOTAL: bool = true;

    fn begin(
        source: Source<Backgammon>,
        input: EvaluationInput,
        file: Option<NamedText>,
    ) -> Result<Self, LabError> {
        let other = match (input.against.as_str(), file) {
            (_, Some(file)) => Opponent::Network(Box::new(opponent(file)?)),
            ("pubeval", None) => Opponent::Pubeval,
            ("random", None) => Opponent::Random,
            (other, None) => {
                let problem = format!(
                    "there is no opponent called `{other}`; expected random, pubeval or the file of a network"
                );
                return Err(LabError::input("against", problem));
            }
        };
        Self::new(&source, input, other)
    }

    fn begin_against(
        source: Source<Backgammon>,
        input: EvaluationInput,
        program: Program,
    ) -> Result<Self, LabError> {
        Self::new(&source, input, Opponent::Program(program, OnceLock::new()))
    }

    fn step(&mut self, _: &mut dyn FnMut(())) -> Result<ToolStatus<Report>, LabError> {
        let (setup, turns) = (self.players.setup(&self.input), self.turns_per_step());
        let is_complete = self.games.step(setup, turns);
        if let Some(failure) = self.players.failure() {
            return Err(LabError::Evaluation(failure.clone()));
        }
        if !is_complete {
            return Ok(ToolStatus::Ready);
        }
        let score = self.games.score();
        if score.games == 0 {
            let sentence = format!("no game ended within {MAX_TURNS} turns, so there is no score");
            return Err(LabError::Evaluation(sentence));
        }
        Ok(ToolStatus::Done(report(&self.input, &score, score.mean())))
    }

    fn progress(&self) -> ToolProgress {
        ToolProgress::of(self.games.score().games, self.total_games)
    }

    fn partial(&self) -> Option<Report> {
        let score = self.games.score();
        (score.pairs > 0).then(|| report(&self.input, &score, score.mean_of_pairs()))
    }

    fn interrupt_by(&mut self, interrupt: Interrupt) {
        self.games.interrupt_by(interrupt);
    }
}

/// Describes the score. `mean` is the points a game: of all games at the end, before that of the complete
/// pairs.
fn report(input: &EvaluationInput, score: &MatchScore, mean: f64) -> Report {
    let EvaluationInput { plies, simulations, against, luck, .. } = input;
    let margin = score.margin();
    let depth = match (plies, simulations) {
        (0, 0) => String::new(),
        (0, n) => format!(" with {n} simulations a play"),
        (1, _) => " with 1 ply of lookahead".into(),
        (n, _) => format!(" with {n} plies of lookahead"),
    };
    let luck = match luck {
        Luck::Counted => "",
        Luck::Subtracted => ", luck subtracted",
    };
    let summary = format!(
        "{mean:+.3} points a game{depth} against {against}{luck}, within {margin:.3}, over {} games",
        score.games
    );
    let figures = vec![
        ("points", mean, "a game"),
        ("margin", margin, "a game, 95 %"),
        ("games", score.games as f64, ""),
        ("wins", score.fraction(score.wins), ""),
        ("gammons won", score.fraction(score.gammons_won), ""),
        ("gammons lost", score.fraction(score.gammons_lost), ""),
    ];
    Report::new(summary, figures)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use learnery_lab::{Entry, EvalRequest, Named, Session};
    use learnery_worlds::backgammon::Board;
    use serde_json::{Map, json};

    use super::*;

    /// A program that always makes the first legal play plays the games to their ends. Another one makes an
    /// illegal play, and this error ends the evaluation.
    #[test]
    fn program_is_an_opponent() {
        let entry = Entry::of::<Backgammon>();
        let settings = json!({"hidden": 8, "second": 4, "race": 4});
        let saved = Session::start(entry, &settings, 1).expect("good settings").save();
        let evaluated = |respond: fn(&str) -> Result<String, String>| {
            let options = Map::from_iter([("games".into(), json!(4)), ("against".into(), json!("it"))]);
            let named = Some(Named::Program(Program::new(respond)));
            entry.evaluate(&saved, &EvalRequest { options, seed: 2, named })
        };
        let report = evaluated(|request| {
            let lists_positions = true;
            let answer = learnery_backgammon_play::plays(request, lists_positions)?;
            Ok(answer.split(' ').nth(4).unwrap_or_default().to_owned())
        });
        assert!(report.is_ok_and(|report| report.summary.ends_with("over 4 games")));
        let failed = evaluated(|_| Ok(Board::START.position_id())).expect_err("an illegal play");
        assert!(failed.to_string().contains("to which no play leads"), "{failed}");
    }

    /// A tool without opponents refuses a program.
    #[test]
    fn only_evaluations_take_a_program() {
        let entry = Entry::of::<Backgammon>();
        let saved = Session::start(entry, &json!({}), 1).expect("good settings").save();
        let rates = learnery_lab::ToolEntry::find(entry.tools, "rates").expect("a tool");
        let refused = rates.begin_against(&saved, &json!({}), Program::new(|_| Ok(String::new())));
        assert!(refused.is_err_and(|error| error.to_string().contains("asks no other program")));
    }

    /// A raised interrupt ends a step before anything is played.
    #[test]
    fn interrupt_ends_a_step_early() {
        let saved = Session::start(Entry::of::<Backgammon>(), &json!({}), 1).expect("good settings").save();
        let mut job = learnery_lab::Job::<Evaluate>::begin(&saved, EvaluationInput::default(), None)
            .expect("a good input");
        job.interrupt_by(Interrupt::new(|| true));
        let outcome = job.finish(&mut |_, _| false).expect("it was interrupted");
        assert!(outcome.is_partial() && outcome.output().is_none() && job.progress().count == 0);
    }

    /// An interrupt that is raised during a turn breaks it off: a turn of so many simulations takes minutes
    /// here.
    #[test]
    fn interrupt_breaks_a_turn_off() {
        static ASKED: AtomicUsize = AtomicUsize::new(0);
        let saved = Session::start(Entry::of::<Backgammon>(), &json!({}), 1).expect("good settings").save();
        for input in [
            EvaluationInput { games: 2, simulations: MAX_SIMULATIONS, ..EvaluationInput::default() },
            EvaluationInput { games: 2, plies: MAX_PLIES, ..EvaluationInput::default() },
        ] {
            let mut job = learnery_lab::Job::<Evaluate>::begin(&saved, input, None).expect("a good input");
            ASKED.store(0, Ordering::Relaxed);
            // Before the first turn of the only pair, and twice within it.
            job.interrupt_by(Interrupt::new(|| ASKED.fetch_add(1, Ordering::Relaxed) >= 2));
            let outcome = job.finish(&mut |_, _| false).expect("it was interrupted");
            assert!(outcome.is_partial() && outcome.output().is_none() && job.progress().count == 0);
            assert_eq!(ASKED.load(Ordering::Relaxed), 3);
        }
    }
}
