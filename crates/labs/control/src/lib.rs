//! Proximal policy optimisation on classic control worlds: thousands of them at once.
//!
//! One iteration (a *unit*) has three phases, each made of small *steps*: `collect` acts once in every
//! world, `learn` updates the networks with one minibatch, `examine` takes one step of the examination.

mod about;
mod agent;
mod collect;
mod config;
mod examine;
mod learn;
mod normaliser;
mod objective;
mod policy;
mod rollout;
mod stage;
mod trace;
mod view;
mod world;

use learnery_kernels::rng::Stream;
use learnery_lab::{About, Budget, EvalRequest, Floats, Goal, Lab, LabError, Report, Row, State, Status};
use learnery_nn::{Adam, Tensors};
use serde_json::{Value, json};

use agent::Agent;
use collect::Collector;
pub use config::ControlConfig;
use examine::Examination;
use learn::Learner;
use stage::Show;
pub use trace::{Answer, trace, world_named};
pub use view::{ControlCommand, ControlView, Phase, Plane, Stage};
pub use world::World;

/// What random numbers are drawn for; each purpose has its own stream.
mod purpose {
    pub const STARTS: u32 = 1;
    pub const ACTIONS: u32 = 2;
    pub const SHUFFLE: u32 = 3;
    pub const ACTOR: u32 = 4;
    pub const CRITIC: u32 = 5;
    pub const EXAMINATION: u32 = 6;
    pub const STAGE: u32 = 7;
    pub const EVALUATION: u32 = 8;
}

/// Worlds drawn on the wall at most.
const WALL: usize = 256;
/// Steps remembered at most, which keeps a rollout within a few hundred megabytes.
const MOST_SAMPLES: u64 = 1 << 22;
/// A run of the control lab.
pub struct Control {
    config: ControlConfig,
    seed: u32,
    agent: Agent,
    collector: Collector,
    learner: Learner,
    examination: Examination,
    phase: Phase,
    /// Iterations begun before this one.
    unit: u64,
    /// Minibatches learned from, which is how often the networks have changed.
    updates: u64,
    /// The last examination's mean return, where this iteration held one.
    examined: Option<f64>,
    show: Show,
}

impl Control {
    fn assemble(config: ControlConfig, seed: u32, agent: Agent) -> Self {
        let collector = Collector::new(&config, seed, &agent);
        let learner = Learner::new(seed, &agent, collector.len());
        let stream = Stream::new(seed, purpose::EXAMINATION);
        let examination = Examination::new(&agent, stream, 0, config.eval_episodes as usize);
        let show = Show::new(&agent, Stream::new(seed, purpose::STAGE));
        Self {
            config,
            seed,
            agent,
            collector,
            learner,
            examination,
            phase: Phase::Collecting,
            unit: 0,
            updates: 0,
            examined: None,
            show,
        }
    }

    /// One step; true when it was the last of the unit.
    fn step(&mut self) -> bool {
        match self.phase {
            Phase::Collecting => {
                if self.collector.step(&self.agent, &self.config) {
                    self.learner.begin(&self.config, self.unit);
                    self.phase = Phase::Learning;
                }
                false
            }
            Phase::Learning => {
                let done = self.learner.step(&mut self.agent, &self.collector, &self.config);
                self.updates += 1;
                if done {
                    // Only now, so that what was learned from looked as it did when it was acted on.
                    self.collector.seen().for_each(|sums| self.agent.normaliser.absorb(sums));
                }
                done && !self.begin_examination() && self.finish()
            }
            Phase::Examined => {
                let done = self.examination.step(&self.agent);
                if done {
                    self.examined = Some(self.examination.mean());
                }
                done && self.finish()
            }
        }
    }

    /// Begins an examination where one is due.
    fn begin_examination(&mut self) -> bool {
        self.examined = None;
        let due =
            self.config.eval_every > 0 && (self.unit + 1).is_multiple_of(u64::from(self.config.eval_every));
        if due {
            let first = self.unit * u64::from(self.config.eval_episodes);
            self.examination.begin(Stream::new(self.seed, purpose::EXAMINATION), first);
            self.phase = Phase::Examined;
        }
        due
    }

    fn finish(&mut self) -> bool {
        self.unit += 1;
        self.phase = Phase::Collecting;
        true
    }

    /// What it is busy with.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    fn phase_share(&self) -> f32 {
        match self.phase {
            Phase::Collecting => self.collector.share(),
            Phase::Learning => self.learner.share(),
            Phase::Examined => self.examination.share(),
        }
    }
}

impl Lab for Control {
    const ABOUT: About = about::ABOUT;
    type Config = ControlConfig;
    type Command = ControlCommand;
    type View = ControlView;

    fn check(config: &ControlConfig) -> Result<(), LabError> {
        let samples = u64::from(config.worlds) * u64::from(config.horizon);
        if samples <= MOST_SAMPLES {
            return Ok(());
        }
        Err(LabError::setting(
            "horizon",
            format!("worlds times horizon is {samples}; at most {MOST_SAMPLES} steps can be remembered"),
        ))
    }

    fn new(config: ControlConfig, seed: u32) -> Result<Self, LabError> {
        let agent = Agent::new(&config, seed);
        Ok(Self::assemble(config, seed, agent))
    }

    fn goal(config: &ControlConfig) -> Option<Goal> {
        (config.eval_every > 0).then(|| Goal {
            metric: "examReturn",
            target: config.world.target(),
            words: format!(
                "a mean return of {} over {} greedy episodes",
                config.world.target(),
                config.eval_episodes
            ),
        })
    }

    fn configure(&mut self, config: ControlConfig) {
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

    fn apply(&mut self, command: ControlCommand) -> Result<(), LabError> {
        self.show.apply(command)
    }

    fn animate(&mut self, seconds: f64) {
        self.show.animate(&self.agent, seconds, self.updates);
    }

    fn work(&self) -> u64 {
        self.collector.work()
    }

    fn metrics(&self, out: &mut Row) {
        let (mean, episodes) = self.collector.mean_return();
        out.set("return", mean);
        out.set("episodes", episodes as f64);
        out.set("explained", self.collector.explained_variance());
        self.learner.metrics(out);
        out.set("examReturn", self.examined.unwrap_or(f64::NAN));
    }

    fn view(&self) -> ControlView {
        let (wall, wall_steps) = self.collector.wall(WALL);
        ControlView {
            world: self.config.world,
            phase: self.phase,
            phase_share: self.phase_share(),
            wall: Floats(wall),
            wall_steps: Floats(wall_steps),
            stage: self.show.stage(),
            plane: self.show.plane(),
        }
    }

    fn save(&self) -> State {
        let mut tensors = Tensors::new();
        tensors.absorb("network/", self.agent.to_tensors());
        tensors.absorb("adam/", self.learner.adam.to_tensors());
        tensors.absorb("worlds/", self.collector.to_tensors());
        State { scalars: json!({ "unit": self.unit, "updates": self.updates }), tensors }
    }

    fn load(config: ControlConfig, seed: u32, state: &State) -> Result<Self, LabError> {
        let agent = Agent::from_tensors(&config, &state.tensors.under("network/"))?;
        let mut run = Self::assemble(config, seed, agent);
        let parameters = run.agent.weights.len();
        run.learner.adam = Adam::from_tensors(parameters, &state.tensors.under("adam/"))?;
        run.collector.restore(&state.tensors.under("worlds/"))?;
        run.unit = counter(&state.scalars, "unit")?;
        run.updates = counter(&state.scalars, "updates")?;
        Ok(run)
    }

    fn evaluate(
        config: &ControlConfig,
        network: &Tensors,
        request: &EvalRequest,
    ) -> Result<Report, LabError> {
        if let Some(against) = &request.against {
            return Err(LabError::Evaluation(format!(
                "there is nobody to play against in these worlds, so not `{against}`"
            )));
        }
        if request.plies.is_some() {
            return Err(LabError::Evaluation("there is nothing to look ahead at in these worlds".into()));
        }
        let games = request.games.unwrap_or(100);
        if !(1..=1_000_000).contains(&games) {
            return Err(LabError::Evaluation(format!("{games} games; expected 1 to 1000000")));
        }
        let agent = Agent::from_tensors(config, network)?;
        let stream = Stream::new(request.seed, purpose::EVALUATION);
        let mut examination = Examination::new(&agent, stream, 0, games as usize);
        while !examination.step(&agent) {}
        let mean = examination.mean();
        let variance = examination.returns().map(|r| (r - mean).powi(2)).sum::<f64>() / games as f64;
        let least = examination.returns().fold(f64::INFINITY, f64::min);
        let verdict = if mean >= config.world.solved() { "solved" } else { "not solved yet" };
        Ok(Report {
            summary: format!("mean return {mean:.1} over {games} greedy episodes: {verdict}"),
            figures: vec![
                ("return", mean, ""),
                ("spread", variance.sqrt(), ""),
                ("least", least, ""),
                ("episodes", games as f64, ""),
            ],
        })
    }
}

fn counter(scalars: &Value, name: &str) -> Result<u64, LabError> {
    let missing = || LabError::Checkpoint(format!("its counter `{name}` is missing"));
    scalars[name].as_u64().ok_or_else(missing)
}
