//! Turns of the game on the stage: a play is made, or taken back.

use learnery_lab::LabError;
use learnery_worlds::backgammon::{BAR, Board, moves, notation};

use super::stage_view::flat_moves;
use super::{PastTurn, Stage, StageNetwork};
use crate::view::{Candidate, PlayedTurn, TurnReview};

impl Stage {
    /// Returns the board after the user's moves, legal or not; `None` if a move has no checker or no such
    /// place.
    pub(super) fn board_after(&self, steps: &[[u8; 2]]) -> Option<Board> {
        let (mut own, mut other) = (self.board.own_places(), self.board.other_places());
        for [from, to] in steps.iter().map(|step| step.map(usize::from)) {
            // A side's own checkers move to lower places.
            let is_possible = own.get(from).is_some_and(|n| *n > 0) && to < from;
            if !is_possible {
                return None;
            }
            own[from] -= 1;
            own[to] += 1;
            // The opponent counts points from the other end. Off (place 0) cannot be hit.
            let hit = if to == 0 { 0 } else { std::mem::take(&mut other[BAR - to]) };
            other[BAR] += hit;
        }
        // Seen from the opponent, who rolls next.
        Board::new(&other, &own).ok()
    }

    /// Makes play `i` of `plays`.
    pub(super) fn play(&mut self, learner: StageNetwork, i: usize) -> Result<(), LabError> {
        let (Some(dice), Some(played)) = (self.dice, self.plays.get(i).copied()) else { return Ok(()) };
        if let Some(match_play) = &mut self.match_play {
            let recorded = match_play.play(self.side, dice, played.after);
            recorded.map_err(|refusal| LabError::Command(refusal.to_string()))?;
        }
        let best_equity = self.plays[0].equity;
        // A rated play is legal, so its moves are found.
        let played_moves = moves(&self.board, dice, &played.after).unwrap_or_default();
        let played_notation = notation(&played_moves);
        let cost = best_equity - played.equity;
        let by_user = self.awaits_play();
        if by_user {
            let Candidate { notation, moves, .. } = self.candidates[0].clone();
            self.review = Some(TurnReview {
                turn: self.past.len() as u32,
                played: played_notation.clone(),
                equity: played.equity,
                best: notation,
                best_equity,
                best_moves: moves,
                cost,
                rank: i as u32 + 1,
                of: self.plays.len() as u32,
            });
        }
        let record_bytes_before = self.record.len();
        let equity = self.outlook.equity();
        self.past.push(PastTurn {
            board: self.board,
            side: self.side,
            by_user,
            record_bytes_before,
            equity,
            cost,
        });
        if record_bytes_before > 0 {
            self.record.push('\n');
        }
        self.record.extend([dice.high(), dice.low()].map(|number| char::from(b'0' + number)));
        self.record.push(' ');
        self.record.push_str(&played_notation);
        let dice = [dice.high(), dice.low()];
        self.last = Some(PlayedTurn { side: self.side, dice, moves: flat_moves(&played_moves) });
        self.board = played.after;
        self.side = 1 - self.side;
        self.begin_turn(learner);
        let result = self.result();
        match &self.match_play {
            Some(match_play) => self.score = match_play.score(),
            None if result != 0 => {
                // Index 0 is south, whose points are positive.
                self.score[usize::from(result < 0)] += u32::from(result.unsigned_abs());
            }
            None => {}
        }
        Ok(())
    }

    /// Goes back to the start of turn `i`, with its roll.
    pub(super) fn undo(&mut self, learner: StageNetwork, i: usize) {
        let result = self.result();
        if result != 0 {
            self.score[usize::from(result < 0)] -= u32::from(result.unsigned_abs());
        }
        // Takes turn `i` out and drops all turns after it. `swap_remove` puts the last turn in its place,
        // which `truncate` drops too.
        let past = self.past.swap_remove(i);
        self.past.truncate(i);
        self.record.truncate(past.record_bytes_before);
        (self.board, self.side) = (past.board, past.side);
        self.last = None;
        self.review = None;
        self.begin_turn(learner);
    }
}
