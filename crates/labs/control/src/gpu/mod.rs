//! Training on the GPU: the worlds, the rollout and the learner on the device. A unit is one training iteration: a rollout
//! and the updates that learn from it. It is submitted in parts; when it ends, its figures come back, and the network where
//! the evaluation or the stage needs it. Evaluations run on the CPU. Checkpoints have the same format as on the CPU: before
//! a save, network, optimiser and worlds are copied back.

pub mod ppo;
#[cfg(all(test, not(target_family = "wasm")))]
mod tests;

use learnery_gpu::{Gpu, GpuError, Progress, ReadBack};
use learnery_lab::{Context, LabError};
use learnery_nn::Tensors;
use ppo::{
    AdamReadBack, MAX_INPUTS, Shape, Trainer, Unit, UnitFigures, UnitReadBack, WorldFigures, Worlds,
    WorldsReadBack,
};

use crate::MAX_DRAWN_WORLDS;
use crate::collector::{Collector, RolloutSummary};
use crate::config::ControlConfig;
use crate::learner::{Learner, SHUFFLES_PER_UNIT, learning_rate};
use crate::network::Network;
use crate::normaliser::ObservationSums;
use crate::objective::LossStats;
use crate::phase::Phase;
use crate::world::World;

/// The device failed; [`GpuTraining::failure`] says why.
#[derive(Clone, Copy, Debug)]
pub struct DeviceFailed;

/// The part of a run on the device.
#[derive(Debug)]
pub struct GpuTraining {
    trainer: Trainer,
    /// Whether a unit has begun.
    in_unit: bool,
    unit_fetch: Option<UnitFetch>,
    state_fetch: Option<StateFetch>,
    /// What the last completed unit collected.
    summary: RolloutSummary,
    /// Whether the CPU's copies of network, optimiser and worlds are up to date.
    cpu_is_current: bool,
    /// Set when the page draws the run. Then network and worlds are fetched when the unit ends, which clears it.
    pub is_watched: bool,
    failure: Option<GpuError>,
}

/// Pending read-backs at the end of a unit.
#[derive(Debug)]
struct UnitFetch {
    figures: UnitReadBack,
    weights: Option<ReadBack>,
    worlds: Option<WorldsReadBack>,
}

/// Pending read-backs for a checkpoint.
#[derive(Debug)]
struct StateFetch {
    weights: ReadBack,
    adam: AdamReadBack,
    worlds: WorldsReadBack,
}

/// What a step on the device did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stepped {
    /// It began the unit or submitted a part of it. Call it again.
    Submitted,
    /// Nothing, because the device is busy.
    Waiting,
    /// It took in the results of the whole unit.
    UnitLearned,
}

impl GpuTraining {
    /// Moves a run to the device.
    pub fn new(
        gpu: &Gpu,
        config: &ControlConfig,
        network: &Network,
        learner: &Learner,
        collector: &Collector,
    ) -> Result<Self, LabError> {
        let shape = Shape {
            world: kind(config.world),
            worlds: config.worlds as usize,
            horizon: config.horizon as usize,
            hidden: config.hidden as usize,
        };
        let trainer = Trainer::new(gpu, shape).map_err(|e| LabError::Device(e.to_string()))?;
        trainer.set_weights(network.weights.flat());
        trainer.set_adam(&adam_of(&learner.adam.to_tensors(), network.weights.len())?);
        trainer.set_worlds(0, &collector.worlds_for_device());
        Ok(Self {
            trainer,
            in_unit: false,
            unit_fetch: None,
            state_fetch: None,
            summary: RolloutSummary::default(),
            cpu_is_current: true,
            is_watched: false,
            failure: None,
        })
    }

    /// Why the device failed.
    pub fn failure(&self) -> Option<&GpuError> {
        self.failure.as_ref()
    }

    /// What the last completed unit collected.
    pub fn summary(&self) -> RolloutSummary {
        self.summary
    }

    /// What the device does, and how far it is.
    pub fn progress(&self) -> (Phase, f32) {
        if !self.in_unit {
            return (Phase::Collecting, 0.0);
        }
        let (is_collecting, fraction) = self.trainer.fraction_done();
        (if is_collecting { Phase::Collecting } else { Phase::Learning }, fraction)
    }

    /// Does a step of a unit: begins it, submits its next part, or takes in its results. `with_network` says whether the
    /// network is needed at its end.
    pub fn step(
        &mut self,
        cx: Context<ControlConfig>,
        network: &mut Network,
        learner: &mut Learner,
        collector: &mut Collector,
        with_network: bool,
    ) -> Result<Stepped, DeviceFailed> {
        if !self.in_unit {
            let unit = unit_parameters(cx, network, collector);
            self.trainer.begin(&unit).map_err(|e| self.fail(e))?;
            (self.in_unit, self.cpu_is_current) = (true, false);
            // A pending copy would be that of the state before this unit.
            self.state_fetch = None;
            return Ok(Stepped::Submitted);
        }
        if self.unit_fetch.is_none() {
            match self.trainer.advance().map_err(|e| self.fail(e))? {
                Progress::Waiting => return Ok(Stepped::Waiting),
                Progress::Submitted => return Ok(Stepped::Submitted),
                Progress::Finished => self.fetch_unit(collector, with_network),
            }
        }
        match self.take_unit(cx, network, learner, collector) {
            Ok(true) => Ok(Stepped::UnitLearned),
            Ok(false) => Ok(Stepped::Waiting),
            Err(error) => Err(self.fail(error)),
        }
    }

    /// Begins to fetch the unit's results.
    fn fetch_unit(&mut self, collector: &Collector, with_network: bool) {
        let drawn = collector.worlds().min(MAX_DRAWN_WORLDS);
        self.unit_fetch = Some(UnitFetch {
            figures: self.trainer.read_unit(),
            weights: (with_network || self.is_watched).then(|| self.trainer.read_weights()),
            worlds: self.is_watched.then(|| self.trainer.read_worlds(drawn)),
        });
        self.is_watched = false;
    }

    /// Takes in the unit's results, once all of them have arrived.
    fn take_unit(
        &mut self,
        cx: Context<ControlConfig>,
        network: &mut Network,
        learner: &mut Learner,
        collector: &mut Collector,
    ) -> Result<bool, GpuError> {
        let Some(fetch) = &self.unit_fetch else { return Ok(false) };
        let Some(figures) = fetch.figures.poll()? else { return Ok(false) };
        if let Some(reading) = &fetch.weights {
            let Some(values) = reading.poll::<f32>()? else { return Ok(false) };
            network.weights.update(|weights| weights.copy_from_slice(&values));
        }
        if let Some(reading) = &fetch.worlds {
            let Some(worlds) = reading.poll()? else { return Ok(false) };
            put_worlds(collector, &worlds)?;
        }
        (self.unit_fetch, self.in_unit) = (None, false);
        collector.count_rollout();
        let UnitFigures { updates, worlds } = figures;
        self.summary = summary(&worlds, cx.config.horizon);
        let (samples, minibatches) = (collector.len(), cx.config.minibatches as usize);
        learner.finish_unit_on_device(updates.iter().enumerate().map(|(i, update)| {
            let stats = LossStats {
                policy_loss: f64::from(update.policy_loss),
                value_loss: f64::from(update.value_loss),
                entropy: f64::from(update.entropy),
                kl: f64::from(update.kl),
                clipped: f64::from(update.clipped),
                samples: minibatch_samples(samples, minibatches, i) as f64,
            };
            (stats, update.gradient_norm)
        }));
        // The observation normaliser is updated after learning: samples are learned from with the normalisation that they
        // were collected with.
        worlds.iter().for_each(|group| {
            network.normaliser.absorb(&observation_sums(group, cx.config.horizon, network.inputs()));
        });
        Ok(true)
    }

    /// Begins, or goes on, to fetch what a checkpoint needs, and writes it to the CPU's copies. Returns whether they are
    /// up to date. Must be called between two units.
    pub fn fetch_state(
        &mut self,
        network: &mut Network,
        learner: &mut Learner,
        collector: &mut Collector,
    ) -> Result<bool, DeviceFailed> {
        debug_assert!(!self.in_unit, "a unit is under way");
        if self.cpu_is_current {
            return Ok(true);
        }
        let state = self.state_fetch.get_or_insert_with(|| StateFetch {
            weights: self.trainer.read_weights(),
            adam: self.trainer.read_adam(),
            worlds: self.trainer.read_worlds(collector.worlds()),
        });
        match state.take(network, learner, collector) {
            Ok(false) => Ok(false),
            Ok(true) => {
                (self.state_fetch, self.cpu_is_current) = (None, true);
                Ok(true)
            }
            Err(error) => Err(self.fail(error)),
        }
    }

    fn fail(&mut self, error: GpuError) -> DeviceFailed {
        self.failure.get_or_insert(error);
        DeviceFailed
    }
}

impl StateFetch {
    /// Writes the state to the CPU's copies, once all of it has arrived.
    fn take(
        &self,
        network: &mut Network,
        learner: &mut Learner,
        collector: &mut Collector,
    ) -> Result<bool, GpuError> {
        let (Some(weights), Some(adam), Some(worlds)) =
            (self.weights.poll::<f32>()?, self.adam.poll()?, self.worlds.poll()?)
        else {
            return Ok(false);
        };
        network.weights.update(|to| to.copy_from_slice(&weights));
        let mut tensors = Tensors::new();
        tensors.insert("m", &[weights.len()], &adam.first_moments);
        tensors.insert("v", &[weights.len()], &adam.second_moments);
        tensors.insert("t", &[1], &[u64::from(adam.steps)]);
        learner.set_adam(&tensors).map_err(|e| GpuError::Failed(e.to_string()))?;
        put_worlds(collector, &worlds)?;
        Ok(true)
    }
}

/// The device's kind of world.
fn kind(world: World) -> ppo::World {
    match world {
        World::CartPole => ppo::World::CartPole,
        World::MountainCar => ppo::World::MountainCar,
        World::Pendulum => ppo::World::Pendulum,
        World::Acrobot => ppo::World::Acrobot,
    }
}

/// The parameters of the next unit.
fn unit_parameters(cx: Context<ControlConfig>, network: &Network, collector: &Collector) -> Unit {
    let config = cx.config;
    Unit {
        seed: cx.seed,
        clock: collector.clock(),
        shuffle: cx.unit * SHUFFLES_PER_UNIT,
        epochs: config.epochs,
        minibatches: config.minibatches.min(collector.len() as u32),
        normalise_advantages: config.normalise_advantages,
        learning_rate: learning_rate(config, cx.unit),
        max_norm: config.max_grad_norm as f32,
        clip: config.clip as f32,
        value_clip: config.value_clip as f32,
        target_kl: config.target_kl as f32,
        entropy_weight: config.entropy_weight as f32,
        value_weight: config.value_weight as f32,
        gamma: config.gamma as f32,
        lambda: config.gae_lambda as f32,
        reward_scale: config.reward_scale as f32,
        shaping: config.shaping as f32,
        normaliser: network.normaliser.shift_and_scale().map(|(limit, shift, scale)| {
            let padded = |from: &[f32], rest: f32| -> [f32; MAX_INPUTS] {
                std::array::from_fn(|i| from.get(i).copied().unwrap_or(rest))
            };
            ppo::Normaliser { limit, shift: padded(shift, 0.0), scale: padded(scale, 1.0) }
        }),
    }
}

/// Samples of the minibatch of update `update`.
fn minibatch_samples(total: usize, minibatches: usize, update: usize) -> usize {
    let minibatches = minibatches.min(total);
    let minibatch = update % minibatches;
    (minibatch + 1) * total / minibatches - minibatch * total / minibatches
}

/// The state of Adam for the device.
fn adam_of(tensors: &Tensors, parameters: usize) -> Result<ppo::Adam, LabError> {
    Ok(ppo::Adam {
        first_moments: tensors.get("m", &[parameters])?,
        second_moments: tensors.get("v", &[parameters])?,
        steps: u32::try_from(tensors.get::<u64>("t", &[1])?[0]).unwrap_or(u32::MAX),
    })
}

/// Copies fetched worlds, all or the first ones, into the collector.
fn put_worlds(collector: &mut Collector, worlds: &Worlds) -> Result<(), GpuError> {
    if collector.put_worlds(worlds) {
        return Ok(());
    }
    Err(GpuError::Failed("it returned a world in an impossible state".into()))
}

/// What all groups of worlds collected in `horizon` steps.
fn summary(groups: &[WorldFigures], horizon: u32) -> RolloutSummary {
    let sum = |f: fn(&WorldFigures) -> f32| groups.iter().map(|group| f64::from(f(group))).sum::<f64>();
    let worlds = sum(|group| group.worlds);
    // The sum of squared deviations: those within the groups, plus those of the groups' means from the overall mean.
    let deviations = |mean: fn(&WorldFigures) -> f32, squares: fn(&WorldFigures) -> f32| {
        let means = || groups.iter().map(|group| (f64::from(group.worlds), f64::from(mean(group))));
        let overall = means().map(|(worlds, mean)| worlds * mean).sum::<f64>() / worlds;
        let between: f64 = means().map(|(worlds, mean)| worlds * (mean - overall) * (mean - overall)).sum();
        sum(squares) + f64::from(horizon) * between
    };
    let errors = deviations(|group| group.error_mean, |group| group.error_squares);
    let returns = deviations(|group| group.return_mean, |group| group.return_squares);
    let episodes = sum(|group| group.episodes);
    RolloutSummary {
        mean_return: sum(|group| group.episode_returns) / episodes,
        episodes: episodes as u64,
        explained_variance: 1.0 - errors / returns,
    }
}

/// The sums over the observations of a group of worlds.
fn observation_sums(group: &WorldFigures, horizon: u32, inputs: usize) -> ObservationSums {
    let doubles = |from: &[f32]| from[..inputs].iter().map(|x| f64::from(*x)).collect();
    let count = f64::from(group.worlds) * f64::from(horizon);
    ObservationSums::from_parts(count, doubles(&group.observations), doubles(&group.observation_squares))
}
