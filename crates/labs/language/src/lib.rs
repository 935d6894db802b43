//! Language: a small transformer that learns to go on writing, token by token.
//!
//! An iteration (a *unit*) is some updates, then, where they are due, a judgement and a sample for the diary. All of it is made
//! of small *steps*: a wave of a batch, a wave of the judge, some tokens of a sample.

mod about;
mod config;
mod diary;
mod echo;
mod evaluate;
mod grid;
mod judge;
mod learner;
mod material;
mod network;
mod reading;
mod spelling;
mod stage;
mod tales;
mod view;
mod writer;

#[cfg(test)]
mod tests;

use learnery_kernels::rng::Stream;
use learnery_lab::{About, Budget, EvalRequest, Goal, Lab, LabError, NamedText, Report, Row, State, Status};
use learnery_nn::Tensors;
use serde_json::json;

pub use config::{LanguageConfig, Optimiser, Source, Tokens};
use diary::Diary;
use judge::{Judge, QUICK, Verdict};
use learner::Learner;
pub use learnery_nn::with_spinning_threads;
use material::Material;
pub use network::Network;
pub use spelling::Spelling;
use stage::{Now, Show};
pub use view::{LanguageCommand, LanguageView};
pub use writer::{Dials, Writer};

/// What random numbers are drawn for; each purpose has its own stream.
mod purpose {
    pub const NETWORK: u32 = 0;
    pub const READING: u32 = 1;
    pub const HELD_OUT: u32 = 2;
    pub const EXAMPLES: u32 = 3;
    pub const PARTS: u32 = 4;
    pub const STAGE: u32 = 5;
    pub const DIARY: u32 = 6;
    pub const EVALUATION: u32 = 7;
    pub const OFFSETS: u32 = 8;
}

/// Whether this is a text that can be learned from.
pub fn check_text(text: &NamedText) -> Result<(), LabError> {
    material::corpus(&text.name, &text.bytes).map(drop)
}

/// What a text is drawn with that somebody asks a network for.
pub fn drawing(seed: u32) -> Stream {
    Stream::new(seed, purpose::EVALUATION)
}

/// What the present iteration is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Learning,
    Judging,
    Writing,
}

/// A run of the language lab.
pub struct Language {
    config: LanguageConfig,
    seed: u32,
    network: Network,
    material: Material,
    learner: Learner,
    judge: Judge,
    diary: Diary,
    show: Show,
    phase: Phase,
    /// Updates of this iteration that are done, and what they cost: bits, bytes, the mean length of gradients.
    updates: u32,
    bits: f64,
    bytes: usize,
    norm: f64,
    /// Iterations before this one.
    unit: u64,
    /// The last verdict, and whether it is of the iteration that has just ended.
    verdict: Verdict,
    judged: bool,
}

impl Language {
    fn assemble(config: LanguageConfig, seed: u32, network: Network, mut material: Material) -> Self {
        let (prompt, end) = stage::opening(&network, &mut material);
        let prompt = network.encode(&prompt).unwrap_or_default();
        Self {
            learner: Learner::new(&config, &network),
            judge: Judge::new(&network, &material, config.judge_size as usize, QUICK),
            diary: Diary::new(&network, prompt, end, Stream::new(seed, purpose::DIARY)),
            show: Show::new(&network, &mut material, Stream::new(seed, purpose::STAGE)),
            phase: Phase::Learning,
            updates: 0,
            bits: 0.0,
            bytes: 0,
            norm: 0.0,
            unit: 0,
            verdict: Verdict::default(),
            judged: false,
            network,
            material,
            config,
            seed,
        }
    }

    /// One step; true when it was the last of the unit.
    fn step(&mut self) -> bool {
        match self.phase {
            Phase::Learning => {
                if self.updates == 0 && self.learner.is_between() {
                    (self.bits, self.bytes, self.norm, self.judged) = (0.0, 0, 0.0, false);
                }
                let Self { learner, network, material, config, .. } = self;
                if let Some(update) = learner.step(config, network, material) {
                    self.updates += 1;
                    self.bits += update.bits;
                    self.bytes += update.bytes;
                    self.norm += f64::from(update.norm);
                }
                // The dial may have been turned down meanwhile.
                let over = self.updates >= self.config.updates && self.learner.is_between();
                over && self.go_on(Phase::Learning)
            }
            Phase::Judging => {
                let Self { judge, network, learner, material, .. } = self;
                let Some(verdict) = judge.step(network, learner.trainer(), material) else { return false };
                (self.verdict, self.judged) = (verdict, true);
                self.go_on(Phase::Judging)
            }
            Phase::Writing => {
                let (unit, tokens) = (self.unit + 1, self.learner.tokens());
                self.diary.step(&self.network, unit, tokens) && self.go_on(Phase::Writing)
            }
        }
    }

    /// What comes after a phase; true where it was the last of the unit.
    fn go_on(&mut self, after: Phase) -> bool {
        let (unit, every) = (self.unit + 1, u64::from(self.config.judge_every));
        // After the first iteration too, so that there soon is something to see.
        let judge = every > 0 && (unit == 1 || unit.is_multiple_of(every));
        self.phase = match after {
            Phase::Learning if judge => Phase::Judging,
            Phase::Learning | Phase::Judging if Diary::is_due(unit) => Phase::Writing,
            _ => {
                self.unit = unit;
                self.norm /= f64::from(self.updates);
                self.updates = 0;
                self.phase = Phase::Learning;
                return true;
            }
        };
        false
    }

    fn now(&self) -> Now {
        Now { unit: self.unit, updates: self.learner.updates(), tokens_seen: self.learner.tokens() }
    }

    /// Learns from somebody's text from now on.
    fn set_text(&mut self, name: &str, text: &str) -> Result<(), LabError> {
        if self.config.source.task().is_some() {
            let message =
                "a network for a task knows only the characters of that task; begin with the preset `text`";
            return Err(LabError::Command(message.into()));
        }
        let corpus = material::corpus(name, text.as_bytes())?;
        if self.learner.updates() == 0 && self.learner.is_between() {
            let tokenizer = material::tokenizer(&self.config, Some(&corpus))?;
            let network = Network::new(&self.config, tokenizer, self.seed)?;
            let length = network.net.shape().context;
            let material = Material::text(name, corpus, &network.tokenizer, length, self.seed)?;
            *self = Self::assemble(self.config.clone(), self.seed, network, material);
            return Ok(());
        }
        self.network.encode(corpus.text())?;
        let length = self.network.net.shape().context;
        self.material = Material::text(name, corpus, &self.network.tokenizer, length, self.seed)?;
        self.judge = Judge::new(&self.network, &self.material, self.config.judge_size as usize, QUICK);
        self.verdict = Verdict::default();
        self.show = Show::new(&self.network, &mut self.material, Stream::new(self.seed, purpose::STAGE));
        Ok(())
    }
}

impl Lab for Language {
    const ABOUT: About = about::ABOUT;
    type Config = LanguageConfig;
    type Command = LanguageCommand;
    type View = LanguageView;

    fn check(config: &LanguageConfig) -> Result<(), LabError> {
        evaluate::check(config)
    }

    fn new(config: LanguageConfig, seed: u32) -> Result<Self, LabError> {
        let tokenizer = material::tokenizer(&config, None)?;
        let network = Network::new(&config, tokenizer, seed)?;
        let material = Material::new(&config, seed)?;
        Ok(Self::assemble(config, seed, network, material))
    }

    fn goal(config: &LanguageConfig) -> Option<Goal> {
        let goal = config.goal;
        let (metric, target, words) = match config.source {
            Source::Text => return None,
            Source::Stories => ("excess", goal, format!("stories within {goal}% of their entropy")),
            _ => ("exact", goal, format!("{goal}% of problems it never saw answered exactly")),
        };
        (config.judge_every > 0).then_some(Goal { metric, target, words })
    }

    fn schedule(config: &LanguageConfig) -> Option<u64> {
        (config.anneal > 0).then(|| u64::from(config.anneal.div_ceil(config.updates)))
    }

    fn configure(&mut self, config: LanguageConfig) {
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

    fn apply(&mut self, command: LanguageCommand) -> Result<(), LabError> {
        match command {
            LanguageCommand::Text { name, text } => self.set_text(&name, &text),
            command => {
                let now = self.now();
                self.show.apply(&self.network, command, now)
            }
        }
    }

    fn animate(&mut self, seconds: f64) {
        let now = self.now();
        self.show.animate(&self.network, &mut self.material, seconds, now);
    }

    fn work(&self) -> u64 {
        self.learner.work()
    }

    fn metrics(&self, out: &mut Row) {
        out.set("loss", self.bits / self.bytes as f64);
        out.set("gradient", self.norm);
        out.set("rate", self.config.learning_rate * self.learner.factor(&self.config));
        if self.judged {
            let measured = [
                ("bits", self.verdict.bits),
                ("excess", self.verdict.excess.map(|excess| 100.0 * excess)),
                ("exact", self.verdict.exact.map(|exact| 100.0 * exact)),
            ];
            for (name, value) in measured {
                value.into_iter().for_each(|value| out.set(name, value));
            }
            if let Some(exact) = self.verdict.exact {
                // Two standard deviations of a share.
                out.set("exactMargin", 200.0 * (exact * (1.0 - exact) / self.judge.rows() as f64).sqrt());
            }
        }
    }

    fn view(&self) -> LanguageView {
        let shape = self.network.net.shape();
        let (prompt, dials) = self.show.dials();
        let [gzip, order3] = self.judge.baselines().map_or([None; 2], |each| each.map(Some));
        LanguageView {
            source: self.material.source(&self.config),
            text_name: self.material.own().map_or_else(String::new, |(name, _)| name.to_owned()),
            tokens_seen: self.learner.tokens() as f64,
            vocabulary: self.network.tokenizer.len() as u32,
            context: shape.context as u32,
            width: shape.width as u32,
            layers: shape.layers as u32,
            heads: shape.heads as u32,
            parameters: self.network.weights.len() as u32,
            operations: shape.training_operations(shape.context),
            floor: self.material.floor(),
            gzip,
            order3,
            bits: self.verdict.bits,
            prompt: prompt.to_owned(),
            temperature: dials.temperature,
            top_k: dials.top_k as u32,
            sample: self.show.sample(&self.network),
            earlier: self.diary.view(&self.network),
            reading: self.show.reading.view(&self.network),
            grid: self.show.grid.as_ref().map(grid::Grid::view),
        }
    }

    fn save(&self) -> State {
        let mut tensors = Tensors::new();
        tensors.absorb("network/", self.network.to_tensors());
        tensors.absorb("learner/", self.learner.to_tensors());
        tensors.absorb("diary/", self.diary.to_tensors());
        let (name, text) = self.material.own().unwrap_or_default();
        tensors.insert("text/name", &[name.len()], name.as_bytes());
        tensors.insert("text/bytes", &[text.len()], text.as_bytes());
        let Verdict { bits, excess, exact } = self.verdict;
        let known = |value: Option<f64>| value.unwrap_or(f64::NAN);
        tensors.insert("verdict", &[3], &[bits, excess, exact].map(known));
        State { scalars: json!({ "unit": self.unit }), tensors }
    }

    fn load(config: LanguageConfig, seed: u32, state: &State) -> Result<Self, LabError> {
        let network = Network::from_tensors(&config, &state.tensors.under("network/"))?;
        let name: Vec<u8> = state.tensors.get_vec("text/name")?;
        let text: Vec<u8> = state.tensors.get_vec("text/bytes")?;
        let material = if text.is_empty() {
            Material::new(&config, seed)?
        } else {
            let damaged = |e: LabError| LabError::Checkpoint(format!("its text: {e}"));
            let name = String::from_utf8_lossy(&name).into_owned();
            let corpus = material::corpus(&name, &text).map_err(damaged)?;
            let length = network.net.shape().context;
            Material::text(&name, corpus, &network.tokenizer, length, seed).map_err(damaged)?
        };
        let mut run = Self::assemble(config, seed, network, material);
        run.learner.restore(&state.tensors.under("learner/"))?;
        run.diary.restore(&run.network, &state.tensors.under("diary/"))?;
        let [bits, excess, exact] = state.tensors.get::<f64>("verdict", &[3])?[..] else {
            unreachable!("three")
        };
        let known = |value: f64| (!value.is_nan()).then_some(value);
        run.verdict = Verdict { bits: known(bits), excess: known(excess), exact: known(exact) };
        let unit = state.scalars["unit"].as_u64();
        run.unit = unit.ok_or_else(|| LabError::Checkpoint("its counter `unit` is missing".into()))?;
        Ok(run)
    }

    fn load_network(
        config: LanguageConfig,
        seed: u32,
        network: &Tensors,
        work: u64,
    ) -> Result<Self, LabError> {
        let network = Network::from_tensors(&config, network)?;
        let material = Material::new(&config, seed)?;
        let mut run = Self::assemble(config, seed, network, material);
        run.learner.resume_at(work);
        Ok(run)
    }

    fn evaluate(
        config: &LanguageConfig,
        network: &Tensors,
        request: &EvalRequest,
    ) -> Result<Report, LabError> {
        evaluate::evaluate(config, network, request)
    }
}
