//! The control lab: proximal policy optimisation (PPO; Schulman et al., 2017) on classic-control
//! environments, here called worlds, up to thousands of them in parallel. This file implements the `Lab`
//! trait; a run is [`Control`]. A *unit* is one training iteration, the *stage* a world apart from training
//! that the user of the page watches and can push.

// Denies the functions that clippy.toml names: the last bits of their results differ between platforms.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod about;
mod advantages;
mod bounds;
mod collector;
mod config;
mod evaluation;
#[cfg(not(target_family = "wasm"))]
mod export;
#[cfg(not(target_family = "wasm"))]
mod external;
#[cfg(feature = "gpu")]
mod gpu;
mod learner;
mod network;
mod normaliser;
mod objective;
#[cfg(feature = "own-worlds")]
mod own;
mod phase;
mod policy;
mod purpose;
mod rewards;
mod rollout;
mod stage;
mod task;
#[cfg(not(target_family = "wasm"))]
mod tools;
mod trained;
mod training;
mod view;
mod world;

#[cfg(not(target_family = "wasm"))]
use learnery_kernels::rng::Stream;
#[cfg(not(target_family = "wasm"))]
use learnery_lab::MakeGraphs;
use learnery_lab::{About, Context, Floats, Goal, GpuUse, Lab, LabError, Row, State, Status};
use learnery_nn::Tensors;
use serde_json::json;

use collector::RolloutSummary;
pub use config::ControlConfig;
#[cfg(not(target_family = "wasm"))]
pub use external::{Environments, ExternalActions, ExternalRun, ExternalSpaces, Results};
#[cfg(feature = "gpu")]
pub use gpu::ppo;
use network::Network;
pub use phase::Phase;
pub use task::Task;
#[cfg(not(target_family = "wasm"))]
pub use tools::{Evaluate, EvaluationInput, Trace, TraceInput, TraceOutput, TracedStep, find_world};
pub use trained::TrainedNetwork;
pub use training::Control;
pub use view::{ControlCommand, ControlView, StageView, ValueMap};
#[cfg(feature = "own-worlds")]
pub use view::{OwnAction, OwnParameter, OwnView};
use world::BuiltIn;
pub use world::World;

/// The maximum number of training worlds that the page draws.
const MAX_DRAWN_WORLDS: usize = 256;
/// The maximum number of samples in a rollout, which keeps its memory below a few hundred megabytes.
const MAX_SAMPLES: u64 = 1 << 22;
/// A run prefers a GPU if it has at least this many worlds and this many samples in a minibatch.
const MIN_GPU_WORLDS: u32 = 4096;
const MIN_GPU_MINIBATCH: u64 = 8192;
/// The maximum number of iterations that a checkpoint may claim, far more than any run reaches. Products such
/// as iterations times samples still fit into 64 bits.
const MAX_UNITS: u64 = 1 << 40;

/// Refuses a text that is no world, and values that its parameters cannot have. The error is a sentence.
#[cfg(feature = "own-worlds")]
pub fn check_world(text: &str, parameters: &own::Parameters) -> Result<(), String> {
    own::OwnWorld::new("", text, parameters).map(drop)
}

/// The random numbers of the training worlds of a run with this seed: a world that is stepped alone with them
/// begins like the first one of the run.
#[cfg(not(target_family = "wasm"))]
pub fn start_stream(seed: u32) -> Stream {
    Stream::new(seed, purpose::STARTS)
}

/// The random numbers of actions that neither a policy nor a user chooses, see `purpose::RANDOM_ACTIONS`.
#[cfg(not(target_family = "wasm"))]
pub fn random_action_stream(seed: u32) -> Stream {
    Stream::new(seed, purpose::RANDOM_ACTIONS)
}

/// The goal of a run that ends at this mean return. `best` is the highest return of an episode, if it is
/// known.
fn goal_at(config: &ControlConfig, target: f64, best: Option<f64>) -> Option<Goal> {
    (config.eval_every > 0).then(|| Goal {
        metric: "examReturn",
        target,
        words: format!(
            "a test score of {target}: the mean return of {} fresh episodes without exploration",
            config.eval_episodes
        ),
        exact: false,
        best,
    })
}

impl Lab for Control {
    const ABOUT: About = about::ABOUT;
    type Config = ControlConfig;
    const SETTINGS: &str = include_str!("settings.json");
    type Command = ControlCommand;
    type View = ControlView;
    const GPU: GpuUse = GpuUse::Everywhere;
    // The page uses no tool of this lab, so its WebAssembly bundles leave them out.
    #[cfg(not(target_family = "wasm"))]
    const TOOLS: &'static [learnery_lab::ToolEntry] =
        &[learnery_lab::ToolEntry::of::<Trace>(), learnery_lab::ToolEntry::of::<Evaluate>()];
    #[cfg(not(target_family = "wasm"))]
    const GRAPHS: Option<MakeGraphs<ControlConfig>> =
        Some(|config, network| Ok(Network::from_tensors(config, network)?.graphs()));
    #[cfg(feature = "own-worlds")]
    const DATA_COMMANDS: &'static [&'static str] = &["world"];

    fn check(config: &ControlConfig) -> Result<(), LabError> {
        #[cfg(not(feature = "own-worlds"))]
        if config.world == World::Own {
            return Err(LabError::setting("world", "this build knows no worlds of your own"));
        }
        let samples = u64::from(config.worlds) * u64::from(config.horizon);
        if samples <= MAX_SAMPLES {
            return Ok(());
        }
        Err(LabError::setting(
            "horizon",
            format!("worlds times horizon is {samples}; a rollout holds at most {MAX_SAMPLES} steps"),
        ))
    }

    fn new(cx: Context<ControlConfig>) -> Result<Self, LabError> {
        Ok(Self::assemble(cx, Network::new(cx.config, Task::new(cx.config.world), cx.seed)))
    }

    fn goal(config: &ControlConfig) -> Option<Goal> {
        let kind = config.world.kind()?;
        let spec = kind.spec();
        // The longest episode has the highest return where each step has the same positive reward.
        let reward = spec.constant_reward.filter(|reward| *reward > 0.0);
        let best = reward.map(|reward| f64::from(reward) * f64::from(spec.max_steps));
        goal_at(config, kind.target_return(), best)
    }

    #[cfg(feature = "own-worlds")]
    fn run_goal(&self, config: &ControlConfig) -> Option<Goal> {
        match self.network.task() {
            Task::BuiltIn(_) => Self::goal(config),
            // The number as the text has it: as an f64 it would have more digits.
            Task::Own(own) => goal_at(config, own.spec().solved?.to_string().parse().ok()?, None),
            #[cfg(not(target_family = "wasm"))]
            Task::External(_) => None,
        }
    }

    fn step(&mut self, cx: Context<ControlConfig>) -> Status {
        self.step_phase(cx)
    }

    fn apply(
        &mut self,
        cx: Context<ControlConfig>,
        command: ControlCommand,
    ) -> Result<Option<String>, LabError> {
        #[cfg(feature = "own-worlds")]
        if let ControlCommand::World { name, text, parameters } = &command {
            return self.set_world(cx, name, text, parameters).map(|()| None);
        }
        let _ = cx; // only a world needs it
        self.stage.apply(&self.network, &command).map(|()| None)
    }

    fn animate(&mut self, _: Context<ControlConfig>, seconds: f64) {
        if let Some(device) = &mut self.device {
            device.watch();
        }
        // The number of updates serves as the version of the weights.
        self.stage.animate(&self.network, seconds, self.updates);
    }

    fn work(&self, _: Context<ControlConfig>) -> u64 {
        self.collector.steps_taken()
    }

    fn metrics(&self, _: Context<ControlConfig>, out: &mut Row) {
        let RolloutSummary { mean_return, episodes, explained_variance } = self.summary();
        out.set("return", mean_return);
        out.set("episodes", episodes as f64);
        out.set("explained", explained_variance);
        self.learner.metrics(out);
        out.set("examReturn", self.evaluation_return.unwrap_or(f64::NAN));
        out.set("successes", self.successes.unwrap_or(f64::NAN));
    }

    fn view(&self, cx: Context<ControlConfig>) -> ControlView {
        let (training_states, training_steps) = self.collector.drawn_worlds(MAX_DRAWN_WORLDS);
        #[cfg_attr(not(feature = "own-worlds"), expect(unused_mut))]
        let (mut stage, mut value_map) = (self.stage.view(), self.stage.value_map());
        // Normalised rewards have a unit of their own, which changes as the run goes on.
        #[cfg(feature = "own-worlds")]
        if let Some(unit) = self.collector.reward_unit(cx.config) {
            stage.value *= unit;
            value_map.values.0.iter_mut().for_each(|value| *value *= unit);
        }
        ControlView {
            #[cfg(feature = "own-worlds")]
            own: self.stage.own_view(&training_states, self.fault_sentence.as_deref()),
            world: cx.config.world,
            phase: self.phase,
            phase_fraction: self.phase_fraction(),
            training_states: Floats(training_states),
            training_steps: Floats(training_steps),
            stage,
            value_map,
        }
    }

    fn save(&self) -> State {
        let mut tensors = Tensors::new();
        tensors.absorb("network/", self.network.to_tensors());
        tensors.absorb("adam/", self.learner.adam.to_tensors());
        tensors.absorb("worlds/", self.collector.to_tensors());
        State { scalars: json!({ "updates": self.updates }), tensors }
    }

    fn prepare_save(&mut self, cx: Context<ControlConfig>) -> Status {
        self.fetch_state(cx)
    }

    /// A GPU pays for many worlds and large minibatches; small ones are a chain of short kernels.
    fn prefers_gpu(config: &ControlConfig) -> bool {
        let samples = u64::from(config.worlds) * u64::from(config.horizon);
        config.world != World::Own
            && config.worlds >= MIN_GPU_WORLDS
            && samples / u64::from(config.minibatches) >= MIN_GPU_MINIBATCH
    }

    fn failure(&self) -> Option<String> {
        self.device.as_ref()?.failure()
    }

    #[cfg(all(feature = "own-worlds", not(target_family = "wasm")))]
    fn remark(&self) -> Option<String> {
        self.fault_sentence.clone()
    }

    #[cfg(feature = "gpu")]
    fn use_gpu(
        &mut self,
        cx: Context<ControlConfig>,
        gpu: &learnery_gpu::Gpu,
        precision: learnery_gpu::Precision,
    ) -> Result<(), LabError> {
        if precision != learnery_gpu::Precision::F32 {
            return Err(LabError::Device("the lab `control` computes on a GPU in f32 only".into()));
        }
        let move_there = gpu::move_to(gpu);
        self.device = Some(move_there(cx.config, self)?);
        self.move_there = Some(move_there);
        Ok(())
    }

    fn load(cx: Context<ControlConfig>, state: &State) -> Result<Self, LabError> {
        if cx.unit > MAX_UNITS {
            return Err(LabError::Checkpoint(format!(
                "it claims {} iterations; a run has at most {MAX_UNITS}",
                cx.unit
            )));
        }
        let network = Network::from_tensors(cx.config, &state.tensors.under("network/"))?;
        network.task().check_steppable()?;
        let mut run = Self::assemble(cx, network);
        let adam = state.tensors.under("adam/");
        run.learner.set_adam(&adam)?;
        run.collector.restore(cx.unit, &state.tensors.under("worlds/"))?;
        let updates = state.scalars["updates"].as_u64();
        let updates =
            updates.ok_or_else(|| LabError::Checkpoint("its counter `updates` is missing".into()))?;
        // Adam skips gradients that are not finite, so it may have taken fewer steps than the run has made
        // updates.
        let adam_steps = adam.get::<u64>("t", &[1])?[0];
        if updates > cx.unit * config::MAX_UPDATES_PER_UNIT || adam_steps > updates {
            return Err(LabError::Checkpoint(format!(
                "its counters contradict each other: {} iterations, {updates} updates, {adam_steps} steps of Adam",
                cx.unit
            )));
        }
        run.updates = updates;
        Ok(run)
    }

    /// No network is trained further. One whose environments Python steps cannot even be evaluated here.
    #[cfg(not(target_family = "wasm"))]
    fn load_network(cx: Context<ControlConfig>, network: &Tensors, _: u64) -> Result<Self, LabError> {
        Network::from_tensors(cx.config, network)?.task().check_steppable()?;
        Err(LabError::only_network())
    }

    #[cfg(feature = "own-worlds")]
    fn own_data(tensors: &Tensors) -> Option<serde_json::Value> {
        let own = own::OwnWorld::from_tensors(&tensors.under("network/world/")).ok()?;
        (!own.is_first()).then(|| own.command())
    }
}
