//! The network of a run: the circuits of a cell, the logits of their gates, and the target picture if the
//! user drew one. Checkpoints also store the wiring and a drawn target, so a network can be evaluated and
//! exported without the seed of its run. A cell has channels, of which the first few are shown; the target
//! tells their values in each cell of the training grid.

use learnery_kernels::rng::Stream;
use learnery_lab::LabError;
use learnery_nn::Tensors;

use super::cell::CellCircuits;
use crate::circuit::{HardAutomaton, Netlist};
use crate::config::LogicConfig;
use crate::experiment::Experiment;
use crate::purpose;

#[derive(Clone, Debug)]
pub struct Network {
    pub experiment: Experiment,
    pub circuits: CellCircuits,
    /// The parameters of the gates: for each gate a logit for each of the sixteen kinds, or for each of the
    /// four lines of its truth table ([`LogicConfig::parameters`]). Laid out as [`CellCircuits`] describes.
    pub logits: Vec<f32>,
    /// A target that the user drew in place of the published one.
    /// Shape: `[shown channels][cells]`.
    pub drawn_target: Option<Vec<Vec<bool>>>,
}

impl Network {
    /// The initial network of a run.
    pub fn new(config: &LogicConfig, seed: u32) -> Self {
        Self::of_attempt(config, seed, 1)
    }

    /// The initial network of an attempt. A run without progress restarts as a new attempt with its own
    /// random wiring and logits; attempts are counted from 1.
    pub fn of_attempt(config: &LogicConfig, seed: u32, attempt: u32) -> Self {
        // Each purpose (wiring, logits) has its own stream of random numbers. The bits above the purpose's id
        // tell attempts apart.
        let stream = |purpose: u32| Stream::new(seed, purpose | (attempt - 1) << purpose::ID_BITS);
        let wires = stream(purpose::WIRING);
        let circuits = CellCircuits::new(config.experiment, config.parameters, config.initial_kernels, wires);
        let mut logits = vec![0.0; circuits.logits()];
        let block = 0; // logits are drawn once in an attempt
        stream(purpose::INITIAL_LOGITS).fill_normal(block, &mut logits);
        let initial_noise = config.initial_noise as f32;
        let pass_through = circuits.pass_through_logits(config.initial_wire_logit as f32);
        // Each gate begins as nearly a plain wire: with noise of standard deviation `initial_noise` around
        // the logits of a gate that passes one of its inputs on.
        logits.iter_mut().zip(pass_through).for_each(|(x, mean)| *x = mean + initial_noise * *x);
        Self { experiment: config.experiment, circuits, logits, drawn_target: None }
    }

    /// The target of the shown channels on the training grid; `None` for the game of life, whose target
    /// follows from the initial state.
    ///
    /// Shape: `[shown channels][cells]`.
    pub fn target(&self) -> Option<Vec<Vec<bool>>> {
        let size = self.experiment.setup().size;
        self.drawn_target.clone().or_else(|| self.experiment.target(size, size))
    }

    /// Writes each gate's most likely kind (its index among the sixteen) to `kinds`, and the probability of
    /// that kind to `probabilities` if they are given.
    ///
    /// Shapes: `kinds [gates], probabilities [gates]`.
    pub fn most_likely_kinds(&self, kinds: &mut [u8], probabilities: Option<&mut [f32]>) {
        self.circuits.most_likely_kinds(&self.logits, kinds, probabilities);
    }

    /// The hard circuit of a cell (every gate of its most likely kind), not pruned.
    pub fn netlist(&self) -> Netlist {
        self.circuits.netlist(&self.logits)
    }

    /// `count` grids of zeros with hard gates. When the logits have changed, [`Self::discretise_into`]
    /// replaces the gates.
    pub fn hard_automaton(&self, size: [usize; 2], count: usize) -> HardAutomaton {
        self.circuits.hard_automaton(&self.logits, size, self.experiment.setup().periodic, count)
    }

    /// Replaces the gates of an automaton made by [`Self::hard_automaton`] by the present most likely kinds.
    pub fn discretise_into(&self, automaton: &mut HardAutomaton) {
        self.circuits.discretise_into(&self.logits, automaton);
    }

    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = Tensors::new();
        tensors.insert("logits", &[self.logits.len()], &self.logits);
        tensors.insert("wires", &[self.circuits.gates(), 2], &self.circuits.wires());
        let drawn: Vec<u8> = self.drawn_target.iter().flatten().flatten().map(|on| u8::from(*on)).collect();
        tensors.insert("drawn", &[drawn.len()], &drawn);
        tensors
    }

    /// Reads [`Self::to_tensors`] from a checkpoint.
    pub fn from_tensors(config: &LogicConfig, tensors: &Tensors) -> Result<Self, LabError> {
        // Only the shapes of this network matter: wires and logits are replaced, so any seed will do.
        let mut network = Self::new(config, 0);
        let wires: Vec<u32> = tensors.get("wires", &[network.circuits.gates(), 2])?;
        let out_of_range = || LabError::Checkpoint("one of its `wires` is out of range".into());
        network.circuits = network.circuits.rewired(&wires).ok_or_else(out_of_range)?;
        network.logits = tensors.get("logits", &[network.logits.len()])?;
        let drawn: Vec<u8> = tensors.get_vec("drawn")?;
        if !drawn.is_empty() {
            let cells = drawn.iter().map(|on| *on == 1);
            network.drawn_target =
                Some(target_by_channel(config.experiment, cells).map_err(LabError::Checkpoint)?);
        }
        Ok(network)
    }
}

/// Splits a flat drawn target, in which the shown channels follow one another, into one list of cells per
/// shown channel.
///
/// Shapes: `cells [shown channels * cells] -> [shown channels][cells]`.
pub fn target_by_channel(
    experiment: Experiment,
    cells: impl Iterator<Item = bool>,
) -> Result<Vec<Vec<bool>>, String> {
    if experiment == Experiment::Life {
        return Err("the game of life has no target picture".into());
    }
    let (setup, cells) = (experiment.setup(), cells.collect::<Vec<_>>());
    let cells_per_channel = setup.size * setup.size;
    let expected = setup.shown * cells_per_channel;
    if cells.len() != expected {
        return Err(format!("the target has {} cells; expected {expected}", cells.len()));
    }
    Ok(cells.chunks_exact(cells_per_channel).map(<[bool]>::to_vec).collect())
}
