//! The control lab: proximal policy optimisation (PPO; Schulman et al., 2017) on classic-control worlds, thousands of
//! them in parallel.

mod about;
mod advantages;
mod collector;
mod config;
mod evaluation;
mod learner;
mod network;
mod normaliser;
mod objective;
mod phase;
mod policy;
mod purpose;
mod rollout;
mod stage;
mod trace;
mod training;
mod view;
mod world;

use learnery_lab::{About, Budget, EvalRequest, Floats, Goal, Lab, LabError, Report, Row, State, Status};
use learnery_nn::{Adam, Tensors};
use serde_json::{Value, json};

pub use config::ControlConfig;
use network::Network;
pub use phase::Phase;
pub use trace::{TracedStep, find_world, trace_step};
pub use training::Control;
pub use view::{ControlCommand, ControlView, StageView, ValueMap};
pub use world::World;

/// The page draws at most this many training worlds.
const MAX_DRAWN_WORLDS: usize = 256;
/// The most samples in a rollout: keeps its memory below a few hundred megabytes.
const MAX_SAMPLES: u64 = 1 << 22;

impl Lab for Control {
    const ABOUT: About = about::ABOUT;
    type Config = ControlConfig;
    type Command = ControlCommand;
    type View = ControlView;

    fn check(config: &ControlConfig) -> Result<(), LabError> {
        let samples = u64::from(config.worlds) * u64::from(config.horizon);
        if samples <= MAX_SAMPLES {
            return Ok(());
        }
        Err(LabError::setting(
            "horizon",
            format!("worlds times horizon is {samples}; a rollout holds at most {MAX_SAMPLES} steps"),
        ))
    }

    fn new(config: ControlConfig, seed: u32) -> Result<Self, LabError> {
        let network = Network::new(&config, seed);
        Ok(Self::assemble(config, seed, network))
    }

    fn goal(config: &ControlConfig) -> Option<Goal> {
        (config.eval_every > 0).then(|| Goal {
            metric: "examReturn",
            target: config.world.target_return(),
            words: format!(
                "a mean return of {} over {} greedy episodes",
                config.world.target_return(),
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
        self.stage.apply(command)
    }

    fn animate(&mut self, seconds: f64) {
        self.stage.animate(&self.network, seconds, self.updates);
    }

    fn work(&self) -> u64 {
        self.collector.steps_taken()
    }

    fn metrics(&self, out: &mut Row) {
        let (mean, episodes) = self.collector.mean_return();
        out.set("return", mean);
        out.set("episodes", episodes as f64);
        out.set("explained", self.collector.explained_variance());
        self.learner.metrics(out);
        out.set("examReturn", self.evaluation_return.unwrap_or(f64::NAN));
    }

    fn view(&self) -> ControlView {
        let (training_states, training_steps) = self.collector.drawn_worlds(MAX_DRAWN_WORLDS);
        ControlView {
            world: self.config.world,
            phase: self.phase,
            phase_fraction: self.phase_fraction(),
            training_states: Floats(training_states),
            training_steps: Floats(training_steps),
            stage: self.stage.view(),
            value_map: self.stage.value_map(),
        }
    }

    fn save(&self) -> State {
        let mut tensors = Tensors::new();
        tensors.absorb("network/", self.network.to_tensors());
        tensors.absorb("adam/", self.learner.adam.to_tensors());
        tensors.absorb("worlds/", self.collector.to_tensors());
        State { scalars: json!({ "unit": self.unit, "updates": self.updates }), tensors }
    }

    fn load(config: ControlConfig, seed: u32, state: &State) -> Result<Self, LabError> {
        let network = Network::from_tensors(&config, &state.tensors.under("network/"))?;
        let mut run = Self::assemble(config, seed, network);
        let parameters = run.network.weights.len();
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
        if let Some(opponent) = &request.against {
            return Err(LabError::Evaluation(format!(
                "there is nobody to play against in these worlds, so not `{opponent}`"
            )));
        }
        if request.plies.is_some() {
            return Err(LabError::Evaluation("there is nothing to look ahead at in these worlds".into()));
        }
        let episodes = request.games.unwrap_or(100);
        if !(1..=1_000_000).contains(&episodes) {
            return Err(LabError::Evaluation(format!("{episodes} games; expected 1 to 1000000")));
        }
        let network = Network::from_tensors(config, network)?;
        Ok(evaluation::report(&network, episodes, request.seed))
    }
}

fn counter(scalars: &Value, name: &str) -> Result<u64, LabError> {
    let missing = || LabError::Checkpoint(format!("its counter `{name}` is missing"));
    scalars[name].as_u64().ok_or_else(missing)
}
