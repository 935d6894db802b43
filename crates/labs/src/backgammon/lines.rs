//! Questions about positions, a line each, for anybody who wants to check the rules or the player.
//!
//! A position is a GNU Backgammon position ID, with or without a match ID behind a colon, or an XGID. Every position, in
//! a question or in an answer, is seen from the side that rolls next.

use learnery_worlds::backgammon::{Board, Dice, MatchId, Plays, Xgid};

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
