//! The shipped network's cube verdicts beside GNU Backgammon's, on the positions of
//! `scripts/make_cube_positions.py`. The columns of its file: XGID, verdict, the equities without a double
//! and after a double that is taken or passed, kind of score; all by GNU Backgammon at 2 plies.

use learnery_backgammon_play::Oracle;
use learnery_backgammon_play::cube::{Action, Response};

use crate::shipped;

/// Without lookahead, verdicts agree about as often as `docs/results.md` says, and cost about as little.
#[test]
fn shipped_network_agrees_with_gnu_backgammon_about_the_cube() {
    let network = shipped::network();
    let mut oracle = Oracle::new(network, 0).expect("a possible depth");
    let rows = include_str!("../../../../../tests/golden/backgammon/cube.tsv");
    let (mut positions, mut agreed, mut lost) = (0u32, 0u32, 0.0);
    for row in rows.lines() {
        let columns: Vec<&str> = row.split('\t').collect();
        let [no_double, taken, passed] = [2, 3, 4].map(|i| columns[i].parse::<f64>().expect("an equity"));
        let analysis = oracle.cube(columns[0]).expect("a good position");
        let (action, response) = analysis.decision.best().expect("a decision");
        // What our action and our answer lose, by the equities of GNU Backgammon.
        let doubled = taken.min(passed);
        let acted = if action == Action::Double { doubled } else { no_double };
        let answered = if response == Response::Pass { passed } else { taken };
        let loss = no_double.max(doubled) - acted + answered - doubled;
        positions += 1;
        // The file has five decimals.
        agreed += u32::from(loss < 0.00005);
        lost += loss;
    }
    let (agreement, lost) = (f64::from(agreed) / f64::from(positions), lost / f64::from(positions));
    assert_eq!(positions, 500);
    assert!(agreement > 0.78 && lost < 0.016, "{agreement} agree, {lost} lost");
}
