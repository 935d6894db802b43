//! External environments as a batch of worlds, for the collector.

use std::sync::Arc;

use learnery_kernels::rng::Stream;
use learnery_worlds::control::{AnyWorlds, Outcome};

use super::ExternalSpaces;

/// Environments that somebody else steps, all at once.
pub trait Environments: Send + Sync {
    /// Writes the first observations, `[environments, inputs]`.
    fn start(&mut self, observations: &mut [f32]);
    /// Takes a step in all environments. Discrete actions are whole numbers; others are in the units of the
    /// environment, within its bounds.
    ///
    /// Shape: `actions [environments, numbers]`.
    fn step(&mut self, actions: &[f32], results: &mut Results);
}

/// What a step of all environments gives.
pub struct Results {
    /// The observations that the next actions are chosen from.
    /// Shape: `[environments, inputs]`.
    pub observations: Vec<f32>,
    /// The reward of the step in each environment.
    /// Shape: `[environments]`.
    pub rewards: Vec<f32>,
    /// Whether each episode went on, terminated or was truncated.
    /// Shape: `[environments]`.
    pub outcomes: Vec<Outcome>,
    /// The last observations of episodes that ended; other rows may hold anything.
    /// Shape: `[environments, inputs]`.
    pub last_observations: Vec<f32>,
    /// Whether the step only began an episode, whatever the action. In some environments the step after the
    /// end of an episode does nothing else. There is nothing to learn from it.
    /// Shape: `[environments]`.
    pub only_began: Vec<bool>,
}

/// A batch of external environments. They have no state that could be read or restored.
pub struct ExternalWorlds {
    spaces: Arc<ExternalSpaces>,
    environments: Box<dyn Environments>,
    results: Results,
    /// The actions in the units of the environment.
    /// Shape: `[environments, numbers]`.
    actions: Vec<f32>,
    /// The indices of the environments whose episode ended in the last step, and of those whose last step
    /// only began one; both ascending.
    ended: Vec<u32>,
    only_began: Vec<u32>,
    /// Steps of the current episode, and completed episodes, in each environment.
    steps: Vec<u32>,
    episodes: Vec<u32>,
}

impl ExternalWorlds {
    /// A batch of `count` environments, each at the start of an episode.
    pub fn new(spaces: Arc<ExternalSpaces>, mut environments: Box<dyn Environments>, count: usize) -> Self {
        let mut observations = vec![0.0; count * spaces.inputs];
        environments.start(&mut observations);
        Self {
            environments,
            results: Results {
                last_observations: observations.clone(),
                observations,
                rewards: vec![0.0; count],
                outcomes: vec![Outcome::Running; count],
                only_began: vec![false; count],
            },
            actions: Vec::new(),
            ended: Vec::new(),
            only_began: Vec::new(),
            steps: vec![0; count],
            episodes: vec![0; count],
            spaces,
        }
    }
}

impl AnyWorlds for ExternalWorlds {
    fn reset(&mut self, _: u64, _: Stream) {
        self.environments.start(&mut self.results.observations);
        self.steps.fill(0);
    }

    fn count(&self) -> usize {
        self.steps.len()
    }

    fn step(&mut self, actions: &[f32]) {
        self.actions.clear();
        self.actions.extend_from_slice(actions);
        self.spaces.scale_actions(&mut self.actions);
        self.environments.step(&self.actions, &mut self.results);
        self.ended.clear();
        self.only_began.clear();
        for i in 0..self.steps.len() {
            self.steps[i] += 1;
            if self.results.only_began[i] {
                self.only_began.push(i as u32);
                self.steps[i] = 0;
            } else if self.results.outcomes[i] != Outcome::Running {
                self.ended.push(i as u32);
                self.episodes[i] = self.episodes[i].saturating_add(1);
                self.steps[i] = 0;
            }
        }
    }

    fn observe(&self, out: &mut [f32]) {
        out.copy_from_slice(&self.results.observations);
    }

    fn rewards(&self) -> &[f32] {
        &self.results.rewards
    }

    fn ended(&self) -> &[u32] {
        &self.ended
    }

    fn only_began(&self) -> &[u32] {
        &self.only_began
    }

    fn outcome(&self, i: usize) -> Outcome {
        self.results.outcomes[i]
    }

    fn final_observation(&self, k: usize, out: &mut [f32]) {
        let i = self.ended[k] as usize;
        out.copy_from_slice(&self.results.last_observations[i * self.spaces.inputs..][..self.spaces.inputs]);
    }

    fn state(&self, _: usize, out: &mut [f32]) {
        out.fill(f32::NAN);
    }

    fn steps(&self, i: usize) -> u32 {
        self.steps[i]
    }

    fn episodes(&self, i: usize) -> u32 {
        self.episodes[i]
    }

    fn restore(&mut self, _: usize, _: &[f32], _: u32, _: u32) -> bool {
        false
    }
}
