//! A match or a money session on the stage. [`MatchPlay`] keeps the record, and for each turn of the game
//! what is needed to judge the cube decision in it.
//!
//! Before each roll the position is valued, with one ply of lookahead (none for AlphaZero's slower network).
//! The work is spread over frames, one of the 21 rolls at a time, so that no view waits for it. The value
//! decides the agent's cube actions and judges the user's.
//!
//! A *side* is 0 (south, the user) or 1 (north), also as a player's index in the record.

use learnery_backgammon_play::Evaluator;
use learnery_backgammon_play::cube::{CubePlayer, SlicedValue};
use learnery_match_files::{Ending, GameEnd, MatchRecord, Recorder, Refusal};
use learnery_worlds::backgammon::matches::{Answer, Illegal, Rules, Stakes};
use learnery_worlds::backgammon::{Board, Dice, Win};

use super::judgement::{AgentsCubeChoice, agents_cube_choice, users_cube_review};
use super::{NextEvent, SOUTH, StageNetwork};
use crate::match_view::{MatchStep, MatchView};
use crate::networks::{NetworkRef, Scratch};

/// Rolls that are valued in each frame. A roll has some 20 plays, so the network values some 40 positions in
/// a frame.
const ROLLS_PER_FRAME: u32 = 2;

/// A match or a money session.
pub struct MatchPlay {
    recorder: Recorder,
    /// The turns of the newest game.
    turns: Vec<MatchTurn>,
    /// All turns before this index are valued.
    valued_turns: usize,
    /// The cube before the last action that could end a game. The session forgets the cube when a game ends,
    /// but the page shows it until the next game begins.
    last_cube: ShownCube,
    /// Values positions with the cube. Made when it is needed, and again after a change of the network.
    player: Option<CubePlayer<Scratch>>,
}

/// The cube as the page draws it.
#[derive(Clone, Copy)]
struct ShownCube {
    value: u32,
    /// The side that owns the cube; `None` while it is in the middle.
    owner: Option<u8>,
}

/// A turn with what is needed to judge its cube decision.
pub struct MatchTurn {
    /// The side on roll.
    pub side: u8,
    /// The position before the roll, and its value at the stakes before a double.
    pub value: SlicedValue,
    /// Whether the side on roll doubled. `None` if there is nothing to judge: it had no choice, or it has not
    /// decided yet.
    pub doubled: Option<bool>,
    pub answer: Option<Answer>,
}

impl MatchPlay {
    pub fn new(names: [&str; 2], rules: Rules) -> Result<Self, Illegal> {
        Ok(Self {
            recorder: Recorder::new(names, rules)?,
            turns: Vec::new(),
            valued_turns: 0,
            last_cube: ShownCube { value: 1, owner: None },
            player: None,
        })
    }

    pub fn record(&self) -> &MatchRecord {
        self.recorder.record()
    }

    pub fn score(&self) -> [u32; 2] {
        self.recorder.session().score()
    }

    /// What the game is played for, seen from `side`; `None` once the match is over.
    pub fn stakes(&self, side: u8) -> Option<Stakes> {
        self.recorder.session().stakes(usize::from(side)).ok()
    }

    /// The side whose double awaits an answer.
    pub fn doubler(&self) -> Option<u8> {
        self.recorder.session().doubler().map(|side| side as u8)
    }

    /// How the last game ended; `None` while a game is under way.
    fn last_game_end(&self) -> Option<GameEnd> {
        self.recorder.last_end().filter(|_| self.recorder.board().is_none())
    }

    /// South's points without the cube if the game ended with a pass or a resignation.
    pub fn early_result(&self) -> Option<i8> {
        let game_end = self.last_game_end()?;
        let points = match game_end.ending {
            Ending::Won(_) => return None,
            Ending::Passed => 1,
            Ending::Resigned(win) => win.points() as i8,
        };
        Some(if game_end.winner == usize::from(SOUTH) { points } else { -points })
    }

    pub fn begin_game(&mut self) -> Result<(), Refusal> {
        self.recorder.begin_game()?;
        self.turns.clear();
        self.valued_turns = 0;
        Ok(())
    }

    /// Begins a turn of a game that is not over. Returns whether the side on roll may double.
    pub fn begin_turn(&mut self, side: u8, board: &Board, is_opening: bool) -> bool {
        let Some(stakes) = self.stakes(side) else { return false };
        // Nobody doubles before the opening roll, nor where there is an obstacle.
        let obstacle = stakes.no_double();
        let may_double = !is_opening && obstacle.is_none();
        let value = SlicedValue::new(*board, &stakes);
        self.turns.push(MatchTurn { side, value, doubled: None, answer: None });
        may_double
    }

    /// Records a play that leads to `after`.
    pub fn play(&mut self, side: u8, dice: Dice, after: Board) -> Result<(), Refusal> {
        self.note_cube();
        self.recorder.play(usize::from(side), dice, after)
    }

    /// Notes that the side on roll could have doubled and decided to roll. The record has no entry for this.
    pub fn note_no_double(&mut self) {
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
        // The recorder asks for the winner, who is the other side.
        self.recorder.resign(usize::from(1 - side), win)
    }

    /// Notes the cube before an action that may end the game.
    fn note_cube(&mut self) {
        self.last_cube = self.cube();
    }

    /// The cube of the game under way.
    fn cube(&self) -> ShownCube {
        let session = self.recorder.session();
        ShownCube { value: session.cube(), owner: session.owner().map(|owner| owner as u8) }
    }

    /// Called when the agent plays with another network from now on.
    pub fn forget_network(&mut self) {
        self.player = None;
    }

    /// Values a few rolls of a turn that is not valued yet: of the last turn, because the agent waits for it,
    /// or else of the first one. A network that is being trained changes between frames, so the rolls of one
    /// turn can be valued with different weights.
    pub fn judge_further(&mut self, network: StageNetwork) {
        let network = network.network;
        let player = self.player.get_or_insert_with(|| CubePlayer::new(&network, plies(network)));
        for _ in 0..ROLLS_PER_FRAME {
            let last = self.turns.len().saturating_sub(1);
            let last_is_open = self.turns.last().is_some_and(|turn| turn.value.value().is_none());
            let next = if last_is_open { last } else { self.valued_turns };
            let Some(turn) = self.turns.get_mut(next) else { return };
            player.advance(&network, &mut turn.value);
            while self.turns.get(self.valued_turns).is_some_and(|turn| turn.value.value().is_some()) {
                self.valued_turns += 1;
            }
        }
    }

    /// What the agent does with the cube in this turn; `None` while it is thinking.
    pub fn agents_cube_choice(&self) -> Option<AgentsCubeChoice> {
        agents_cube_choice(self.turns.last()?)
    }

    /// The data that the page draws. `side_on_roll` is the side whose turn it is.
    pub fn view(&self, next: NextEvent, side_on_roll: u8) -> MatchView {
        let session = self.recorder.session();
        let game_end = self.last_game_end();
        let (length, beavers) = match session.rules() {
            Rules::Match { length } => (length, false),
            // The page takes length 0 for a money session.
            Rules::Money { beavers, .. } => (0, beavers),
        };
        let cube = if game_end.is_some() { self.last_cube } else { self.cube() };
        let winner = session.winner().map(|winner| winner as u8);
        let (step, actor) = match next {
            NextEvent::Play => (MatchStep::Play, side_on_roll),
            NextEvent::CubeAction => (MatchStep::DoubleOrRoll, side_on_roll),
            // Here the other side acts.
            NextEvent::Answer { side: answering_side } => (MatchStep::Answer, answering_side),
            NextEvent::GameOver if winner.is_some() => (MatchStep::Over, side_on_roll),
            NextEvent::GameOver => (MatchStep::NextGame, side_on_roll),
        };
        MatchView {
            length,
            beavers,
            crawford: self.recorder.record().games().last().is_some_and(|game| game.start().is_crawford()),
            cube: cube.value,
            owner: cube.owner,
            step,
            actor,
            points: game_end.map_or(0, |end| end.points),
            passed: game_end.is_some_and(|end| end.ending == Ending::Passed),
            resigned: game_end.is_some_and(|end| matches!(end.ending, Ending::Resigned(_))),
            winner,
            cube_review: users_cube_review(&self.turns),
        }
    }
}

/// Plies of lookahead. A network with a policy head (AlphaZero's) takes a position together with a roll. It
/// is run once for each of the 21 rolls to value one position, so even one ply would take too long for a
/// frame.
fn plies(network: NetworkRef) -> u8 {
    if network.has_policy_head() { 0 } else { 1 }
}
