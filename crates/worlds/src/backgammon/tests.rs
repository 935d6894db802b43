//! Tests of boards, plays, IDs, notation, observations and turn graphs.

use std::collections::{BTreeSet, HashSet};

use learnery_kernels::rng::Stream;

use super::*;

/// Plays games with uniformly random plays and calls `visit` before every turn. Returns the number of turns
/// and the kind of win of each game.
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
                // `Dice::for_turn` uses the first word of this block. The upper half of a word times n is
                // uniform in 0..n.
                let [_, choice_word, ..] = stream.block(game, turns);
                let choice = (u64::from(choice_word) * plays.len() as u64) >> 32;
                board = plays.get(choice as usize);
                turns += 1;
                if let Some(win) = board.other_won() {
                    return (turns, win);
                }
            }
        })
        .collect()
}

fn roll_of(a: u8, b: u8) -> Dice {
    Dice::new(a, b).expect("valid dice")
}

/// A board with the listed (place, checkers) of each side; all other checkers are off. Each side numbers
/// places in its own direction. The board after a play is seen from the opponent, so there `other` is the
/// side that played.
fn board_with(own: &[(usize, u8)], other: &[(usize, u8)]) -> Board {
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
fn start_has_the_known_numbers_of_plays_and_positions() {
    // The values of this test are published ones, which `docs/results.md` names. Here: roll and number of
    // plays.
    let counts = "11:42 21:15 22:75 31:16 32:17 33:73 41:14 42:18 43:17 44:52 51:8 52:8 53:9 54:9 55:4 61:10 62:14 \
                  63:14 64:14 65:7 66:11";
    for entry in counts.split_whitespace() {
        let (roll, expected_count) = entry.split_once(':').expect("a roll and a count");
        let digits = roll.as_bytes();
        let dice = roll_of(digits[0] - b'0', digits[1] - b'0');
        assert_eq!(distinct_plays(&Board::START, dice).len().to_string(), expected_count, "{roll}");
    }
    let opening_rolls = Dice::ALL.into_iter().filter(|dice| !dice.is_double());
    let after_one_turn: BTreeSet<Board> =
        opening_rolls.flat_map(|dice| distinct_plays(&Board::START, dice)).collect();
    assert_eq!(after_one_turn.len(), 175);
    let mut plays = Plays::new();
    let mut after_two_turns = HashSet::new();
    for board in &after_one_turn {
        for dice in Dice::ALL {
            plays.find(board, dice);
            after_two_turns.extend(plays.iter());
        }
    }
    assert_eq!(after_two_turns.len(), 71_485);
}

/// Compares `Plays` with `reference` in every turn of `games` random games, and in every 64th turn for all
/// rolls.
fn compare_generators(seed: u32, games: u64) {
    let mut turns = 0u64;
    random_games(seed, games, |board, dice, plays| {
        turns += 1;
        let slow = reference::plays(board, dice);
        let fast: BTreeSet<Board> = plays.iter().collect();
        assert!(fast == slow && fast.len() == plays.len(), "{board:?} {dice:?}: {fast:?}, expected {slow:?}");
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
#[ignore = "slow: millions of positions"]
fn plays_agree_with_the_reference_over_millions_of_positions() {
    compare_generators(2, 20_000);
}

/// Checkers are scattered over all points and the bar, over points 1 to 12, or over the home board.
#[test]
fn plays_agree_with_the_reference_on_random_boards() {
    let stream = Stream::new(3, 0);
    for i in 0..1500u64 {
        let (mut own, mut other) = ([0u8; 26], [0u8; 26]);
        // Checkers are on the places from 1 up to this one.
        let reach = [25, 25, 12, 6][(i % 4) as usize];
        // The random numbers of board `i` have a counter. At `first` is the number of a side's checkers, and
        // behind it are their places, of which there are at most fifteen.
        for (first, is_own) in [(100, true), (200, false)] {
            for n in 0..u64::from(stream.below(i, first, 16)) {
                let place = 1 + stream.below(i, first + 1 + n, reach) as usize;
                // No point holds checkers of both sides.
                let is_taken = place < BAR && (if is_own { &other } else { &own })[25 - place] > 0;
                if !is_taken {
                    if is_own { own[place] += 1 } else { other[place] += 1 }
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
fn random_games_have_the_known_length_and_wins() {
    let games = 4000;
    let results = random_games(4, games, |_, _, _| {});
    let fraction = |kind: Win| results.iter().filter(|(_, win)| *win == kind).count() as f64 / games as f64;
    let turns = results.iter().map(|(turns, _)| turns).sum::<u64>() as f64 / games as f64;
    // The expected values are those of the published games that `docs/results.md` names. The tolerances are
    // four standard errors.
    assert!((turns - 96.7).abs() < 2.5, "{turns} turns");
    for (kind, expected) in [(Win::Single, 0.378), (Win::Gammon, 0.364), (Win::Backgammon, 0.258)] {
        assert!((fraction(kind) - expected).abs() < 0.031, "{kind:?}: {}", fraction(kind));
    }
}

#[test]
fn larger_die_is_played_if_only_one_can_be_and_none_on_a_closed_board() {
    // Either number can be played but not both, so the six must be.
    let stuck = board_with(&[(24, 1)], &[(12, 2), (8, 2), (13, 2)]);
    let after = distinct_plays(&stuck, roll_of(6, 5));
    assert_eq!(after, BTreeSet::from([board_with(&[(12, 2), (8, 2), (13, 2)], &[(18, 1)])]));
    assert_eq!(playable_moves(&stuck, roll_of(6, 5)), 1);
    // A checker on the bar cannot enter a closed board.
    let closed = board_with(&[(25, 1), (6, 2)], &[(1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2)]);
    assert_eq!(distinct_plays(&closed, roll_of(6, 6)), BTreeSet::from([closed.flipped()]));
    assert_eq!(playable_moves(&closed, roll_of(6, 6)), 0);
}

#[test]
fn playable_moves_is_the_length_of_a_play_before_the_bear_off() {
    random_games(5, 30, |board, dice, plays| {
        // If all checkers are at home (on places up to 6), one die can lead to the same board as two.
        if board.own_places()[7..].iter().all(|count| *count == 0) {
            return;
        }
        let sequence = moves(board, dice, &plays.get(0)).expect("a legal play");
        assert_eq!(sequence.len() as u32, playable_moves(board, dice), "{board:?} {dice:?}");
    });
}

#[test]
fn result_and_win_follow_from_the_checkers_of_the_loser() {
    for (own, win) in [
        (vec![(1, 1)], Win::Single),
        (vec![(18, 15)], Win::Gammon),
        (vec![(1, 14), (19, 1)], Win::Backgammon),
        (vec![(1, 14), (25, 1)], Win::Backgammon),
    ] {
        let lost = board_with(&own, &[]);
        assert_eq!((lost.other_won(), lost.result()), (Some(win), Some(-win.points())));
        assert_eq!((lost.flipped().other_won(), lost.flipped().result()), (None, Some(win.points())));
    }
    assert_eq!((Board::START.other_won(), Board::START.result()), (None, None));
}

#[test]
fn race_begins_when_contact_is_over() {
    assert!(!Board::START.is_race());
    assert!(board_with(&[(12, 15)], &[(12, 15)]).is_race());
    assert!(!board_with(&[(13, 15)], &[(13, 15)]).is_race());
    assert!(!board_with(&[(25, 1)], &[(1, 1)]).is_race());
    assert_eq!((Board::START.own_pips(), Board::START.other_pips()), (167, 167));
}

#[test]
fn board_with_impossible_checkers_is_rejected() {
    let mut places = [0; 26];
    places[3] = 16;
    assert_eq!(Board::new(&places, &[0; 26]), Err(BoardError::TooMany { own: true, count: 16 }));
    // Place 22 is the opponent's place 3.
    (places[3], places[22]) = (2, 13);
    assert_eq!(Board::new(&places, &places), Err(BoardError::Shared { point: 3 }));
    assert_eq!(Board::new(&[0; 26], &[0; 26]), Err(BoardError::BothWon));
    // The sum of the checkers does not fit into a byte.
    assert!(Board::new(&[200; 26], &places).is_err());
    // Entry 0, checkers that are off, is ignored: all checkers that are on no other place are off.
    let mut only_off = [0; 26];
    only_off[0] = 77;
    assert!(Board::new(&only_off, &places).is_ok_and(|board| board.own(0) == 15));
}

/// The least random word that stands for outcome `outcome` of `outcomes` equally likely ones.
fn least_word_of(outcome: u64, outcomes: u64) -> u32 {
    (outcome << 32).div_ceil(outcomes) as u32
}

#[test]
fn rolls_have_the_right_indices_and_probabilities() {
    let mut ways = [0u32; 21];
    for outcome in 0..36 {
        ways[Dice::from_random_word(least_word_of(outcome, 36)).index()] += 1;
    }
    for (i, dice) in Dice::ALL.into_iter().enumerate() {
        assert_eq!((dice.index(), ways[i]), (i, u32::from(dice.ways())));
        assert_eq!(Dice::new(dice.low(), dice.high()), Some(dice));
    }
    let opening_rolls: Vec<Dice> =
        (0..30).map(|outcome| Dice::opening_from_random_word(least_word_of(outcome, 30))).collect();
    for dice in Dice::ALL {
        let expected_count = if dice.is_double() { 0 } else { 2 };
        assert_eq!(opening_rolls.iter().filter(|roll| **roll == dice).count(), expected_count);
    }
    assert!(Dice::new(0, 3).is_none() && Dice::new(3, 7).is_none());
}

#[test]
fn position_ids_and_keys_round_trip() {
    // GNU Backgammon's ID of the start.
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
fn invalid_position_ids_are_rejected() {
    for (id, message) in [
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
        assert!(error.as_ref().is_err_and(|e| e.contains(message)), "{id}: {error:?}");
    }
}

#[test]
fn random_texts_are_rejected_or_written_back_unchanged() {
    let stream = Stream::new(7, 0);
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for i in 0..20_000 {
        // A match ID has 12 characters, a position ID 14.
        let length = [12, 14][(i % 2) as usize];
        let text: String =
            (0..length).map(|k| char::from(alphabet[stream.below(i, k, 64) as usize])).collect();
        if let Ok(board) = Board::from_position_id(&text) {
            assert_eq!(board.position_id(), text);
        }
        if let Ok(parsed) = MatchId::parse(&text) {
            assert_eq!(parsed.id(), text);
            // Most stakes are impossible. Where they are possible, `no_double` must not panic; its result
            // does not matter.
            let _ = parsed.stakes().map(|stakes| (stakes.no_double(), stakes.flipped().no_double()));
        }
    }
}

#[test]
fn xgids_are_seen_from_the_side_on_roll() {
    let start = Xgid::parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10").expect("the start");
    assert_eq!((start.board, start.dice), (Board::START, None));
    // The upper player (a, b) is on roll, with one checker on the bar and two on its ace point. The lower
    // player (A, C) has one checker on its ace point and three on the bar.
    let with_bars = Xgid::parse("aA----------------------bC:0:0:-1:16:0:0:0:0:10").expect("a valid XGID");
    assert_eq!(with_bars.dice, Some(roll_of(6, 1)));
    assert_eq!(with_bars.board, board_with(&[(25, 1), (1, 2)], &[(1, 1), (25, 3)]));
}

#[test]
fn invalid_xgids_are_rejected() {
    let read = |text| Xgid::parse(text).map_err(|e| e.to_string());
    for (text, message) in [
        ("XGID=a-----------------------AC-:0:0:-1:61:0:0:0:0:10", "26 characters; this has 27"),
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
        assert!(read(text).as_ref().is_err_and(|e| e.contains(message)), "{text}: {:?}", read(text));
    }
}

#[test]
fn plays_are_written_in_standard_notation() {
    // The notation of the play that leaves these checkers. The board after it is seen from the opponent, so
    // the sides change places.
    let text = |board: &Board, dice, own_after: &[(usize, u8)], other_after: &[(usize, u8)]| {
        let after = board_with(other_after, own_after);
        notation(&moves(board, dice, &after).expect("a legal play"))
    };
    let start = Board::START;
    let other = [(24, 2), (13, 5), (8, 3), (6, 5)];
    assert_eq!(text(&start, roll_of(3, 1), &[(24, 2), (13, 5), (8, 2), (6, 4), (5, 2)], &other), "8/5 6/5");
    assert_eq!(text(&start, roll_of(6, 5), &[(24, 1), (13, 6), (8, 3), (6, 5)], &other), "24/13");
    let after_33 = [(24, 2), (13, 3), (10, 2), (8, 3), (6, 3), (3, 2)];
    assert_eq!(text(&start, roll_of(3, 3), &after_33, &other), "13/10(2) 6/3(2)");
    let with_blots = board_with(&[(25, 1), (6, 2)], &[(3, 1), (1, 2), (14, 2)]);
    assert_eq!(
        text(&with_blots, roll_of(3, 1), &[(22, 1), (6, 1), (5, 1)], &[(25, 1), (1, 2), (14, 2)]),
        "bar/22* 6/5"
    );
    let off = board_with(&[(6, 2), (1, 1)], &[(6, 1)]);
    assert_eq!(text(&off, roll_of(6, 5), &[(1, 2)], &[(6, 1)]), "6/1 6/off");
    assert_eq!(notation(&[]), "(no play)");
    assert_eq!(moves(&start, roll_of(3, 1), &start), None);
}

#[test]
fn observation_has_every_feature_at_its_index() {
    let shown = board_with(&[(25, 2), (24, 1), (6, 7), (1, 3)], &[(20, 6), (6, 5), (25, 1)]);
    // What is in the buffer before must not matter.
    let mut out = [9.0; OBSERVATION_SIZE];
    observe(&shown, Some(roll_of(6, 4)), &mut out);
    // A place has twelve features: of n own checkers, then of n of the opponent's, whether n is at least 1,
    // 2, 3, 4 and 5, and (n - 5) / 10 if n is above 5.
    let at = |index: usize| &out[12 * index..12 * index + 12];
    assert_eq!(at(0), [1., 1., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0.]);
    assert_eq!(at(1), [1., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0.]);
    // The own 6 point has index 19, in the direction of play; the opponent's 6 point has index 6.
    assert_eq!(at(19), [1., 1., 1., 1., 1., 0.2, 0., 0., 0., 0., 0., 0.]);
    assert_eq!(at(6), [0., 0., 0., 0., 0., 0., 1., 1., 1., 1., 1., 0.]);
    assert_eq!(at(20), [0., 0., 0., 0., 0., 0., 1., 1., 1., 1., 1., 0.1]);
    assert_eq!(at(24), [1., 1., 1., 0., 0., 0., 0., 0., 0., 0., 0., 0.]);
    assert_eq!(at(25), [0., 0., 0., 0., 0., 0., 1., 0., 0., 0., 0., 0.]);
    // Behind the 26 places: 12 numbers for the roll, 4 for the playable moves, 2 for checkers off, and 12 for
    // phase, cube and match.
    const REST: usize = 26 * 12;
    const LARGER_IS_6: usize = 5;
    const SMALLER_IS_4: usize = 6 + 3;
    const ONE_MOVE: usize = 12;
    const OWN_OFF: usize = 16;
    const OTHER_OFF: usize = 17;
    const PLAYING: usize = 20;
    const CENTRED_CUBE: usize = 23;
    const MONEY: usize = 25;
    let mut rest = [0.0; OBSERVATION_SIZE - REST];
    (rest[LARGER_IS_6], rest[SMALLER_IS_4]) = (1.0, 1.0);
    // One of two checkers enters with the 4. The other stays on the bar, so only one move is playable.
    rest[ONE_MOVE] = 1.0;
    (rest[OWN_OFF], rest[OTHER_OFF]) = (2.0 / 15.0, 3.0 / 15.0);
    (rest[PLAYING], rest[CENTRED_CUBE], rest[MONEY]) = (1.0, 1.0, 1.0);
    assert_eq!(out[REST..], rest);
    // Before the roll, everything that follows from the roll is 0.
    observe(&shown, None, &mut out);
    for feature in [LARGER_IS_6, SMALLER_IS_4, ONE_MOVE, PLAYING] {
        rest[feature] = 0.0;
    }
    assert_eq!(out[REST..], rest);
}

#[test]
fn turn_graph_ends_at_exactly_the_plays() {
    /// Collects the boards at the ends of all paths from `node`, moving checkers without any knowledge of the
    /// rules.
    fn walk(node: u16, sides: [[u8; 26]; 2], steps: &[TurnStep], ends: &mut BTreeSet<Board>) {
        let mut is_end = true;
        for step in steps.iter().filter(|step| step.node == node) {
            let [mut own, mut other] = sides;
            own[usize::from(step.from)] -= 1;
            own[usize::from(step.to)] += 1;
            if step.hit {
                other[25 - usize::from(step.to)] -= 1;
                other[BAR] += 1;
            }
            walk(step.next, [own, other], steps, ends);
            is_end = false;
        }
        if is_end {
            // Plays are seen from the opponent.
            let [own, other] = sides;
            ends.insert(Board::new(&other, &own).expect("a legal board"));
        }
    }
    random_games(11, 12, |board, dice, plays| {
        let steps = turn_graph(board, dice);
        let mut reached = BTreeSet::new();
        walk(0, [board.own_places(), board.other_places()], &steps, &mut reached);
        assert_eq!(reached, plays.iter().collect(), "{board:?} {dice:?}");
        assert!(steps.iter().all(|step| step.node < step.next), "{board:?} {dice:?}");
        assert_eq!(steps.is_empty(), playable_moves(board, dice) == 0, "{board:?} {dice:?}");
    });
}
