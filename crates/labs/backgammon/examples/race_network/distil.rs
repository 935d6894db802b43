//! The race network learns the chances of races by supervised regression: cross-entropy of the five
//! probabilities, minimised by Adam with a rate that falls linearly.

use std::error::Error;

use learnery_backgammon::Backgammon;
use learnery_backgammon::afterstates::Network;
use learnery_backgammon_play::outcomes::Outcomes;
use learnery_kernels::activation::sigmoid;
use learnery_kernels::loss::sigmoid_cross_entropy;
use learnery_kernels::rng::Stream;
use learnery_lab::Checkpoint;
use learnery_nn::{Adam, AdamOptions, GradientShards, Tensors, Weights};

use crate::pairs::Race;
use crate::{RACE_BATCHES, RACE_WEIGHTS, SEED};

/// The index of the race network, and how its tensors are named.
const RACE: usize = 1;
const RACE_TENSORS: &str = "race/";
const BATCH: usize = 512;
const ROWS_PER_PASS: usize = 64;
/// One race in this many is held out.
const HELD_OUT_SHARE: usize = 50;
/// So that at least one race is held out.
pub const FEWEST_RACES: usize = HELD_OUT_SHARE;
const RATES: [f32; 2] = [2e-3, 2e-6];

/// The checkpoint with a new race network, `width` and half as many neurons wide, that learned these races.
pub fn learn(
    before: &Checkpoint,
    width: u32,
    races: &[Race],
    updates: u64,
) -> Result<Checkpoint, Box<dyn Error>> {
    let mut config = before.settings::<Backgammon>()?;
    config.race = width;
    let (network, layout) = Network::new((&config).into());
    let mut weights = Weights::new(layout);
    weights.update(|params| network.init(params, Stream::new(SEED, RACE_WEIGHTS)));
    let body = network.body(RACE);
    let mut adam = Adam::new(weights.len());
    let tape = || (body.tape(ROWS_PER_PASS), 0.0f64);
    let mut shards = GradientShards::new(ROWS_PER_PASS, 8, weights.len(), tape);
    let stream = Stream::new(SEED, RACE_BATCHES);
    let (races, held_out) = races.split_at(races.len() - races.len() / HELD_OUT_SHARE);
    let mut sum = 0.0;
    for update in 0..updates {
        let batch: Vec<usize> =
            (0..BATCH as u64).map(|i| stream.below(update, i, races.len() as u32) as usize).collect();
        let (grads, states) = shards.run(BATCH, |range, (tape, loss), grads| {
            *loss = 0.0;
            for batch in batch[range].chunks(ROWS_PER_PASS) {
                let boards = batch.iter().map(|i| races[*i].board);
                let targets: Vec<f32> = batch.iter().flat_map(|i| races[*i].chances.0).collect();
                let mut losses = vec![0.0; batch.len()];
                let (logits, gradient) = body.forward(&weights, boards, tape);
                sigmoid_cross_entropy(&mut losses, &mut gradient[..], logits, &targets, 1.0 / BATCH as f32);
                *loss += losses.iter().map(|loss| f64::from(*loss)).sum::<f64>();
                body.backward(&weights, batch.len(), tape, grads);
            }
        });
        sum += states.map(|(_, loss)| loss).sum::<f64>() / BATCH as f64;
        let done = update as f32 / updates as f32;
        let lr = RATES[0] + (RATES[1] - RATES[0]) * done;
        let options = AdamOptions { lr, max_norm: 1.0, ..AdamOptions::default() };
        weights.update(|params| adam.step(params, grads, &options));
        if (update + 1) % 1000 == 0 {
            crate::say(&format!("race network, update {}: loss {:.5}", update + 1, sum / 1000.0));
            sum = 0.0;
            if (update + 1) % 5000 == 0 {
                let mut squares = 0.0;
                for races in held_out.chunks(ROWS_PER_PASS) {
                    let mut tape = body.tape(ROWS_PER_PASS);
                    let (logits, _) = body.forward(&weights, races.iter().map(|race| race.board), &mut tape);
                    let mut chances = logits.to_vec();
                    sigmoid(&mut chances);
                    for (race, chances) in races.iter().zip(chances.as_chunks().0) {
                        let value = Outcomes(*chances).clamped_to_possible(&race.board).equity();
                        squares += f64::from(value - race.chances.equity()).powi(2);
                    }
                }
                let error = (squares / held_out.len() as f64).sqrt();
                crate::say(&format!("error on {} held-out races: {error:.5}", held_out.len()));
            }
        }
    }
    with_race_network(before, width, &weights)
}

/// The checkpoint with the race network of `weights`, and otherwise as it was.
fn with_race_network(
    before: &Checkpoint,
    width: u32,
    weights: &Weights,
) -> Result<Checkpoint, Box<dyn Error>> {
    let mut network = weights.to_tensors();
    for (name, tensor) in before.network().iter().filter(|(name, _)| !name.starts_with(RACE_TENSORS)) {
        network.insert_bytes(name, tensor, tensor.bytes().to_vec());
    }
    let mut tensors = Tensors::new();
    tensors.absorb("network/", network);
    let mut checkpoint = Checkpoint { header: before.header.clone(), tensors };
    checkpoint.header.config.insert("race".into(), width.into());
    Ok(checkpoint)
}

#[cfg(test)]
mod tests {
    use learnery_backgammon::networks::TrainedNetwork;
    use learnery_backgammon_play::Evaluator;
    use learnery_worlds::backgammon::Board;

    use super::*;

    fn shipped() -> Checkpoint {
        let bytes = include_bytes!("../../../../../models/backgammon.safetensors");
        Checkpoint::from_bytes(bytes).expect("our own file")
    }

    fn races() -> Vec<Race> {
        let (mut own, mut other) = ([0; 26], [0; 26]);
        (own[9], own[4], other[11], other[2]) = (5, 10, 3, 12);
        let board = Board::new(&own, &other).expect("a good board");
        let chances = Outcomes([0.3, 0.0, 0.0, 0.0, 0.0]);
        let flipped = chances.flipped();
        (0..100)
            .map(|i| match i % 2 {
                0 => Race { board, chances },
                _ => Race { board: board.flipped(), chances: flipped },
            })
            .collect()
    }

    #[test]
    fn race_network_learns_and_the_others_stay() {
        let (shipped, races) = (shipped(), races());
        let file = learn(&shipped, 16, &races, 300).expect("good settings").to_bytes();
        let file = Checkpoint::from_bytes(&file).expect("our own file");
        let [old, new] = [&shipped, &file].map(|file| TrainedNetwork::from_checkpoint(file).expect("good"));
        let value = |network: &TrainedNetwork, board| network.value(board, &mut network.scratch());
        assert_eq!(value(&old, &Board::START), value(&new, &Board::START));
        let learned = value(&new, &races[0].board);
        assert!((learned.0[0] - 0.3).abs() < 0.02, "{learned:?}");
        for (name, tensor) in file.network().iter() {
            let same = shipped.network().iter().any(|(other, before)| other == name && before == tensor);
            assert_eq!(same, !name.starts_with(RACE_TENSORS), "{name}");
        }
    }

    #[test]
    fn number_of_threads_changes_no_bit() {
        let (shipped, races) = (shipped(), races());
        let [one, three] = [1, 3].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| learn(&shipped, 8, &races, 20).expect("good settings").to_bytes())
        });
        assert!(one == three);
    }
}
