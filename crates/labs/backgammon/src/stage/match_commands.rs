//! Commands and actions of a match on the stage: it begins, both sides decide about the cube, and the user
//! resigns.

use learnery_backgammon_play::cube::{MatchEquityTable, Payoffs};
use learnery_lab::{Floats, LabError};
use learnery_match_files::Refusal;
use learnery_worlds::backgammon::matches::{Answer, Rules};
use learnery_worlds::backgammon::{CHECKERS, Win};

use super::match_play::MatchPlay;
use super::{NextEvent, SOUTH, Stage, StageNetwork};
use crate::match_view::CubeChoice;
use crate::view::{BackgammonCommand, Players};

/// The names of the players in the record.
const USER: &str = "Visitor";
const LEARNER: &str = "Learnery";
const EXPERT: &str = "Expert";
/// The agent accepts a resignation that is worth up to this much less to it, in equity, than playing on. A
/// network is never quite sure of the result, so without a margin it would decline what is as good as
/// certain.
const RESIGNATION_MARGIN: f64 = 0.1;

impl Stage {
    /// Carries out the user's decision about the cube.
    pub(super) fn choose_cube(&mut self, learner: StageNetwork, choice: CubeChoice) -> Result<(), LabError> {
        let reject = |reason: &str| Err(LabError::Command(reason.into()));
        let (next, side) = (self.next_event(), self.side);
        let Some(match_play) = &mut self.match_play else {
            return reject("there is no cube in a single game; begin a match");
        };
        let answer = match choice {
            CubeChoice::Roll | CubeChoice::Double if next != NextEvent::CubeAction || side != SOUTH => {
                return reject("it is not the moment to double or to roll");
            }
            CubeChoice::Roll => {
                match_play.note_no_double();
                self.roll(learner);
                return Ok(());
            }
            CubeChoice::Double => {
                self.waited_seconds = 0.0;
                return match_play.double(SOUTH).map_err(refused);
            }
            CubeChoice::Take => Answer::Take,
            CubeChoice::Pass => Answer::Pass,
            CubeChoice::Beaver => Answer::Beaver,
        };
        if next != (NextEvent::Answer { side: SOUTH }) {
            return reject("no double awaits your answer");
        }
        self.answer(learner, SOUTH, answer)
    }

    /// Begins a match or a money session.
    pub(super) fn begin_match(
        &mut self,
        learner: StageNetwork,
        players: Players,
        rules: Rules,
    ) -> Result<(), LabError> {
        let opponent = match players {
            Players::Watch => {
                return Err(LabError::Command("a match needs a player; choose an opponent".into()));
            }
            Players::Learner => LEARNER,
            Players::Expert => EXPERT,
        };
        let mut match_play = MatchPlay::new([USER, opponent], rules)
            .map_err(|illegal| LabError::Command(illegal.to_string()))?;
        match_play.begin_game().map_err(refused)?;
        // Begins a single game, which becomes the first of the match. An error, such as that the trained
        // player was not invited, leaves the game before untouched.
        self.apply(learner, BackgammonCommand::NewGame { players })?;
        self.match_play = Some(match_play);
        self.score = [0; 2];
        self.begin_turn(learner);
        Ok(())
    }

    /// The agent answers the user's double or, in its own turn, doubles or rolls. Does nothing while the
    /// agent is thinking.
    pub(super) fn decide_about_cube(&mut self, learner: StageNetwork) -> Result<(), LabError> {
        let (next, side) = (self.next_event(), self.side);
        let Some(match_play) = &mut self.match_play else { return Ok(()) };
        let Some(choice) = match_play.agents_cube_choice() else { return Ok(()) };
        if let NextEvent::Answer { side: answering_side } = next {
            return self.answer(learner, answering_side, choice.answer);
        }
        if choice.doubles {
            match_play.double(side).map_err(refused)?;
            self.waited_seconds = 0.0;
        } else {
            match_play.note_no_double();
            self.roll(learner);
        }
        Ok(())
    }

    /// `side` answers a double. The game ends, or the side that doubled rolls.
    fn answer(&mut self, learner: StageNetwork, side: u8, answer: Answer) -> Result<(), LabError> {
        let Some(match_play) = &mut self.match_play else { return Ok(()) };
        match_play.answer(side, answer).map_err(refused)?;
        if answer == Answer::Pass {
            self.score = match_play.score();
            self.waited_seconds = 0.0;
            self.evaluate(learner);
        } else {
            self.roll(learner);
        }
        Ok(())
    }

    /// The user resigns the game, for the loss of a single game (1), a gammon (2) or a backgammon (3). The
    /// agent declines what is worth less to it than playing on.
    pub(super) fn resign(&mut self, learner: StageNetwork, loss: u8) -> Result<(), LabError> {
        let reject = |reason: &str| Err(LabError::Command(reason.into()));
        let is_turn =
            matches!(self.next_event(), NextEvent::Play | NextEvent::CubeAction) && self.awaits_user();
        let Some(match_play) = &mut self.match_play else {
            return reject("only a game of a match can be resigned");
        };
        let win = match loss {
            1 => Win::Single,
            2 => Win::Gammon,
            3 => Win::Backgammon,
            _ => return reject("a resignation is worth 1, 2 or 3 points"),
        };
        if !is_turn {
            return reject("you can resign only in your turn");
        }
        // Place 0 has the checkers that are off.
        let checkers_left: u8 = self.board.own_places()[1..].iter().sum();
        if win != Win::Single && checkers_left < CHECKERS {
            return reject("a side that has borne off a checker cannot lose a gammon");
        }
        // `None` once the match is over; then the record refuses the resignation below.
        if let Some(stakes) = match_play.stakes(SOUTH) {
            let payoffs = Payoffs::new(MatchEquityTable::shared(), &stakes);
            // Both are the user's.
            let equity_if_resigned = payoffs.equity(payoffs.lost[win as usize]);
            let expected_equity = payoffs.equity(payoffs.cubeless(&self.outlook));
            if equity_if_resigned > expected_equity + RESIGNATION_MARGIN {
                return reject("the resignation is declined, because more than that can be won");
            }
        }
        match_play.resign(SOUTH, self.dice, win).map_err(refused)?;
        self.score = match_play.score();
        self.dice = None;
        self.move_graph = Floats::default();
        self.waited_seconds = 0.0;
        self.evaluate(learner);
        Ok(())
    }

    /// Called in each frame: values a few of the rolls of a turn whose cube decision the agent is about to
    /// make, or whose decision by the user is not judged yet ([`MatchPlay::judge_further`]).
    pub(super) fn judge_further(&mut self, learner: StageNetwork) {
        if let Some(match_play) = &mut self.match_play {
            match_play.judge_further(super::playing_network(self.players, &self.invited, learner));
        }
    }
}

fn refused(refusal: Refusal) -> LabError {
    LabError::Command(refusal.to_string())
}
