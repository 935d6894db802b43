//! The device's evaluations of real positions beside the network's on the CPU. Without an adapter the test is
//! skipped, with a visible line, except where the environment variable `CI` is set.

use learnery_backgammon_play::game::Turn;
use learnery_backgammon_play::outcomes::OUTCOMES;
use learnery_gpu::testing::{device, wait_for};
use learnery_kernels::rng::Stream;
use learnery_worlds::backgammon::Plays;

use super::*;
use crate::alphazero::network::{NetworkEvaluator, Scratch, encode_before_roll, encode_turn};
use crate::config::PolicyKind;

/// The positions of some random games, to their ends: with checkers on the bar and borne off.
fn random_turns() -> Vec<Turn> {
    let stream = Stream::new(8, 4);
    let mut plays = Plays::new();
    let mut turns = Vec::new();
    for game in 0..4 {
        let mut board = Board::START;
        for turn in 0.. {
            let dice = Dice::for_turn(stream, game, turn);
            turns.push(Turn { board, dice });
            plays.find(&board, dice);
            // Dice use the counters from 0, choices of plays the counters from 2^32.
            board = plays.get(stream.below(game, turn + (1 << 32), plays.len() as u32) as usize);
            if board.other_won().is_some() {
                break;
            }
        }
    }
    turns
}

#[test]
fn positions_are_evaluated_as_on_the_cpu() {
    let Some(gpu) = device() else { return };
    let network = Network::new(PolicyKind::Values, Stream::new(2, 1));
    let evaluator = Evaluator::new(gpu, &network.plan, network.weights.len()).expect("the network fits");
    // Larger weights than those at the start, so that every input matters.
    let weights: Vec<f32> = network.weights.flat().iter().map(|weight| 3.0 * weight).collect();
    let mut network = network;
    network.weights.update(|all| all.copy_from_slice(&weights));
    evaluator.set_weights(&weights);
    let mut scratch = Scratch::new(&network.plan);
    let mut on_cpu =
        NetworkEvaluator { plan: &network.plan, weights: &network.weights, scratch: &mut scratch };
    let turns = random_turns();
    // Every third one before its roll.
    let with_roll = |i: usize| !i.is_multiple_of(3);
    let positions: Vec<Position> = turns
        .iter()
        .enumerate()
        .map(|(i, turn)| packed(&turn.board, with_roll(i).then_some(turn.dice)))
        .collect();
    let [mut outcomes, _] = evaluator.submit_values(&positions);
    let found = wait_for(gpu, || outcomes.poll());
    let mut largest = 0.0f32;
    for (i, (turn, found)) in turns.iter().zip(found.as_chunks::<OUTCOMES>().0).enumerate() {
        let row = on_cpu.scratch.rows().next().expect("a row");
        match with_roll(i) {
            true => encode_turn(turn, row),
            false => encode_before_roll(&turn.board, row),
        }
        on_cpu.run(1);
        let expected = on_cpu.outcomes(1).next().expect("a row").0;
        found
            .iter()
            .zip(expected)
            .for_each(|(found, expected)| largest = largest.max((found - expected).abs()));
    }
    assert!(largest < 1e-5, "{largest}");
}
