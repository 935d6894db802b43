//! The lab: units of training and proof, and what the session and the page see of them.
//!
//! A unit (an iteration) is a number of epochs and then, if one is due, a proof. Both are made of small steps: one step of
//! an automaton, forward or backward, or one try of local search.

use learnery_kernels::gates::KINDS;
use learnery_kernels::rng::Stream;
use learnery_lab::{About, Bytes, Context, Evaluation, Goal, Lab, LabError, Report, Row, State, Status};
use learnery_nn::Tensors;
use serde_json::json;

use crate::about;
use crate::automaton::{Network, target_planes};
use crate::circuit::GateKind;
use crate::config::{LogicConfig, LogicEvalOptions};
use crate::experiment::Experiment;
use crate::export::{LogicExport, export};
use crate::proof::Proof;
use crate::purpose;
use crate::stage::Stage;
use crate::training::{Restarts, Trainer};
use crate::view::{LogicCommand, LogicGates, LogicView, LogicWiring};

/// Random initial states of a proof during training.
const PROOF_INITIAL_STATES: usize = 16;

/// The most units that the counters of a checkpoint may claim. No product of counters overflows below it.
const MAX_UNITS: u64 = 1 << 32;

type Cx<'a> = Context<'a, LogicConfig>;

/// What a unit is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Learning,
    Evaluating,
}

/// A run of the logic lab.
pub struct Logic {
    trainer: Trainer,
    proof: Proof,
    phase: Phase,
    /// Epochs of this unit that are done.
    unit_epochs: u32,
    /// The fraction of right cells in the last proofs, newest last; at most as many as the goal asks for.
    recent_proofs: Vec<f64>,
    /// Whether the newest proof belongs to the unit that has just ended.
    proved_now: bool,
    restarts: Restarts,
    /// The losses of the unit: sums while it runs, means when it has ended.
    soft_error: f64,
    hard_error: f64,
    /// Gates changed by local search in the unit.
    accepted_changes: u64,
    /// The numbers of the gates' kinds at the end of the unit. // [gates]
    kinds: Vec<u8>,
    stage: Stage,
    /// The versions of wiring and pruned circuit that the page has.
    page_versions: [u32; 2],
    exported: Option<LogicExport>,
}

impl Logic {
    fn assemble(cx: Cx, network: Network) -> Self {
        Self {
            proof: new_proof(cx, &network),
            kinds: vec![0; network.circuits.gates()],
            stage: Stage::new(&network, cx.config.fire_rate, Stream::new(cx.seed, purpose::STAGE)),
            trainer: Trainer::new(cx.config, network, cx.seed),
            phase: Phase::Learning,
            unit_epochs: 0,
            recent_proofs: Vec::with_capacity(cx.config.goal_proofs as usize + 1),
            proved_now: false,
            restarts: Restarts::FIRST_ATTEMPT,
            soft_error: 0.0,
            hard_error: 0.0,
            accepted_changes: 0,
            page_versions: [0; 2],
            exported: None,
        }
    }

    fn learn(&mut self, cx: Cx) -> Status {
        if self.unit_epochs == 0 && self.trainer.is_between_epochs() {
            self.restart_if_stuck(cx);
            (self.soft_error, self.hard_error, self.proved_now) = (0.0, 0.0, false);
        }
        if self.trainer.step(cx.config, cx.seed) {
            let losses = self.trainer.losses();
            self.soft_error += losses.soft;
            self.hard_error += losses.hard;
            self.unit_epochs += 1;
        }
        // More epochs than the setting asks for are possible: it is live and may have been lowered.
        if self.unit_epochs < cx.config.epochs || !self.trainer.is_between_epochs() {
            return Status::Ready;
        }
        let every = u64::from(cx.config.prove_every);
        if every > 0 && (cx.unit + 1).is_multiple_of(every) {
            self.phase = Phase::Evaluating;
            self.proof.begin(cx.unit);
            return Status::Ready;
        }
        self.finish_unit()
    }

    fn evaluate_step(&mut self, cx: Cx) -> Status {
        if !self.proof.step(self.trainer.network(), cx.config.fire_rate) {
            return Status::Ready;
        }
        if self.recent_proofs.len() == cx.config.goal_proofs as usize {
            self.recent_proofs.remove(0);
        }
        self.recent_proofs.push(self.proof.fraction_right());
        self.proved_now = true;
        self.finish_unit()
    }

    fn finish_unit(&mut self) -> Status {
        self.soft_error /= f64::from(self.unit_epochs);
        self.hard_error /= f64::from(self.unit_epochs);
        self.accepted_changes = self.trainer.take_accepted_changes();
        let proof_held = self.proved_now && self.proof.fraction_right() >= 1.0;
        self.restarts.record(self.trainer.epochs(), self.unit_epochs, self.hard_error, proof_held);
        self.unit_epochs = 0;
        self.phase = Phase::Learning;
        self.trainer.network().decide(&mut self.kinds, None);
        Status::Unit
    }

    fn restart_if_stuck(&mut self, cx: Cx) {
        // Without proofs nothing would tell that a run has reached its goal, so it could restart from a solution.
        let enabled = cx.config.prove_every > 0;
        if enabled && self.restarts.restart_if_stuck(self.trainer.epochs(), cx.config.restart_after) {
            self.trainer.restart(cx.config, cx.seed, self.restarts.attempt());
            let network = self.trainer.network();
            self.proof = new_proof(cx, network);
            self.stage.replace_network(network);
        }
    }

    fn set_target(&mut self, cx: Cx, digits: &str) -> Result<(), LabError> {
        if let Some(c) = digits.chars().find(|c| !matches!(c, '0' | '1')) {
            return Err(LabError::Command(format!("a target consists of `0` and `1`; `{c}` is neither")));
        }
        let drawn = match digits.is_empty() {
            true => None,
            false => {
                let cells = digits.chars().map(|c| c == '1');
                Some(target_planes(cx.config.experiment, cells).map_err(LabError::Command)?)
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

    fn gates(&self) -> LogicGates {
        let network = self.trainer.network();
        let circuits = &network.circuits;
        let (mut kinds, mut probabilities) = (vec![0; circuits.gates()], vec![0.0; circuits.gates()]);
        network.decide(&mut kinds, Some(&mut probabilities));
        let mut counts = vec![0; KINDS];
        kinds.iter().for_each(|kind| counts[usize::from(*kind)] += 1);
        let layers = circuits.perception.wirings().chain(circuits.update.wirings());
        LogicGates {
            layers: layers.map(|wiring| wiring.gates() as u32).collect(),
            perception_layers: circuits.perception.wirings().count() as u32,
            kinds: Bytes(kinds),
            sure: Bytes(probabilities.into_iter().map(|probability| (255.0 * probability) as u8).collect()),
            counts,
        }
    }
}

fn new_proof(cx: Cx, network: &Network) -> Proof {
    let stream = Stream::new(cx.seed, purpose::PROOF);
    Proof::new(network, cx.config.steps as usize, PROOF_INITIAL_STATES, stream)
}

impl Lab for Logic {
    const ABOUT: About = about::ABOUT;
    type Config = LogicConfig;
    type EvalOptions = LogicEvalOptions;
    type Command = LogicCommand;
    type View = LogicView;

    fn check(config: &LogicConfig) -> Result<(), LabError> {
        let setup = config.experiment.setup();
        let (batch, steps) = (config.batch as usize, config.steps as usize);
        // The states of all steps, and the gradients at the cells and at their nine neighbours.
        let values = batch * setup.size * setup.size * setup.channels * (steps + 12);
        if values <= 1 << 26 {
            return Ok(());
        }
        let message = format!("backpropagation would have to keep {values} values; at most {}", 1 << 26);
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
            "{task} without a wrong cell in {} proofs in a row, every gate decided",
            config.goal_proofs
        );
        (config.prove_every > 0).then_some(Goal { metric: "proof", target: 100.0, words })
    }

    fn step(&mut self, cx: Cx) -> Status {
        match self.phase {
            Phase::Learning => self.learn(cx),
            Phase::Evaluating => self.evaluate_step(cx),
        }
    }

    fn apply(&mut self, cx: Cx, command: LogicCommand) -> Result<(), LabError> {
        match &command {
            LogicCommand::Target { planes } => self.set_target(cx, planes),
            LogicCommand::Have { wiring, circuit } => {
                self.page_versions = [*wiring, *circuit];
                Ok(())
            }
            LogicCommand::Export { format } => {
                let (network, epochs) = (self.trainer.network(), self.trainer.epochs());
                let rate = cx.config.fire_rate;
                self.exported = Some(export(network, cx.seed, epochs, rate, false, *format));
                Ok(())
            }
            LogicCommand::Taken => {
                self.exported = None;
                Ok(())
            }
            command => self.stage.apply(self.trainer.network(), command),
        }
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
        out.set("decided", 100.0 * self.trainer.decided_fraction(cx.config));
        out.set("gap", self.hard_error - self.soft_error);
        out.set("mended", self.accepted_changes as f64);
        out.set("attempt", f64::from(self.restarts.attempt()));
        let at_work = self.kinds.iter().filter(|kind| **kind != GateKind::A.number()).count();
        out.set("changed", at_work as f64);
        if self.proved_now {
            // Until there are as many proofs as the goal asks for, the missing ones count as failed.
            let complete = self.recent_proofs.len() == cx.config.goal_proofs as usize;
            let worst = self.recent_proofs.iter().copied().fold(if complete { 1.0 } else { 0.0 }, f64::min);
            out.set("proof", 100.0 * worst);
            out.set("wrong", self.proof.parts().iter().map(|part| part.wrong).sum::<u64>() as f64);
        }
    }

    fn view(&self, cx: Cx) -> LogicView {
        let network = self.trainer.network();
        let setup = network.experiment.setup();
        let target = network.target().into_iter().flatten().flatten().map(u8::from).collect();
        let wiring = || LogicWiring {
            channels: setup.channels as u32,
            kernels: setup.kernels as u32,
            pairs: network.circuits.wires(),
        };
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
            gates: self.gates(),
            // Each attempt has its own wiring.
            wiring_version: attempt,
            wiring: (self.page_versions[0] != attempt).then(wiring),
            circuit_version: circuit.map_or(0, |circuit| circuit.version),
            circuit: circuit.filter(|circuit| circuit.version != self.page_versions[1]).cloned(),
            lit: self.stage.node_values(),
            rule: Bytes(self.stage.life_table(network)),
            exported: self.exported.clone(),
        }
    }

    fn save(&self) -> State {
        let mut tensors = Tensors::new();
        tensors.absorb("network/", self.trainer.network().to_tensors());
        tensors.absorb("learner/", self.trainer.to_tensors());
        tensors.insert("proofs/right", &[self.recent_proofs.len()], &self.recent_proofs);
        State { scalars: json!({ "attempts": self.restarts.to_json() }), tensors }
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
        if proofs.len() > cx.config.goal_proofs as usize {
            return bad("`proofs/right` has more proofs than the goal asks for");
        }
        run.recent_proofs.extend(proofs);
        run.restarts = Restarts::from_json(&state.scalars["attempts"], cx.unit, run.trainer.epochs())?;
        Ok(run)
    }

    fn evaluate(
        config: &LogicConfig,
        network: &Tensors,
        evaluation: &Evaluation<LogicEvalOptions>,
    ) -> Result<Report, LabError> {
        let network = Network::from_tensors(config, network)?;
        let stream = Stream::new(evaluation.seed, purpose::EVALUATION);
        let initial_states = evaluation.options.games as usize;
        let mut proof = Proof::new(&network, config.steps as usize, initial_states, stream);
        while !proof.step(&network, config.fire_rate) {}
        let mut summary = String::from("every gate decided: ");
        for (i, part) in proof.parts().iter().enumerate() {
            summary += if i > 0 { "; " } else { "" };
            summary += part.name;
            match part.wrong {
                0 => summary += " exact",
                wrong => summary += &format!(" {wrong} of {} cells wrong", part.cells),
            }
        }
        let figures = proof.parts().iter().map(|part| (part.name, 100.0 * part.fraction_right(), "% right"));
        Ok(Report { summary, figures: figures.collect() })
    }
}

#[cfg(test)]
mod tests {
    use learnery_lab::{Checkpoint, Entry, Session};

    use super::*;

    const LAB: Entry = Entry::of::<Logic>();

    fn resumed(file: &[u8]) -> Session {
        let checkpoint = Checkpoint::from_bytes(file).expect("the file is whole");
        Session::resume(LAB, &checkpoint).expect("the checkpoint is whole")
    }

    /// Units of two epochs, in which no proof holds, so that every second unit ends an attempt.
    fn start() -> Session {
        let settings = json!({ "batch": 1, "steps": 2, "epochs": 2, "anew_after": 4, "scatter": 0.1 });
        Session::start(LAB, &settings, 3).expect("the settings are good")
    }

    #[test]
    fn run_with_restarts_is_the_same_on_any_number_of_threads_and_from_any_checkpoint() {
        let run = |threads: usize| {
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can start");
            pool.install(|| {
                let mut session = start();
                let files = (0..5).map(|_| {
                    session.advance_unit();
                    (session.row().get("attempt"), session.save().to_bytes())
                });
                files.collect::<Vec<_>>()
            })
        };
        let files = run(1);
        assert_eq!(files.iter().map(|(attempt, _)| *attempt).collect::<Vec<_>>(), [1.0, 1.0, 2.0, 2.0, 3.0]);
        assert!(files == run(3), "another number of threads");
        for (i, (_, file)) in files.iter().enumerate() {
            let mut session = resumed(file);
            for (_, later) in &files[i + 1..] {
                session.advance_unit();
                assert!(session.save().to_bytes() == *later, "continued after unit {}", i + 1);
            }
        }
    }

    #[test]
    fn checkpoint_with_an_absurd_number_of_units_is_refused() {
        let mut session = start();
        session.advance_unit();
        let mut checkpoint = session.save();
        for units in [u64::MAX, 1 << 40, 100] {
            checkpoint.header.units = units;
            assert!(Session::resume(LAB, &checkpoint).is_err(), "{units} units of 2 epochs in all");
        }
    }
}
