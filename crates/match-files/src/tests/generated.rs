//! Random matches with everything that a record can hold: every kind of ending, cubes, beavers, resignations,
//! and files that stop within a game.

use learnery_kernels::rng::Stream;

use crate::*;
use learnery_worlds::backgammon::matches::{Answer, Rules};
use learnery_worlds::backgammon::{Dice, Plays, Win};

/// The rules of match `number`: matches of several lengths, and money sessions.
fn rules_of(number: u64) -> Rules {
    match number % 4 {
        0 => Rules::Match { length: 1 + (number / 4 % 9) as u8 },
        1 => Rules::Money { jacoby: true, beavers: true },
        2 => Rules::Money { jacoby: false, beavers: number % 8 == 2 },
        _ => Rules::Match { length: 7 },
    }
}

/// Plays a random match of at most `games` games.
pub(super) fn random_match(seed: u32, number: u64, games: usize) -> MatchRecord {
    let stream = Stream::new(seed, 0);
    let rules = rules_of(number);
    let mut recorder = Recorder::new(["Zoë O'Neill", "List: 李 3"], rules).expect("good rules");
    recorder.tag("EventDate", "2026.11.22");
    let mut step = 0;
    let mut random = |n: u32| {
        step += 1;
        stream.below(number, step, n)
    };
    for _ in 0..games {
        if recorder.session().winner().is_some() {
            break;
        }
        recorder.begin_game().expect("the match goes on");
        play_game(&mut recorder, rules, &mut random);
        if recorder.board().is_some() {
            break;
        }
    }
    recorder.finish()
}

/// Plays a game to its end, or stops it on the way, rarely.
fn play_game(recorder: &mut Recorder, rules: Rules, random: &mut impl FnMut(u32) -> u32) {
    let mut plays = Plays::new();
    let mut player = random(2) as usize;
    let mut is_opening = true;
    while let Some(board) = recorder.board() {
        if !is_opening && random(12) == 0 && recorder.double(player).is_ok() {
            let beavers = matches!(rules, Rules::Money { beavers: true, .. });
            let answer = match random(8) {
                0 => Answer::Pass,
                1 if beavers => Answer::Beaver,
                _ => Answer::Take,
            };
            if recorder.answer(1 - player, answer).is_err() {
                recorder.answer(1 - player, Answer::Take).expect("a take is always legal");
            }
            continue;
        }
        let roll = Dice::ALL[random(21) as usize];
        if is_opening && roll.is_double() {
            continue;
        }
        is_opening = false;
        match random(400) {
            // The record stops within the game.
            0 => return,
            1 | 2 => {
                let win = [Win::Single, Win::Gammon, Win::Backgammon][random(3) as usize];
                return recorder.resign(random(2) as usize, win).expect("anybody may resign");
            }
            3 => {
                recorder.roll(player, roll).expect("legal");
                if recorder.on_turn() == Some(player) {
                    return recorder.resign(1 - player, Win::Single).expect("legal");
                }
            }
            _ => {
                plays.find(&board, roll);
                let play = plays.get(random(plays.len() as u32) as usize);
                recorder.play(player, roll, play).expect("legal");
            }
        }
        player = 1 - player;
    }
}
