//! Tests of the recorder's own rules.

use super::{after_plays, dice};
use crate::*;
use learnery_worlds::backgammon::matches::{Answer, Illegal, Rules, Session};
use learnery_worlds::backgammon::{Board, Win};

#[test]
fn actions_out_of_turn_are_refused() {
    let mut recorder = Recorder::new(["A", "B"], Rules::Match { length: 3 }).expect("good rules");
    assert_eq!(recorder.double(0), Err(Refusal::NoGame));
    assert_eq!(recorder.resign(0, Win::Single), Err(Refusal::NoGame));
    recorder.begin_game().expect("it can begin");
    assert_eq!(recorder.begin_game(), Err(Refusal::GameUnderWay));
    assert_eq!(recorder.double(0), Err(Refusal::CubeBeforeOpening));
    assert_eq!(recorder.play(0, dice(1, 1), Board::START), Err(Refusal::OpeningDouble));
    assert_eq!(recorder.play(0, dice(3, 1), Board::START), Err(Refusal::IllegalPlay));
    let after = after_plays(&["31: 8/5 6/5"]);
    recorder.play(1, dice(3, 1), after).expect("legal");
    assert_eq!(recorder.play(1, dice(3, 1), after), Err(Refusal::NotOnTurn));
    assert_eq!(recorder.double(1), Err(Refusal::NotOnTurn));
    recorder.double(0).expect("legal");
    assert_eq!(recorder.on_turn(), Some(1));
    assert_eq!(recorder.answer(0, Answer::Take), Err(Refusal::NotOnTurn));
    assert_eq!(recorder.roll(0, dice(3, 1)), Err(Refusal::Rules(Illegal::DoubleOffered)));
    recorder.answer(1, Answer::Take).expect("legal");
    recorder.roll(0, dice(3, 1)).expect("legal");
    assert_eq!(recorder.play(0, dice(3, 1), after), Err(Refusal::NotPlayed));
    recorder.resign(1, Win::Gammon).expect("legal");
    assert_eq!(
        recorder.last_end(),
        Some(GameEnd { winner: 1, ending: Ending::Resigned(Win::Gammon), points: 4 })
    );
    assert_eq!(recorder.begin_game(), Err(Refusal::Rules(Illegal::MatchOver)));
    assert_eq!(recorder.finish().score(), [0, 4]);
}

#[test]
fn names_and_tags_are_bounded_and_in_one_line() {
    let rules = Rules::Money { jacoby: false, beavers: false };
    let long = "x".repeat(1000);
    let mut recorder = Recorder::continued(["a\nb", &long], Session::new(rules).expect("good rules"));
    recorder.tag("Event", "first\r\n");
    recorder.tag("Event", "second");
    recorder.tag("\n", "nameless");
    (0..1000).for_each(|n| recorder.tag(&format!("tag {n}"), ""));
    let record = recorder.finish();
    assert_eq!(
        (record.players()[0].as_str(), record.players()[1].len(), record.tags().len()),
        ("ab", 100, 100)
    );
    assert_eq!(record.tags()[0], ("Event".to_owned(), "first".to_owned()));
}
