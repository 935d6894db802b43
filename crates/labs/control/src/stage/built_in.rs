//! The stage of the lab's own worlds, which the user can push.

use learnery_kernels::rng::Stream;
use learnery_lab::{Floats, LabError};
use learnery_worlds::control::{Actions, Kind};

use super::{END_SECONDS, MAP_SIZE, new_view};
use crate::network::{Network, Scratch};
use crate::view::{StageView, ValueMap};
use crate::world::{BuiltIn, MapAxes};

/// The strongest push that is accepted, in units of the agent's own force.
const MAX_PUSH: f32 = 3.0;

/// The stage's world, the network's outputs for its current state, and the value map.
pub struct BuiltInStage {
    world: Kind,
    /// Random numbers for start states.
    starts: Stream,
    state: Vec<f32>,
    /// Probabilities of the discrete actions in the current state; empty for a continuous action.
    probabilities: Vec<f32>,
    /// The greedy action in the current state, in the units of the world's actions.
    action: f32,
    /// The other fields of the view. Its `state` and `probabilities` stay empty; [`BuiltInStage::view`] fills
    /// them in.
    view: StageView,
    /// Seconds that have passed since the last step, fewer than a step takes.
    leftover_seconds: f64,
    /// Seconds since the episode ended.
    seconds_since_end: f64,
    scratch: Scratch,
    /// The observations of MAP_SIZE points of the map, whose values are computed together. The first one is
    /// also the buffer of the current observation.
    /// Shape: `[MAP_SIZE, inputs]`.
    observations: Vec<f32>,
    /// The critic's values at the points of the map.
    /// Shape: `[y, x]`.
    map_values: Vec<f32>,
    /// The version of the weights that the map shows.
    map_version: u64,
}

impl BuiltInStage {
    pub fn new(network: &Network, world: Kind, starts: Stream) -> Self {
        let mut stage = Self {
            world,
            starts,
            // World 0, episode 0 of the stream.
            state: world.start(starts, 0, 0),
            probabilities: Vec::new(),
            action: 0.0,
            view: new_view(),
            leftover_seconds: 0.0,
            seconds_since_end: 0.0,
            scratch: network.scratch(MAP_SIZE),
            observations: vec![0.0; MAP_SIZE * network.inputs()],
            map_values: vec![0.0; MAP_SIZE * MAP_SIZE],
            map_version: 0,
        };
        stage.run_network(network);
        stage.update_map(network, 0);
        stage
    }

    /// Sets a constant push, which lasts until another is set; 0 ends it.
    pub fn push(&mut self, strength: f32) -> Result<(), LabError> {
        if strength.abs() <= MAX_PUSH {
            self.view.push = strength;
            return Ok(());
        }
        Err(LabError::Command(format!(
            "a push of {strength} times the agent's own is too strong; expected -{MAX_PUSH} to {MAX_PUSH}"
        )))
    }

    /// Begins the next episode.
    pub fn restart(&mut self, network: &Network) {
        self.view.episode += 1;
        self.state = self.world.start(self.starts, 0, self.view.episode);
        self.view.steps = 0;
        self.view.score = 0.0;
        self.view.over = false;
        self.run_network(network);
    }

    /// Lets `seconds` pass. `version` is the version of the network's weights: when the version changes, the
    /// map is computed again.
    pub fn animate(&mut self, network: &Network, seconds: f64, version: u64) {
        self.leftover_seconds += seconds;
        let step = self.world.stage_step_seconds();
        while self.leftover_seconds >= step {
            self.leftover_seconds -= step;
            self.step(network, step);
        }
        if self.map_version != version {
            self.update_map(network, version);
            self.run_network(network);
        }
    }

    /// Takes one step of `seconds`, or, if the episode is over, lets them pass.
    fn step(&mut self, network: &Network, seconds: f64) {
        if self.view.over {
            self.seconds_since_end += seconds;
            if self.seconds_since_end >= END_SECONDS {
                self.restart(network);
            }
            return;
        }
        let (state, reward, terminated) = self.world.step_with_push(&self.state, self.action, self.view.push);
        self.state = state;
        let view = &mut self.view;
        view.steps += 1;
        view.score += reward;
        view.best_steps = view.best_steps.max(view.steps);
        if terminated {
            view.fewest_steps =
                if view.fewest_steps == 0 { view.steps } else { view.fewest_steps.min(view.steps) };
            view.over = true;
            view.agent = 0.0;
            self.seconds_since_end = 0.0;
        } else if self.is_out_of_time() {
            // There is nothing to see at a time limit, so the next episode begins without a wait.
            self.restart(network);
        } else {
            self.run_network(network);
        }
    }

    /// Whether the time limit ends the episode. CartPole and Pendulum have none on the stage, so that the
    /// user can push them for any length of time.
    fn is_out_of_time(&self) -> bool {
        let has_limit = !matches!(self.world, Kind::CartPole | Kind::Pendulum);
        has_limit && self.view.steps >= self.world.spec().max_steps
    }

    /// Runs both networks on the current state: updates value, probabilities and, unless the episode is over,
    /// the action.
    fn run_network(&mut self, network: &Network) {
        let observation = &mut self.observations[..network.inputs()];
        self.world.observe(&self.state, observation);
        network.normaliser.apply(observation);
        let mut value = [0.0];
        network.values(observation, 1, &mut self.scratch, &mut value);
        self.view.value = value[0];
        let (policy, outputs) = (network.policy(), network.actor_outputs(observation, 1, &mut self.scratch));
        self.probabilities = policy.probabilities(outputs);
        if !self.view.over {
            network.bounds().greedy(policy, outputs, std::slice::from_mut(&mut self.action));
            // As a fraction of the strongest force or torque. Discrete actions are evenly spaced from -1
            // to 1.
            self.view.agent = match self.world.spec().actions {
                Actions::Discrete(n) => 2.0 * self.action / (n - 1) as f32 - 1.0,
                Actions::Continuous { low, high } => self.action.clamp(low, high) / high,
            };
        }
    }

    /// Computes the critic's value at each point of the map, row by row.
    fn update_map(&mut self, network: &Network, version: u64) {
        let MapAxes { fields: [field_x, field_y], ranges: [x, y] } = self.world.map_axes();
        let coordinate =
            |i: usize, [low, high]: [f32; 2]| low + (high - low) * i as f32 / (MAP_SIZE - 1) as f32;
        // The variables that are not on an axis stay 0.
        let mut state = vec![0.0; self.state.len()];
        for (j, out) in self.map_values.chunks_exact_mut(MAP_SIZE).enumerate() {
            for (i, observation) in self.observations.chunks_exact_mut(network.inputs()).enumerate() {
                (state[field_x], state[field_y]) = (coordinate(i, x), coordinate(j, y));
                self.world.observe(&state, observation);
            }
            network.normaliser.apply(&mut self.observations);
            network.values(&self.observations, MAP_SIZE, &mut self.scratch, out);
        }
        self.map_version = version;
    }

    pub fn view(&self) -> StageView {
        StageView {
            state: Floats(self.state.clone()),
            probabilities: Floats(self.probabilities.clone()),
            ..self.view.clone()
        }
    }

    pub fn value_map(&self) -> ValueMap {
        let MapAxes { fields, ranges: [x, y] } = self.world.map_axes();
        let size = MAP_SIZE as u32;
        ValueMap { size, fields: fields.map(|f| f as u32), x, y, values: Floats(self.map_values.clone()) }
    }
}

#[cfg(test)]
mod tests {
    use learnery_kernels::math::tanh;

    use super::*;
    use crate::bounds::ActionBounds;
    use crate::config::ControlConfig;
    use crate::task::Task;
    use crate::world::World;

    /// The stage's world goes on with the torque that the picture shows: if squashed, the tanh of the mean.
    #[test]
    fn stage_takes_and_shows_squashed_actions() {
        let (world, kind) = (World::Pendulum, Kind::Pendulum);
        let config =
            ControlConfig { world, action_bounds: ActionBounds::Squashed, ..ControlConfig::default() };
        let mut network = Network::new(&config, Task::new(world), 0);
        // With larger weights the means are so large that their tanh differs from them.
        network.weights.update(|weights| weights.iter_mut().for_each(|weight| *weight *= 50.0));
        let mut stage = BuiltInStage::new(&network, kind, Stream::new(1, 1));
        for _ in 0..20 {
            let mut observation = [0.0; 3];
            kind.observe(&stage.state, &mut observation);
            let mean = network.actor_outputs(&observation, 1, &mut network.scratch(1))[0];
            let torque = 2.0 * tanh(mean);
            assert_eq!(stage.view.agent, torque / 2.0, "the mean is {mean}");
            let expected = kind.step(&stage.state, torque).state;
            stage.step(&network, kind.stage_step_seconds());
            assert_eq!(stage.state, expected);
        }
    }

    /// The action and the values of the new episode's first state, not of the last one before.
    #[test]
    fn restart_runs_the_network_on_the_new_state() {
        let stream = Stream::new(1, 1);
        for world in [World::CartPole, World::Pendulum] {
            let network = Network::new(&ControlConfig { world, ..Default::default() }, Task::new(world), 0);
            let kind = world.kind().expect("a world of the lab's own");
            let mut stage = BuiltInStage::new(&network, kind, stream);
            stage.animate(&network, 0.5, 0);
            stage.restart(&network);
            let outputs = |stage: &BuiltInStage| {
                (stage.view.value, stage.view.agent, stage.action, stage.probabilities.clone())
            };
            let found = outputs(&stage);
            stage.run_network(&network);
            assert_eq!(found, outputs(&stage));
        }
    }
}
