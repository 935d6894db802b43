//! A match or a money session on the stage. It keeps the record, and each turn with what is needed to judge
//! it.
//!
//! The value of the position before each roll is computed with one ply of lookahead (without any by
//! AlphaZero's network, which is slower), one roll of the 21 at a time, so no view waits for it. It decides
//! about the agent's cube and judges the user's, and luck is measured against it.

use learnery_match_files::{Ending, GameEnd, MatchRecord, Recorder, Refusal, write_mat};
use learnery_worlds::backgammon::matches::{Answer, Illegal, Rules, Stakes};
use learnery_worlds::backgammon::{Board, Dice, Win};

use super::judgement::{agents_choice, users_cube_review};
use super::match_report::match_report;
use super::valuation::RatedPlay;
use super::{Moment, SOUTH, StageNetwork};
use crate::cube::{CubePlayer, SlicedValue};
use crate::match_report::MatchReport;
use crate::match_view::{MatchStep, MatchView};
use crate::players::NetworkRef;

/// Rolls that are valued in each frame: some 40 positions.
const ROLLS_PER_FRAME: u32 = 2;

/// A match or a money session.
pub struct MatchPlay {
    recorder: Recorder,
    /// All turns of all games.
    turns: Vec<MatchTurn>,
    /// The turns before this index are valued.
    valued: usize,
    /// Index of the first turn of the game.
    first_turn: usize,
    /// The cube and its owner at the end of the last game.
    last_cube: (u32, Option<u8>),
    /// Whether the user waits for the report, and the report.
    report: (bool, Option<MatchReport>),
    /// The match as a file, until the page has received it.
    file: Option<String>,
    /// Made when it is needed, and again after a change of the network.
    player: Option<CubePlayer>,
}

/// A turn with what is needed to judge it.
pub struct MatchTurn {
    /// The side on roll.
    pub side: u8,
    /// The number of the game, and of the turn in it, from 0.
    pub game: usize,
    pub turn: usize,
    /// The score when the game began.
    pub score: [u32; 2],
    /// The position before the roll, and its value at the stakes before a double.
    pub value: SlicedValue,
    /// Whether the side on roll doubled; `None` if it had no choice or has not decided yet.
    pub doubled: Option<bool>,
    pub answer: Option<Answer>,
    pub play: Option<MatchTurnPlay>,
}

/// The play of a turn.
pub struct MatchTurnPlay {
    pub dice: Dice,
    pub played: RatedPlay,
    pub best: RatedPlay,
    /// Number of legal plays.
    pub of: usize,
}

impl MatchPlay {
    pub fn new(names: [&str; 2], rules: Rules) -> Result<Self, Illegal> {
        Ok(Self {
            recorder: Recorder::new(names, rules)?,
            turns: Vec::new(),
            valued: 0,
            first_turn: 0,
            last_cube: (1, None),
            report: (false, None),
            file: None,
            player: None,
        })
    }

    pub fn record(&self) -> &MatchRecord {
        self.recorder.record()
    }

    /// Asks for the report, which follows when every turn is valued, or takes it out of the view.
    pub fn want_report(&mut self, wanted: bool) {
        self.report = (wanted, None);
    }

    /// Puts the match so far as a file into the view, or takes it out.
    pub fn want_file(&mut self, wanted: bool) {
        self.file = wanted.then(|| write_mat(self.record(), None));
    }

    pub fn score(&self) -> [u32; 2] {
        self.recorder.session().score()
    }

    /// What the game is played for, seen from `side`.
    pub fn stakes(&self, side: u8) -> Option<Stakes> {
        self.recorder.session().stakes(usize::from(side)).ok()
    }

    /// The side whose double awaits an answer.
    pub fn doubler(&self) -> Option<u8> {
        self.recorder.session().doubler().map(|side| side as u8)
    }

    /// The result of the last game, until the next one begins.
    fn end(&self) -> Option<GameEnd> {
        self.recorder.last_end().filter(|_| self.recorder.board().is_none())
    }

    /// South's points without the cube if the game ended with a pass or a resignation.
    pub fn early_result(&self) -> Option<i8> {
        let end = self.end()?;
        let points = match end.ending {
            Ending::Won(_) => return None,
            Ending::Passed => 1,
            Ending::Resigned(win) => win.points() as i8,
        };
        Some(if end.winner == usize::from(SOUTH) { points } else { -points })
    }

    pub fn begin_game(&mut self) -> Result<(), Refusal> {
        self.recorder.begin_game()?;
        self.first_turn = self.turns.len();
        Ok(())
    }

    /// Begins a turn of a game that is not over. Returns whether the side on roll may double.
    pub fn begin_turn(&mut self, side: u8, board: &Board, is_opening: bool) -> bool {
        let Some(stakes) = self.stakes(side) else { return false };
        let may_double = !is_opening && stakes.no_double().is_none();
        let game = self.record().games().len() - 1;
        let turn = self.turns.len() - self.first_turn;
        let (score, value) = (self.score(), SlicedValue::new(*board, &stakes));
        self.turns.push(MatchTurn {
            side,
            game,
            turn,
            score,
            value,
            doubled: None,
            answer: None,
            play: None,
        });
        may_double
    }

    /// Records a play. `plays` are all plays of the roll, best first.
    pub fn play(
        &mut self,
        side: u8,
        dice: Dice,
        played: &RatedPlay,
        plays: &[RatedPlay],
    ) -> Result<(), Refusal> {
        self.note_cube();
        self.recorder.play(usize::from(side), dice, played.after)?;
        if let (Some(turn), Some(best)) = (self.turns.last_mut(), plays.first()) {
            turn.play = Some(MatchTurnPlay { dice, played: *played, best: *best, of: plays.len() });
        }
        Ok(())
    }

    /// The side on roll, which may double, rolls.
    pub fn no_double(&mut self) {
        if let Some(turn) = self.turns.last_mut() {
            turn.doubled = Some(false);
        }
    }

    pub fn double(&mut self, side: u8) -> Result<(), Refusal> {
        self.recorder.double(usize::from(side))?;
        if let Some(turn) = self.turns.last_mut() {
            turn.doubled = Some(true);
        }
        Ok(())
    }

    /// `side` answers a double.
    pub fn answer(&mut self, side: u8, answer: Answer) -> Result<(), Refusal> {
        self.note_cube();
        self.recorder.answer(usize::from(side), answer)?;
        if let Some(turn) = self.turns.last_mut() {
            turn.answer = Some(answer);
        }
        Ok(())
    }

    /// `side` resigns. `dice` is its roll, if it has rolled.
    pub fn resign(&mut self, side: u8, dice: Option<Dice>, win: Win) -> Result<(), Refusal> {
        self.note_cube();
        if let Some(dice) = dice {
            self.recorder.roll(usize::from(side), dice)?;
        }
        self.recorder.resign(usize::from(1 - side), win)
    }

    /// Notes the cube before an action that may end the game.
    fn note_cube(&mut self) {
        let session = self.recorder.session();
        self.last_cube = (session.cube(), session.owner().map(|side| side as u8));
    }

    /// The network has changed for another one.
    pub fn forget_network(&mut self) {
        self.player = None;
    }

    /// Values a few rolls of a turn that is not valued yet: of the last one, because the agent waits for it,
    /// or else of the first one. The network may learn meanwhile.
    pub fn judge_further(&mut self, network: StageNetwork) {
        let weights = network.network.weights();
        let player =
            self.player.get_or_insert_with(|| CubePlayer::new(network.network, plies(network.network)));
        if self.report.0 && self.valued == self.turns.len() {
            self.report = (false, Some(match_report(self.recorder.record(), &self.turns)));
        }
        for _ in 0..ROLLS_PER_FRAME {
            let last = self.turns.len().saturating_sub(1);
            let last_is_open = self.turns.last().is_some_and(|turn| turn.value.value().is_none());
            let next = if last_is_open { last } else { self.valued };
            let Some(turn) = self.turns.get_mut(next) else { return };
            player.advance(weights, &mut turn.value);
            while self.turns.get(self.valued).is_some_and(|turn| turn.value.value().is_some()) {
                self.valued += 1;
            }
        }
    }

    /// Whether the agent doubles in this turn, and how it answers a double; `None` while it is thinking.
    pub fn agents_choice(&self) -> Option<(bool, Answer)> {
        agents_choice(self.turns.last()?)
    }

    /// The data that the page draws.
    pub fn view(&self, moment: Moment, side: u8) -> MatchView {
        let session = self.recorder.session();
        let end = self.end();
        let (length, beavers) = match session.rules() {
            Rules::Match { length } => (length, false),
            Rules::Money { beavers, .. } => (0, beavers),
        };
        let (cube, owner) = match end {
            Some(_) => self.last_cube,
            None => (session.cube(), session.owner().map(|side| side as u8)),
        };
        let winner = session.winner().map(|side| side as u8);
        let (step, actor) = match moment {
            Moment::Play => (MatchStep::Play, side),
            Moment::CubeAction => (MatchStep::DoubleOrRoll, side),
            Moment::Answer { side } => (MatchStep::Answer, side),
            Moment::GameOver if winner.is_some() => (MatchStep::Over, side),
            Moment::GameOver => (MatchStep::NextGame, side),
        };
        MatchView {
            length,
            beavers,
            crawford: self.recorder.record().games().last().is_some_and(|game| game.start().is_crawford()),
            cube,
            owner,
            step,
            actor,
            points: end.map_or(0, |end| end.points),
            passed: end.is_some_and(|end| end.ending == Ending::Passed),
            resigned: end.is_some_and(|end| matches!(end.ending, Ending::Resigned(_))),
            winner,
            report: self.report.1.clone(),
            file: self.file.clone(),
            cube_review: users_cube_review(&self.turns[self.first_turn..]),
        }
    }
}

/// Plies of lookahead. A network with a policy head values a position by 21 passes, so a single roll would
/// take too long for a frame.
fn plies(network: NetworkRef) -> u8 {
    u8::from(!network.has_policy_head())
}
