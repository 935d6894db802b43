//! AlphaZero with its network on a GPU: the device evaluates positions and learns, the CPU searches.
//!
//! The games are dealt into two halves. While the device evaluates the positions of one half, the CPU searches in the
//! other, so neither waits. A game depends on its number and on the network alone, so dealing them otherwise, or other
//! timing, changes no game. Updates are submitted as self-play proceeds; they change the network that learns, not the one
//! that plays.
//!
//! After each unit, figures and parameters come back. Evaluation games and the stage run on the CPU. Checkpoints have the
//! same format as on the CPU: before a save, the state of the optimiser is copied back.

mod half;
mod minibatch;
pub mod resnet;
#[cfg(test)]
mod tests;

use learnery_gpu::adam::AdamReadBack;
use learnery_gpu::{Gpu, GpuError, ReadBack};
use learnery_lab::LabError;
use learnery_nn::Adam;
use learnery_worlds::backgammon::{Board, Dice, playable_moves};
use resnet::{Evaluator, FiguresReadBack, Position, Trainer, UpdateOptions};

use super::network::{Network, policy_head};
use super::optimiser::{Losses, Optimiser};
use super::replay::ReplayBuffer;
use super::self_play::{Context, GameGroup};
use super::settings::AlphaZeroSettings;
use half::Half;
use minibatch::minibatch;

/// Updates whose figures are on the device at the same time.
const FIGURES: usize = 1024;

/// The most minibatches that are submitted in one step, so that positions to evaluate do not wait behind them for long.
const MINIBATCHES_PER_STEP: u64 = 4;

/// The network on the device, and the self-play that waits for it.
#[derive(Debug)]
pub struct DeviceTraining {
    evaluator: Evaluator,
    trainer: Trainer,
    halves: [Half; 2],
    /// The unit under way, if there is one.
    unit: Option<Unit>,
    state_fetch: Option<AdamReadBack>,
    /// Whether the CPU's copy of the optimiser is up to date. That of the network always is between two units.
    cpu_is_current: bool,
    failure: Option<GpuError>,
}

/// What a unit on the device has done.
#[derive(Debug, Default)]
struct Unit {
    /// Minibatches submitted.
    minibatches: u64,
    /// Positions with a policy target in each of them.
    policies: Vec<usize>,
    /// Minibatches since the figures were set to zero.
    in_figures: usize,
    /// Pending figures, in the order of the updates.
    figures: Vec<FiguresReadBack>,
    weights: Option<ReadBack>,
}

/// What a step on the device did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stepped {
    /// A part of the unit. Call it again.
    Advanced,
    /// Nothing, because the device is busy.
    Waiting,
    /// It took in the results of the unit.
    UnitLearned,
}

/// The parts of a learner that a step on the device reads and changes.
pub struct Parts<'a> {
    pub context: Context<'a>,
    /// The network that learns. Its CPU copy changes at the end of a unit.
    pub network: &'a mut Network,
    pub groups: &'a mut [GameGroup],
    pub replay: &'a ReplayBuffer,
    pub optimiser: &'a mut Optimiser,
    /// Updates before this unit.
    pub updates: u64,
    /// Minibatches planned for the unit.
    pub planned: u64,
}

impl DeviceTraining {
    /// Moves a learner to the device, between two units.
    pub fn new(
        gpu: &Gpu,
        settings: &AlphaZeroSettings,
        network: &Network,
        adam: &Adam,
    ) -> Result<Self, LabError> {
        let device = |e: GpuError| LabError::Device(e.to_string());
        let (net, parameters) = (&network.plan, network.weights.len());
        let evaluator = Evaluator::new(gpu, net, parameters).map_err(device)?;
        let trainer = Trainer::new(gpu, net, parameters, settings.batch, FIGURES).map_err(device)?;
        trainer.set_weights(network.weights.flat());
        trainer.load_adam(&adam.to_tensors())?;
        Ok(Self {
            evaluator,
            trainer,
            halves: [Half::default(), Half::default()],
            unit: None,
            state_fetch: None,
            cpu_is_current: true,
            failure: None,
        })
    }

    /// Why the device failed.
    pub fn failure(&self) -> Option<&GpuError> {
        self.failure.as_ref()
    }

    /// Does a step of a unit; `Err` if the device failed.
    pub fn step(&mut self, parts: Parts) -> Result<Stepped, DeviceFailed> {
        self.try_step(parts).map_err(|error| self.fail(error))
    }

    fn try_step(&mut self, parts: Parts) -> Result<Stepped, GpuError> {
        let Parts { context, network, groups, replay, optimiser, updates, planned } = parts;
        if self.unit.is_none() {
            self.begin_unit(&context);
        }
        let middle = groups.len().div_ceil(2);
        let (first, second) = groups.split_at_mut(middle);
        let mut advanced = false;
        for (half, groups) in self.halves.iter_mut().zip([first, second]) {
            advanced |= half.advance(&self.evaluator, &context, groups)?;
        }
        let is_played = self.halves.iter().all(Half::is_done);
        let unit = self.unit.get_or_insert_default();
        let due = if is_played { planned } else { due(planned, groups, context.settings) };
        let due = due.min(unit.minibatches + MINIBATCHES_PER_STEP);
        for update in unit.minibatches..due {
            let samples = optimiser.draw(updates + update, replay);
            let minibatch =
                minibatch(updates + update, samples, replay, policy_head(&network.plan).is_some());
            let options = UpdateOptions {
                slot: unit.in_figures,
                learning_rate: context.settings.learning_rate_after(updates + update),
                max_norm: context.settings.max_grad_norm,
                weight_decay: context.settings.weight_decay,
                value_weight: context.settings.value_weight,
            };
            self.trainer.submit(&minibatch, options);
            unit.minibatches += 1;
            unit.policies.push(minibatch.policies.positions());
            unit.in_figures += 1;
            if unit.in_figures == FIGURES {
                unit.fetch_figures(&self.trainer);
            }
            advanced = true;
        }
        if !is_played || unit.minibatches < planned {
            return Ok(if advanced { Stepped::Advanced } else { Stepped::Waiting });
        }
        self.end_unit(network, optimiser, planned, context.settings.batch)
    }

    fn begin_unit(&mut self, context: &Context) {
        self.evaluator.set_weights(context.network.weights.flat());
        self.trainer.clear_figures();
        self.halves.iter_mut().for_each(Half::begin_unit);
        self.unit = Some(Unit::default());
        // A pending copy would be that of the state before this unit.
        self.state_fetch = None;
    }

    /// Fetches figures and parameters, and takes them in once they have arrived.
    fn end_unit(
        &mut self,
        network: &mut Network,
        optimiser: &mut Optimiser,
        planned: u64,
        batch: usize,
    ) -> Result<Stepped, GpuError> {
        let unit = self.unit.get_or_insert_default();
        let trainer = &self.trainer;
        if unit.in_figures > 0 {
            unit.fetch_figures(trainer);
        }
        let weights = unit.weights.get_or_insert_with(|| trainer.read_weights());
        let mut figures = Vec::new();
        for pending in &unit.figures {
            let Some(arrived) = pending.poll()? else { return Ok(Stepped::Waiting) };
            figures.extend(arrived);
        }
        let Some(values) = weights.poll::<f32>()? else { return Ok(Stepped::Waiting) };
        network.weights.update(|weights| weights.copy_from_slice(&values));
        for (figures, policies) in figures.iter().zip(&unit.policies) {
            let losses = Losses {
                value: f64::from(figures.value_loss),
                policy: f64::from(figures.policy_loss),
                entropy: f64::from(figures.entropy),
                positions: batch as f64,
                policies: *policies as f64,
            };
            optimiser.count_update(&losses, f64::from(figures.gradient_norm));
        }
        self.cpu_is_current &= planned == 0;
        self.unit = None;
        Ok(Stepped::UnitLearned)
    }

    /// Begins, or goes on, to fetch the state of the optimiser. Returns whether the CPU's copy is up to date. Must be
    /// called between two units.
    pub fn fetch_state(&mut self, adam: &mut Adam) -> Result<bool, DeviceFailed> {
        debug_assert!(self.unit.is_none(), "a unit is under way");
        if self.cpu_is_current {
            return Ok(true);
        }
        let trainer = &self.trainer;
        let reading = self.state_fetch.get_or_insert_with(|| trainer.read_adam());
        let fetched = match reading.poll() {
            Ok(None) => return Ok(false),
            Ok(Some(tensors)) => Adam::from_tensors(trainer.parameters(), &tensors)
                .map_err(|e| GpuError::Failed(e.to_string())),
            Err(error) => Err(error),
        };
        *adam = fetched.map_err(|error| self.fail(error))?;
        (self.state_fetch, self.cpu_is_current) = (None, true);
        Ok(true)
    }

    fn fail(&mut self, error: GpuError) -> DeviceFailed {
        self.failure.get_or_insert(error);
        DeviceFailed
    }
}

impl Unit {
    /// Begins to fetch the figures of the updates since they were set to zero, and sets them to zero.
    fn fetch_figures(&mut self, trainer: &Trainer) {
        self.figures.push(trainer.read_figures(self.in_figures));
        trainer.clear_figures();
        self.in_figures = 0;
    }
}

/// The device failed; [`DeviceTraining::failure`] says why.
#[derive(Clone, Copy, Debug)]
pub struct DeviceFailed;

/// How many minibatches of a unit are due: the fraction of its turns that have been played.
fn due(planned: u64, groups: &[GameGroup], settings: &AlphaZeroSettings) -> u64 {
    let all = settings.games as u64 * u64::from(settings.turns);
    let left: u64 = groups.iter().map(|group| u64::from(group.turns_left())).sum();
    planned * (all - left) / all
}

/// A position as the device reads it, before the roll (`None`) or after it.
pub fn packed(board: &Board, dice: Option<Dice>) -> Position {
    /// Bits of a side's checkers.
    const SIDE: u32 = 104;
    let (own, other) = board.key();
    let roll = dice.map_or(0, |dice| {
        u128::from(dice.high()) | u128::from(dice.low()) << 4 | u128::from(playable_moves(board, dice)) << 8
    });
    let mut position = Position::default();
    for (words, side) in position.chunks_exact_mut(4).zip([own | roll << SIDE, other]) {
        words.iter_mut().enumerate().for_each(|(i, word)| *word = (side >> (32 * i)) as u32);
    }
    position
}
