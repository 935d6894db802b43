//! Tests of boards, plays, IDs, notation, observations and turn graphs.

use std::collections::{BTreeSet, HashSet};

use learnery_kernels::rng::Stream;

use super::*;

/// Plays games with uniformly random plays and calls `visit` before every turn. Returns the number of turns and the
/// kind of win of each game.
fn random_games(seed: u32, games: u64, mut visit: impl FnMut(&Board, Dice, &Plays)) -> Vec<(u64, Win)> {
    let stream = Stream::new(seed, 0);
    let mut plays = Plays::new();
    (0..games)
        .map(|game| {
            let (mut board, mut turns) = (Board::START, 0);
            loop {
                let dice = Dice::for_turn(stream, game, turns);
                plays.find(&board, dice);
                visit(&board, dice, &plays);
                let choice = u64::from(stream.block(game, turns)[1]) * plays.len() as u64;
                board = plays.get((choice >> 32) as usize);
                turns += 1;
                if let Some(win) = board.other_won() {
                    return (turns, win);
                }
            }
        })
        .collect()
}

fn dice(a: u8, b: u8) -> Dice {
    Dice::new(a, b).expect("valid dice")
}

/// A board with the listed (place, checkers) of each side; all other checkers are off.
fn board(own: &[(usize, u8)], other: &[(usize, u8)]) -> Board {
    let side = |list: &[(usize, u8)]| {
        let mut places = [0; 26];
        list.iter().for_each(|(place, n)| places[*place] = *n);
        places
    };
    Board::new(&side(own), &side(other)).expect("a legal board")
}

fn distinct_plays(board: &Board, dice: Dice) -> BTreeSet<Board> {
    let mut plays = Plays::new();
    plays.find(board, dice);
    let set: BTreeSet<Board> = plays.iter().collect();
    assert_eq!(set.len(), plays.len(), "a duplicate play: {board:?} {dice:?}");
    set
}

#[test]
fn opening_has_the_published_number_of_plays() {
    let counts = "11:42 21:15 22:75 31:16 32:17 33:73 41:14 42:18 43:17 44:52 51:8 52:8 53:9 54:9 55:4 61:10 62:14 \
                  63:14 64:14 65:7 66:11";
    for entry in counts.split_whitespace() {
        let (roll, count) = entry.split_once(':').expect("a roll and a count");
        let numbers = roll.as_bytes();
        let dice = dice(numbers[0] - b'0', numbers[1] - b'0');
        assert_eq!(distinct_plays(&Board::START, dice).len().to_string(), count, "{roll}");
    }
    let opening_rolls = Dice::ALL.into_iter().filter(|dice| !dice.is_double());
    let first: BTreeSet<Board> = opening_rolls.flat_map(|dice| distinct_plays(&Board::START, dice)).collect();
    assert_eq!(first.len(), 175);
    let mut plays = Plays::new();
    let mut second = HashSet::new();
    for board in &first {
        for dice in Dice::ALL {
            plays.find(board, dice);
            second.extend(plays.iter());
        }
    }
    assert_eq!(second.len(), 71_485);
}

/// Compares both generators in every turn of `games` random games. In every 64th turn, compares them for all rolls.
fn compare_generators(seed: u32, games: u64) {
    let mut turns = 0u64;
    random_games(seed, games, |board, dice, plays| {
        turns += 1;
        let slow = reference::plays(board, dice);
        let fast: BTreeSet<Board> = plays.iter().collect();
        assert!(fast == slow && fast.len() == plays.len(), "{board:?} {dice:?}: {fast:?} and not {slow:?}");
        if turns.is_multiple_of(64) {
            for dice in Dice::ALL {
                assert!(distinct_plays(board, dice) == reference::plays(board, dice), "{board:?} {dice:?}");
            }
        }
    });
}

#[test]
fn plays_agree_with_the_reference_in_random_games() {
    compare_generators(1, 80);
}

#[test]
#[ignore = "minutes: millions of positions"]
fn plays_agree_with_the_reference_over_millions_of_positions() {
    compare_generators(2, 20_000);
}

/// Random boards that hardly ever occur in games: many checkers on the bar, checkers on all points.
#[test]
fn plays_agree_with_the_reference_on_scattered_checkers() {
    let stream = Stream::new(3, 0);
    for i in 0..1500u64 {
        let (mut own, mut other) = ([0u8; 26], [0u8; 26]);
        // Checkers are on the places from 1 up to this one.
        let reach = [25, 25, 12, 6][(i % 4) as usize];
        // `side` is true for the own side. Random number 100 k is how many checkers it gets, the next ones are where.
        for (k, side) in [1, 2].into_iter().zip([true, false]) {
            for n in 0..u64::from(stream.below(i, 100 * k, 16)) {
                let place = 1 + stream.below(i, 100 * k + 1 + n, reach) as usize;
                let taken = place < BAR && [&other, &own][usize::from(!side)][25 - place] > 0;
                if !taken {
                    if side { own[place] += 1 } else { other[place] += 1 }
                }
            }
        }
        let Ok(board) = Board::new(&own, &other) else { continue };
        if board.result().is_some() {
            continue;
        }
        for dice in Dice::ALL {
            assert!(distinct_plays(&board, dice) == reference::plays(&board, dice), "{board:?} {dice:?}");
        }
    }
}

#[test]
fn random_games_have_the_known_statistics() {
    let games = 4000;
    let ends = random_games(4, games, |_, _, _| {});
    let fraction = |kind: Win| ends.iter().filter(|(_, win)| *win == kind).count() as f64 / games as f64;
    let turns = ends.iter().map(|(turns, _)| turns).sum::<u64>() as f64 / games as f64;
    // Four standard errors.
    assert!((turns - 96.7).abs() < 2.5, "{turns} turns");
    for (kind, expected) in [(Win::Single, 0.378), (Win::Gammon, 0.364), (Win::Backgammon, 0.258)] {
        assert!((fraction(kind) - expected).abs() < 0.031, "{kind:?}: {}", fraction(kind));
    }
}

#[test]
fn plays_use_both_dice_if_possible_and_else_the_larger() {
    // Either number can be played but not both, so the six must be.
    let stuck = board(&[(24, 1)], &[(12, 2), (8, 2), (13, 2)]);
    let after = distinct_plays(&stuck, dice(6, 5));
    assert_eq!(after, BTreeSet::from([board(&[(12, 2), (8, 2), (13, 2)], &[(18, 1)])]));
    assert_eq!(playable_moves(&stuck, dice(6, 5)), 1);
    // A checker on the bar cannot enter a closed board.
    let closed = board(&[(25, 1), (6, 2)], &[(1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2)]);
    assert_eq!(distinct_plays(&closed, dice(6, 6)), BTreeSet::from([closed.flipped()]));
    assert_eq!(playable_moves(&closed, dice(6, 6)), 0);
}

#[test]
fn playable_moves_is_the_length_of_a_legal_play() {
    random_games(5, 30, |board, dice, plays| {
        let sequence = moves(board, dice, &plays.get(0)).expect("a legal play");
        assert_eq!(sequence.len() as u32, playable_moves(board, dice), "{board:?} {dice:?}");
    });
}

#[test]
fn win_depends_on_the_checkers_of_the_loser() {
    for (own, win) in [
        (vec![(1, 1)], Win::Single),
        (vec![(18, 15)], Win::Gammon),
        (vec![(1, 14), (19, 1)], Win::Backgammon),
        (vec![(1, 14), (25, 1)], Win::Backgammon),
    ] {
        let lost = board(&own, &[]);
        assert_eq!((lost.other_won(), lost.result()), (Some(win), Some(-win.points())));
        assert_eq!((lost.flipped().other_won(), lost.flipped().result()), (None, Some(win.points())));
    }
    assert_eq!((Board::START.other_won(), Board::START.result()), (None, None));
}

#[test]
fn race_begins_when_contact_is_over() {
    assert!(!Board::START.is_race());
    assert!(board(&[(12, 15)], &[(12, 15)]).is_race());
    assert!(!board(&[(13, 15)], &[(13, 15)]).is_race());
    assert!(!board(&[(25, 1)], &[(1, 1)]).is_race());
    assert_eq!((Board::START.own_pips(), Board::START.other_pips()), (167, 167));
}

#[test]
fn board_with_impossible_checkers_is_rejected() {
    let mut places = [0; 26];
    places[3] = 16;
    assert_eq!(Board::new(&places, &[0; 26]), Err(BoardError::TooMany { own: true, count: 16 }));
    (places[3], places[22]) = (2, 13);
    assert_eq!(Board::new(&places, &places), Err(BoardError::Shared { point: 3 }));
    assert_eq!(Board::new(&[0; 26], &[0; 26]), Err(BoardError::BothWon));
    // Sums that overflow a byte.
    assert!(Board::new(&[200; 26], &places).is_err());
    // Entry 0 is ignored.
    let mut none = [0; 26];
    none[0] = 77;
    assert!(Board::new(&none, &places).is_ok_and(|b| b.own(0) == 15));
}

#[test]
fn dice_have_consistent_indices_and_probabilities() {
    let mut ways = [0u32; 21];
    for word in (0..36u64).map(|i| ((i << 32).div_ceil(36)) as u32) {
        ways[Dice::from_random_word(word).index()] += 1;
    }
    for (i, dice) in Dice::ALL.into_iter().enumerate() {
        assert_eq!((dice.index(), ways[i]), (i, u32::from(dice.ways())));
        assert_eq!(Dice::new(dice.low(), dice.high()), Some(dice));
    }
    let opening: Vec<Dice> =
        (0..30u64).map(|i| Dice::opening_from_random_word(((i << 32).div_ceil(30)) as u32)).collect();
    for dice in Dice::ALL {
        assert_eq!(opening.iter().filter(|d| **d == dice).count(), if dice.is_double() { 0 } else { 2 });
    }
    assert!(Dice::new(0, 3).is_none() && Dice::new(3, 7).is_none());
}

#[test]
fn position_ids_round_trip() {
    assert_eq!(Board::START.position_id(), "4HPwATDgc/ABMA");
    random_games(6, 40, |board, _, plays| {
        for board in [board, &plays.get(plays.len() - 1)] {
            let id = board.position_id();
            assert_eq!((id.len(), Board::from_position_id(&id)), (14, Ok(*board)));
            assert_eq!(Board::from_key(board.key()), Ok(*board));
        }
    });
}

#[test]
fn invalid_ids_are_rejected_and_never_panic() {
    for (id, words) in [
        ("4HPwATDgc/ABM", "14 characters; this has 13"),
        ("4HPwATDgc/ABM!", "'!' is not allowed here"),
        ("4HPwATDgc/ABMB", "unused bits of its last character are set"),
        ("//////////////", "unused bits of its last character are set"),
        ("/////////////w", "at most 15"),
        ("AAAAAAAAAAAAAA", "both sides have borne off"),
        ("ÄHPwATDgc/ABMA", "is not allowed here"),
        ("AAAAAAAAAAAAAQ", "bits are set behind the last number of checkers"),
    ] {
        let error = Board::from_position_id(id).map_err(|e| e.to_string());
        assert!(error.as_ref().is_err_and(|e| e.contains(words)), "{id}: {error:?}");
    }
    // Random texts: no panic, and whatever parses is written back unchanged.
    let stream = Stream::new(7, 0);
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for i in 0..20_000 {
        let length = [12, 14][(i % 2) as usize];
        let text: String =
            (0..length).map(|k| char::from(alphabet[stream.below(i, k, 64) as usize])).collect();
        if let Ok(board) = Board::from_position_id(&text) {
            assert_eq!(board.position_id(), text);
        }
        if let Ok(m) = MatchId::parse(&text) {
            assert_eq!(m.id(), text);
            // Most have impossible stakes; the others have a cube that can be used or a reason why not.
            let _ = m.stakes().map(|stakes| (stakes.no_double(), stakes.flipped().no_double()));
        }
        let _ = Xgid::parse(&text);
    }
}

#[test]
fn xgid_is_read_from_the_side_on_roll() {
    let read = |text| Xgid::parse(text).map_err(|e| e.to_string());
    let start = read("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10").expect("the start");
    assert_eq!((start.board, start.dice), (Board::START, None));
    let bar = read("XGID=a-----------------------AC-:0:0:-1:61:0:0:0:0:10").map(|_| ());
    assert!(bar.is_err_and(|e| e.contains("26 characters; this has 27")));
    let bar = read("aA----------------------bC:0:0:-1:16:0:0:0:0:10").expect("a valid XGID");
    assert_eq!(bar.dice, Some(dice(6, 1)));
    assert_eq!(bar.board, board(&[(25, 1), (1, 2)], &[(1, 1), (25, 3)]));
    for (text, words) in [
        ("", "colons"),
        ("Aa------------------------:0:0:1:00", "'A' is not allowed here"),
        ("--------------------------:0:0:1:00", "both sides"),
        ("-O-----------------------A:0:0:1:00", "at most 15"),
        ("-O------------------------:0:0:2:00", "1 or -1"),
        ("-O------------------------:0:0:1:07", "1 to 6"),
        ("-O------------------------:0:0:1:x", "two dice"),
        ("-O------------------------:0:0:1:3xyz1", "two dice"),
        ("-O------------------------:0:0:1:6-5", "two dice"),
        ("-O------------------------:0:0:1:65 ", "two dice"),
        ("-O------------------------:0:0:1:656", "two dice"),
    ] {
        assert!(read(text).as_ref().is_err_and(|e| e.contains(words)), "{text}: {:?}", read(text));
    }
}

#[test]
fn notation_follows_the_conventions_of_players() {
    let text = |board: &Board, dice, own: &[(usize, u8)], other: &[(usize, u8)]| {
        let after = self::board(other, own);
        notation(&moves(board, dice, &after).expect("a legal play"))
    };
    let start = Board::START;
    let theirs = [(24, 2), (13, 5), (8, 3), (6, 5)];
    assert_eq!(text(&start, dice(3, 1), &[(24, 2), (13, 5), (8, 2), (6, 4), (5, 2)], &theirs), "8/5 6/5");
    assert_eq!(text(&start, dice(6, 5), &[(24, 1), (13, 6), (8, 3), (6, 5)], &theirs), "24/13");
    let double = [(24, 2), (13, 3), (10, 2), (8, 3), (6, 3), (3, 2)];
    assert_eq!(text(&start, dice(3, 3), &double, &theirs), "13/10(2) 6/3(2)");
    let blots = board(&[(25, 1), (6, 2)], &[(3, 1), (1, 2), (14, 2)]);
    assert_eq!(
        text(&blots, dice(3, 1), &[(22, 1), (6, 1), (5, 1)], &[(25, 1), (1, 2), (14, 2)]),
        "bar/22* 6/5"
    );
    let off = board(&[(6, 2), (1, 1)], &[(6, 1)]);
    assert_eq!(text(&off, dice(6, 5), &[(1, 2)], &[(6, 1)]), "6/1 6/off");
    assert_eq!(notation(&[]), "(no play)");
    assert_eq!(moves(&start, dice(3, 1), &start), None);
}

#[test]
fn observation_has_every_feature_at_its_index() {
    let shown = board(&[(25, 2), (24, 1), (6, 7), (1, 3)], &[(20, 6), (6, 5), (25, 1)]);
    let mut out = [9.0; OBSERVATION_SIZE];
    observe(&shown, Some(dice(6, 4)), &mut out);
    let at = |place: usize| &out[12 * place..12 * place + 12];
    assert_eq!(at(0), [1., 1., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0.]);
    assert_eq!(at(1), [1., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0.]);
    // The own 6 point is place 19 in the direction of play; the opponent's 6 point is place 6.
    assert_eq!(at(19), [1., 1., 1., 1., 1., 0.2, 0., 0., 0., 0., 0., 0.]);
    assert_eq!(at(6), [0., 0., 0., 0., 0., 0., 1., 1., 1., 1., 1., 0.]);
    assert_eq!(at(20), [0., 0., 0., 0., 0., 0., 1., 1., 1., 1., 1., 0.1]);
    assert_eq!(at(24), [1., 1., 1., 0., 0., 0., 0., 0., 0., 0., 0., 0.]);
    assert_eq!(at(25), [0., 0., 0., 0., 0., 0., 1., 0., 0., 0., 0., 0.]);
    // What follows the 26 places: 12 numbers for the roll, 4 for the playable moves, 2 for checkers off, and 12 for the
    // match.
    let mut rest = [0.0; 30];
    // The roll is 6-4. One of two checkers enters with the 4; the other stays on the bar, so one move is playable.
    (rest[5], rest[6 + 3]) = (1.0, 1.0);
    rest[12] = 1.0;
    (rest[16], rest[17]) = (2.0 / 15.0, 3.0 / 15.0);
    // Playing; cube centred; money play.
    (rest[20], rest[23], rest[25]) = (1.0, 1.0, 1.0);
    assert_eq!(out[312..], rest);
    observe(&shown, None, &mut out);
    (rest[5], rest[9], rest[12], rest[20]) = (0.0, 0.0, 0.0, 0.0);
    assert_eq!(out[312..], rest);
}

#[test]
fn turn_graph_leads_to_all_plays_and_nothing_else() {
    /// Collects the boards at the ends of all paths from `node`, moving checkers without any knowledge of the rules.
    fn walk(node: u16, sides: [[u8; 26]; 2], steps: &[TurnStep], ends: &mut BTreeSet<Board>) {
        let mut end = true;
        for step in steps.iter().filter(|step| step.node == node) {
            let [mut own, mut other] = sides;
            own[usize::from(step.from)] -= 1;
            own[usize::from(step.to)] += 1;
            if step.hit {
                other[25 - usize::from(step.to)] -= 1;
                other[BAR] += 1;
            }
            walk(step.next, [own, other], steps, ends);
            end = false;
        }
        if end {
            ends.insert(Board::new(&sides[1], &sides[0]).expect("a legal board"));
        }
    }
    random_games(11, 12, |board, dice, plays| {
        let steps = turn_graph(board, dice);
        let mut reached = BTreeSet::new();
        walk(0, [board.own_places(), board.other_places()], &steps, &mut reached);
        assert_eq!(reached, plays.iter().collect(), "{board:?} {dice:?}");
        assert!(steps.iter().all(|step| step.node < step.next), "{board:?} {dice:?}");
        let moves = playable_moves(board, dice);
        assert_eq!(steps.is_empty(), moves == 0, "{board:?} {dice:?}");
    });
}
