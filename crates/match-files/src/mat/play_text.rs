//! Plays as they are written (`8/5 6/5*`, `bar/22(2)`, `24/18/13`), and the legal play that is meant.

use learnery_worlds::backgammon::Dice;
use learnery_worlds::backgammon::Plays;
use learnery_worlds::backgammon::{BAR, Board};

/// The most checkers and places that a play can name.
const MAX_MOVES: usize = 4;

/// What is written behind a roll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// Paths of checkers over places: 25 is the bar, 0 is off; and the number of marks of hits.
    Paths { paths: Vec<Vec<u8>>, hits: usize },
    /// `Cannot Move`, in some form.
    NoPlay,
    /// Nothing: either no move was possible, or the player resigned instead of playing.
    Nothing,
    /// `????`: the play is not known.
    Unknown,
}

impl Written {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Self::Nothing);
        }
        if text.bytes().all(|c| c == b'?') {
            return Ok(Self::Unknown);
        }
        let words: String = text.to_lowercase().chars().filter(char::is_ascii_alphabetic).take(20).collect();
        if !text.contains(|c: char| c == '/' || c.is_ascii_digit())
            && matches!(
                words.as_str(),
                // No letters at all: dashes and the like.
                "cannotmove" | "noplay" | "nomove" | "fan" | "fans" | "dance" | "dances" | ""
            )
        {
            return Ok(Self::NoPlay);
        }
        if words.starts_with("illegalplay") {
            return Err("an illegal play was made here, and games with illegal plays cannot be read".into());
        }
        let (mut paths, mut hits) = (Vec::new(), 0);
        for word in text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
            let (path, times, marks) =
                parse_word(word).ok_or("a move is written like 13/7, bar/22, 6/off or 8/5(2)")?;
            hits += marks;
            for _ in 0..times {
                paths.push(path.clone());
            }
            if paths.len() > MAX_MOVES {
                return Err("a play has at most four moves".into());
            }
        }
        Ok(Self::Paths { paths, hits })
    }
}

/// Reads `13/7*/5(2)`: the places, how often the move is made, and the marks of hits.
fn parse_word(word: &str) -> Option<(Vec<u8>, usize, usize)> {
    let hits = word.matches('*').count();
    let plain: String = word.chars().filter(|c| *c != '*').collect();
    let (places, times) = match plain.split_once('(') {
        None => (plain.as_str(), 1),
        Some((places, times)) => {
            let times = times.strip_suffix(')')?.parse().ok().filter(|n| (1..=MAX_MOVES).contains(n))?;
            (places, times)
        }
    };
    let mut path = Vec::new();
    for name in places.split('/') {
        let place = match name.to_ascii_lowercase().as_str() {
            "bar" | "b" => BAR as u8,
            "off" | "o" => 0,
            number if number.len() <= 2 && number.bytes().all(|c| c.is_ascii_digit()) => {
                number.parse().ok()?
            }
            _ => return None,
        };
        // A checker only moves forward.
        if usize::from(place) > BAR
            || path.last().is_some_and(|last| place >= *last)
            || path.len() > MAX_MOVES
        {
            return None;
        }
        path.push(place);
    }
    (path.len() > 1).then_some((path, times, hits))
}

/// The board after the legal play that moves checkers along these paths, seen from the opponent; `None` if
/// there is none. Paths may leave out places on the way. If legal plays differ only in what is hit there, the
/// one with as many hits as are marked is meant.
pub(crate) fn choose_play(board: &Board, dice: Dice, paths: &[Vec<u8>], hits: usize) -> Option<Board> {
    let mut goal = board.own_places().map(i16::from);
    // Blots on which a path says that a checker lands.
    let mut named_hits = 0;
    let mut hit_points = [false; BAR + 1];
    for path in paths {
        goal[usize::from(*path.first()?)] -= 1;
        goal[usize::from(*path.last()?)] += 1;
        for place in path[1..].iter().map(|place| usize::from(*place)) {
            if place > 0 && board.other(BAR - place) == 1 && !hit_points[place] {
                hit_points[place] = true;
                named_hits += 1;
            }
        }
    }
    let mut plays = Plays::new();
    plays.find(board, dice);
    let count_hits = |after: &Board| usize::from(after.own(BAR) - board.other(BAR));
    let hits_named_points = |after: &Board| (1..BAR).all(|p| !hit_points[p] || after.own(BAR - p) == 0);
    let is_meant = |after: &Board| after.other_places().map(i16::from) == goal && hits_named_points(after);
    plays.iter().filter(is_meant).min_by_key(|after| count_hits(after).abs_diff(hits.max(named_hits)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(board: &Board, a: u8, b: u8, text: &str) -> Option<Board> {
        let Ok(Written::Paths { paths, hits }) = Written::parse(text) else { return None };
        choose_play(board, Dice::new(a, b).expect("dice"), &paths, hits)
    }

    #[test]
    fn one_play_is_read_in_every_form() {
        let plain = chosen(&Board::START, 6, 5, "24/18 18/13").expect("legal");
        for text in ["24/13", "24/18/13", "24/19/13", "24/18,18/13", " 18/13   24/18", "24/13*"] {
            assert_eq!(chosen(&Board::START, 6, 5, text), Some(plain), "{text}");
        }
        let double = chosen(&Board::START, 6, 6, "24/18(2) 13/7(2)").expect("legal");
        assert_eq!(chosen(&Board::START, 6, 6, "24/18 24/18 13/7 13/7"), Some(double));
        for (text, why) in
            [("13/8 24/18 24/18", "three moves"), ("13/6", "seven pips"), ("12/6 8/3", "nobody there")]
        {
            assert_eq!(chosen(&Board::START, 6, 5, text), None, "{why}");
        }
    }

    #[test]
    fn marks_tell_which_blot_was_hit_on_the_way() {
        // A checker goes from 13 to 10 by way of 12 or 11; an opposing blot stands on each.
        let (mut own, mut other) = ([0; 26], [0; 26]);
        (own[13], own[1]) = (1, 2);
        (other[25 - 12], other[25 - 11], other[1]) = (1, 1, 2);
        let board = Board::new(&own, &other).expect("legal");
        let by_12 = chosen(&board, 2, 1, "13/12*/10").expect("legal");
        let by_11 = chosen(&board, 2, 1, "13/11*/10").expect("legal");
        assert_eq!((by_12.own(BAR), by_12.own(25 - 11)), (1, 1));
        assert_eq!((by_11.own(BAR), by_11.own(25 - 12)), (1, 1));
        assert!([by_11, by_12].contains(&chosen(&board, 2, 1, "13/10*").expect("legal")));
        // With one blot, the unmarked play avoids it.
        other[25 - 11] = 0;
        let board = Board::new(&own, &other).expect("legal");
        assert_eq!(chosen(&board, 2, 1, "13/10").map(|after| after.own(BAR)), Some(0));
        assert_eq!(chosen(&board, 2, 1, "13/10*").map(|after| after.own(BAR)), Some(1));
        assert_eq!(chosen(&board, 2, 1, "*13/10").map(|after| after.own(BAR)), Some(1));
    }

    #[test]
    fn other_texts_are_told_apart() {
        assert_eq!(Written::parse(" "), Ok(Written::Nothing));
        assert_eq!(Written::parse("????"), Ok(Written::Unknown));
        let illegal = Written::parse("Illegal play (5;0;0;1;0;Ada;Ben;)");
        assert!(illegal.is_err_and(|problem| problem.contains("illegal play")));
        for text in ["Cannot Move", "(no play)", "dances", "---"] {
            assert_eq!(Written::parse(text), Ok(Written::NoPlay), "{text}");
        }
        for text in [
            "13/",
            "/7",
            "13/15",
            "26/20",
            "13/7(5)",
            "13/7(",
            "13/7(0)",
            "a/b",
            "1/2/3",
            "13",
            "99999999999/1",
        ] {
            assert!(Written::parse(text).is_err(), "{text}");
        }
    }
}
