//! Cellular automata made of logic gates that learn which gates to be.
//!
//! An iteration (a *unit*) is some epochs, and then, where one is due, a proof; both are made of small *steps*, each a step of
//! an automaton, there or back.

mod about;
mod alike;
mod anew;
pub mod automaton;
pub mod circuit;
pub mod config;
pub mod drawing;
pub mod experiment;
pub mod export;
mod graph;
pub mod grid;
pub mod hard;
mod mend;
pub mod netlist;
pub mod network;
mod planes;
mod program;
mod proof;
pub mod prune;
mod rule;
mod stage;
mod starts;
mod trainer;
mod trial;
mod trim;
pub mod view;
mod way_back;
pub mod wiring;

#[cfg(test)]
mod hard_tests;
#[cfg(test)]
mod tests;

use learnery_kernels::gates::KINDS;
use learnery_kernels::rng::Stream;
use learnery_lab::{About, Budget, Bytes, EvalRequest, Goal, Lab, LabError, Report, Row, State, Status};
use learnery_nn::Tensors;
use serde_json::json;

use anew::Attempts;
use circuit::PASS_THROUGH;
pub use config::{LogicConfig, Looks, Parameters};
use drawing::LogicExport;
pub use experiment::Experiment;
pub use network::Network;
use proof::Proof;
use stage::Show;
use trainer::Trainer;
pub use view::{LogicCommand, LogicGates, LogicStage, LogicView, LogicWiring};

/// What random numbers are drawn for; each purpose has its own stream.
mod purpose {
    pub const WIRES: u32 = 0;
    pub const STARTS: u32 = 1;
    pub const ACTING: u32 = 2;
    pub const PROOF: u32 = 3;
    pub const STAGE: u32 = 4;
    pub const EVALUATION: u32 = 5;
    pub const SCATTER: u32 = 6;
    pub const DECIDED: u32 = 7;
    pub const MENDING: u32 = 8;
    /// So many bits say which; above them stands the attempt, where each has random numbers of its own.
    pub const BITS: u32 = 8;
}

/// Starts in a proof that nobody learned from.
const FRESH: usize = 16;
/// The same of an evaluation, where nothing is said.
const FRESH_OF_EVALUATION: u64 = 256;

/// A run of the logic lab.
pub struct Logic {
    config: LogicConfig,
    seed: u32,
    trainer: Trainer,
    proof: Proof,
    /// Epochs of this iteration that are done.
    epochs: u32,
    proving: bool,
    /// Iterations before this one.
    unit: u64,
    /// What the last proofs found right, the last one at the end; as many as the goal asks for.
    proved: Vec<f64>,
    /// Whether the last of them is of the iteration that has just ended.
    judged: bool,
    attempts: Attempts,
    /// Sums of the epochs' losses.
    soft: f64,
    hard: f64,
    /// Gates that were mended in the iteration.
    mended: u64,
    kinds: Vec<u8>,
    show: Show,
    /// The versions of the wiring and of the pruned circuit that the page has.
    page_has: [u32; 2],
    exported: Option<LogicExport>,
}

impl Logic {
    fn assemble(config: LogicConfig, seed: u32, network: Network) -> Self {
        let show = Show::new(&network, config.fire_rate, Stream::new(seed, purpose::STAGE));
        let proof = new_proof(&config, seed, &network);
        Self {
            proof,
            kinds: vec![0; network.brain.gates()],
            trainer: Trainer::new(&config, network, seed),
            epochs: 0,
            proving: false,
            unit: 0,
            proved: Vec::with_capacity(config.goal as usize + 1),
            judged: false,
            attempts: Attempts::FIRST,
            soft: 0.0,
            hard: 0.0,
            mended: 0,
            show,
            page_has: [0; 2],
            exported: None,
            config,
            seed,
        }
    }

    /// One step; true when it was the last of the unit.
    fn step(&mut self) -> bool {
        if self.proving {
            let done = self.proof.step(self.trainer.network(), self.config.fire_rate);
            if done {
                if self.proved.len() == self.config.goal as usize {
                    self.proved.remove(0);
                }
                self.proved.push(self.proof.right());
                self.judged = true;
            }
            return done && self.finish();
        }
        if self.epochs == 0 && self.trainer.is_between() {
            self.go_on_or_begin_anew();
            (self.soft, self.hard, self.judged) = (0.0, 0.0, false);
        }
        if self.trainer.step(&self.config) {
            let losses = self.trainer.losses();
            self.soft += losses.soft;
            self.hard += losses.hard;
            self.epochs += 1;
        }
        // The dial may have been turned down meanwhile.
        self.epochs >= self.config.epochs && self.trainer.is_between() && !self.begin_proof() && self.finish()
    }

    /// Begins a proof where one is due.
    fn begin_proof(&mut self) -> bool {
        let every = u64::from(self.config.prove_every);
        self.proving = every > 0 && (self.unit + 1).is_multiple_of(every);
        if self.proving {
            self.proof.begin(self.unit);
        }
        self.proving
    }

    fn finish(&mut self) -> bool {
        self.unit += 1;
        self.soft /= f64::from(self.epochs);
        self.hard /= f64::from(self.epochs);
        self.mended = self.trainer.take_mended();
        let held = self.judged && self.proof.right() >= 1.0;
        self.attempts.note(self.trainer.epochs(), self.epochs, self.hard, held);
        self.epochs = 0;
        self.proving = false;
        let network = self.trainer.network();
        network.brain.decide(&network.logits, &mut self.kinds, None);
        true
    }

    /// Between two iterations: takes fresh gates and wires where it has got nowhere for long.
    fn go_on_or_begin_anew(&mut self) {
        // Where nothing is put to the proof, nobody asks for more than what is there.
        let may = self.config.prove_every > 0;
        if may && self.attempts.give_up(self.trainer.epochs(), self.config.anew_after) {
            self.trainer.begin_anew(&self.config, self.attempts.number());
            let network = self.trainer.network();
            self.proof = new_proof(&self.config, self.seed, network);
            self.show.rewire(network);
        }
    }

    fn set_target(&mut self, planes: &str) -> Result<(), LabError> {
        let bad = |c: char| LabError::Command(format!("a target is drawn with `0` and `1`, not with `{c}`"));
        if let Some(c) = planes.chars().find(|c| !matches!(c, '0' | '1')) {
            return Err(bad(c));
        }
        let drawn = match planes.is_empty() {
            true => None,
            false => {
                let cells = planes.chars().map(|c| c == '1');
                Some(network::planes(self.config.experiment, cells).map_err(LabError::Command)?)
            }
        };
        self.trainer.set_target(drawn);
        self.proof = new_proof(&self.config, self.seed, self.trainer.network());
        self.proved.clear();
        self.attempts.aim_anew(self.trainer.epochs());
        if self.proving {
            self.proof.begin(self.unit);
        }
        Ok(())
    }

    fn gates(&self) -> LogicGates {
        let network = self.trainer.network();
        let brain = &network.brain;
        let (mut kinds, mut sure) = (vec![0; brain.gates()], vec![0.0; brain.gates()]);
        brain.decide(&network.logits, &mut kinds, Some(&mut sure));
        let mut counts = vec![0; KINDS];
        kinds.iter().for_each(|kind| counts[usize::from(*kind)] += 1);
        let layers = brain.perception.wirings().chain(brain.update.wirings());
        LogicGates {
            layers: layers.map(|wiring| wiring.gates() as u32).collect(),
            perception_layers: brain.perception.wirings().count() as u32,
            kinds: Bytes(kinds),
            sure: Bytes(sure.into_iter().map(|share| (255.0 * share) as u8).collect()),
            counts,
        }
    }
}

fn new_proof(config: &LogicConfig, seed: u32, network: &Network) -> Proof {
    Proof::new(network, config.steps as usize, FRESH, Stream::new(seed, purpose::PROOF))
}

impl Lab for Logic {
    const ABOUT: About = about::ABOUT;
    type Config = LogicConfig;
    type Command = LogicCommand;
    type View = LogicView;

    fn check(config: &LogicConfig) -> Result<(), LabError> {
        let setup = config.experiment.setup();
        let (batch, steps) = (config.batch as usize, config.steps as usize);
        // What is kept: all cells after each step, and what comes back to them and to all that they see.
        let kept = batch * setup.size * setup.size * setup.channels * (steps + 12);
        if kept <= 1 << 26 {
            return Ok(());
        }
        let message = format!("{kept} values would be kept for the way back; at most {}", 1 << 26);
        Err(LabError::setting("batch", message))
    }

    fn new(config: LogicConfig, seed: u32) -> Result<Self, LabError> {
        let network = Network::new(&config, seed);
        Ok(Self::assemble(config, seed, network))
    }

    fn goal(config: &LogicConfig) -> Option<Goal> {
        let what = match config.experiment {
            Experiment::Life => "life in all 512 neighbourhoods",
            Experiment::Checkerboard => "the checkerboard from fresh starts and on 64x64",
            Experiment::Async => "the checkerboard from fresh starts, on 42x42, and healed after a wound",
            Experiment::Figure => "the figure",
            Experiment::Letter => "the letter",
        };
        let words =
            format!("{what}, without a wrong cell in {} proofs in a row, every gate decided", config.goal);
        (config.prove_every > 0).then_some(Goal { metric: "proof", target: 100.0, words })
    }

    fn configure(&mut self, config: LogicConfig) {
        self.config = config;
    }

    fn advance(&mut self, budget: &mut Budget) -> Status {
        while budget.allows() {
            let unit_is_over = self.step();
            budget.spend();
            if unit_is_over {
                return Status::Unit;
            }
        }
        Status::Ready
    }

    fn apply(&mut self, command: LogicCommand) -> Result<(), LabError> {
        match &command {
            LogicCommand::Target { planes } => self.set_target(planes),
            LogicCommand::Have { wiring, circuit } => {
                self.page_has = [*wiring, *circuit];
                Ok(())
            }
            LogicCommand::Export { format } => {
                let (network, epochs) = (self.trainer.network(), self.trainer.epochs());
                let rate = self.config.fire_rate;
                self.exported = Some(export::of_network(network, self.seed, epochs, rate, false, *format));
                Ok(())
            }
            LogicCommand::Taken => {
                self.exported = None;
                Ok(())
            }
            command => self.show.apply(self.trainer.network(), command),
        }
    }

    fn animate(&mut self, seconds: f64) {
        self.show.animate(self.trainer.network(), self.config.steps, seconds);
    }

    fn work(&self) -> u64 {
        self.trainer.epochs() * self.trainer.cells() as u64 * u64::from(self.config.steps)
    }

    fn metrics(&self, out: &mut Row) {
        out.set("softError", self.soft);
        out.set("hardError", self.hard);
        out.set("decided", 100.0 * self.trainer.decided(&self.config));
        out.set("gap", self.hard - self.soft);
        out.set("mended", self.mended as f64);
        out.set("attempt", f64::from(self.attempts.number()));
        out.set(
            "changed",
            self.kinds.iter().filter(|kind| usize::from(**kind) != PASS_THROUGH).count() as f64,
        );
        if self.judged {
            // Proofs that are still to come hold nothing yet.
            let all = self.proved.len() == self.config.goal as usize;
            let least = self.proved.iter().copied().fold(if all { 1.0 } else { 0.0 }, f64::min);
            out.set("proof", 100.0 * least);
            out.set("wrong", self.proof.parts().iter().map(|part| part.wrong).sum::<u64>() as f64);
        }
    }

    fn view(&self) -> LogicView {
        let network = self.trainer.network();
        let setup = network.experiment.setup();
        let target = network.target().into_iter().flatten().flatten().map(u8::from).collect();
        let wiring = || LogicWiring {
            channels: setup.channels as u32,
            kernels: setup.kernels as u32,
            pairs: network.brain.wires(),
        };
        LogicView {
            experiment: network.experiment,
            epochs: self.trainer.epochs() as u32,
            attempt: self.attempts.number(),
            begun: self.attempts.begun() as u32,
            size: setup.size as u32,
            target: Bytes(target),
            own_target: network.drawn.is_some(),
            stage: self.show.view(network, self.config.steps),
            gates: self.gates(),
            wiring_version: self.attempts.number(),
            wiring: (self.page_has[0] != self.attempts.number()).then(wiring),
            circuit_version: self.show.circuit().map_or(0, |circuit| circuit.version),
            circuit: self.show.circuit().filter(|circuit| circuit.version != self.page_has[1]).cloned(),
            lit: self.show.lit(),
            rule: Bytes(self.show.rule(network)),
            exported: self.exported.clone(),
        }
    }

    fn save(&self) -> State {
        let mut tensors = Tensors::new();
        tensors.absorb("network/", self.trainer.network().to_tensors());
        tensors.absorb("learner/", self.trainer.to_tensors());
        tensors.insert("proofs/right", &[self.proved.len()], &self.proved);
        State { scalars: json!({ "unit": self.unit, "attempts": self.attempts.to_json() }), tensors }
    }

    fn load(config: LogicConfig, seed: u32, state: &State) -> Result<Self, LabError> {
        let network = Network::from_tensors(&config, &state.tensors.under("network/"))?;
        let mut run = Self::assemble(config, seed, network);
        run.trainer.restore(&state.tensors.under("learner/"))?;
        let proved: Vec<f64> = state.tensors.get_vec("proofs/right")?;
        if proved.len() > run.config.goal as usize {
            return Err(LabError::Checkpoint("`proofs/right` has more proofs than the goal asks for".into()));
        }
        run.proved.extend(proved);
        run.attempts = Attempts::from_json(&state.scalars["attempts"], run.trainer.epochs())?;
        let unit = state.scalars["unit"].as_u64();
        run.unit = unit.ok_or_else(|| LabError::Checkpoint("its counter `unit` is missing".into()))?;
        Ok(run)
    }

    fn evaluate(config: &LogicConfig, network: &Tensors, request: &EvalRequest) -> Result<Report, LabError> {
        if let Some(against) = &request.against {
            return Err(LabError::Evaluation(format!("nobody plays against cells, so not `{against}`")));
        }
        if request.plies.is_some() {
            return Err(LabError::Evaluation("there is nothing to look ahead at".into()));
        }
        let fresh = request.games.unwrap_or(FRESH_OF_EVALUATION);
        if !(1..=10_000).contains(&fresh) {
            return Err(LabError::Evaluation(format!("{fresh} fresh starts; expected 1 to 10000")));
        }
        let network = Network::from_tensors(config, network)?;
        let stream = Stream::new(request.seed, purpose::EVALUATION);
        let mut proof = Proof::new(&network, config.steps as usize, fresh as usize, stream);
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
        let figures = proof.parts().iter().map(|part| (part.name, 100.0 * part.right(), "% right"));
        Ok(Report { summary, figures: figures.collect() })
    }
}
