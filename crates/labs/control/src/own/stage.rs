//! The stage of a world of the user's own: one world apart from training, in real time, in which the agent or
//! the user acts, and the map of the critic's values over two of its observations.

use std::sync::Arc;

use learnery_kernels::rng::Stream;
use learnery_lab::{Floats, LabError};
use learnery_world_rules::{Actions, Moment};

use super::OwnWorld;
use super::picture::Picture;
use crate::network::{Network, Scratch};
use crate::stage::{END_SECONDS, MAP_SIZE, new_view};
use crate::view::{OwnAction, OwnParameter, OwnView, StageView, ValueMap};

/// A step is shown for its own duration in seconds, but within these bounds, so that one can follow.
const STEP_SECONDS: std::ops::RangeInclusive<f64> = 1.0 / 240.0..=0.25;

/// The map shows observations from minus this to this. The text divides them so that usual ones lie between
/// -1 and 1.
const MAP_RANGE: f32 = 1.5;

/// The most training worlds whose pictures are drawn, and the most shapes of all these pictures together.
const MAX_PICTURES: usize = 32;
const MAX_PICTURE_SHAPES: usize = 1500;

/// The stage's world, what the network makes of it, and the value map.
pub struct OwnStage {
    own: Arc<OwnWorld>,
    /// Random numbers of the world.
    stream: Stream,
    state: Vec<f32>,
    observation: Vec<f32>,
    /// The action of the next step, and of the last one, in the units of the text.
    action: Vec<f32>,
    last_action: Vec<f32>,
    /// The user's action, while the user plays.
    played: Option<Vec<f32>>,
    /// Probabilities of the choices in the current state; empty for a continuous action.
    probabilities: Vec<f32>,
    /// The other fields of the view. Its `state` and `probabilities` stay empty; [`OwnStage::view`] fills
    /// them in.
    view: StageView,
    /// Why the last episode failed by itself.
    fault: Option<String>,
    /// Counts the worlds that the stage has had.
    version: u32,
    /// Seconds that have passed since the last step, fewer than a step takes.
    leftover_seconds: f64,
    /// Seconds since the episode ended.
    seconds_since_end: f64,
    scratch: Scratch,
    /// The observations of a row of the map, whose values are computed together. The first one is also the
    /// buffer of the current observation.
    /// Shape: `[MAP_SIZE, inputs]`.
    observations: Vec<f32>,
    /// The critic's values at the points of the map.
    /// Shape: `[y, x]`.
    map_values: Vec<f32>,
    /// The indices of the observations on the axes of the map.
    map_fields: [usize; 2],
    /// The version of the weights that the map shows; `None` if it has to be computed again.
    map_version: Option<u64>,
}

impl OwnStage {
    pub fn new(network: &Network, own: &Arc<OwnWorld>, stream: Stream) -> Self {
        let inputs = network.inputs();
        let numbers = own.spec().actions.count();
        let mut stage = Self {
            own: own.clone(),
            stream,
            state: Vec::new(),
            observation: Vec::new(),
            action: vec![0.0; numbers],
            last_action: vec![0.0; numbers],
            played: None,
            probabilities: Vec::new(),
            view: new_view(),
            fault: None,
            version: 0,
            leftover_seconds: 0.0,
            seconds_since_end: 0.0,
            scratch: network.scratch(MAP_SIZE),
            observations: vec![0.0; MAP_SIZE * inputs],
            map_values: vec![0.0; MAP_SIZE * MAP_SIZE],
            map_fields: [0, usize::from(inputs > 1)],
            map_version: None,
        };
        stage.begin_episode();
        stage.run_network(network);
        stage.update_map(network, 0);
        stage
    }

    /// Goes on with another world for the same network.
    pub fn set_world(&mut self, network: &Network, own: &Arc<OwnWorld>) {
        self.own = own.clone();
        self.version += 1;
        self.restart(network);
        self.map_version = None;
    }

    /// Lets the user act: from the next step on with these numbers, in the units of the text.
    pub fn play(&mut self, numbers: &[f32]) -> Result<(), LabError> {
        let expected = self.own.spec().actions.count();
        if numbers.len() != expected || numbers.iter().any(|x| !x.is_finite()) {
            return Err(LabError::Command(format!("an action of this world has {expected} finite numbers")));
        }
        let bounds = |i: usize| self.own.spec().actions.bounds(i);
        let clipped = numbers.iter().enumerate().map(|(i, x)| x.clamp(bounds(i).0, bounds(i).1));
        // A choice is a whole number.
        let is_choice = self.own.is_discrete();
        self.played = Some(clipped.map(|x| if is_choice { x.floor() } else { x }).collect());
        Ok(())
    }

    /// Lets the agent act again.
    pub fn release(&mut self) {
        self.played = None;
    }

    /// Chooses the two observations on the axes of the map.
    pub fn choose_map(&mut self, fields: [u32; 2]) -> Result<(), LabError> {
        let fields = fields.map(|field| field as usize);
        let inputs = self.observation.len();
        if fields.iter().any(|field| *field >= inputs) {
            let problem = format!("the agent sees {inputs} numbers; the first one is 0");
            return Err(LabError::Command(problem));
        }
        self.map_fields = fields;
        self.map_version = None;
        Ok(())
    }

    /// Begins the next episode.
    pub fn restart(&mut self, network: &Network) {
        self.view.episode += 1;
        self.begin_episode();
        self.run_network(network);
    }

    /// Lets `seconds` pass. `version` is the version of the network's weights.
    pub fn animate(&mut self, network: &Network, seconds: f64, version: u64) {
        let step =
            f64::from(self.own.spec().seconds_per_step).clamp(*STEP_SECONDS.start(), *STEP_SECONDS.end());
        self.leftover_seconds += seconds;
        while self.leftover_seconds >= step {
            self.leftover_seconds -= step;
            self.step(network, step);
        }
        if self.map_version != Some(version) {
            self.update_map(network, version);
            self.run_network(network);
        }
    }

    /// Selects the random numbers of a step of the current episode; step 0 is its beginning.
    fn moment(&self, step: u32) -> Moment {
        Moment { stream: self.stream, world: 0, episode: self.view.episode, step }
    }

    fn begin_episode(&mut self) {
        let begun = self.own.rules().begin(self.own.values(), self.moment(0));
        (self.state, self.observation) = (begun.state, begun.observation);
        (self.view.steps, self.view.score) = (0, 0.0);
        self.last_action.fill(0.0);
        // A beginning with a fault is shown as an end.
        self.view.over = begun.fault.is_some();
        self.seconds_since_end = 0.0;
        // Without a new fault, that of the last episode stays in view.
        self.fault = begun.fault.map(|fault| fault.to_string()).or(self.fault.take());
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
        let action = self.played.as_ref().unwrap_or(&self.action).clone();
        let moment = self.moment(self.view.steps + 1);
        let (own, values) = (&self.own, self.own.values());
        let stepped = own.rules().step(values, &self.state, &self.observation, &action, moment);
        (self.state, self.observation, self.last_action) = (stepped.state, stepped.observation, action);
        let view = &mut self.view;
        view.steps += 1;
        view.score += stepped.reward;
        view.best_steps = view.best_steps.max(view.steps);
        let is_truncated = own.spec().limit.is_some_and(|limit| view.steps >= limit);
        if stepped.failed || stepped.succeeded || is_truncated {
            view.over = true;
            self.seconds_since_end = 0.0;
            self.fault = stepped.fault.map(|fault| fault.to_string());
            if stepped.succeeded {
                let fewest = if view.fewest_steps == 0 { view.steps } else { view.fewest_steps };
                view.fewest_steps = fewest.min(view.steps);
            }
        }
        self.run_network(network);
    }

    /// Runs both networks on the present observation.
    fn run_network(&mut self, network: &Network) {
        let x = &mut self.observations[..network.inputs()];
        x.copy_from_slice(&self.observation);
        network.normaliser.apply(x);
        let mut value = [0.0];
        network.values(x, 1, &mut self.scratch, &mut value);
        self.view.value = value[0];
        let (policy, outputs) = (network.policy(), network.actor_outputs(x, 1, &mut self.scratch));
        self.probabilities = policy.probabilities(outputs);
        network.bounds().greedy(policy, outputs, &mut self.action);
        network.task().actions_in_units(&mut self.action);
        // The page shows where the first number of the action is between its bounds: -1 to 1.
        let (low, high) = self.own.spec().actions.bounds(0);
        self.view.agent = 2.0 * (self.action[0] - low) / (high - low).max(f32::MIN_POSITIVE) - 1.0;
    }

    /// Computes the critic's value at each point of the map. The other observations are those of the stage.
    fn update_map(&mut self, network: &Network, version: u64) {
        let inputs = network.inputs();
        let coordinate = |i: usize| MAP_RANGE * (2.0 * i as f32 / (MAP_SIZE - 1) as f32 - 1.0);
        let [x, y] = self.map_fields;
        for (j, out) in self.map_values.chunks_exact_mut(MAP_SIZE).enumerate() {
            for (i, row) in self.observations.chunks_exact_mut(inputs).enumerate() {
                row.copy_from_slice(&self.observation);
                row[x] = coordinate(i);
                row[y] = coordinate(j);
            }
            network.normaliser.apply(&mut self.observations);
            network.values(&self.observations, MAP_SIZE, &mut self.scratch, out);
        }
        self.map_version = Some(version);
    }

    pub fn view(&self) -> StageView {
        StageView {
            state: Floats(self.state.clone()),
            probabilities: Floats(self.probabilities.clone()),
            ..self.view.clone()
        }
    }

    pub fn value_map(&self) -> ValueMap {
        let scale = |field: usize| self.own.spec().observations[field].scale;
        let [x, y] = self.map_fields.map(|field| [-MAP_RANGE * scale(field), MAP_RANGE * scale(field)]);
        let fields = self.map_fields.map(|field| field as u32);
        ValueMap { size: MAP_SIZE as u32, fields, x, y, values: Floats(self.map_values.clone()) }
    }

    /// What the page draws of this world. `training_states` are those of the first training worlds,
    /// `training_fault` says what went wrong in all of them.
    pub fn own_view(&self, training_states: &[f32], training_fault: Option<&str>) -> OwnView {
        let (own, spec) = (&self.own, self.own.spec());
        let rules = own.rules();
        let mut picture = Picture::default();
        picture.add(&rules.picture(own.values(), &self.state, &self.last_action));
        let shapes = std::mem::take(&mut picture.numbers);
        let no_action = vec![0.0; spec.actions.count()];
        let drawn = MAX_PICTURES.min(MAX_PICTURE_SHAPES / spec.shapes.max(1));
        let mut training_shapes = Vec::new();
        for state in training_states.chunks_exact(spec.state.len().max(1)).take(drawn) {
            picture.add(&rules.picture(own.values(), state, &no_action));
            training_shapes.push(picture.numbers.len() as f32);
            training_shapes.append(&mut picture.numbers);
        }
        let actions = match &spec.actions {
            Actions::Choice { name, choices } => {
                let high = choices.len().saturating_sub(1) as f32;
                vec![OwnAction { name: name.clone(), low: 0.0, high, choices: choices.clone() }]
            }
            Actions::Continuous(ranges) => ranges
                .iter()
                .map(|range| OwnAction {
                    name: range.name.clone(),
                    low: range.low,
                    high: range.high,
                    choices: Vec::new(),
                })
                .collect(),
        };
        let parameters = spec.parameters.iter().zip(own.values()).map(|(parameter, value)| OwnParameter {
            name: parameter.name.clone(),
            usual: parameter.value,
            value: *value,
            low: parameter.low,
            high: parameter.high,
        });
        OwnView {
            version: self.version,
            name: own.name().to_owned(),
            title: spec.title.clone(),
            about: spec.about.clone(),
            shapes: Floats(shapes),
            training_shapes: Floats(training_shapes),
            texts: picture.texts,
            observation: Floats(self.observation.clone()),
            observation_names: spec.observations.iter().map(|seen| seen.name.clone()).collect(),
            observation_scales: Floats(spec.observations.iter().map(|seen| seen.scale).collect()),
            action: Floats(self.last_action.clone()),
            actions,
            is_played: self.played.is_some(),
            parameters: parameters.collect(),
            limit: spec.limit,
            solved: spec.solved,
            fault: self.fault.clone(),
            training_fault: training_fault.map(str::to_owned),
        }
    }
}
