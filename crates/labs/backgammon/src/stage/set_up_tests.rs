//! Tests of games that begin from a position of the user.

use super::tests::{path, untrained, with_version};
use super::*;

/// A position in the format of eXtreme Gammon. The lower player (south, the user) is on roll with 3 and 1,
/// and has a checker on the bar.
const LOWER: &str = "XGID=-b----E-C---dE---d-e----AA:0:0:1:31:0:0:0:0:10";
/// The starting position. The lower player is to roll.
const START: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10";

fn set_up(players: Players, position: &str) -> BackgammonCommand {
    BackgammonCommand::SetUp { players, position: position.into() }
}

#[test]
fn game_begins_from_a_position_with_its_roll() {
    let (network, weights) = untrained();
    let learner = with_version(&network, &weights, 0);
    let mut stage = Stage::new(learner, Stream::new(1, 0));
    stage.apply(learner, set_up(Players::Learner, LOWER)).expect("a position");
    let view = stage.view();
    assert_eq!((view.turn, view.side, view.dice, view.awaits), (0, 0, [3, 1], true));
    // South's places: 25 is the bar. North's checkers are negative.
    assert_eq!((view.board[25], view.board[24], view.board[1], view.board[12]), (1, 1, -2, -4));
    assert_eq!(view.start, view.board);
    let steps = path(&view, false);
    assert_eq!(steps[0][0], 25, "the checker on the bar enters first");
    stage.apply(learner, BackgammonCommand::Play { turn: 0, steps: steps.clone() }).expect("a legal play");
    assert_eq!(stage.view().start, view.start, "the position before the first turn");
    // After the turn is taken back, the same roll is to be played.
    stage.apply(learner, BackgammonCommand::Undo).expect("a turn");
    assert_eq!((stage.view().dice, stage.view().board), (view.dice, view.board));
    // The next game begins as usual.
    stage.apply(learner, BackgammonCommand::NewGame { players: Players::Learner }).expect("a game");
    let normal = Stage::new(learner, Stream::new(1, 0)).view().board;
    assert_eq!(stage.view().start, normal);
}

/// An opening roll is never a double, but a roll of a set-up position is: about one in six.
#[test]
fn roll_of_a_position_without_dice_is_random() {
    let (network, weights) = untrained();
    let learner = with_version(&network, &weights, 0);
    let mut stage = Stage::new(learner, Stream::new(1, 0));
    let mut doubles = 0;
    for _ in 0..100 {
        stage.apply(learner, set_up(Players::Watch, START)).expect("a position");
        let [high, low] = stage.view().dice;
        doubles += u32::from(high == low);
    }
    assert!((4..40).contains(&doubles), "{doubles} of 100");
}

#[test]
fn upper_player_on_roll_is_north() {
    let (network, weights) = untrained();
    let learner = with_version(&network, &weights, 0);
    let mut stage = Stage::new(learner, Stream::new(1, 0));
    let position = LOWER.replace(":0:0:1:31", ":0:0:-1:66");
    stage.apply(learner, set_up(Players::Learner, &position)).expect("a position");
    let view = stage.view();
    assert_eq!((view.side, view.first, view.dice, view.awaits), (1, 1, [6, 6], false));
    assert_eq!((view.board[25], view.board[1]), (1, -2), "the board is seen from the lower player");
    stage.animate(learner, DEFAULT_TEMPO_SECONDS);
    assert_eq!(stage.view().turn, 1);
}

#[test]
fn impossible_positions_are_refused_and_the_game_goes_on() {
    let (network, weights) = untrained();
    let learner = with_version(&network, &weights, 0);
    let mut stage = Stage::new(learner, Stream::new(1, 0));
    let before = stage.view();
    let bear_off = format!("XGID=-A{}:0:0:1:31:0:0:0:0:10", "-".repeat(24));
    for (position, words) in [
        ("", "separated by colons"),
        // One place is missing.
        ("XGID=-b----E-C---eE---c-e----B:0:0:1:00", "25"),
        // 15 checkers too many, on the bar.
        ("XGID=-b----E-C---eE---c-e----BO:0:0:1:00", "checkers"),
        // The fourth field is the turn, the fifth the dice.
        ("XGID=-b----E-C---eE---c-e----B-:0:0:2:00", "the turn must be 1 or -1"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:77", "1 to 6"),
        // The upper player has borne off all checkers.
        (bear_off.as_str(), "the game is over"),
    ] {
        let refused = stage.apply(learner, set_up(Players::Watch, position)).map_err(|e| e.to_string());
        assert!(refused.as_ref().is_err_and(|e| e.contains(words)), "{position}: {refused:?}");
    }
    let after = stage.view();
    assert_eq!((after.game, after.dice, after.board), (before.game, before.dice, before.board));
}

#[test]
fn position_against_a_trained_player_is_refused_unless_one_was_invited() {
    let (network, weights) = untrained();
    let learner = with_version(&network, &weights, 0);
    let mut stage = Stage::new(learner, Stream::new(1, 0));
    let before = stage.view();
    let refused = stage.apply(learner, set_up(Players::Expert, LOWER)).map_err(|e| e.to_string());
    assert!(refused.is_err_and(|e| e.contains("no trained player")));
    let after = stage.view();
    assert_eq!((after.game, after.dice, after.board), (before.game, before.dice, before.board));
}
