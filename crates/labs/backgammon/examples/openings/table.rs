//! The table of openings and replies (main.rs) as a file. A line is a decision: the score, the opening play,
//! the roll, the equity of the best play and its standard error, then each play with how far it is behind,
//! the standard error of that, and the games played from it. Equities are in thousandths of a point.

use std::collections::HashMap;
use std::error::Error;

use learnery_backgammon_play::Worth;
use learnery_worlds::backgammon::{Board, Dice, Plays, moves, notation};

use crate::compare::{Decision, Found};

/// The scores, seen from the side that rolls first.
const SCORES: [(&str, Worth); 4] = [
    ("money", Worth::MONEY),
    ("dmp", Worth::DOUBLE_MATCH_POINT),
    ("go", Worth::GAMMON_GO),
    ("save", Worth::GAMMON_SAVE),
];
/// A play is close to the best one if it is behind by at most so many thousandths of a point. Replies to
/// close plays are rolled out too.
const CLOSE_THOUSANDTHS: i64 = 20;

/// The lines of a file by their keys (score, opening, roll): for each play, its name and how far it is
/// behind, in thousandths of a point.
#[derive(Default)]
pub struct Table(HashMap<String, Vec<(String, i64)>>);

impl Table {
    /// Reads a file. A last line that is not complete, as a stopped program leaves it, is an error.
    pub fn read(text: &str) -> Result<Self, Box<dyn Error>> {
        if !text.is_empty() && !text.ends_with('\n') {
            return Err("the last line is not complete; remove it".into());
        }
        let mut table = Self::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<&str> = line.split('\t').collect();
            let [score, opening, roll, _, _, plays @ ..] = fields.as_slice() else {
                return Err(format!("too short: {line}").into());
            };
            let plays: Result<Vec<(String, i64)>, Box<dyn Error>> = plays
                .chunks(4)
                .map(|play| match play {
                    [name, behind, ..] => Ok(((*name).to_owned(), behind.parse()?)),
                    _ => Err(format!("too short: {line}").into()),
                })
                .collect();
            table.0.insert(format!("{score}\t{opening}\t{roll}"), plays?);
        }
        Ok(table)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn has(&self, decision: &Decision) -> bool {
        self.0.contains_key(&key(decision))
    }

    /// Adds a decision, and returns its line.
    pub fn add(&mut self, decision: &Decision, found: &[Found]) -> String {
        let key = key(decision);
        let thousandths = |x: f64| (1000.0 * x).round() as i64;
        let [equity, error] = found.first().map_or([0; 2], |best| best.equity.map(thousandths));
        let mut line = format!("{key}\t{equity}\t{error}");
        for Found { play, behind, games, .. } in found {
            let [behind, error] = behind.map(thousandths);
            line += &format!("\t{play}\t{behind}\t{error}\t{games}");
        }
        line.push('\n');
        let plays = found.iter().map(|found| (found.play.clone(), thousandths(found.behind[0])));
        self.0.insert(key, plays.collect());
        line
    }
}

/// The first three fields of a decision's line.
fn key(Decision { score, opening, dice, .. }: &Decision) -> String {
    let opening = opening.as_ref().map_or(String::new(), |(dice, play)| format!("{} {play}", name(*dice)));
    format!("{score}\t{opening}\t{}", name(*dice))
}

/// Both numbers of a roll, the larger one first.
fn name(dice: Dice) -> String {
    format!("{}{}", dice.high(), dice.low())
}

/// All decisions that are known by now, in the order in which they are made: first the openings, then the
/// replies to the best play of each roll that is no double, those to its close plays, and those to the best
/// play of each double, with which only some rules let a game begin.
pub fn decisions(table: &Table) -> Result<Vec<Decision>, Box<dyn Error>> {
    let openings = || SCORES.into_iter().flat_map(|score| Dice::ALL.map(|dice| (score, dice)));
    let mut all: Vec<Decision> = openings()
        .map(|((score, worth), dice)| Decision { score, worth, opening: None, board: Board::START, dice })
        .collect();
    // By the place of the opening's play among the plays of its roll, 0 for the best, and by its roll.
    let groups: [fn(usize, Dice) -> bool; 3] = [
        |place, dice| place == 0 && !dice.is_double(),
        |place, dice| place > 0 && !dice.is_double(),
        |place, dice| place == 0 && dice.is_double(),
    ];
    for is_in_group in groups {
        for ((score, worth), dice) in openings() {
            let plays = table.0.get(&format!("{score}\t\t{}", name(dice)));
            for (place, (play, behind)) in plays.into_iter().flatten().enumerate() {
                if *behind > CLOSE_THOUSANDTHS || !is_in_group(place, dice) {
                    continue;
                }
                let board = after(dice, play).ok_or_else(|| format!("no play of {dice:?}: {play}"))?;
                let reply = |reply| Decision {
                    score,
                    worth: worth.flipped(),
                    opening: Some((dice, play.clone())),
                    board,
                    dice: reply,
                };
                all.extend(Dice::ALL.map(reply));
            }
        }
    }
    Ok(all)
}

/// The position after a play of the first roll.
fn after(dice: Dice, play: &str) -> Option<Board> {
    let mut plays = Plays::new();
    plays.find(&Board::START, dice);
    plays.iter().find(|after| moves(&Board::START, dice, after).is_some_and(|moves| notation(&moves) == play))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{Effort, compare};

    #[test]
    fn a_line_that_is_written_is_read() {
        let decision = decisions(&Table::default()).expect("openings").remove(1);
        let found =
            Found { play: "8/5 6/5".into(), behind: [0.0, 0.0], games: 144, equity: [0.1604, 0.0028] };
        let worse =
            Found { play: "24/20".into(), behind: [0.0036, 0.0014], games: 144, equity: [0.157, 0.002] };
        let mut table = Table::default();
        let line = table.add(&decision, &[found, worse]);
        assert_eq!(line, "money\t\t21\t160\t3\t8/5 6/5\t0\t0\t144\t24/20\t4\t1\t144\n");
        let again = Table::read(&format!("# a note\n{line}")).expect("a table");
        assert_eq!(again.0, table.0);
        assert!(again.has(&decision));
        assert!(Table::read("money\t\t21").is_err() && Table::read("money\t\t21\n").is_err());
    }

    /// 21 first rolls at four scores; once one of them is known, the replies to its close plays.
    #[test]
    fn replies_follow_close_openings() {
        let line = "money\t\t31\t160\t3\t8/5 6/5\t0\t0\t144\t24/23 13/10\t4\t3\t144\t13/9\t80\t3\t144\n";
        let all = decisions(&Table::read(line).expect("a table")).expect("good plays");
        assert_eq!(all.len(), 4 * 21 + 2 * 21);
        // The replies come after the 84 openings.
        let first = all.get(84).expect("a reply");
        assert_eq!(first.opening.as_ref().map(|(_, play)| play.as_str()), Some("8/5 6/5"));
        // Nobody is on the bar, and the 5 point was made.
        assert_eq!((first.board.own(25), first.board.other(5)), (0, 2));
        assert!(decisions(&Table::read(&line.replace("8/5 6/5", "8/4 6/5")).expect("a table")).is_err());
    }

    #[test]
    fn the_best_opening_is_found() {
        let network = crate::shipped().expect("the shipped network");
        let mut openings = decisions(&Table::default()).expect("openings");
        let decision = openings.swap_remove(Dice::new(3, 1).expect("a roll").index());
        let few = Effort { games: [36, 36], ..Effort::OPENING };
        let found = compare(&network, &decision, few).expect("a rollout");
        assert_eq!(found[0].play, "8/5 6/5");
        assert!((0.05..0.3).contains(&found[0].equity[0]), "{found:?}");
    }
}
