//! The teacher as an evaluator of races, and its errors on the golden races.

use std::error::Error;
use std::fs;

use learnery_backgammon_play::Evaluator;
use learnery_backgammon_play::outcomes::Outcomes;
use learnery_backgammon_play::players::{Lookahead, LookaheadPlayer, MAX_PLIES};
use learnery_worlds::backgammon::{Board, Plays};
use rayon::prelude::*;

use crate::GOLDEN;
use crate::turns::{Buffers, Teacher, Turns, outcomes};

impl Evaluator for Teacher {
    type Scratch = (Buffers, Vec<Turns>);

    fn scratch(&self) -> Self::Scratch {
        (self.buffers(), Vec::new())
    }

    fn value(&self, board: &Board, scratch: &mut Self::Scratch) -> Outcomes {
        let mut out = Vec::new();
        self.values_of_boards(board, &[*board], scratch, &mut out);
        out[0]
    }

    fn values_of_boards(
        &self,
        _near: &Board,
        boards: &[Board],
        (buffers, turns): &mut Self::Scratch,
        out: &mut Vec<Outcomes>,
    ) {
        let sides: Vec<_> =
            boards.iter().flat_map(|board| [board.own_places(), board.other_places()]).collect();
        self.turns(&sides, buffers, turns);
        out.clear();
        let pairs = turns.as_chunks().0;
        out.extend(boards.iter().zip(pairs).map(|(board, [own, other])| {
            Outcomes::exact(board).unwrap_or_else(|| outcomes(board, own, other))
        }));
    }

    fn values_of_plays(
        &self,
        before: &Board,
        plays: &Plays,
        scratch: &mut Self::Scratch,
        out: &mut Vec<Outcomes>,
    ) {
        let boards: Vec<Board> = plays.iter().collect();
        self.values_of_boards(before, &boards, scratch, out);
    }
}

/// A line with the root mean square errors and the mean errors at each number of plies, beside rollouts.
pub fn golden_races(teacher: &Teacher) -> Result<String, Box<dyn Error>> {
    let text = fs::read_to_string(format!("{GOLDEN}equities.tsv"))?;
    let mut races = Vec::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        if let [id, "race", ours, _, theirs, ..] = fields.as_slice() {
            let truth = (ours.parse::<f64>()? + theirs.parse::<f64>()?) / 2.0;
            races.push((Board::from_position_id(id)?, truth));
        }
    }
    let mut line = format!("{} golden races, error and bias", races.len());
    for plies in 0..=MAX_PLIES {
        let errors: Vec<f64> = races
            .par_iter()
            .map_init(
                || LookaheadPlayer::new(teacher, Lookahead { plies }),
                |player, (board, truth)| f64::from(player.value(teacher, board).equity()) - truth,
            )
            .collect();
        let n = errors.len() as f64;
        let error = (errors.iter().map(|e| e * e).sum::<f64>() / n).sqrt();
        line += &format!("; {plies} plies: {error:.4}, {:+.4}", errors.iter().sum::<f64>() / n);
    }
    Ok(line)
}
