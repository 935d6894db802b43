//! The shipped network's values of races beside exact ones, in positions one roll before the bear-off tables,
//! and beside rollouts.

use learnery_backgammon_play::Evaluator;
use learnery_backgammon_play::outcomes::Outcomes;
use learnery_kernels::rng::Stream;
use learnery_worlds::backgammon::{Board, Dice, Plays};

use crate::shipped;

/// The races among the golden positions (`equity_positions.tsv`), rolled out by the example `race_network`.
/// The columns are position ID, equity, standard error, games.
const RACES: &str = include_str!("../../../../../tests/golden/backgammon/races.tsv");
/// Root mean square errors at 0 and 1 plies that the network must not exceed.
const MAX_ERRORS: [f64; 2] = [0.009, 0.006];

#[test]
fn values_of_races_are_near_rollouts() {
    let read = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let board = Board::from_position_id(fields[0]).expect("a position ID");
        let number = |i: usize| fields[i].parse::<f64>().expect("a number");
        assert!(board.is_race() && number(2) <= 0.0015, "{line}");
        (board, number(1))
    };
    let races: Vec<(Board, f64)> = RACES.lines().map(read).collect();
    let errors = shipped::errors(&shipped::network(), &races);
    println!("{} races: {errors:?}", races.len());
    assert!(races.len() == 167 && errors[0] <= MAX_ERRORS[0] && errors[1] <= MAX_ERRORS[1], "{errors:?}");
}

/// A side with `count` checkers at random points of its home board; the others of fifteen are borne off.
fn home(stream: Stream, draw: u64, count: u8) -> [u8; 26] {
    let mut places = [0; 26];
    for checker in 0..u64::from(count) {
        places[1 + stream.block(draw, checker)[0] as usize % 6] += 1;
    }
    places[0] = 15 - count;
    places
}

/// The value of the side on roll, whose last checker outside its home board comes home with this roll: the
/// mean over all rolls of the best position in the tables.
fn exact_value(board: &Board) -> Outcomes {
    let mut plays = Plays::new();
    let mut mean = [0.0f32; 5];
    for dice in Dice::ALL {
        plays.find(board, dice);
        let known = plays.iter().filter_map(|after| Outcomes::exact(&after)).map(|after| after.flipped());
        let best = known.max_by(|a, b| a.equity().total_cmp(&b.equity())).expect("every roll brings it home");
        let weight = f32::from(dice.ways()) / 36.0;
        mean.iter_mut().zip(best.0).for_each(|(sum, p)| *sum += weight * p);
    }
    Outcomes(mean)
}

#[test]
fn values_one_roll_before_the_tables_agree_with_them() {
    let network = shipped::network();
    let mut scratch = network.scratch();
    let stream = Stream::new(1, 0);
    let (mut compared, mut sum, mut largest) = (0u32, 0.0, 0.0f32);
    for draw in 0..4000 {
        // `u64::MAX` is the number of no checker, so this word does not depend on the places.
        let [count_word, ..] = stream.block(draw, u64::MAX);
        // Fourteen checkers at home and the last one on point 7, just outside.
        let mut own = home(stream, 2 * draw, 14);
        (own[0], own[7]) = (0, 1);
        let other = home(stream, 2 * draw + 1, 8 + (count_word % 8) as u8);
        let Ok(board) = Board::new(&own, &other) else { continue };
        let [exact_win, ..] = exact_value(&board).0;
        // Where the race is decided there is nothing to know.
        if !(0.02..0.98).contains(&exact_win) {
            continue;
        }
        let [win, ..] = network.value(&board, &mut scratch).0;
        let difference = (win - exact_win).abs();
        compared += 1;
        sum += difference;
        largest = largest.max(difference);
    }
    let mean = sum / compared as f32;
    println!("{compared} races: mean difference {mean:.4}, largest {largest:.4}");
    assert!(compared > 2000 && mean < 0.003 && largest < 0.03, "{compared} {mean} {largest}");
}
