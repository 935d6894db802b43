//! Episodes of a world, step by step, by the slow reference.

use anyhow::{Result, bail};
use learnery_kernels::rng::Stream;
use learnery_world_rules::{Actions, Fault, Moment, World};

use crate::failure::usage;

/// The stream of the world's random numbers: that of the training worlds of the control lab, so an episode
/// begins like the first one of a run with this seed.
const STARTS: u32 = 1;
/// The stream of random actions, which is that of nobody else.
const RANDOM_ACTIONS: u32 = 9;

/// Where the actions come from.
pub enum Source {
    Random,
    /// These, again and again.
    Given(Vec<Vec<f32>>),
}

/// How an episode ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Failed,
    Succeeded,
    Truncated,
}

impl End {
    pub fn name(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::Succeeded => "succeeded",
            Self::Truncated => "truncated",
        }
    }
}

/// The beginning of an episode, or a step of it.
pub struct Step {
    /// 0 is the beginning, where there is no action and no reward.
    pub number: u32,
    pub action: Vec<f32>,
    pub state: Vec<f32>,
    pub observation: Vec<f32>,
    pub reward: f32,
    pub end: Option<End>,
    pub fault: Option<Fault>,
}

/// An episode of a seed, as far as it has been stepped.
pub struct Episode<'a> {
    world: &'a World,
    parameters: &'a [f32],
    seed: u32,
    /// The index among the episodes of the world.
    index: u32,
    /// An episode that began with a fault fails in its first step.
    broken: Option<Fault>,
    last: Step,
}

impl<'a> Episode<'a> {
    pub fn begin(world: &'a World, parameters: &'a [f32], seed: u32, index: u32) -> Self {
        let begun = world.begin(parameters, moment(seed, index, 0));
        let last = Step {
            number: 0,
            action: Vec::new(),
            state: begun.state,
            observation: begun.observation,
            reward: 0.0,
            end: None,
            fault: None,
        };
        Self { world, parameters, seed, index, broken: begun.fault, last }
    }

    /// The beginning, or the last step.
    pub fn last(&self) -> &Step {
        &self.last
    }

    /// Makes a step. The episode must go on.
    pub fn step(&mut self, action: Vec<f32>) -> &Step {
        let number = self.last.number + 1;
        let moment = moment(self.seed, self.index, number);
        let Step { state, observation, .. } = &self.last;
        let stepped = self.world.step(self.parameters, state, observation, &action, moment);
        let fault = self.broken.take();
        let is_broken = fault.is_some();
        self.last = Step {
            number,
            action,
            state: if is_broken { std::mem::take(&mut self.last.state) } else { stepped.state },
            observation: if is_broken {
                std::mem::take(&mut self.last.observation)
            } else {
                stepped.observation
            },
            reward: if is_broken { 0.0 } else { stepped.reward },
            end: match (is_broken || stepped.failed, stepped.succeeded) {
                (true, _) => Some(End::Failed),
                (_, true) => Some(End::Succeeded),
                _ => (self.world.spec().limit == Some(number)).then_some(End::Truncated),
            },
            fault: fault.or(stepped.fault),
        };
        &self.last
    }
}

/// The moment of a step, for random numbers.
fn moment(seed: u32, episode: u32, step: u32) -> Moment {
    Moment { stream: Stream::new(seed, STARTS), world: 0, episode, step }
}

/// Steps through the first episode of a seed, and gives the beginning and every step to `take`. Returns the
/// last one.
pub fn run(
    world: &World,
    parameters: &[f32],
    seed: u32,
    steps: u32,
    source: &Source,
    mut take: impl FnMut(&Step) -> Result<()>,
) -> Result<Step> {
    let mut episode = Episode::begin(world, parameters, seed, 0);
    take(episode.last())?;
    while episode.last.number < steps && episode.last.end.is_none() {
        let number = episode.last.number + 1;
        let action = match source {
            Source::Random => random_action(&world.spec().actions, seed, number),
            Source::Given(list) => list[(number as usize - 1) % list.len()].clone(),
        };
        take(episode.step(action))?;
    }
    Ok(episode.last)
}

fn random_action(actions: &Actions, seed: u32, step: u32) -> Vec<f32> {
    let stream = Stream::new(seed, RANDOM_ACTIONS);
    match actions {
        Actions::Choice { choices, .. } => {
            vec![stream.below(u64::from(step), 0, choices.len() as u32) as f32]
        }
        Actions::Continuous(ranges) => {
            let numbers = stream.uniform4(u64::from(step), 0);
            ranges.iter().zip(numbers).map(|(range, u)| range.low + (range.high - range.low) * u).collect()
        }
    }
}

/// Reads a list of actions.
pub fn parse_actions(actions: &Actions, list: &str) -> Result<Vec<Vec<f32>>> {
    list.split(',').map(|text| parse_action(actions, text.trim())).collect()
}

fn parse_action(actions: &Actions, text: &str) -> Result<Vec<f32>> {
    let refused = |expected: String| usage(format!("--actions: `{text}` is no action; expected {expected}"));
    let number = |word: &str| word.parse::<f32>().ok().filter(|x| x.is_finite());
    match actions {
        Actions::Choice { choices, .. } => {
            let named = choices.iter().position(|choice| choice == text);
            let numbered = || text.parse().ok().filter(|i| *i < choices.len());
            let Some(i) = named.or_else(numbered) else {
                return Err(refused(format!(
                    "one of {}, or a number from 0 to {}",
                    choices.join(", "),
                    choices.len() - 1
                )));
            };
            Ok(vec![i as f32])
        }
        Actions::Continuous(ranges) => {
            let numbers: Option<Vec<f32>> = text.split_whitespace().map(number).collect();
            let Some(numbers) = numbers.filter(|numbers| numbers.len() == ranges.len()) else {
                let names: Vec<&str> = ranges.iter().map(|range| &range.name[..]).collect();
                let noun = if names.len() == 1 { "a number" } else { "numbers separated by spaces" };
                return Err(refused(format!("{noun}: {}", names.join(" "))));
            };
            for (x, range) in numbers.iter().zip(ranges) {
                if *x < range.low || *x > range.high {
                    let (name, low, high) = (&range.name, range.low, range.high);
                    return Err(refused(format!("`{name}` from {low} to {high}")));
                }
            }
            Ok(numbers)
        }
    }
}

/// The parameters of a world, of which these assignments change some.
pub fn parameters(world: &World, assignments: &[String]) -> Result<Vec<f32>> {
    let mut values = world.parameters();
    let known = &world.spec().parameters;
    for assignment in assignments {
        let Some((name, text)) = assignment.split_once('=') else {
            bail!(usage(format!("--set {assignment}: expected a name and a value, as in --set name=value")));
        };
        let (name, text) = (name.trim(), text.trim());
        let Some(i) = known.iter().position(|parameter| parameter.name == name) else {
            let names: Vec<&str> = known.iter().map(|parameter| &parameter.name[..]).collect();
            let names =
                if names.is_empty() { "it has none".into() } else { format!("it has {}", names.join(", ")) };
            bail!(usage(format!("--set: the world has no parameter `{name}`; {names}")));
        };
        let (low, high) = (known[i].low, known[i].high);
        match text.parse::<f32>() {
            Ok(value) if (low..=high).contains(&value) => values[i] = value,
            _ => bail!(usage(format!(
                "parameter `{name}`: {text} is not allowed; expected a number from {low} to {high}"
            ))),
        }
    }
    Ok(values)
}
