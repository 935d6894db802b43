//! The rules of a batch of worlds: a built-in kind, or a text. No Python here.

use std::ops::Range;
use std::sync::Arc;

use learnery_kernels::rng::Stream;
use learnery_world_rules::{Actions as TextActions, Outcome as TextOutcome, World, Worlds, render};
use learnery_worlds::control::{Actions, AnyWorlds, Kind, Outcome, RestartableWorlds, Verdict};

/// The random numbers of all batches. A caller's seed is the index of a world in this one stream.
const STREAM: Stream = Stream::new(0, 0);

/// The rules of a world. Built-in kinds have a text as well, which computes the same with any constants.
#[derive(Clone)]
pub struct Rules {
    pub world: Arc<World>,
    /// The built-in kind; `None` for the text of a user.
    kind: Option<Kind>,
}

/// Rules with constants and a limit of steps: all that a batch needs to know.
#[derive(Clone)]
pub struct Variant {
    pub rules: Rules,
    /// The values of the text's parameters, in its order.
    pub constants: Vec<f32>,
    /// The built-in kind if the constants are its own, which are compiled into it: it then computes, and
    /// otherwise the text does.
    kind: Option<Kind>,
    max_steps: Option<u32>,
}

/// What an action is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ActionShape {
    /// An integer below this.
    Choice(usize),
    /// So many finite numbers.
    Numbers(usize),
}

impl Rules {
    /// The rules of a text, or all of its errors.
    pub fn compile(text: &str) -> Result<Self, String> {
        match World::compile(text) {
            Ok(world) => Ok(Self { world: Arc::new(world), kind: None }),
            Err(problems) => Err(render(text, &problems)),
        }
    }

    /// The rules of the built-in kind with Gymnasium's ID.
    pub fn built_in(id: &str) -> Result<Self, String> {
        const KINDS: [(Kind, &str); 4] = [
            (Kind::CartPole, include_str!("classic/cart_pole.world")),
            (Kind::MountainCar, include_str!("classic/mountain_car.world")),
            (Kind::Pendulum, include_str!("classic/pendulum.world")),
            (Kind::Acrobot, include_str!("classic/acrobot.world")),
        ];
        let (kind, text) = KINDS.into_iter().find(|(kind, _)| kind.spec().id == id).ok_or_else(|| {
            format!(
                "there is no world `{id}`; there are {}",
                KINDS.map(|(kind, _)| kind.spec().id).join(", ")
            )
        })?;
        Ok(Self { kind: Some(kind), ..Self::compile(text)? })
    }

    /// Steps after which an episode is truncated.
    pub fn max_steps(&self) -> Option<u32> {
        self.world.spec().limit
    }

    pub fn actions(&self) -> ActionShape {
        match (self.kind.map(|kind| kind.spec().actions), &self.world.spec().actions) {
            (Some(Actions::Discrete(count)), _) => ActionShape::Choice(count),
            (Some(Actions::Continuous { .. }), _) => ActionShape::Numbers(1),
            (None, TextActions::Choice { choices, .. }) => ActionShape::Choice(choices.len()),
            (None, TextActions::Continuous(ranges)) => ActionShape::Numbers(ranges.len()),
        }
    }

    pub fn state_size(&self) -> usize {
        self.world.spec().state.len()
    }

    pub fn observation_size(&self) -> usize {
        self.world.spec().observations.len()
    }
}

impl Variant {
    /// Rules with these constants, one for each parameter of the text, and perhaps another limit of steps.
    pub fn new(rules: Rules, constants: Vec<f32>, max_steps: Option<u32>) -> Result<Self, String> {
        let parameters = &rules.world.spec().parameters;
        if constants.len() != parameters.len() {
            return Err(format!("there are {} constants, not {}", parameters.len(), constants.len()));
        }
        for (parameter, value) in parameters.iter().zip(&constants) {
            let (low, high) = (parameter.low, parameter.high);
            if !(low..=high).contains(value) {
                return Err(format!("{} must be from {low} to {high}, not {value}", parameter.name));
            }
        }
        let is_usual = constants == rules.world.parameters();
        let kind = rules.kind.filter(|_| is_usual);
        let mut rules = rules;
        if let Some(max_steps) = max_steps {
            rules.world = Arc::new(World::clone(&rules.world).with_limit(max_steps));
        }
        Ok(Self { kind, max_steps: rules.max_steps(), rules, constants })
    }

    /// The same with other constants.
    pub fn with_constants(&self, constants: Vec<f32>) -> Result<Self, String> {
        Self::new(self.rules.clone(), constants, self.max_steps)
    }

    /// Creates the worlds with the indices `range`, at the start of their first episodes.
    pub fn worlds(&self, range: Range<u64>) -> Box<dyn RestartableWorlds> {
        match (self.kind, self.max_steps) {
            (Some(kind), Some(max_steps)) => kind.restartable_worlds(range, STREAM, max_steps),
            _ => {
                let worlds = Worlds::new(self.rules.world.clone(), &self.constants, range, STREAM);
                let rewards = vec![0.0; worlds.len()];
                Box::new(TextWorlds { worlds, rewards })
            }
        }
    }
}

/// Worlds of a text behind the interface of built-in ones.
struct TextWorlds {
    worlds: Worlds,
    /// The reward of each world in the last step.
    rewards: Vec<f32>,
}

impl AnyWorlds for TextWorlds {
    fn reset(&mut self, first: u64, stream: Stream) {
        self.worlds.reset(first, stream);
    }
    fn count(&self) -> usize {
        self.worlds.len()
    }
    fn step(&mut self, actions: &[f32]) {
        self.worlds.step(actions);
        self.worlds.rewards(&mut self.rewards);
    }
    fn observe(&self, out: &mut [f32]) {
        self.worlds.observe(out);
    }
    fn rewards(&self) -> &[f32] {
        &self.rewards
    }
    fn ended(&self) -> &[u32] {
        self.worlds.ended()
    }
    fn outcome(&self, i: usize) -> Outcome {
        match self.worlds.outcome(i) {
            TextOutcome::Running => Outcome::Running,
            TextOutcome::Failed | TextOutcome::Succeeded => Outcome::Terminated,
            TextOutcome::Truncated => Outcome::Truncated,
        }
    }
    fn final_observation(&self, k: usize, out: &mut [f32]) {
        out.copy_from_slice(self.worlds.final_observation(k));
    }
    fn state(&self, i: usize, out: &mut [f32]) {
        self.worlds.state(i, out);
    }
    fn steps(&self, i: usize) -> u32 {
        self.worlds.steps(i)
    }
    fn episodes(&self, i: usize) -> u32 {
        self.worlds.episodes(i)
    }
    fn restore(&mut self, i: usize, state: &[f32], steps: u32, episodes: u32) -> bool {
        // A running episode was in this state before it was saved, perhaps with other constants.
        let is_possible = state.iter().all(|x| x.is_finite());
        if is_possible {
            self.worlds.resume(i, state, steps, episodes);
        }
        is_possible
    }
}

impl RestartableWorlds for TextWorlds {
    fn start_episode(&mut self, i: usize, world: u64, episode: u32) {
        self.worlds.start_episode(i, world, episode);
    }
    fn undo_first_step(&mut self, worlds: &[u32]) {
        self.worlds.undo_first_step(worlds);
    }
    fn restore_ended(&mut self, worlds: &[u32], states: &[f32]) {
        self.worlds.restore_ended(worlds, states);
    }
    fn index(&self, i: usize) -> u64 {
        self.worlds.index(i)
    }
    fn final_state(&self, k: usize, out: &mut [f32]) {
        out.copy_from_slice(self.worlds.final_state(k));
    }
    fn allows(&self, state: &[f32], steps: u32) -> bool {
        self.worlds.allows(state, steps)
    }
    fn verdict(&self, k: usize) -> Verdict {
        let outcome = self.worlds.outcome(self.worlds.ended()[k] as usize);
        let fault = self.worlds.fault(k).map(|fault| fault.to_string());
        Verdict { is_success: Some(outcome == TextOutcome::Succeeded), fault }
    }
}
