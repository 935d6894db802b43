//! The shipped network's values beside rollouts, on positions of nine plans (kinds of position). The file
//! comes from the example `golden_positions` and `scripts/gnubg_equities.py`. Its columns: position ID, plan,
//! equity and standard error by rollouts of the network that was shipped then, the same by GNU Backgammon
//! 1.07, GNU Backgammon's equities at 0, 1, 2 plies.

use learnery_worlds::backgammon::Board;

use crate::shipped;

const POSITIONS: &str = include_str!("../../../../../tests/golden/backgammon/equities.tsv");
/// Root mean square errors at 0 and 1 plies that the network must not exceed.
const MAX_ERRORS: [f64; 2] = [0.055, 0.038];
/// The largest standard errors of rollouts: ours, GNU Backgammon's, and that of their mean.
const MAX_STANDARD_ERRORS: [f64; 3] = [0.005, 0.008, 0.005];

#[test]
fn values_are_near_rollouts() {
    let read = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |i: usize| fields[i].parse::<f64>().expect("a number");
        let of_mean = number(3).hypot(number(5)) / 2.0;
        let errors = [number(3), number(5), of_mean];
        assert!(errors.iter().zip(MAX_STANDARD_ERRORS).all(|(error, most)| *error <= most), "{line}");
        (Board::from_position_id(fields[0]).expect("a position ID"), (number(2) + number(4)) / 2.0)
    };
    let positions: Vec<(Board, f64)> = POSITIONS.lines().map(read).collect();
    let errors = shipped::errors(&shipped::network(), &positions);
    println!("{} positions: {errors:?}", positions.len());
    assert!(
        positions.len() == 1503 && errors[0] <= MAX_ERRORS[0] && errors[1] <= MAX_ERRORS[1],
        "{errors:?}"
    );
}
