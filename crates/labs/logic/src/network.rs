//! What is learned: the gates' logits, together with their wiring and with what they are to become, so that a network can
//! be judged without the seed of its run.

use learnery_kernels::rng::Stream;
use learnery_lab::{Checkpoint, Entry, LabError, Schema};
use learnery_nn::Tensors;

use super::automaton::Brain;
use super::config::LogicConfig;
use super::experiment::Experiment;
use super::{Logic, purpose};

/// A network and its purpose.
#[derive(Clone, Debug)]
pub struct Network {
    /// What it is to grow.
    pub experiment: Experiment,
    /// The circuits.
    pub brain: Brain,
    /// What the gates lean towards. // [logits]
    pub logits: Vec<f32>,
    /// What a visitor drew for it to become instead of what was published. // [shown][cells]
    pub drawn: Option<Vec<Vec<bool>>>,
}

impl Network {
    /// Nothing learned yet.
    pub fn new(config: &LogicConfig, seed: u32) -> Self {
        Self::of_attempt(config, seed, 1)
    }

    /// The same at the beginning of an attempt, the first being number 1: each has gates and wires of its own.
    pub fn of_attempt(config: &LogicConfig, seed: u32, attempt: u32) -> Self {
        let own = |purpose: u32| Stream::new(seed, purpose | (attempt - 1) << purpose::BITS);
        let brain = config.experiment.setup().brain(config.parameters, config.looks, own(purpose::WIRES));
        let mut logits = vec![0.0; brain.logits()];
        own(purpose::SCATTER).fill_normal(0, &mut logits);
        let scatter = config.scatter as f32;
        let sure = brain.pass_through(config.certainty as f32);
        logits.iter_mut().zip(sure).for_each(|(x, sure)| *x = sure + scatter * *x);
        Self { experiment: config.experiment, brain, logits, drawn: None }
    }

    /// What the shown channels of the training grid are to become; nothing where that follows from the start.
    pub fn target(&self) -> Option<Vec<Vec<bool>>> {
        let size = self.experiment.setup().size;
        self.drawn.clone().or_else(|| self.experiment.target(size, size))
    }

    /// That of a checkpoint, which may hold nothing else.
    pub fn of(checkpoint: &Checkpoint) -> Result<(LogicConfig, Self), LabError> {
        Entry::of::<Logic>().owns(checkpoint)?;
        let complete = Schema::of::<LogicConfig>()
            .complete(None, &serde_json::Value::Object(checkpoint.header.config.clone()))?;
        let config = serde_json::from_value(serde_json::Value::Object(complete))
            .map_err(|e| LabError::Settings(e.to_string()))?;
        let network = Self::from_tensors(&config, &checkpoint.tensors.under("network/"))?;
        Ok((config, network))
    }

    /// As tensors.
    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = Tensors::new();
        tensors.insert("logits", &[self.logits.len()], &self.logits);
        tensors.insert("wires", &[self.brain.gates(), 2], &self.brain.wires());
        let drawn: Vec<u8> = self.drawn.iter().flatten().flatten().map(|on| u8::from(*on)).collect();
        tensors.insert("drawn", &[drawn.len()], &drawn);
        tensors
    }

    /// From tensors.
    pub fn from_tensors(config: &LogicConfig, tensors: &Tensors) -> Result<Self, LabError> {
        let mut network = Self::new(config, 0);
        let wires: Vec<u32> = tensors.get("wires", &[network.brain.gates(), 2])?;
        let from_nowhere = || LabError::Checkpoint("one of its `wires` comes from nowhere".into());
        network.brain = network.brain.rewired(&wires).ok_or_else(from_nowhere)?;
        network.logits = tensors.get("logits", &[network.logits.len()])?;
        let drawn: Vec<u8> = tensors.get_vec("drawn")?;
        if !drawn.is_empty() {
            let digits = drawn.iter().map(|on| *on == 1);
            network.drawn = Some(planes(config.experiment, digits).map_err(LabError::Checkpoint)?);
        }
        Ok(network)
    }
}

/// The planes of a drawn target, from its cells one after the other.
pub fn planes(experiment: Experiment, cells: impl Iterator<Item = bool>) -> Result<Vec<Vec<bool>>, String> {
    if experiment == Experiment::Life {
        return Err("the game of life has no picture to become".into());
    }
    let (setup, cells) = (experiment.setup(), cells.collect::<Vec<_>>());
    let each = setup.size * setup.size;
    if cells.len() != setup.shown * each {
        return Err(format!("the target has {} cells; expected {}", cells.len(), setup.shown * each));
    }
    Ok(cells.chunks_exact(each).map(<[bool]>::to_vec).collect())
}
