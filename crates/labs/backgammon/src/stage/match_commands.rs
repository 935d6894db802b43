//! Commands and actions of a match on the stage: it begins, and both sides decide about the cube.

use learnery_lab::LabError;
use learnery_match_files::Refusal;
use learnery_worlds::backgammon::matches::{Answer, Rules};

use super::match_play::MatchPlay;
use super::{Moment, SOUTH, Stage, StageNetwork};
use crate::match_view::CubeChoice;
use crate::view::{BackgammonCommand, Players};

/// The names of both players in the record.
const AGENT: &str = "Learnery";
const USER: &str = "You";

impl Stage {
    /// Carries out the user's decision about the cube.
    pub(super) fn choose_cube(&mut self, learner: StageNetwork, choice: CubeChoice) -> Result<(), LabError> {
        let reject = |reason: &str| Err(LabError::Command(reason.into()));
        let (moment, side) = (self.moment(), self.side);
        let Some(match_play) = &mut self.match_play else {
            return reject("there is no cube in a single game; begin a match");
        };
        let answer = match choice {
            CubeChoice::Roll | CubeChoice::Double if moment != Moment::CubeAction || side != SOUTH => {
                return reject("it is not the moment to double or to roll");
            }
            CubeChoice::Roll => {
                match_play.no_double();
                self.roll(learner);
                return Ok(());
            }
            CubeChoice::Double => {
                self.waited = 0.0;
                return match_play.double(SOUTH).map_err(refused);
            }
            CubeChoice::Take => Answer::Take,
            CubeChoice::Pass => Answer::Pass,
            CubeChoice::Beaver => Answer::Beaver,
        };
        if moment != (Moment::Answer { side: SOUTH }) {
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
        if players == Players::Watch {
            return Err(LabError::Command("a match needs a player; choose an opponent".into()));
        }
        let mut match_play =
            MatchPlay::new([USER, AGENT], rules).map_err(|illegal| LabError::Command(illegal.to_string()))?;
        match_play.begin_game().map_err(refused)?;
        // Refused if the player was not invited. Otherwise it begins a single game, which becomes the first of the match.
        self.apply(learner, BackgammonCommand::NewGame { players })?;
        self.match_play = Some(match_play);
        self.score = [0; 2];
        self.begin_turn(learner);
        Ok(())
    }

    /// The agent doubles, rolls, or answers a double, if it has finished thinking.
    pub(super) fn decide_about_cube(&mut self, learner: StageNetwork) -> Result<(), LabError> {
        let (moment, side) = (self.moment(), self.side);
        let Some(match_play) = &mut self.match_play else { return Ok(()) };
        let Some((doubles, answer)) = match_play.agents_choice() else { return Ok(()) };
        if let Moment::Answer { side } = moment {
            return self.answer(learner, side, answer);
        }
        if doubles {
            match_play.double(side).map_err(refused)?;
            self.waited = 0.0;
        } else {
            match_play.no_double();
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
            self.waited = 0.0;
            self.evaluate(learner);
        } else {
            self.roll(learner);
        }
        Ok(())
    }

    /// Values a little of what the match still has to judge.
    pub(super) fn judge_further(&mut self, learner: StageNetwork) {
        if let Some(match_play) = &mut self.match_play {
            match_play.judge_further(super::playing_network(self.players, &self.invited, learner));
        }
    }
}

fn refused(refusal: Refusal) -> LabError {
    LabError::Command(refusal.to_string())
}
