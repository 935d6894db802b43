//! The logic lab: a circuit of logic gates, the same in every cell of a cellular automaton, learns which
//! gates to be. This file joins training and proof, metrics, checkpoints, and the view of the page.
//!
//! A unit (one training iteration) is a number of epochs, followed by a proof if one is due. A proof runs the
//! hard circuit, in which every gate is replaced by its most likely kind, from initial states never used in
//! training, and counts wrong cells. The smallest step is one step of an automaton, forward or backward, or
//! one try of local search (a change of one gate that is kept if fewer cells are wrong).

use learnery_kernels::rng::Stream;
#[cfg(not(target_family = "wasm"))]
use learnery_lab::MakeGraphs;
use learnery_lab::{
    About, Bytes, Context, Goal, GpuUse, Lab, LabError, Row, State, Status, TRAINS_ON_CPU, ToolEntry,
};
use learnery_nn::Tensors;
use serde_json::{Value, json};

use crate::about;
use crate::automaton::{Network, target_by_channel};
use crate::circuit::GateKind;
use crate::config::LogicConfig;
use crate::experiment::Experiment;
use crate::proof::Proof;
use crate::purpose;
use crate::stage::Stage;
#[cfg(not(target_family = "wasm"))]
use crate::tools::Evaluate;
use crate::tools::Export;
use crate::training::{Device, DeviceRun, Losses, Restarts, Trainer};
use crate::view::{LogicCommand, LogicGates, LogicView, LogicWiring};

/// Number of random initial states in a proof during training.
const PROOF_INITIAL_STATES: usize = 16;

/// Upper bound of the units in a checkpoint. It is far more than any run can do, and small enough that
/// products of the number of units with other counters do not overflow.
const MAX_UNITS: u64 = 1 << 32;

/// Upper bound of the values that backpropagation stores: 256 MiB of `f32`.
const MAX_STORED_VALUES: usize = 1 << 26;

type Cx<'a> = Context<'a, LogicConfig>;

/// What a run is doing: training, or running a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Learning,
    Evaluating,
}

/// A run of the logic lab.
pub struct Logic {
    trainer: Trainer,
    /// The part of the run on the GPU, if the run learns there.
    device: Option<Device>,
    /// The losses of the epochs that the GPU has done in a unit.
    device_losses: Vec<Losses>,
    proof: Proof,
    phase: Phase,
    /// True from the first step of a unit to its last.
    is_mid_unit: bool,
    /// Epochs of this unit that are done.
    unit_epochs: u32,
    /// The result of each of the last `goal_evaluations` proofs, newest last. A proof has several parts
    /// (tests); its result is the fraction of right cells in the worst part.
    recent_proofs: Vec<f64>,
    /// Whether the last unit ended with a proof.
    has_new_proof: bool,
    restarts: Restarts,
    /// The losses of the unit: a sum over its epochs while it runs, their mean once it is finished.
    soft_error: f64,
    hard_error: f64,
    /// Gates changed by local search in the last unit.
    accepted_changes: u64,
    /// The number of each gate's most likely kind at the end of the last unit.
    /// Shape: `[gates]`.
    kinds: Vec<u8>,
    /// What the user of the page sees and touches; no part of training.
    stage: Stage,
    /// The version of the wiring that the page already has; 0 for none.
    page_wiring_version: u32,
    /// The version of the pruned circuit that the page already has; 0 for none.
    page_circuit_version: u32,
}

impl Logic {
    fn assemble(cx: Cx, network: Network) -> Self {
        Self {
            proof: new_proof(cx, &network),
            kinds: vec![0; network.circuits.gates()],
            stage: Stage::new(&network, cx.config.fire_rate, Stream::new(cx.seed, purpose::STAGE)),
            trainer: Trainer::new(cx.config, network, cx.seed),
            device: None,
            device_losses: Vec::new(),
            phase: Phase::Learning,
            is_mid_unit: false,
            unit_epochs: 0,
            recent_proofs: Vec::with_capacity(cx.config.goal_evaluations as usize + 1),
            has_new_proof: false,
            restarts: Restarts::FIRST_ATTEMPT,
            soft_error: 0.0,
            hard_error: 0.0,
            accepted_changes: 0,
            page_wiring_version: 0,
            page_circuit_version: 0,
        }
    }

    /// Runs one step of training.
    fn learning_step(&mut self, cx: Cx) -> Status {
        if self.device.is_none() && !TRAINS_ON_CPU {
            return Status::Waiting;
        }
        if !self.is_mid_unit {
            self.is_mid_unit = true;
            self.restart_if_stuck(cx);
            (self.soft_error, self.hard_error, self.has_new_proof) = (0.0, 0.0, false);
        }
        if let Some((device, run)) = self.device_and_run(cx) {
            return match device.step(run) {
                Status::UnitFinished => {
                    for losses in std::mem::take(&mut self.device_losses) {
                        self.add_losses(losses);
                    }
                    self.finish_learning(cx)
                }
                status => status,
            };
        }
        if self.trainer.step(cx.config, cx.seed) {
            self.add_losses(self.trainer.losses());
        }
        // `unit_epochs` may exceed `epochs`, because the user may lower this setting during the unit.
        if self.unit_epochs < cx.config.epochs || !self.trainer.is_between_epochs() {
            return Status::Ready;
        }
        self.finish_learning(cx)
    }

    /// The GPU's part of the run, and what it reads and changes of the CPU's part; `None` if the run learns on
    /// the CPU.
    fn device_and_run<'a>(&'a mut self, cx: Cx<'a>) -> Option<(&'a mut Device, DeviceRun<'a>)> {
        let Self { device: Some(device), trainer, device_losses: losses, .. } = self else { return None };
        Some((device, DeviceRun { config: cx.config, seed: cx.seed, trainer, losses }))
    }

    /// Adds the losses of an epoch to the sums of the unit.
    fn add_losses(&mut self, losses: Losses) {
        self.soft_error += losses.soft;
        self.hard_error += losses.hard;
        self.unit_epochs += 1;
    }

    /// Goes on after the epochs of a unit: with a proof if one is due.
    fn finish_learning(&mut self, cx: Cx) -> Status {
        let every = u64::from(cx.config.eval_every);
        if every > 0 && (cx.unit + 1).is_multiple_of(every) {
            self.phase = Phase::Evaluating;
            self.proof.begin(cx.unit);
            return Status::Ready;
        }
        self.finish_unit()
    }

    /// Runs one step of the proof.
    fn evaluation_step(&mut self, cx: Cx) -> Status {
        if !self.proof.step(self.trainer.network(), cx.config.fire_rate) {
            return Status::Ready;
        }
        if self.recent_proofs.len() == cx.config.goal_evaluations as usize {
            self.recent_proofs.remove(0);
        }
        self.recent_proofs.push(self.proof.fraction_right());
        self.has_new_proof = true;
        self.finish_unit()
    }

    /// Turns sums into means and prepares the next unit.
    fn finish_unit(&mut self) -> Status {
        self.soft_error /= f64::from(self.unit_epochs);
        self.hard_error /= f64::from(self.unit_epochs);
        self.accepted_changes = self.trainer.take_accepted_changes();
        let proof_held = self.has_new_proof && self.proof.fraction_right() >= 1.0;
        self.restarts.record(self.trainer.epochs(), self.unit_epochs, self.hard_error, proof_held);
        self.unit_epochs = 0;
        self.is_mid_unit = false;
        self.phase = Phase::Learning;
        self.trainer.network().most_likely_kinds(&mut self.kinds, None);
        Status::UnitFinished
    }

    fn restart_if_stuck(&mut self, cx: Cx) {
        // Without proofs a run does not know that it has reached its goal, so a restart could discard a
        // solution.
        let enabled = cx.config.eval_every > 0;
        if enabled && self.restarts.restart_if_stuck(self.trainer.epochs(), cx.config.restart_after) {
            self.trainer.restart(cx.config, cx.seed, self.restarts.attempt());
            let network = self.trainer.network();
            self.proof = new_proof(cx, network);
            self.stage.replace_network(network);
        }
    }

    /// Sets the target that the user drew, one digit per cell; without digits, the published target.
    fn set_target(&mut self, cx: Cx, digits: &str) -> Result<(), LabError> {
        if let Some(c) = digits.chars().find(|c| !matches!(c, '0' | '1')) {
            return Err(LabError::Command(format!("a target consists of `0` and `1`; `{c}` is neither")));
        }
        let drawn = match digits.is_empty() {
            true => None,
            false => {
                let cells = digits.chars().map(|c| c == '1');
                Some(target_by_channel(cx.config.experiment, cells).map_err(LabError::Command)?)
            }
        };
        self.trainer.set_target(drawn, cx.seed);
        self.proof = new_proof(cx, self.trainer.network());
        self.recent_proofs.clear();
        self.restarts.target_changed(self.trainer.epochs());
        if self.phase == Phase::Evaluating {
            self.proof.begin(cx.unit);
        }
        Ok(())
    }
}

/// A proof of the network as it is in training, not begun yet.
fn new_proof(cx: Cx, network: &Network) -> Proof {
    let stream = Stream::new(cx.seed, purpose::PROOF);
    Proof::new(network, cx.config.steps as usize, PROOF_INITIAL_STATES, stream)
}

impl Lab for Logic {
    const ABOUT: About = about::ABOUT;
    type Config = LogicConfig;
    const SETTINGS: &str = include_str!("settings.json");
    type Command = LogicCommand;
    type View = LogicView;
    const GPU: GpuUse = GpuUse::Everywhere;
    const TOOLS: &'static [ToolEntry] = &[
        ToolEntry::of::<Export>(),
        // The page does not ask it.
        #[cfg(not(target_family = "wasm"))]
        ToolEntry::of::<Evaluate>(),
    ];
    #[cfg(not(target_family = "wasm"))]
    const GRAPHS: Option<MakeGraphs<LogicConfig>> = Some(|_, _| {
        Err(LabError::Export(
            "what it learned is a circuit and no network; `learnery logic export` writes it as Verilog, C, WGSL or JSON"
                .into(),
        ))
    });
    const DATA_COMMANDS: &'static [&'static str] = &["target"];

    fn check(config: &LogicConfig) -> Result<(), LabError> {
        let setup = config.experiment.setup();
        let (batch, steps) = (config.batch as usize, config.steps as usize);
        // Values per cell and channel: a state before the first step and after every step (steps + 1), two
        // gradients at the cell, and one at each of the nine cells of its neighbourhood.
        let values = batch * setup.size * setup.size * setup.channels * (steps + 1 + 2 + 9);
        if values <= MAX_STORED_VALUES {
            return Ok(());
        }
        let message =
            format!("backpropagation would have to keep {values} values; at most {MAX_STORED_VALUES}");
        Err(LabError::setting("batch", message))
    }

    fn new(cx: Cx) -> Result<Self, LabError> {
        Ok(Self::assemble(cx, Network::new(cx.config, cx.seed)))
    }

    fn goal(config: &LogicConfig) -> Option<Goal> {
        let task = match config.experiment {
            Experiment::Life => "the game of life in all 512 neighbourhoods",
            Experiment::Checkerboard => "the checkerboard from fresh starts and on 64x64",
            Experiment::Async => "the checkerboard from fresh starts, on 42x42, and healed after damage",
            Experiment::Figure => "the figure",
            Experiment::Letter => "the letter",
        };
        let words = format!(
            "{task} without a wrong cell in {} evaluations in a row, with hard gates",
            config.goal_evaluations
        );
        // The game of life is evaluated in all neighbourhoods, the other tasks from random initial states.
        let exact = config.experiment == Experiment::Life;
        (config.eval_every > 0).then_some(Goal { metric: "proof", target: 100.0, words, exact, best: None })
    }

    fn step(&mut self, cx: Cx) -> Status {
        match self.phase {
            Phase::Learning => self.learning_step(cx),
            Phase::Evaluating => self.evaluation_step(cx),
        }
    }

    fn apply(&mut self, cx: Cx, command: LogicCommand) -> Result<Option<String>, LabError> {
        match &command {
            LogicCommand::Target { planes } => self.set_target(cx, planes)?,
            LogicCommand::Have { wiring, circuit } => {
                (self.page_wiring_version, self.page_circuit_version) = (*wiring, *circuit);
            }
            command => self.stage.apply(self.trainer.network(), command)?,
        }
        Ok(None)
    }

    fn animate(&mut self, cx: Cx, seconds: f64) {
        self.stage.animate(self.trainer.network(), cx.config.steps, seconds);
    }

    fn work(&self, cx: Cx) -> u64 {
        self.trainer.epochs() * self.trainer.cells() as u64 * u64::from(cx.config.steps)
    }

    fn metrics(&self, cx: Cx, out: &mut Row) {
        out.set("softError", self.soft_error);
        out.set("hardError", self.hard_error);
        out.set("decided", 100.0 * self.trainer.discretised_fraction(cx.config));
        out.set("gap", self.hard_error - self.soft_error);
        out.set("mended", self.accepted_changes as f64);
        out.set("attempt", f64::from(self.restarts.attempt()));
        let changed = self.kinds.iter().filter(|kind| !GateKind::from_number(**kind).is_plain_wire()).count();
        out.set("changed", changed as f64);
        if self.has_new_proof {
            // The worst of the last `goal_evaluations` proofs, which the goal requires, once there are that
            // many.
            if self.recent_proofs.len() == cx.config.goal_evaluations as usize {
                out.set("proof", 100.0 * self.recent_proofs.iter().copied().fold(1.0, f64::min));
            }
            let parts = self.proof.parts();
            out.set("wrong", parts.iter().map(|part| part.wrong).sum::<u64>() as f64);
            out.set("tested", parts.iter().map(|part| part.cells).sum::<u64>() as f64);
        }
    }

    fn view(&self, cx: Cx) -> LogicView {
        let network = self.trainer.network();
        let setup = network.experiment.setup();
        let target = network.target().into_iter().flatten().flatten().map(u8::from).collect();
        let attempt = self.restarts.attempt();
        let circuit = self.stage.circuit();
        LogicView {
            experiment: network.experiment,
            epochs: self.trainer.epochs() as u32,
            attempt,
            begun: self.restarts.start_epoch() as u32,
            size: setup.size as u32,
            target: Bytes(target),
            own_target: network.drawn_target.is_some(),
            stage: self.stage.view(network, cx.config.steps),
            gates: LogicGates::of(network),
            // Each attempt has its own wiring.
            wiring_version: attempt,
            wiring: (self.page_wiring_version != attempt).then(|| LogicWiring::of(network)),
            circuit_version: circuit.map_or(0, |circuit| circuit.version),
            circuit: circuit.filter(|circuit| circuit.version != self.page_circuit_version).cloned(),
            lit: self.stage.node_values(),
            rule: Bytes(self.stage.life_table(network)),
        }
    }

    fn save(&self) -> State {
        let mut tensors = Tensors::new();
        tensors.absorb("network/", self.trainer.network().to_tensors());
        tensors.absorb("learner/", self.trainer.to_tensors());
        tensors.insert("proofs/right", &[self.recent_proofs.len()], &self.recent_proofs);
        State { scalars: json!({ "attempts": self.restarts.to_json() }), tensors }
    }

    fn network(&self) -> Tensors {
        self.trainer.network().to_tensors()
    }

    fn prepare_save(&mut self, cx: Cx) -> Status {
        self.device_and_run(cx).map_or(Status::Ready, |(device, run)| device.prepare_save(run))
    }

    fn failure(&self) -> Option<String> {
        self.device.as_ref()?.failure()
    }

    #[cfg(feature = "gpu")]
    fn use_gpu(
        &mut self,
        _: Cx,
        gpu: &learnery_gpu::Gpu,
        precision: learnery_gpu::Precision,
    ) -> Result<(), LabError> {
        if precision != learnery_gpu::Precision::F32 {
            let message =
                "logic gates are computed in f32; f16 is for matrix products, of which there are none";
            return Err(LabError::Device(message.into()));
        }
        let device = crate::training::trainer::gpu::GpuLearner::new(gpu, &self.trainer)?;
        self.device = Some(Box::new(learnery_lab::Pump::new(device)));
        Ok(())
    }

    fn load(cx: Cx, state: &State) -> Result<Self, LabError> {
        let bad = |problem: &str| Err(LabError::Checkpoint(problem.into()));
        if cx.unit > MAX_UNITS {
            return bad("it claims more iterations than any run can have done");
        }
        let network = Network::from_tensors(cx.config, &state.tensors.under("network/"))?;
        let mut run = Self::assemble(cx, network);
        run.trainer.restore(&state.tensors.under("learner/"), cx.unit)?;
        let proofs: Vec<f64> = state.tensors.get_vec("proofs/right")?;
        if proofs.len() > cx.config.goal_evaluations as usize {
            return bad("`proofs/right` has more proofs than the goal asks for");
        }
        run.recent_proofs.extend(proofs);
        run.restarts = Restarts::from_json(&state.scalars["attempts"], cx.unit, run.trainer.epochs())?;
        Ok(run)
    }

    fn own_data(tensors: &Tensors) -> Option<Value> {
        // Without a target of the user's own the tensor is missing, or empty.
        let drawn: Vec<u8> = tensors.get_vec("network/drawn").ok()?;
        let planes: String = drawn.iter().map(|on| if *on == 1 { '1' } else { '0' }).collect();
        (!planes.is_empty()).then(|| json!({ "type": "target", "planes": planes }))
    }
}

#[cfg(test)]
mod tests;
