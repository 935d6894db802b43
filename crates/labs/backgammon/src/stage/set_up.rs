//! A game on the stage that begins from a position of the user.

use learnery_lab::LabError;
use learnery_worlds::backgammon::{Dice, Xgid};

use super::{SOUTH, Stage, StageNetwork};
use crate::view::{BackgammonCommand, Players};

/// How a game began that did not begin from the starting position.
pub struct SetUp {
    /// The first roll; `None` if it is random.
    pub dice: Option<Dice>,
}

impl Stage {
    /// Begins a single game from a position, which an XGID describes. Its lower player is south. Its cube and
    /// its score are ignored.
    pub(super) fn set_up(
        &mut self,
        learner: StageNetwork,
        players: Players,
        position: &str,
    ) -> Result<(), LabError> {
        let refuse = |problem: &dyn std::fmt::Display| LabError::Command(format!("the position: {problem}"));
        let Xgid { board, lower_rolls, dice, .. } = Xgid::parse(position.trim()).map_err(|e| refuse(&e))?;
        if board.result().is_some() {
            return Err(refuse(&"the game is over in it"));
        }
        // Refused if the player was not invited.
        self.apply(learner, BackgammonCommand::NewGame { players })?;
        self.board = board;
        self.side = if lower_rolls { SOUTH } else { 1 - SOUTH };
        self.set_up = Some(SetUp { dice });
        self.begin_record(learner);
        Ok(())
    }
}
