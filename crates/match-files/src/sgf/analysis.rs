//! What GNU Backgammon wrote about the decisions of a match: its chances and equities of plays (property `A`)
//! and of actions with the cube (property `DA`), so that its judgement can be compared with ours. Anything
//! that cannot be understood is left out, because a match can be read without its analysis.

use learnery_worlds::backgammon::Board;
use learnery_worlds::backgammon::Dice;

/// The most plays of a decision that are kept, so that a hostile file cannot fill the memory.
const MAX_PLAYS: usize = 100;
/// Numbers of an action with the cube, see [`Analysis::cube`].
const CUBE_NUMBERS: usize = 7;
/// How many chances are given for a play, before its equity.
const PLAY_CHANCES: usize = 5;

/// What was written about a decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The index of the game in the match, from 0.
    pub game: usize,
    /// The index of the decision among the entries of the game, from 0.
    pub entry: usize,
    /// The plays that were evaluated; empty without a play, or where no evaluation could be read (a rollout
    /// is none).
    pub plays: Vec<PlayAnalysis>,
    /// The cube decision before the roll, or the answer: seven numbers for no double and seven for a double
    /// that is taken. They are the chances of winning, of winning a gammon and a backgammon, of losing these,
    /// the cubeless equity, and the cubeful equity (in a match: the chance of winning the match), seen from
    /// the side on roll.
    pub cube: Option<[[f64; CUBE_NUMBERS]; 2]>,
}

/// What was written about a play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayAnalysis {
    /// The board after it, seen from the opponent.
    pub after: Board,
    /// The chances of winning, of winning a gammon and a backgammon, and of losing these.
    pub chances: [f64; PLAY_CHANCES],
    /// The equity with the cube, in a match normalised to a game with the cube at its value.
    pub equity: f64,
}

impl Analysis {
    /// By how much the equity of the play that leads to `after` is below the best one; `None` if it was not
    /// evaluated.
    pub fn error(&self, after: &Board) -> Option<f64> {
        let played = self.plays.iter().find(|play| play.after == *after)?;
        let best = self.plays.iter().map(|play| play.equity).fold(f64::NEG_INFINITY, f64::max);
        Some(best - played.equity)
    }
}

/// Reads the values of property `A`: the number of the play that was made, then a play and its evaluation
/// each.
pub(super) fn read_plays(values: &[String], board: &Board, dice: Dice, player: usize) -> Vec<PlayAnalysis> {
    let play = |value: &String| {
        let mut words = value.split_whitespace();
        let after = super::read::after_letters(words.next()?, board, dice, player)?;
        let numbers = read_evaluation(&mut words, PLAY_CHANCES + 1)?;
        let mut chances = [0.0; PLAY_CHANCES];
        chances.copy_from_slice(&numbers[..PLAY_CHANCES]);
        Some(PlayAnalysis { after, chances, equity: numbers[PLAY_CHANCES] })
    };
    // The first value is the number of the play that was made.
    values.iter().skip(1).take(MAX_PLAYS).filter_map(play).collect()
}

/// Reads property `DA`.
pub(super) fn read_cube(value: &str) -> Option<[[f64; CUBE_NUMBERS]; 2]> {
    let mut words = value.split_whitespace();
    if words.next()? != "E" || words.next()? != "ver" {
        return None;
    }
    // The version and four words on the evaluation come before the numbers.
    let numbers = finite_numbers(words.skip(5), 2 * CUBE_NUMBERS)?;
    let mut rows = [[0.0; CUBE_NUMBERS]; 2];
    rows[0].copy_from_slice(&numbers[..CUBE_NUMBERS]);
    rows[1].copy_from_slice(&numbers[CUBE_NUMBERS..]);
    Some(rows)
}

/// Reads the first numbers of an evaluation, `E ver 3 0.5 0.1 ...`. Rollouts, which begin with `R` or `X`,
/// are left out.
fn read_evaluation<'a>(words: &mut impl Iterator<Item = &'a str>, count: usize) -> Option<Vec<f64>> {
    if words.next()? != "E" || words.next()? != "ver" {
        return None;
    }
    // The version.
    words.next()?;
    finite_numbers(words, count)
}

/// Reads `count` numbers; `None` if there are fewer, or if one of them is not finite.
fn finite_numbers<'a>(words: impl Iterator<Item = &'a str>, count: usize) -> Option<Vec<f64>> {
    let numbers: Option<Vec<f64>> =
        words.take(count).map(|word| word.parse().ok().filter(|n: &f64| n.is_finite())).collect();
    numbers.filter(|numbers| numbers.len() == count)
}
