//! Training on the GPU: the worlds, the rollout, the learner and evaluations on the device. A unit, one
//! training iteration, has two parts here. The first is a rollout and the updates that learn from it. It is
//! submitted piece by piece; then its metrics come back, and the network if the stage needs it. The second is
//! an evaluation, where one is due: the CPU writes the states in which its episodes begin, and gets their
//! returns. Checkpoints have the same format as on the CPU: before a save, network, optimiser and worlds are
//! copied back.

pub mod ppo;
#[cfg(all(test, not(target_family = "wasm")))]
mod tests;

use std::sync::Arc;

use learnery_gpu::{Gpu, GpuError, Progress, ReadBack};
use learnery_lab::{Context, DeviceTrainer, LabError, Pump, Status, Work};
use learnery_nn::Tensors;
use learnery_worlds::control::{AnyWorlds, Kind};
use ppo::{
    AdamReadBack, EvaluationReadBack, MAX_INPUTS, Shape, Trainer, Unit, UnitMetrics, UnitProgress,
    UnitReadBack, WorldMetrics, Worlds, WorldsReadBack,
};

use crate::MAX_DRAWN_WORLDS;
use crate::bounds::Bounds;
use crate::collector::{Collector, RolloutSummary};
use crate::config::ControlConfig;
use crate::learner::{SHUFFLES_PER_UNIT, learning_rate};
use crate::network::Network;
use crate::normaliser::ObservationSums;
use crate::objective::LossStats;
use crate::phase::Phase;
use crate::task::Task;
use crate::training::{Control, Device, DeviceReport, DeviceRun, MoveToDevice};

/// The number of floats of a built-in world's state on the device.
const PADDED_STATE: usize = 4;
/// The longest episode of an evaluation on the device, in steps. A world that allows longer ones is refused
/// there: a submission has a fixed number of steps, so they would take many submissions.
#[cfg(feature = "own-worlds")]
const MAX_EVALUATION_STEPS: usize = 20_000;

/// The part of a run on the device.
#[derive(Debug)]
pub struct DeviceTraining {
    trainer: Trainer,
    /// Whether the device has begun with the present part of the unit.
    has_begun: bool,
}

/// Pending results.
#[derive(Debug)]
pub enum Results {
    /// Of collecting and learning.
    Unit(Box<UnitResults>),
    /// Of an evaluation.
    Returns(EvaluationReadBack),
}

/// Pending results of collecting and learning.
#[derive(Debug)]
pub struct UnitResults {
    metrics: UnitReadBack,
    /// The network's parameters, if the page draws the stage.
    weights: Option<ReadBack>,
    /// The worlds that the page draws, if it does.
    worlds: Option<WorldsReadBack>,
}

/// The pending state for a checkpoint.
#[derive(Debug)]
pub struct DeviceState {
    weights: ReadBack,
    adam: AdamReadBack,
    worlds: WorldsReadBack,
}

/// What moves runs to this GPU.
pub fn move_to(gpu: &Gpu) -> MoveToDevice {
    let gpu = gpu.clone();
    Arc::new(move |config, run| DeviceTraining::start(&gpu, config, run))
}

impl DeviceTraining {
    /// Moves a run to the device.
    fn start(gpu: &Gpu, config: &ControlConfig, run: &Control) -> Result<Device, LabError> {
        let Control { network, learner, collector, .. } = run;
        let trainer = new_trainer(gpu, config, network.task(), gpu.slice_cost())?;
        trainer.set_weights(network.weights.flat());
        trainer.set_adam(&adam_for_device(&learner.adam.to_tensors(), network.weights.len())?);
        trainer.set_worlds(0, &collector.worlds_for_device(network));
        Ok(Box::new(Pump::new(Self { trainer, has_begun: false })))
    }

    /// Begins to collect and to learn, or the evaluation.
    fn begin(
        &mut self,
        DeviceRun { cx, phase, network, collector, evaluator, .. }: &DeviceRun,
    ) -> Result<(), GpuError> {
        self.trainer.set_slice_cost(self.trainer.gpu().slice_cost())?;
        if *phase == Phase::Evaluating {
            return self.trainer.begin_evaluation(&evaluator.start_for_device(network, cx.seed));
        }
        self.trainer.begin(&unit_parameters(*cx, network, collector))
    }

    /// Notes what the device does, and how far it is.
    fn report(&self, DeviceRun { phase, report, .. }: &mut DeviceRun) {
        (report.phase, report.phase_fraction) = if *phase == Phase::Evaluating {
            (Phase::Evaluating, self.trainer.evaluation_progress())
        } else {
            match self.trainer.unit_progress() {
                UnitProgress::Collecting(fraction) => (Phase::Collecting, fraction),
                UnitProgress::Learning(fraction) => (Phase::Learning, fraction),
            }
        };
    }

    /// Takes in what a unit has collected and learned.
    fn take_unit(metrics: &UnitMetrics, run: &mut DeviceRun) {
        let UnitMetrics { updates, worlds, discounted, .. } = metrics;
        let DeviceRun { cx, network, learner, collector, report, .. } = run;
        if let Some(discounted) = discounted {
            collector.absorb_discounted(*discounted);
        }
        collector.count_rollout();
        // Phase and fraction are reset until they are reported again.
        **report = DeviceReport { summary: summarise(worlds, cx.config.horizon), ..DeviceReport::default() };
        #[cfg(feature = "own-worlds")]
        if let (Some(faults), Task::Own(own)) = (&metrics.faults, network.task()) {
            report.fault_sentence = own.find_line(cx.seed, faults).sentence(report.summary.episodes);
        }
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
        // The observation normaliser is updated after learning: samples are learned from with the
        // normalisation that they were collected with.
        worlds.iter().for_each(|group| {
            network.normaliser.absorb(&observation_sums(group, cx.config.horizon, network.inputs()));
        });
    }
}

impl DeviceTrainer for DeviceTraining {
    type Run<'a> = DeviceRun<'a>;
    type Results = Results;
    type State = DeviceState;

    fn advance(&mut self, run: &mut DeviceRun) -> Result<Work, GpuError> {
        let progress = if !self.has_begun {
            self.begin(run)?;
            self.has_begun = true;
            Progress::Submitted
        } else if run.phase == Phase::Evaluating {
            self.trainer.advance_evaluation()?
        } else {
            self.trainer.advance()?
        };
        self.report(run);
        Ok(match progress {
            Progress::Waiting => Work::Waiting,
            Progress::Submitted => Work::Submitted,
            Progress::Finished => Work::NeedsResults,
        })
    }

    fn read_results(&mut self, run: &mut DeviceRun, is_watched: &mut bool) -> Results {
        if run.phase == Phase::Evaluating {
            return Results::Returns(self.trainer.read_returns().expect("an evaluation has begun"));
        }
        // The page sets this again when it draws the next unit.
        let is_watched = std::mem::take(is_watched);
        let drawn = run.collector.worlds().min(MAX_DRAWN_WORLDS);
        Results::Unit(Box::new(UnitResults {
            metrics: self.trainer.read_unit(),
            weights: is_watched.then(|| self.trainer.read_weights()),
            worlds: is_watched.then(|| self.trainer.read_worlds(drawn)),
        }))
    }

    fn take_results(
        &mut self,
        results: &mut Results,
        run: &mut DeviceRun,
    ) -> Result<Option<Status>, GpuError> {
        match results {
            Results::Unit(results) => {
                let Some(metrics) = results.metrics.poll()? else { return Ok(None) };
                if let Some(reading) = &results.weights {
                    let Some(values) = reading.poll::<f32>()? else { return Ok(None) };
                    run.network.weights.update(|weights| weights.copy_from_slice(&values));
                }
                if let Some(reading) = &results.worlds {
                    let Some(worlds) = reading.poll()? else { return Ok(None) };
                    put_worlds(run.collector, run.network, &worlds)?;
                }
                Self::take_unit(&metrics, run);
            }
            Results::Returns(reading) => {
                let Some((returns, successes)) = reading.poll()? else { return Ok(None) };
                run.evaluator.put_results(&returns, &successes);
                (run.report.phase, run.report.phase_fraction) = (Phase::default(), 0.0);
            }
        }
        self.has_begun = false;
        // This part is finished. `Control::step_on_device` begins the evaluation, or ends the unit.
        Ok(Some(Status::UnitFinished))
    }

    fn read_state(&mut self, run: &mut DeviceRun) -> DeviceState {
        DeviceState {
            weights: self.trainer.read_weights(),
            adam: self.trainer.read_adam(),
            worlds: self.trainer.read_worlds(run.collector.worlds()),
        }
    }

    fn take_state(&mut self, state: &mut DeviceState, run: &mut DeviceRun) -> Result<bool, GpuError> {
        let DeviceRun { network, learner, collector, .. } = run;
        let (Some(weights), Some(adam), Some(worlds)) =
            (state.weights.poll::<f32>()?, state.adam.poll()?, state.worlds.poll()?)
        else {
            return Ok(false);
        };
        network.weights.update(|to| to.copy_from_slice(&weights));
        let mut tensors = Tensors::new();
        // The names of Adam's tensors: first moments, second moments and the number of steps.
        tensors.insert("m", &[weights.len()], &adam.first_moments);
        tensors.insert("v", &[weights.len()], &adam.second_moments);
        tensors.insert("t", &[1], &[u64::from(adam.steps)]);
        learner.set_adam(&tensors)?;
        put_worlds(collector, network, &worlds)?;
        Ok(true)
    }
}

/// The device's trainer for a run with this world and these settings. `slice_cost` limits how much a
/// submission computes; tests choose another than that of the device.
fn new_trainer(gpu: &Gpu, config: &ControlConfig, task: &Task, slice_cost: f64) -> Result<Trainer, LabError> {
    let shape = |world| Shape {
        world,
        worlds: config.worlds as usize,
        horizon: config.horizon as usize,
        hidden: config.hidden as usize,
        is_squashed: Bounds::new(config.action_bounds, task).is_squashed(),
    };
    let built_in = match task {
        Task::BuiltIn(Kind::CartPole) => ppo::World::CartPole,
        Task::BuiltIn(Kind::MountainCar) => ppo::World::MountainCar,
        Task::BuiltIn(Kind::Pendulum) => ppo::World::Pendulum,
        Task::BuiltIn(Kind::Acrobot) => ppo::World::Acrobot,
        #[cfg(feature = "own-worlds")]
        Task::Own(own) => {
            let steps = own.max_steps() as usize;
            if steps > MAX_EVALUATION_STEPS {
                return Err(LabError::Device(format!(
                    "this world allows episodes of {steps} steps; on a GPU at most {MAX_EVALUATION_STEPS} are \
                     possible"
                )));
            }
            let ppo::OwnRules { world, wgsl, parameters } = own.on_device();
            let trainer = Trainer::with_slice_cost(gpu, shape(world), &wgsl, slice_cost)?;
            trainer.set_parameters(&parameters);
            return Ok(trainer);
        }
        #[cfg(not(target_family = "wasm"))]
        Task::External(_) => return Err(LabError::Device("the caller steps the worlds of this run".into())),
    };
    Ok(Trainer::with_slice_cost(gpu, shape(built_in), "", slice_cost)?)
}

/// Whether the user has written the rules of the world.
pub(crate) fn has_text(task: &Task) -> bool {
    #[cfg(feature = "own-worlds")]
    return matches!(task, Task::Own(_));
    #[cfg(not(feature = "own-worlds"))]
    {
        let _ = task;
        false
    }
}

/// Appends the states of these worlds as the device has them (`ppo::Worlds`): those of built-in worlds
/// padded, those of own worlds with the observation after the state. Returns in which worlds the rules had a
/// fault in the first state of the episode, which `OwnWorlds` marks by NaN.
pub(crate) fn push_states(worlds: &dyn AnyWorlds, task: &Task, states: &mut Vec<f32>) -> Vec<bool> {
    let (n, width, inputs) = (worlds.count(), task.state_size(), task.inputs());
    let has_text = has_text(task);
    let mut seen = vec![0.0; n * inputs];
    worlds.observe(&mut seen);
    let push = |(i, seen): (usize, &[f32])| {
        let first = states.len();
        states.resize(first + width, 0.0);
        worlds.state(i, &mut states[first..]);
        let is_broken = has_text && states[first..].iter().all(|x| x.is_nan());
        if is_broken {
            states[first..].fill(0.0);
        }
        if has_text {
            states.extend_from_slice(seen);
        } else {
            states.resize(first + PADDED_STATE, 0.0);
        }
        is_broken
    };
    seen.chunks_exact(inputs).enumerate().map(push).collect()
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
        discounted: collector.discounted_for_device(),
        normaliser: normaliser(network),
    }
}

/// How the network's observations are normalised.
pub(crate) fn normaliser(network: &Network) -> Option<ppo::Normaliser> {
    let (limit, shift, scale) = network.normaliser.shift_and_scale()?;
    let padded = |from: &[f32], rest: f32| -> [f32; MAX_INPUTS] {
        std::array::from_fn(|i| from.get(i).copied().unwrap_or(rest))
    };
    Some(ppo::Normaliser { limit, shift: padded(shift, 0.0), scale: padded(scale, 1.0) })
}

/// The number of samples of the minibatch from which update number `update` of a unit learns. The minibatches
/// have the bounds of `Learner::step`.
fn minibatch_samples(total: usize, minibatches: usize, update: usize) -> usize {
    let minibatches = minibatches.min(total);
    let minibatch = update % minibatches;
    (minibatch + 1) * total / minibatches - minibatch * total / minibatches
}

/// The state of Adam for the device, which counts steps in 32 bits. Steps matter for the bias corrections
/// only, which are 1 long before the count is full.
fn adam_for_device(tensors: &Tensors, parameters: usize) -> Result<ppo::Adam, LabError> {
    Ok(ppo::Adam {
        first_moments: tensors.get("m", &[parameters])?,
        second_moments: tensors.get("v", &[parameters])?,
        steps: u32::try_from(tensors.get::<u64>("t", &[1])?[0]).unwrap_or(u32::MAX),
    })
}

/// Copies fetched worlds, all or the first ones, into the collector.
fn put_worlds(collector: &mut Collector, network: &Network, worlds: &Worlds) -> Result<(), GpuError> {
    if collector.put_worlds(network, worlds) {
        return Ok(());
    }
    Err(GpuError::Failed("it returned a world in an impossible state".into()))
}

/// Sums up what all groups of worlds collected in `horizon` steps.
fn summarise(groups: &[WorldMetrics], horizon: u32) -> RolloutSummary {
    let sum = |f: fn(&WorldMetrics) -> f32| groups.iter().map(|group| f64::from(f(group))).sum::<f64>();
    let worlds = sum(|group| group.worlds);
    // The sum of squared deviations from the overall mean: the sums within the groups, plus for every sample
    // the squared deviation of its group's mean from the overall mean.
    let deviations = |mean: fn(&WorldMetrics) -> f32, squares: fn(&WorldMetrics) -> f32| {
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
fn observation_sums(group: &WorldMetrics, horizon: u32, inputs: usize) -> ObservationSums {
    let doubles = |from: &[f32]| from[..inputs].iter().map(|x| f64::from(*x)).collect();
    let count = f64::from(group.worlds) * f64::from(horizon);
    ObservationSums::from_parts(count, doubles(&group.observations), doubles(&group.observation_squares))
}
