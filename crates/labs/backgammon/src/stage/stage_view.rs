//! The stage (the game on the page, apart from training) as the page draws it.

use learnery_backgammon_play::game::Turn;
use learnery_lab::Floats;
use learnery_worlds::backgammon::{BAR, Board, Dice, Move, moves, notation};

use super::background_search::BackgroundSearch;
use super::valuation::RatedPlay;
use super::{SOUTH, Stage};
use crate::view::{Candidate, StageView};

impl Stage {
    /// The data that the page draws. The board is seen from south, whose side the user plays.
    pub fn view(&self) -> StageView {
        let equities = self.past.iter().map(|past| past.equity).chain([self.outlook.equity()]);
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] = self.outlook.0;
        let turn = self.dice.map(|dice| Turn { board: self.board, dice });
        let search = self.search.as_ref().filter(|search| turn.is_some_and(|turn| search.is_about(turn)));
        let mut candidates = self.candidates.clone();
        for (candidate, play) in candidates.iter_mut().zip(&self.plays) {
            candidate.visits = search.map_or(0.0, |search| search.visit_fraction(&play.after));
        }
        StageView {
            players: self.players,
            game: self.game,
            turn: self.past.len() as u32,
            board: checkers(&self.board, self.side),
            side: self.side,
            dice: self.dice.map_or([0; 2], |dice| [dice.high(), dice.low()]),
            awaits: self.awaits_play(),
            steps: self.move_graph.clone(),
            candidates,
            plays: self.plays.len() as u32,
            simulations: search.map_or(0, BackgroundSearch::simulations),
            outlook: [win, gammon, backgammon, lost_gammon, lost_backgammon, self.outlook.equity()],
            record: self.record.clone(),
            first: self.first,
            start: match self.past.first() {
                Some(first) => checkers(&first.board, first.side),
                None => checkers(&self.board, self.side),
            },
            equities: Floats(equities.collect()),
            costs: Floats(self.past.iter().map(|past| past.cost).collect()),
            last: self.last.clone(),
            review: self.review.clone(),
            result: self.result(),
            score: self.score,
            match_play: self
                .match_play
                .as_ref()
                .map(|match_play| match_play.view(self.next_event(), self.side)),
        }
    }
}

/// A board seen from `side` in the form that the page gets: the checkers of both sides at each place of
/// south, south's positive. Place 0 stands for north's bar; checkers that are borne off are not in the list.
pub fn checkers(board: &Board, side: u8) -> Vec<i8> {
    let (own, other) = (board.own_places(), board.other_places());
    let (south, north) = if side == SOUTH { (own, other) } else { (other, own) };
    // South's point `i` is north's point `BAR - i`.
    let at = |place: usize| match place {
        0 => -(north[BAR] as i8),
        BAR => south[BAR] as i8,
        point => south[point] as i8 - north[BAR - point] as i8,
    };
    (0..=BAR).map(at).collect()
}

/// Moves in the form that the page gets: from, to, and whether a checker is hit (0 or 1), move after move.
pub fn flat_moves(moves: &[Move]) -> Vec<u8> {
    moves.iter().flat_map(|m| [m.from, m.to, u8::from(m.hit)]).collect()
}

/// A play as the page shows it.
pub fn candidate(board: &Board, dice: Dice, play: &RatedPlay) -> Candidate {
    // A rated play is legal, so its moves are found.
    let play_moves = moves(board, dice, &play.after).unwrap_or_default();
    Candidate {
        notation: notation(&play_moves),
        moves: flat_moves(&play_moves),
        equity: play.equity,
        outcomes: play.outcomes.0,
        // Set in `Stage::view`.
        visits: 0.0,
    }
}
