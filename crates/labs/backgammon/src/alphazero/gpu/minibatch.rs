//! Minibatches for the device: positions instead of network inputs, and the policy targets.

use super::resnet::Minibatch;
use learnery_worlds::backgammon::Plays;
use rayon::prelude::*;

use super::packed;
use crate::alphazero::policy::{MAX_ENTRIES, entries_of_play};
use crate::alphazero::replay::ReplayBuffer;
use crate::alphazero::sample::Sample;

/// Samples that one thread prepares at a time.
const SAMPLES_PER_CHUNK: usize = 64;

/// The minibatch of these samples of the replay buffer for update number `update` of the run. With a policy
/// head, every sample has its roll and its policy target; without, every other sample is a position before
/// the roll, as in [`crate::alphazero::optimiser`].
pub fn prepare_minibatch(
    update: u64,
    samples: &[u32],
    replay: &ReplayBuffer,
    has_policy_head: bool,
) -> Minibatch {
    let chunks: Vec<Minibatch> = samples
        .par_chunks(SAMPLES_PER_CHUNK)
        .enumerate()
        .map(|(i, chunk)| {
            let (mut out, mut scratch) = (Minibatch::default(), Scratch::default());
            for (row, index) in (update + i as u64 * SAMPLES_PER_CHUNK as u64..).zip(chunk) {
                let sample = replay.get(*index as usize);
                let with_roll = has_policy_head || row.is_multiple_of(2);
                out.positions.push(packed(&sample.turn.board, with_roll.then_some(sample.turn.dice)));
                out.outcomes.push(sample.target().0);
                if has_policy_head {
                    scratch.add_policy(sample, &mut out);
                }
            }
            out
        })
        .collect();
    let mut all = Minibatch::default();
    chunks.iter().for_each(|chunk| all.append(chunk));
    all
}

#[derive(Default)]
struct Scratch {
    plays: Plays,
    /// The target probability of each play of a turn.
    target: Vec<f32>,
}

impl Scratch {
    /// Adds the policy target of a sample, if it has one.
    fn add_policy(&mut self, sample: &Sample, out: &mut Minibatch) {
        out.policies.begin_position();
        if sample.count == 0 {
            return;
        }
        self.plays.find(&sample.turn.board, sample.turn.dice);
        self.target.resize(self.plays.len(), 0.0);
        sample.policy(&mut self.target);
        for (afterstate, probability) in self.plays.iter().zip(&self.target) {
            let mut entries = [0; MAX_ENTRIES];
            let n = entries_of_play(&sample.turn.board, &afterstate, &mut entries);
            out.policies.add_play(&entries[..n], *probability);
        }
    }
}
