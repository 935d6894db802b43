//! The learner's GPU backend: the batches and schedules of [`super::learner`], with everything from the
//! embedding to the optimiser on the device. Per update, only tokens and hyperparameters are uploaded. When a
//! unit (an iteration) ends, losses and gradient norms are read back, and the network if it is needed for the
//! stage or a checkpoint.

use std::collections::VecDeque;
use std::sync::Arc;

use learnery_gpu::transformer::{Algorithm, Generator, OptimiserReadBack, Prompt, Sampling, Trainer, Update};
use learnery_gpu::{Gpu, GpuError, Precision, Progress, ReadBack};
use learnery_lab::{DeviceTrainer, Pump, Status, Work};
use learnery_nn::{MuonOptions, Tensors};

use super::config::{LanguageConfig, Optimiser};
use super::evaluation::Evaluator;
use super::generation::SamplingOptions;
use super::learner::UpdateStatistics;
use super::network::Network;
use super::phase::Phase;
use super::run::{DeviceRun, MoveToDevice};
use super::samples::{SampleHistory, TOKENS_PER_STEP};

/// The most updates of a unit, the upper bound of the setting `updates`.
const MAX_UPDATES_PER_UNIT: usize = 1000;

/// What was requested from the device at the end of a phase or of a part of it, and has not arrived yet.
#[derive(Debug)]
pub enum Results {
    /// The losses and gradient norms of the updates of a unit, and the network if it is needed.
    Unit { metrics: ReadBack, weights: Option<ReadBack> },
    /// The sum of the losses of a text, for a micro-batch of an evaluation.
    Loss(ReadBack),
    /// The most likely tokens of problems, for a micro-batch of an evaluation.
    Likeliest(ReadBack),
    /// The next tokens of a sample; the generator holds their read-back.
    Sample,
}

/// The pending weights and state of the optimiser, for a checkpoint.
#[derive(Debug)]
pub struct DeviceState {
    weights: ReadBack,
    optimiser: OptimiserReadBack,
}

/// The GPU backend of a learner.
#[derive(Debug)]
pub struct GpuLearner {
    trainer: Trainer,
    /// Whether an update is being submitted.
    is_updating: bool,
    sample: SampleOnDevice,
    /// Bytes of the counted targets of each update of the unit, so its length is the number of updates.
    bytes: VecDeque<usize>,
}

/// The sample that is being generated.
#[derive(Debug, Default)]
struct SampleOnDevice {
    /// Made for the first sample.
    generator: Option<Generator>,
    /// Whether a sample has been started and is not complete.
    is_generating: bool,
    /// The tokens after the prompt.
    generated: Vec<u16>,
}

/// What moves a run to this device.
pub fn move_to(gpu: &Gpu, precision: Precision) -> MoveToDevice {
    let gpu = gpu.clone();
    Arc::new(move |config, learner, network| {
        Ok(Box::new(Pump::new(GpuLearner::new(&gpu, precision, config, network, &learner.to_tensors())?)))
    })
}

impl GpuLearner {
    /// Moves a network and the state of its optimiser to the device.
    fn new(
        gpu: &Gpu,
        precision: Precision,
        config: &LanguageConfig,
        network: &Network,
        optimiser: &Tensors,
    ) -> Result<Self, GpuError> {
        let Network { net, weights, .. } = network;
        let algorithm = match config.optimiser {
            Optimiser::Adamw => Algorithm::Adamw,
            Optimiser::Muon => Algorithm::Muon,
        };
        let groups = net.parameter_groups(config.weight_decay as f32);
        let shape = [net.shape().context, config.batch as usize];
        let (parameters, updates) = (weights.len(), MAX_UPDATES_PER_UNIT);
        let trainer = Trainer::new(gpu, precision, net, parameters, shape, algorithm, &groups, updates)?;
        trainer.set_weights(weights.flat());
        trainer.load_optimiser(optimiser)?;
        trainer.clear_metrics();
        Ok(Self { trainer, is_updating: false, sample: SampleOnDevice::default(), bytes: VecDeque::new() })
    }

    /// Submits the next part of the sample.
    fn advance_sample(&mut self, run: &DeviceRun) -> Result<Work, GpuError> {
        let Network { tokenizer, net, .. } = &*run.network;
        let sample = &mut self.sample;
        let generator = match &mut sample.generator {
            Some(generator) => generator,
            none => {
                let texts = 1;
                none.insert(self.trainer.generator(net, texts, tokenizer.len())?)
            }
        };
        if !sample.is_generating {
            let (SamplingOptions { temperature, top_k }, stream, number) = run.samples.sampling();
            let (tokens, number) = (run.samples.prompt(run.network), number as u32);
            generator.start(&[Prompt { tokens: &tokens, number }], Sampling { temperature, top_k, stream });
            generator.request(TOKENS_PER_STEP);
            sample.is_generating = true;
            sample.generated.clear();
        }
        Ok(match generator.advance()? {
            Progress::Waiting => Work::Waiting,
            Progress::Submitted => Work::Submitted,
            Progress::Finished => Work::NeedsResults,
        })
    }

    /// Takes in the tokens that have arrived. Returns `None` until those that were requested are there, then
    /// whether the sample is complete; if it is not, further tokens are requested.
    fn take_sample(&mut self, samples: &SampleHistory, network: &Network) -> Result<Option<bool>, GpuError> {
        let SampleOnDevice { generator: Some(generator), is_generating, generated } = &mut self.sample else {
            return Ok(Some(true));
        };
        let arrived: Vec<u16> = generator.poll()?.into_iter().map(|next| next.token).collect();
        if samples.extend(network, generated, &arrived) {
            *is_generating = false;
            return Ok(Some(true));
        }
        if !generator.is_idle() {
            return Ok(None);
        }
        generator.request(TOKENS_PER_STEP);
        Ok(Some(false))
    }

    /// Begins an update.
    fn begin_update(&mut self, run: &mut DeviceRun) {
        let DeviceRun { config, network, learner, data, .. } = run;
        learner.begin_batch(config, network, data);
        let MuonOptions { lr, momentum, weight_decay, adam } = learner.options(config);
        let update = Update {
            gradient_scale: 1.0 / learner.target_count(),
            uncounted: learner.repeated_tokens as u32,
            slot: u32::try_from(self.bytes.len()).expect("a unit has few updates"),
            learning_rate: adam.lr,
            muon_rate: lr,
            max_norm: adam.max_norm,
            betas: adam.betas,
            epsilon: adam.eps,
            momentum,
            muon_decay: weight_decay,
        };
        self.bytes.push_back(learner.bytes);
        self.trainer.begin(&learner.inputs, &learner.targets, update);
        self.is_updating = true;
    }
}

impl DeviceTrainer for GpuLearner {
    type Run<'a> = DeviceRun<'a>;
    type Results = Results;
    type State = DeviceState;

    fn advance(&mut self, run: &mut DeviceRun) -> Result<Work, GpuError> {
        if run.phase == Phase::Sampling {
            return self.advance_sample(run);
        }
        if run.phase == Phase::Evaluating {
            let DeviceRun { evaluator, network, data, .. } = run;
            let is_prepared = evaluator.prepare(network, self.trainer.micro_batch(), data);
            return Ok(if is_prepared { Work::NeedsResults } else { Work::OnCpu });
        }
        if self.is_updating {
            return Ok(match self.trainer.advance()? {
                Progress::Waiting => Work::Waiting,
                Progress::Submitted => Work::Submitted,
                Progress::Finished => {
                    self.is_updating = false;
                    run.learner.count_update();
                    Work::Submitted
                }
            });
        }
        if self.bytes.len() >= run.config.updates as usize {
            return Ok(Work::NeedsResults);
        }
        self.begin_update(run);
        Ok(Work::Submitted)
    }

    fn read_results(&mut self, run: &mut DeviceRun, is_watched: &mut bool) -> Results {
        let Evaluator { inputs, targets, .. } = &*run.evaluator;
        match run.phase {
            Phase::Learning => {
                return Results::Unit {
                    metrics: self.trainer.read_metrics(self.bytes.len()),
                    weights: std::mem::take(is_watched).then(|| self.trainer.read_weights()),
                };
            }
            Phase::Sampling => return Results::Sample,
            Phase::Evaluating => {}
        }
        if run.data.is_task() {
            return Results::Likeliest(self.trainer.submit_likeliest(inputs));
        }
        // An evaluation follows the updates of a unit, whose metrics have been read back by then. So the loss
        // may go to the first slot of their buffer.
        let slot = 0;
        self.trainer.clear_metrics();
        self.trainer.submit_loss(inputs, targets, slot);
        let metrics = self.trainer.read_metrics(1);
        self.trainer.clear_metrics();
        Results::Loss(metrics)
    }

    fn take_results(
        &mut self,
        results: &mut Results,
        run: &mut DeviceRun,
    ) -> Result<Option<Status>, GpuError> {
        let DeviceRun { network, evaluator, samples, report, .. } = run;
        let loss = match results {
            Results::Unit { metrics, weights } => {
                let Some(metrics) = metrics.poll::<f32>()? else { return Ok(None) };
                if let Some(weights) = weights {
                    let Some(values) = weights.poll::<f32>()? else { return Ok(None) };
                    network.weights.update_parallel(|weights| weights.copy_from_slice(&values));
                }
                self.trainer.clear_metrics();
                // The metrics of an update are its loss in nats and the norm of its gradient.
                let updates = metrics.as_chunks().0.iter().zip(self.bytes.drain(..));
                report.updates.extend(updates.map(|([loss, gradient_norm], bytes)| UpdateStatistics {
                    bits: f64::from(*loss) / std::f64::consts::LN_2,
                    bytes,
                    gradient_norm: *gradient_norm,
                }));
                return Ok(Some(Status::UnitFinished));
            }
            Results::Loss(metrics) => {
                let Some(metrics) = metrics.poll::<f32>()? else { return Ok(None) };
                f64::from(metrics[0])
            }
            Results::Likeliest(tokens) => {
                let Some(tokens) = tokens.poll::<u32>()? else { return Ok(None) };
                evaluator.predicted.iter_mut().zip(tokens).for_each(|(to, token)| *to = token as u16);
                0.0 // a task is evaluated by its answers, not by a loss
            }
            Results::Sample => {
                let Some(is_complete) = self.take_sample(samples, network)? else { return Ok(None) };
                if !is_complete {
                    return Ok(Some(Status::Ready));
                }
                report.sample = Some(std::mem::take(&mut self.sample.generated));
                return Ok(Some(Status::UnitFinished));
            }
        };
        report.evaluation = evaluator.complete(network, loss);
        let is_over = report.evaluation.is_some();
        Ok(Some(if is_over { Status::UnitFinished } else { Status::Ready }))
    }

    fn read_state(&mut self, _: &mut DeviceRun) -> DeviceState {
        DeviceState { weights: self.trainer.read_weights(), optimiser: self.trainer.read_optimiser() }
    }

    fn take_state(&mut self, state: &mut DeviceState, run: &mut DeviceRun) -> Result<bool, GpuError> {
        let (Some(values), Some(optimiser)) = (state.weights.poll::<f32>()?, state.optimiser.poll()?) else {
            return Ok(false);
        };
        run.network.weights.update_parallel(|weights| weights.copy_from_slice(&values));
        run.learner.load_optimiser(&optimiser).map_err(|error| GpuError::Failed(error.to_string()))?;
        Ok(true)
    }
}
