//! AlphaZero with its network on a GPU: the device evaluates positions and learns, the CPU searches.
//!
//! The games are dealt into two halves. While the device evaluates the positions of one half, the CPU
//! searches in the other, so neither waits. A game depends on its number and on the network alone, so dealing
//! them otherwise, or other timing, changes no game. Updates are submitted as self-play proceeds; they change
//! the network that learns, not the one that plays.
//!
//! After each unit, metrics and parameters come back. Evaluation games and the stage run on the CPU.
//! Checkpoints have the same format as on the CPU: before a save, the state of the optimiser is copied back.

mod half;
mod minibatch;
pub mod resnet;
#[cfg(test)]
mod tests;

use learnery_gpu::adam::AdamReadBack;
use learnery_gpu::{Gpu, GpuError, ReadBack};
use learnery_lab::{DeviceTrainer, LabError, Status, Work};
use learnery_nn::Adam;
use learnery_worlds::backgammon::{Board, Dice, playable_moves};
use resnet::{Evaluator, MetricsReadBack, Position, Trainer, UpdateOptions};

use super::learner::DeviceRun;
use super::network::{Network, policy_head};
use super::optimiser::{Losses, Optimiser};
use super::self_play::{Context, GameGroup};
use super::settings::AlphaZeroSettings;
use half::Half;
use minibatch::prepare_minibatch;

/// The most updates whose metrics are on the device at the same time.
const MAX_UPDATES_ON_DEVICE: usize = 1024;

/// The most minibatches that are submitted in one step, so that positions to evaluate do not wait behind them
/// for long.
const MINIBATCHES_PER_STEP: u64 = 4;

/// The network on the device, and the self-play that waits for it.
#[derive(Debug)]
pub struct DeviceTraining {
    evaluator: Evaluator,
    trainer: Trainer,
    halves: [Half; 2],
    /// The unit under way, if there is one.
    unit: Option<Unit>,
}

/// What a unit on the device has done.
#[derive(Debug, Default)]
struct Unit {
    /// Minibatches submitted.
    minibatches: u64,
    /// Positions with a policy target in each of them.
    policies: Vec<usize>,
    /// Updates since the metrics on the device were fetched and set to zero.
    updates_on_device: usize,
    /// Pending metrics, in the order of the updates.
    metrics: Vec<MetricsReadBack>,
}

/// Pending results of a unit.
#[derive(Debug)]
pub struct UnitResults {
    metrics: Vec<MetricsReadBack>,
    weights: ReadBack,
}

impl DeviceTraining {
    /// Moves a learner to the device, between two units.
    pub fn new(
        gpu: &Gpu,
        settings: &AlphaZeroSettings,
        network: &Network,
        adam: &Adam,
    ) -> Result<Self, LabError> {
        let (net, parameters) = (&network.plan, network.weights.len());
        let evaluator = Evaluator::new(gpu, net, parameters)?;
        let trainer = Trainer::new(gpu, net, parameters, settings.batch, MAX_UPDATES_ON_DEVICE)?;
        trainer.set_weights(network.weights.flat());
        trainer.load_adam(&adam.to_tensors())?;
        Ok(Self { evaluator, trainer, halves: [Half::default(), Half::default()], unit: None })
    }

    fn begin_unit(&mut self, context: &Context) {
        self.evaluator.set_weights(context.network.weights.flat());
        self.trainer.clear_metrics();
        self.halves.iter_mut().for_each(Half::begin_unit);
        self.unit = Some(Unit::default());
    }
}

impl DeviceTrainer for DeviceTraining {
    type Run<'a> = DeviceRun<'a>;
    type Results = UnitResults;
    type State = AdamReadBack;

    fn advance(&mut self, run: &mut DeviceRun) -> Result<Work, GpuError> {
        let DeviceRun { context, network, groups, replay, optimiser, updates, planned } = run;
        if self.unit.is_none() {
            self.begin_unit(context);
        }
        let middle = groups.len().div_ceil(2);
        let (first, second) = groups.split_at_mut(middle);
        let mut has_searched = false;
        for (half, groups) in self.halves.iter_mut().zip([first, second]) {
            has_searched |= half.advance(&self.evaluator, context, groups)?;
        }
        let is_played = self.halves.iter().all(Half::is_done);
        let unit = self.unit.get_or_insert_default();
        let due = if is_played { *planned } else { due_minibatches(*planned, groups, context.settings) };
        let due = due.min(unit.minibatches + MINIBATCHES_PER_STEP);
        let learns = due > unit.minibatches;
        for update in *updates + unit.minibatches..*updates + due {
            let samples = optimiser.draw(update, replay);
            let minibatch = prepare_minibatch(update, samples, replay, policy_head(&network.plan).is_some());
            let options = UpdateOptions {
                slot: unit.updates_on_device,
                learning_rate: context.settings.learning_rate_after(update),
                max_norm: context.settings.max_grad_norm,
                weight_decay: context.settings.weight_decay,
                value_weight: context.settings.value_weight,
            };
            self.trainer.submit(&minibatch, options);
            unit.minibatches += 1;
            unit.policies.push(minibatch.policies.positions());
            unit.updates_on_device += 1;
            if unit.updates_on_device == MAX_UPDATES_ON_DEVICE {
                unit.fetch_metrics(&self.trainer);
            }
        }
        Ok(if learns {
            Work::Submitted
        } else if is_played && unit.minibatches >= *planned {
            Work::NeedsResults
        } else if has_searched {
            Work::OnCpu
        } else {
            Work::Waiting
        })
    }

    fn read_results(&mut self, _: &mut DeviceRun, _is_watched: &mut bool) -> UnitResults {
        let unit = self.unit.get_or_insert_default();
        if unit.updates_on_device > 0 {
            unit.fetch_metrics(&self.trainer);
        }
        UnitResults { metrics: std::mem::take(&mut unit.metrics), weights: self.trainer.read_weights() }
    }

    fn take_results(
        &mut self,
        results: &mut UnitResults,
        run: &mut DeviceRun,
    ) -> Result<Option<Status>, GpuError> {
        let mut metrics = Vec::new();
        for pending in &results.metrics {
            let Some(arrived) = pending.poll()? else { return Ok(None) };
            metrics.extend(arrived);
        }
        let Some(values) = results.weights.poll::<f32>()? else { return Ok(None) };
        run.network.weights.update(|weights| weights.copy_from_slice(&values));
        let unit = self.unit.take().unwrap_or_default();
        for (metrics, policies) in metrics.iter().zip(&unit.policies) {
            let losses = Losses {
                value: f64::from(metrics.value_loss),
                policy: f64::from(metrics.policy_loss),
                entropy: f64::from(metrics.entropy),
                positions: run.context.settings.batch as f64,
                policies: *policies as f64,
            };
            run.optimiser.count_update(&losses, f64::from(metrics.gradient_norm));
        }
        Ok(Some(Status::UnitFinished))
    }

    /// The state of the optimiser. The network comes back at the end of every unit.
    fn read_state(&mut self, _: &mut DeviceRun) -> AdamReadBack {
        self.trainer.read_adam()
    }

    fn take_state(&mut self, state: &mut AdamReadBack, run: &mut DeviceRun) -> Result<bool, GpuError> {
        let Some(tensors) = state.poll()? else { return Ok(false) };
        run.optimiser.adam = Adam::from_tensors(self.trainer.parameters(), &tensors)?;
        Ok(true)
    }
}

impl Unit {
    /// Begins to fetch the metrics of the updates since they were set to zero, and sets them to zero.
    fn fetch_metrics(&mut self, trainer: &Trainer) {
        self.metrics.push(trainer.read_metrics(self.updates_on_device));
        trainer.clear_metrics();
        self.updates_on_device = 0;
    }
}

impl Optimiser {
    /// Counts an update that the device made.
    fn count_update(&mut self, losses: &Losses, gradient_norm: f64) {
        self.losses.add(losses);
        self.gradient_norms.add(gradient_norm);
    }
}

/// How many minibatches of a unit are due: the fraction of its turns that have been played.
fn due_minibatches(planned: u64, groups: &[GameGroup], settings: &AlphaZeroSettings) -> u64 {
    let turns = settings.games as u64 * u64::from(settings.turns);
    let turns_left: u64 = groups.iter().map(|group| u64::from(group.turns_left())).sum();
    planned * (turns - turns_left) / turns
}

/// A position as the device reads it ([`Position`] has the format), before the roll (`None`) or after it.
pub fn packed(board: &Board, dice: Option<Dice>) -> Position {
    /// Bits of a side's checkers: four for each of 26 places.
    const BITS_PER_SIDE: u32 = 104;
    let (own, other) = board.key();
    let roll = dice.map_or(0, |dice| {
        u128::from(dice.high()) | u128::from(dice.low()) << 4 | u128::from(playable_moves(board, dice)) << 8
    });
    let mut position = Position::default();
    for (words, side) in position.chunks_exact_mut(4).zip([own | roll << BITS_PER_SIDE, other]) {
        words.iter_mut().enumerate().for_each(|(i, word)| *word = (side >> (32 * i)) as u32);
    }
    position
}
