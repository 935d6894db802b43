//! One episode of a world, step by step, by the slow reference; and the texts of actions and parameters that
//! people type.

use learnery_kernels::rng::Stream;

use crate::reference::Moment;
use crate::world::{Actions, Fault, Parameter, World};
use crate::worlds::Outcome;

/// The beginning of an episode, or a step of it.
#[derive(Clone, Debug, PartialEq)]
pub struct EpisodeStep {
    /// 0 is the beginning, where there is no action and no reward.
    pub number: u32,
    pub action: Vec<f32>,
    pub state: Vec<f32>,
    pub observation: Vec<f32>,
    pub reward: f32,
    pub outcome: Outcome,
    pub fault: Option<Fault>,
}

/// An episode as far as it has been stepped, bit for bit as in a batch ([`crate::Worlds`]).
#[derive(Clone, Debug)]
pub struct Episode<'a> {
    world: &'a World,
    parameters: &'a [f32],
    /// Which episode it is; its step is 0.
    start: Moment,
    /// An episode that began with a fault fails in its first step.
    broken: Option<Fault>,
    last: EpisodeStep,
}

impl<'a> Episode<'a> {
    /// Begins the episode of `start`, whose step must be 0.
    pub fn begin(world: &'a World, parameters: &'a [f32], start: Moment) -> Self {
        let begun = world.begin(parameters, start);
        let last = EpisodeStep {
            number: 0,
            action: Vec::new(),
            state: begun.state,
            observation: begun.observation,
            reward: 0.0,
            outcome: Outcome::Running,
            fault: None,
        };
        Self { world, parameters, start, broken: begun.fault, last }
    }

    /// The beginning, or the last step.
    pub fn last(&self) -> &EpisodeStep {
        &self.last
    }

    pub fn is_running(&self) -> bool {
        self.last.outcome == Outcome::Running
    }

    /// Makes a step. The episode must be running.
    pub fn step(&mut self, action: Vec<f32>) -> &EpisodeStep {
        let number = self.last.number + 1;
        self.last = match self.broken.take() {
            Some(fault) => EpisodeStep {
                number,
                action,
                reward: 0.0,
                outcome: Outcome::Failed,
                fault: Some(fault),
                ..self.last.clone()
            },
            None => self.stepped(number, action),
        };
        &self.last
    }

    fn stepped(&self, number: u32, action: Vec<f32>) -> EpisodeStep {
        let Self { world, parameters, start, last, .. } = self;
        let moment = Moment { step: number, ..*start };
        let stepped = world.step(parameters, &last.state, &last.observation, &action, moment);
        let outcome = match (stepped.failed, stepped.succeeded) {
            (true, _) => Outcome::Failed,
            (_, true) => Outcome::Succeeded,
            _ if world.spec().limit == Some(number) => Outcome::Truncated,
            _ => Outcome::Running,
        };
        EpisodeStep {
            number,
            action,
            state: stepped.state,
            observation: stepped.observation,
            reward: stepped.reward,
            outcome,
            fault: stepped.fault,
        }
    }
}

impl Actions {
    /// A random action. `index` and `sub` choose the block of four random numbers: an action has at most as
    /// many.
    pub fn random(&self, stream: &Stream, index: u64, sub: u64) -> Vec<f32> {
        match self {
            Self::Choice { choices, .. } => vec![stream.below(index, sub, choices.len() as u32) as f32],
            Self::Continuous(ranges) => {
                let numbers = stream.uniform4(index, sub);
                ranges
                    .iter()
                    .zip(numbers)
                    .map(|(range, u)| range.low + (range.high - range.low) * u)
                    .collect()
            }
        }
    }

    /// Reads an action: a choice by its name or number, or numbers separated by spaces. The error says what
    /// is expected.
    pub fn parse(&self, text: &str) -> Result<Vec<f32>, String> {
        match self {
            Self::Choice { choices, .. } => {
                let named = choices.iter().position(|choice| choice == text);
                let numbered = || text.parse().ok().filter(|i| *i < choices.len());
                let last = choices.len() - 1;
                let expected = || format!("one of {}, or a number from 0 to {last}", choices.join(", "));
                Ok(vec![named.or_else(numbered).ok_or_else(expected)? as f32])
            }
            Self::Continuous(ranges) => {
                let number = |word: &str| word.parse::<f32>().ok().filter(|x| x.is_finite());
                let numbers: Option<Vec<f32>> = text.split_whitespace().map(number).collect();
                let Some(numbers) = numbers.filter(|numbers| numbers.len() == ranges.len()) else {
                    let names: Vec<&str> = ranges.iter().map(|range| &range.name[..]).collect();
                    let noun = if names.len() == 1 { "a number" } else { "numbers separated by spaces" };
                    return Err(format!("{noun}: {}", names.join(" ")));
                };
                for (x, range) in numbers.iter().zip(ranges) {
                    if *x < range.low || *x > range.high {
                        return Err(format!("`{}` from {} to {}", range.name, range.low, range.high));
                    }
                }
                Ok(numbers)
            }
        }
    }
}

impl World {
    /// The index of the parameter with this name. The error is a sentence that lists all of them.
    pub fn find_parameter(&self, name: &str) -> Result<usize, String> {
        let names: Vec<&str> = self.spec().parameters.iter().map(|parameter| &parameter.name[..]).collect();
        names.iter().position(|known| *known == name).ok_or_else(|| {
            let names =
                if names.is_empty() { "it has none".into() } else { format!("it has {}", names.join(", ")) };
            format!("the world has no parameter `{name}`; {names}")
        })
    }
}

impl Parameter {
    /// Reads a value. The error says what is expected.
    pub fn parse(&self, text: &str) -> Result<f32, String> {
        let value = text.parse::<f32>().ok().filter(|value| (self.low..=self.high).contains(value));
        value.ok_or_else(|| format!("a number from {} to {}", self.low, self.high))
    }
}
