//! The shipped network's values beside rollouts, on positions of nine plans. The file comes from the example
//! `golden_positions` and `scripts/gnubg_equities.py`. Its columns: position ID, plan, equity and standard
//! error by rollouts of the shipped network, the same by GNU Backgammon 1.07, GNU Backgammon at 0, 1, 2 plies.

use learnery_backgammon::networks::TrainedNetwork;
use learnery_backgammon_play::players::{Lookahead, LookaheadPlayer};
use learnery_lab::Checkpoint;
use learnery_worlds::backgammon::Board;

const POSITIONS: &str = include_str!("../../../../../tests/golden/backgammon/equities.tsv");
/// Root mean square errors at 0 and 1 plies that the network must not exceed.
const MOST: [f64; 2] = [0.05, 0.03];
const STANDARD_ERROR: f64 = 0.005;

#[test]
fn values_are_near_rollouts() {
    let bytes = include_bytes!("../../../../../models/backgammon.safetensors");
    let checkpoint = Checkpoint::from_bytes(bytes).expect("our own file can be read");
    let network = TrainedNetwork::from_checkpoint(&checkpoint).expect("our own network");
    let mut players = [0, 1].map(|plies| LookaheadPlayer::new(&network, Lookahead { plies }));
    let (mut squares, mut positions) = ([0.0; 2], 0u32);
    for line in POSITIONS.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let board = Board::from_position_id(fields[0]).expect("a position ID");
        let number = |i: usize| fields[i].parse::<f64>().expect("a number");
        assert!(number(3) <= STANDARD_ERROR && number(5) <= STANDARD_ERROR, "{line}");
        let truth = (number(2) + number(4)) / 2.0;
        for (sum, player) in squares.iter_mut().zip(&mut players) {
            *sum += (f64::from(player.value(&network, &board).equity()) - truth).powi(2);
        }
        positions += 1;
    }
    let errors = squares.map(|sum| (sum / f64::from(positions)).sqrt());
    println!("{positions} positions: {errors:?}");
    assert!(positions >= 193 && errors[0] <= MOST[0] && errors[1] <= MOST[1], "{positions} {errors:?}");
}
