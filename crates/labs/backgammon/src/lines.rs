//! Questions about positions, a line each, for anybody who wants to check the rules or the player.
//!
//! A position is a GNU Backgammon position ID, with or without a match ID behind a colon, or an XGID. Every position, in
//! a question or in an answer, is seen from the side that rolls next.

use learnery_lab::{Checkpoint, LabError};
use learnery_search::Turn;
use learnery_worlds::backgammon::{Board, Dice, MatchId, Plays, Xgid};

use super::lookahead::{Lookahead, MOST_PLIES, Thinker};
use super::searcher::{MOST_SIMULATIONS, Searcher};
use super::trained::Trained;

/// A position and, where it has one, a throw.
struct Question {
    board: Board,
    dice: Option<Dice>,
}

impl Question {
    fn read(line: &str) -> Result<Self, String> {
        let mut words = line.split_whitespace();
        let mut question = Self::position(words.next().unwrap_or_default())?;
        let rest: Vec<&str> = words.collect();
        match rest[..] {
            [] => {}
            [a, b] => {
                let die =
                    |word: &str| word.parse().map_err(|_| format!("`{word}` is not a die; expected 1 to 6"));
                let (a, b) = (die(a)?, die(b)?);
                let dice = Dice::new(a, b);
                question.dice = Some(dice.ok_or_else(|| format!("dice {a} and {b}; expected 1 to 6 each"))?);
            }
            _ => return Err(format!("{} words behind the position; expected two dice", rest.len())),
        }
        match question.board.result() {
            None => Ok(question),
            Some(_) => Err("the game is over there".into()),
        }
    }

    fn position(word: &str) -> Result<Self, String> {
        let about = |e: &dyn std::fmt::Display| format!("position `{word}`: {e}");
        if word.starts_with("XGID=") {
            let Xgid { board, dice } = Xgid::parse(word).map_err(|e| about(&e))?;
            return Ok(Self { board, dice });
        }
        let (position, game) = match word.split_once(':') {
            Some((position, game)) => (position, Some(game)),
            None => (word, None),
        };
        let board = Board::from_position_id(position).map_err(|e| about(&e))?;
        let game = game.map(MatchId::parse).transpose().map_err(|e| about(&e))?;
        Ok(Self { board, dice: game.and_then(|game| game.dice()) })
    }

    fn thrown(&self) -> Result<Dice, String> {
        self.dice.ok_or_else(|| "there are no dice; expected a position and two dice".into())
    }
}

/// Answers `POSITION D1 D2` with how many different positions the throw leads to, and with them where `list` says so.
pub fn plays(line: &str, list: bool) -> Result<String, String> {
    let question = Question::read(line)?;
    let dice = question.thrown()?;
    let mut plays = Plays::new();
    plays.find(&question.board, dice);
    let (high, low) = (dice.high(), dice.low());
    let mut answer = format!("{} {high} {low} {}", question.board.position_id(), plays.len());
    if list {
        for board in plays.iter() {
            answer.push(' ');
            answer.push_str(&board.position_id());
        }
    }
    Ok(answer)
}

/// A trained network that answers lines.
pub struct Oracle {
    trained: Trained,
    thinker: Thinker,
    searcher: Option<Searcher>,
    plays: Plays,
}

impl Oracle {
    /// The network of a checkpoint, looking so many throws ahead.
    pub fn new(checkpoint: &Checkpoint, plies: u8) -> Result<Self, LabError> {
        if plies > MOST_PLIES {
            return Err(LabError::Evaluation(format!("{plies} plies; expected 0 to {MOST_PLIES}")));
        }
        let trained = Trained::from_checkpoint(checkpoint)?;
        let thinker = trained.thinker(Lookahead { plies });
        Ok(Self { trained, thinker, searcher: None, plays: Plays::new() })
    }

    /// Lets it choose by searches of so many simulations.
    pub fn search(&mut self, simulations: u32) -> Result<(), LabError> {
        if !(1..=MOST_SIMULATIONS).contains(&simulations) {
            let words = format!("{simulations} simulations; expected 1 to {MOST_SIMULATIONS}");
            return Err(LabError::Evaluation(words));
        }
        self.searcher = Some(Searcher::new(self.trained.parts().0, simulations));
        Ok(())
    }

    /// Answers `POSITION` with the chances of the side on roll and what they are worth.
    pub fn eval(&mut self, line: &str) -> Result<String, String> {
        let board = Question::read(line)?.board;
        let (network, weights) = self.trained.parts();
        let value = self.thinker.value(network, weights, &board);
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] = value.0;
        Ok(format!(
            "{} {win:.5} {gammon:.5} {backgammon:.5} {lost_gammon:.5} {lost_backgammon:.5} {:+.5}",
            board.position_id(),
            value.equity()
        ))
    }

    /// Answers `POSITION D1 D2` with the best position to play to, what it is worth to whoever plays there, and how many
    /// there are.
    pub fn best(&mut self, line: &str) -> Result<String, String> {
        let question = Question::read(line)?;
        let dice = question.thrown()?;
        self.plays.find(&question.board, dice);
        let (network, weights) = self.trained.parts();
        if let Some(searcher) = &mut self.searcher {
            let turn = Turn { board: question.board, dice };
            let (left, points) = searcher.choose(network, weights, turn);
            return Ok(format!("{} {points:+.5} {}", left.position_id(), self.plays.len()));
        }
        let (choice, value) = self.thinker.choose(network, weights, &question.board, &self.plays);
        let to = self.plays.get(choice).position_id();
        Ok(format!("{to} {:+.5} {}", value.flipped().equity(), self.plays.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_understood_in_every_form() {
        for line in [
            "4HPwATDgc/ABMA 3 1",
            "4HPwATDgc/ABMA:cAkAAAAAAAAA 1 3",
            "4HPwATDgc/ABMA:cIkFAAAAAAAA",
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10",
        ] {
            assert_eq!(plays(line, false), Ok("4HPwATDgc/ABMA 3 1 16".into()), "{line}");
        }
        let listed = plays("4HPwATDgc/ABMA 3 1", true).expect("a good question");
        assert!(listed.split(' ').count() == 4 + 16 && listed.contains(" sGfwATDgc/ABMA"), "{listed}");
        // Nothing to play is a play.
        assert_eq!(plays("bfcOAAD8+gYAQA 6 3", true), Ok("bfcOAAD8+gYAQA 6 3 1 /PoGAEBt9w4AAA".into()));
    }

    #[test]
    fn nothing_is_played_after_the_end() {
        let mut own = [0; 26];
        own[1] = 2;
        let over = Board::new(&own, &[0; 26]).expect("a good board");
        for board in [over, over.flipped()] {
            let answer = plays(&format!("{} 2 1", board.position_id()), false);
            assert_eq!(answer, Err("the game is over there".into()));
        }
    }

    fn oracle(plies: u8) -> Oracle {
        let settings = serde_json::json!({ "hidden": 16, "second": 8, "race": 8, "games": 2, "replay": 100 });
        let entry = learnery_lab::Entry::of::<crate::Backgammon>();
        let checkpoint = learnery_lab::Session::start(entry, &settings, 1).expect("good settings").save();
        Oracle::new(&checkpoint, plies).expect("its own checkpoint")
    }

    #[test]
    fn a_network_answers_for_the_side_on_roll() {
        // One checker on the ace point each: who rolls wins. Two against none left behind: a certain gammon.
        let [mut one, mut all] = [[0; 26]; 2];
        (one[1], all[6]) = (1, 15);
        for plies in 0..=MOST_PLIES {
            let mut oracle = oracle(plies);
            for (own, other, expected) in [
                (one, one, "1.00000 0.00000 0.00000 0.00000 0.00000 +1.00000"),
                (one, all, "1.00000 1.00000 0.00000 0.00000 0.00000 +2.00000"),
            ] {
                let id = Board::new(&own, &other).expect("a good board").position_id();
                assert_eq!(oracle.eval(&id), Ok(format!("{id} {expected}")), "{plies} plies");
                let best = oracle.best(&format!("{id} 2 1")).expect("a good question");
                let words: Vec<&str> = best.split(' ').collect();
                assert!(
                    words[1] == expected.split(' ').next_back().unwrap_or_default() && words[2] == "1",
                    "{best}"
                );
            }
        }
        assert!(oracle(0).best("4HPwATDgc/ABMA").is_err_and(|e| e.contains("no dice")));
    }

    /// Looking ahead from a value that is right gives the same value.
    #[test]
    fn looking_ahead_at_what_is_known_changes_nothing() {
        let mut places = [0; 26];
        (places[3], places[5], places[6]) = (2, 2, 1);
        let id = Board::new(&places, &places).expect("a good board").position_id();
        let answers: Vec<String> =
            (0..=MOST_PLIES).map(|plies| oracle(plies).eval(&id).expect("a good question")).collect();
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    }

    #[test]
    fn bad_questions_are_refused() {
        for (line, sentence) in [
            ("4HPwATDgc/ABM 3 1", "14 characters; this has 13"),
            ("4HPwATDgc/ABMA", "there are no dice"),
            ("4HPwATDgc/ABMA 3", "1 words behind the position"),
            ("4HPwATDgc/ABMA 3 7", "expected 1 to 6"),
            ("4HPwATDgc/ABMA x 7", "`x` is not a die"),
            ("4HPwATDgc/ABMA -1 7", "`-1` is not a die"),
            ("4HPwATDgc/ABMA 999999999999 7", "is not a die"),
            ("4HPwATDgc/ABMA:AAAA 3 1", "12 characters"),
            ("/////////////w 3 1", "at most 15"),
            ("XGID=x 3 1", "colons"),
        ] {
            let answer = plays(line, false);
            assert!(answer.as_ref().is_err_and(|e| e.contains(sentence)), "{line}: {answer:?}");
        }
    }
}
