//! The learner's GPU backend: the batches and schedules of [`super::learner`], with everything from the embedding to the
//! optimiser on the device. Per update, only tokens and hyperparameters are uploaded. When a unit (an iteration) ends,
//! losses and gradient norms are read back, and the network if it is needed for a sample, the stage or a checkpoint.

use std::collections::VecDeque;

use learnery_gpu::transformer::{Algorithm, OptimiserReadBack, Trainer, Update};
use learnery_gpu::{Gpu, GpuError, Precision, Progress, ReadBack};
use learnery_nn::Tensors;

use super::config::{LanguageConfig, Optimiser};
use super::learner::UpdateStatistics;
use super::network::Network;

/// The most updates of a unit, the upper bound of the setting `updates`.
const MAX_UPDATES_PER_UNIT: usize = 1000;

/// The device failed; [`GpuLearner::failure`] says why.
#[derive(Clone, Copy, Debug)]
pub struct DeviceFailed;

/// Pending read-backs at the end of a unit.
#[derive(Debug)]
struct UnitReadBack {
    figures: ReadBack,
    weights: Option<ReadBack>,
}

/// The pending result of an evaluation's micro-batch.
#[derive(Debug)]
enum EvaluationReadBack {
    /// The sum of the losses of a text.
    Loss(ReadBack),
    /// The most likely tokens of problems.
    Likeliest(ReadBack),
}

/// Pending read-back of the weights and the state of the optimiser, for a checkpoint.
#[derive(Debug)]
struct StateReadBack {
    weights: ReadBack,
    optimiser: OptimiserReadBack,
}

/// A batch and the hyperparameters of its update.
pub struct Batch<'a> {
    pub inputs: &'a [u16],
    pub targets: &'a [u16],
    pub update: Update,
    /// Bytes of the targets whose losses are counted.
    pub bytes: usize,
}

/// The GPU backend of a learner.
#[derive(Debug)]
pub struct GpuLearner {
    trainer: Trainer,
    /// Whether an update is being submitted.
    updating: bool,
    /// Bytes of the counted targets of each update of the unit.
    bytes: VecDeque<usize>,
    unit: Option<UnitReadBack>,
    state: Option<StateReadBack>,
    evaluation: Option<EvaluationReadBack>,
    /// Whether the CPU's copy of the network is up to date, and that of the optimiser.
    network_is_fresh: bool,
    optimiser_is_fresh: bool,
    /// Whether the stage, which is drawn from the CPU's copy, has asked for the network.
    pub network_is_needed: bool,
    failure: Option<GpuError>,
}

impl GpuLearner {
    /// Moves a network and the state of its optimiser to the device.
    pub fn new(
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
        trainer.load_optimiser(optimiser).map_err(|e| GpuError::Failed(e.to_string()))?;
        trainer.clear_figures();
        Ok(Self {
            trainer,
            updating: false,
            bytes: VecDeque::new(),
            unit: None,
            state: None,
            evaluation: None,
            network_is_fresh: true,
            optimiser_is_fresh: true,
            network_is_needed: false,
            failure: None,
        })
    }

    pub fn gpu(&self) -> &Gpu {
        self.trainer.gpu()
    }

    pub fn precision(&self) -> Precision {
        self.trainer.precision()
    }

    /// Why the device failed.
    pub fn failure(&self) -> Option<&GpuError> {
        self.failure.as_ref()
    }

    /// The number of updates of the unit that were begun.
    pub fn updates(&self) -> usize {
        self.bytes.len()
    }

    /// Whether the next step needs a batch.
    pub fn needs_batch(&self) -> bool {
        !self.updating && self.unit.is_none()
    }

    /// Whether the end of the unit is being fetched.
    pub fn is_fetching(&self) -> bool {
        self.unit.is_some()
    }

    /// Begins an update.
    pub fn begin(&mut self, batch: Batch) {
        let slot = u32::try_from(self.bytes.len()).expect("few updates");
        self.bytes.push_back(batch.bytes);
        self.trainer.begin(batch.inputs, batch.targets, Update { slot, ..batch.update });
        (self.updating, self.network_is_fresh, self.optimiser_is_fresh) = (true, false, false);
        // What is being fetched is that of an earlier update.
        self.state = None;
    }

    /// Submits the next part of the update. Returns [`Progress::Finished`] with its last part.
    pub fn advance(&mut self) -> Result<Progress, DeviceFailed> {
        let progress = self.trainer.advance().map_err(|e| self.fail(e))?;
        if progress == Progress::Finished {
            self.updating = false;
        }
        Ok(progress)
    }

    /// Begins, or goes on, to fetch what happened in the unit, and the network if `with_network`. Returns the
    /// statistics of its updates once they are there.
    pub fn finish_unit(
        &mut self,
        network: &mut Network,
        with_network: bool,
    ) -> Result<Option<Vec<UpdateStatistics>>, DeviceFailed> {
        let count = self.bytes.len();
        let unit = self.unit.get_or_insert_with(|| UnitReadBack {
            figures: self.trainer.read_figures(count),
            weights: with_network.then(|| self.trainer.read_weights()),
        });
        let figures = match unit.figures.poll::<f32>() {
            Ok(Some(figures)) => figures,
            Ok(None) => return Ok(None),
            Err(error) => return Err(self.fail(error)),
        };
        if let Some(reading) = &unit.weights {
            match reading.poll::<f32>() {
                Ok(Some(values)) => {
                    network.weights.update_parallel(|weights| weights.copy_from_slice(&values));
                    self.network_is_fresh = true;
                }
                Ok(None) => return Ok(None),
                Err(error) => return Err(self.fail(error)),
            }
        }
        if self.unit.take().is_some_and(|unit| unit.weights.is_some()) {
            self.network_is_needed = false;
        }
        self.trainer.clear_figures();
        let statistics =
            figures.chunks_exact(2).zip(self.bytes.drain(..)).map(|(pair, bytes)| UpdateStatistics {
                bits: f64::from(pair[0]) / std::f64::consts::LN_2,
                bytes,
                gradient_norm: pair[1],
            });
        Ok(Some(statistics.collect()))
    }

    /// Tokens of a micro-batch.
    pub fn micro_batch(&self) -> usize {
        self.trainer.micro_batch()
    }

    /// Submits a micro-batch of an evaluation, between two units of updates: the most likely tokens of problems, or the
    /// losses of a text.
    pub fn submit_evaluation(&mut self, inputs: &[u16], targets: &[u16], is_task: bool) {
        self.evaluation = Some(if is_task {
            EvaluationReadBack::Likeliest(self.trainer.submit_likeliest(inputs))
        } else {
            // The figures are not in use between the updates of two units.
            let slot = 0;
            self.trainer.clear_figures();
            self.trainer.submit_loss(inputs, targets, slot);
            let figures = self.trainer.read_figures(1);
            self.trainer.clear_figures();
            EvaluationReadBack::Loss(figures)
        });
    }

    /// The sum of the losses of the submitted micro-batch in nats, once it is there; zero for problems, whose most
    /// likely tokens are written to `predicted`.
    pub fn evaluation(&mut self, predicted: &mut [u16]) -> Result<Option<f64>, DeviceFailed> {
        let result = match &self.evaluation {
            Some(EvaluationReadBack::Loss(reading)) => {
                reading.poll::<f32>().map(|figures| figures.map(|figures| f64::from(figures[0])))
            }
            Some(EvaluationReadBack::Likeliest(reading)) => reading.poll::<u32>().map(|tokens| {
                tokens.map(|tokens| {
                    predicted.iter_mut().zip(tokens).for_each(|(to, token)| *to = token as u16);
                    0.0
                })
            }),
            None => Err(GpuError::Failed("no evaluation was submitted".into())),
        };
        let result = result.map_err(|e| self.fail(e))?;
        if result.is_some() {
            self.evaluation = None;
        }
        Ok(result)
    }

    /// Begins, or goes on, to fetch network and optimiser. Returns the state of the optimiser once both are there, and
    /// `None` within `Some` if the CPU's copies are up to date already.
    pub fn fetch_state(&mut self, network: &mut Network) -> Result<Option<Option<Tensors>>, DeviceFailed> {
        if self.network_is_fresh && self.optimiser_is_fresh {
            return Ok(Some(None));
        }
        let state = self.state.get_or_insert_with(|| StateReadBack {
            weights: self.trainer.read_weights(),
            optimiser: self.trainer.read_optimiser(),
        });
        let arrived =
            state.weights.poll::<f32>().and_then(|weights| Ok(weights.zip(state.optimiser.poll()?)));
        match arrived {
            Ok(Some((values, optimiser))) => {
                network.weights.update_parallel(|weights| weights.copy_from_slice(&values));
                (self.network_is_fresh, self.optimiser_is_fresh) = (true, true);
                self.state = None;
                Ok(Some(Some(optimiser)))
            }
            Ok(None) => Ok(None),
            Err(error) => Err(self.fail(error)),
        }
    }

    fn fail(&mut self, error: GpuError) -> DeviceFailed {
        self.failure.get_or_insert(error);
        DeviceFailed
    }
}
