//! Comparison with GNU Backgammon: IDs, the number of plays and the notation of its best play. The golden
//! files were written by `scripts/make_backgammon_golden.py`; their columns are named by the patterns and
//! fields below.

use super::*;

/// The rows of a golden file, each split into its columns.
macro_rules! rows {
    ($name:literal) => {
        include_str!(concat!("../../../../tests/golden/backgammon/", $name, ".tsv"))
            .lines()
            .map(|line| line.split('\t').collect::<Vec<&str>>())
    };
}

/// Parses the checkers on places 1 to 25, separated by commas.
fn places(list: &str) -> [u8; 26] {
    let mut places = [0; 26];
    for (place, n) in places[1..].iter_mut().zip(list.split(',')) {
        *place = n.parse().expect("a number");
    }
    places
}

#[test]
fn position_ids_match_gnu_backgammon() {
    for row in rows!("positions") {
        let [id, own, other] = row[..] else { panic!("{row:?}") };
        let board = Board::new(&places(own), &places(other)).expect("a legal board");
        assert_eq!((board.position_id().as_str(), Board::from_position_id(id)), (id, Ok(board)));
    }
}

#[test]
fn xgids_match_gnu_backgammon() {
    for row in rows!("xgids") {
        let [text, id] = row[..] else { panic!("{row:?}") };
        let xgid = Xgid::parse(text).expect("a valid XGID");
        assert!(xgid.board.position_id() == id && xgid.dice.is_some(), "{text}: {xgid:?}, not {id}");
    }
}

#[test]
fn match_ids_match_gnu_backgammon() {
    // The columns: the ID, log2 of the cube, its owner (3: nobody), the player on roll, whether it is the
    // Crawford game, the state of the game, the player who decides, both dice (0 before the roll), the length
    // of the match, both scores, whether the Jacoby rule is in use.
    for row in rows!("matches") {
        let id = row[0];
        let n: Vec<u16> = row[1..].iter().map(|n| n.parse().expect("a number")).collect();
        let expected = MatchId {
            cube_log: n[0] as u8,
            cube_owner: (n[1] != 3).then_some(n[1] as u8),
            on_roll: n[2] as u8,
            crawford: n[3] == 1,
            state: n[4] as u8,
            turn: n[5] as u8,
            doubled: false,
            resigned: 0,
            dice: (n[6] > 0).then_some([n[6] as u8, n[7] as u8]),
            length: n[8],
            score: [n[9], n[10]],
            jacoby: n[11] == 1,
        };
        assert_eq!((MatchId::parse(id), expected.id().as_str()), (Ok(expected), id));
    }
}

#[test]
fn play_counts_and_notation_match_gnu_backgammon() {
    let mut plays = Plays::new();
    for row in rows!("plays") {
        let [id, high, low, count, best] = row[..] else { panic!("{row:?}") };
        let number = |text: &str| text.parse().expect("a number");
        let board = Board::from_position_id(id).expect("a valid ID");
        let dice = Dice::new(number(high), number(low)).expect("valid dice");
        plays.find(&board, dice);
        assert_eq!(plays.len().to_string(), count, "{id} {dice:?}");
        let format = |after| notation(&moves(&board, dice, &after).expect("a legal play"));
        let notations: Vec<String> = plays.iter().map(format).collect();
        assert!(notations.iter().any(|text| text == best), "{id} {dice:?}: {best} is not in {notations:?}");
    }
}
