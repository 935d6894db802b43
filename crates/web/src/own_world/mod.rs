//! A world of the visitor's own, for the editor of the page: a text is checked as it is typed, and its world
//! lives beside it. The slow reference of `learnery-world-rules` steps this one world; nothing learns here.

mod picture;
mod summary;

use learnery_kernels::rng::Stream;
use learnery_world_rules::{Fault, Moment, Outcome, World};

pub use picture::Picture;
pub use summary::{
    CheckedWorld, Episode, EpisodeFault, EpisodeState, Problem, WorldActions, WorldParameter, WorldRange,
    WorldSummary,
};

/// The stream of the random numbers.
const STREAM: u32 = 0;

/// The editor's text and its world.
#[derive(Default)]
pub struct OwnWorld {
    /// The world of the last text that was one.
    live: Option<Live>,
    seed: u32,
}

struct Live {
    world: World,
    parameters: Vec<f32>,
    state: Vec<f32>,
    observation: Vec<f32>,
    /// The last action; empty before the first step.
    action: Vec<f32>,
    episode: u32,
    steps: u32,
    reward: f32,
    /// The sum of the rewards of this episode.
    score: f64,
    outcome: Outcome,
    fault: Option<Fault>,
}

impl OwnWorld {
    /// Checks a text. If it is a world, it takes the place of the one before: with the values that were set
    /// for parameters that are as they were, and in the state of the one before where this can be.
    pub fn check(&mut self, text: &str) -> CheckedWorld {
        let world = match World::compile(text) {
            Ok(world) => world,
            Err(problems) => return CheckedWorld::refused(&problems),
        };
        let checked = CheckedWorld::of(&world);
        let mut live = Live::new(world, self.seed);
        if let Some(before) = self.live.take() {
            live.continue_from(&before, self.seed);
        }
        self.live = Some(live);
        checked
    }

    /// Starts the first episode with random numbers of this seed.
    pub fn reset(&mut self, seed: u32) {
        self.seed = seed;
        if let Some(live) = &mut self.live {
            live.begin(self.seed, 0);
        }
    }

    /// Starts the next episode.
    pub fn next_episode(&mut self) {
        if let Some(live) = &mut self.live {
            live.begin(self.seed, live.episode.wrapping_add(1));
        }
    }

    /// Changes a parameter, from the next step on. The value is put within the parameter's bounds.
    pub fn set_parameter(&mut self, index: usize, value: f32) {
        let Some(live) = &mut self.live else { return };
        let Some(parameter) = live.world.spec().parameters.get(index) else { return };
        if value.is_finite() {
            live.parameters[index] = value.clamp(parameter.low, parameter.high);
        }
    }

    /// Takes a step, unless the episode has ended. Numbers that the action lacks are 0.
    pub fn step(&mut self, action: &[f32]) {
        if let Some(live) = &mut self.live {
            live.step(action, self.seed);
        }
    }

    /// The present episode; none before there was a world.
    pub fn episode(&self) -> Option<Episode> {
        self.live.as_ref().map(Live::describe)
    }

    /// The picture of the present state.
    pub fn picture(&self) -> Picture {
        let Some(live) = &self.live else { return Picture::default() };
        Picture::of(&live.world.picture(&live.parameters, &live.state, &live.action))
    }
}

impl Live {
    fn new(world: World, seed: u32) -> Self {
        let mut this = Self {
            parameters: world.parameters(),
            world,
            state: Vec::new(),
            observation: Vec::new(),
            action: Vec::new(),
            episode: 0,
            steps: 0,
            reward: 0.0,
            score: 0.0,
            outcome: Outcome::Running,
            fault: None,
        };
        this.begin(seed, 0);
        this
    }

    fn moment(&self, seed: u32) -> Moment {
        let stream = Stream::new(seed, STREAM);
        Moment { stream, world: 0, episode: self.episode, step: self.steps }
    }

    fn begin(&mut self, seed: u32, episode: u32) {
        (self.episode, self.steps, self.reward, self.score) = (episode, 0, 0.0, 0.0);
        self.action.clear();
        let begun = self.world.begin(&self.parameters, self.moment(seed));
        (self.state, self.observation) = (begun.state, begun.observation);
        self.outcome = if begun.fault.is_some() { Outcome::Failed } else { Outcome::Running };
        self.fault = begun.fault;
    }

    /// Takes over what the visitor has set and, if this world has the same state, the running episode.
    fn continue_from(&mut self, before: &Live, seed: u32) {
        let parameters = &before.world.spec().parameters;
        for (value, parameter) in self.parameters.iter_mut().zip(&self.world.spec().parameters) {
            if let Some(i) = parameters.iter().position(|other| other == parameter) {
                *value = before.parameters[i];
            }
        }
        // The beginning of an episode may depend on the parameters.
        self.begin(seed, before.episode);
        let spec = self.world.spec();
        let is_late = spec.limit.is_some_and(|limit| before.steps >= limit);
        if spec.state != before.world.spec().state || before.outcome != Outcome::Running || is_late {
            return;
        }
        let looked = self.world.look(&self.parameters, &before.state);
        if looked.fault.is_some() || looked.failed || looked.succeeded {
            return;
        }
        (self.state, self.observation) = (before.state.clone(), looked.observation);
        (self.steps, self.score) = (before.steps, before.score);
        (self.outcome, self.fault) = (Outcome::Running, None);
    }

    fn step(&mut self, action: &[f32], seed: u32) {
        if self.outcome != Outcome::Running {
            return;
        }
        let wanted = (0..self.world.spec().actions.count()).map(|i| action.get(i).copied().unwrap_or(0.0));
        self.action = wanted.map(|x| if x.is_finite() { x } else { 0.0 }).collect();
        self.steps += 1;
        let moment = self.moment(seed);
        let next = self.world.step(&self.parameters, &self.state, &self.observation, &self.action, moment);
        (self.state, self.observation, self.reward) = (next.state, next.observation, next.reward);
        self.score += f64::from(next.reward);
        self.outcome = if next.failed {
            Outcome::Failed
        } else if next.succeeded {
            Outcome::Succeeded
        } else if self.world.spec().limit.is_some_and(|limit| self.steps >= limit) {
            Outcome::Truncated
        } else {
            Outcome::Running
        };
        self.fault = next.fault;
    }

    fn describe(&self) -> Episode {
        Episode {
            steps: self.steps,
            reward: self.reward,
            score: self.score,
            state: match self.outcome {
                Outcome::Running => EpisodeState::Running,
                Outcome::Failed => EpisodeState::Failed,
                Outcome::Succeeded => EpisodeState::Succeeded,
                Outcome::Truncated => EpisodeState::Truncated,
            },
            fault: self
                .fault
                .as_ref()
                .map(|fault| EpisodeFault { line: fault.line as u32, what: fault.kind.name() }),
            parameters: self.parameters.clone(),
        }
    }
}
