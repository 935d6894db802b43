//! The world of a run, as collector, networks and evaluator see it: one of the lab's own, a text of the
//! user's, or an *external* environment, which the caller steps.

use std::ops::Range;
#[cfg(any(feature = "own-worlds", not(target_family = "wasm")))]
use std::sync::Arc;

use learnery_kernels::rng::Stream;
use learnery_lab::LabError;
use learnery_nn::Tensors;
use learnery_worlds::control::{Actions, AnyWorlds, Kind};

#[cfg(not(target_family = "wasm"))]
use crate::external::ExternalSpaces;
#[cfg(feature = "own-worlds")]
use crate::own::{OwnWorld, OwnWorlds};
use crate::world::{BuiltIn, World};

/// Where the text of a world lies among the tensors of a network.
#[cfg(feature = "own-worlds")]
const OWN_PREFIX: &str = "world/";

/// Where the spaces of an external environment lie among the tensors of a network.
const EXTERNAL_PREFIX: &str = "environment/";

/// What is said of a network that only Python can use.
const ONLY_PYTHON: &str = "it was trained in an environment that Python steps, so only Python can use it";

/// The world of a run.
#[derive(Clone, Debug)]
pub enum Task {
    BuiltIn(Kind),
    #[cfg(feature = "own-worlds")]
    Own(Arc<OwnWorld>),
    /// Environments that the caller steps.
    #[cfg(not(target_family = "wasm"))]
    External(Arc<ExternalSpaces>),
}

impl Task {
    /// The world of a new run with this setting.
    pub fn new(world: World) -> Self {
        match world.kind() {
            Some(kind) => Self::BuiltIn(kind),
            #[cfg(feature = "own-worlds")]
            None => Self::Own(OwnWorld::first()),
            // `Lab::check` has refused the setting.
            #[cfg(not(feature = "own-worlds"))]
            None => Self::BuiltIn(Kind::CartPole),
        }
    }

    /// The world of a network whose tensors these are.
    pub fn of_network(world: World, tensors: &Tensors) -> Result<Self, LabError> {
        let external = tensors.under(EXTERNAL_PREFIX);
        if external.iter().next().is_some() {
            #[cfg(not(target_family = "wasm"))]
            return Ok(Self::External(ExternalSpaces::from_tensors(&external)?));
            #[cfg(target_family = "wasm")]
            return Err(LabError::Checkpoint(ONLY_PYTHON.into()));
        }
        #[cfg(feature = "own-worlds")]
        if world == World::Own {
            return Ok(Self::Own(OwnWorld::from_tensors(&tensors.under(OWN_PREFIX))?));
        }
        let _ = tensors; // a world of the lab's own is named by the settings
        Ok(Self::new(world))
    }

    /// Refuses a network whose worlds only the caller can step.
    pub fn check_steppable(&self) -> Result<(), LabError> {
        match self {
            #[cfg(not(target_family = "wasm"))]
            Self::External(_) => Err(LabError::Checkpoint(ONLY_PYTHON.into())),
            _ => Ok(()),
        }
    }

    /// Adds to the tensors of a network what [`Task::of_network`] reads.
    pub fn write_tensors(&self, tensors: &mut Tensors) {
        match self {
            Self::BuiltIn(_) => {}
            #[cfg(feature = "own-worlds")]
            Self::Own(own) => tensors.absorb(OWN_PREFIX, own.to_tensors()),
            #[cfg(not(target_family = "wasm"))]
            Self::External(spaces) => tensors.absorb(EXTERNAL_PREFIX, spaces.to_tensors()),
        }
        let _ = tensors; // unused with the lab's own worlds alone
    }

    /// Gymnasium's id, or the title of the text.
    pub fn title(&self) -> &str {
        match self {
            Self::BuiltIn(kind) => kind.spec().id,
            #[cfg(feature = "own-worlds")]
            Self::Own(own) => &own.spec().title,
            #[cfg(not(target_family = "wasm"))]
            Self::External(spaces) => &spaces.name,
        }
    }

    /// Width of an observation.
    pub fn inputs(&self) -> usize {
        match self {
            Self::BuiltIn(kind) => kind.spec().observation.len(),
            #[cfg(feature = "own-worlds")]
            Self::Own(own) => own.spec().observations.len(),
            #[cfg(not(target_family = "wasm"))]
            Self::External(spaces) => spaces.inputs,
        }
    }

    /// Outputs of the actor: a logit for each discrete action, or the mean of each number of a continuous
    /// one.
    pub fn outputs(&self) -> usize {
        match self {
            Self::BuiltIn(kind) => kind.outputs(),
            #[cfg(feature = "own-worlds")]
            Self::Own(own) => own.outputs(),
            #[cfg(not(target_family = "wasm"))]
            Self::External(spaces) => spaces.outputs(),
        }
    }

    /// Whether the actor's outputs are logits.
    pub fn is_discrete(&self) -> bool {
        match self {
            Self::BuiltIn(kind) => matches!(kind.spec().actions, Actions::Discrete(_)),
            #[cfg(feature = "own-worlds")]
            Self::Own(own) => own.is_discrete(),
            #[cfg(not(target_family = "wasm"))]
            Self::External(spaces) => spaces.is_discrete(),
        }
    }

    /// How the means of a continuous action become the action, as a part of a sentence that begins with what
    /// the action is.
    #[cfg(not(target_family = "wasm"))]
    pub fn meaning_of_numbers(&self, is_squashed: bool) -> String {
        match self {
            Self::BuiltIn(kind) => match kind.spec().actions {
                Actions::Continuous { low, high } if is_squashed => {
                    format!("the hyperbolic tangent of the mean, where -1 is {low} and 1 is {high}")
                }
                Actions::Continuous { low, high } => format!("the mean, clipped to {low} to {high}"),
                Actions::Discrete(_) => String::new(),
            },
            _ if is_squashed => {
                "the hyperbolic tangent of the mean, where -1 is the lower bound of a number and 1 the upper \
                 one; a number without two finite bounds is the mean itself, within the finite bound"
                    .into()
            }
            _ => {
                "the mean, where -1 is the lower bound of a number, 1 the upper one, and what lies beyond is \
                 clipped; a number without two finite bounds stays as it is"
                    .into()
            }
        }
    }

    /// Numbers of a state.
    pub fn state_size(&self) -> usize {
        match self {
            Self::BuiltIn(kind) => kind.spec().state_size,
            #[cfg(feature = "own-worlds")]
            Self::Own(own) => own.spec().state.len(),
            #[cfg(not(target_family = "wasm"))]
            Self::External(_) => 0,
        }
    }

    /// The most steps of an episode of an evaluation.
    pub fn max_steps(&self) -> u32 {
        match self {
            Self::BuiltIn(kind) => kind.spec().max_steps,
            #[cfg(feature = "own-worlds")]
            Self::Own(own) => own.max_steps(),
            #[cfg(not(target_family = "wasm"))]
            Self::External(_) => u32::MAX,
        }
    }

    /// Whether the world tells successes from other ends of an episode.
    pub fn has_success(&self) -> bool {
        match self {
            #[cfg(feature = "own-worlds")]
            Self::Own(own) => own.spec().has_success,
            _ => false,
        }
    }

    /// The mean return from which on the world counts as solved; `None` if a text does not say.
    pub fn solved_return(&self) -> Option<f64> {
        match self {
            Self::BuiltIn(kind) => Some(kind.solved_return()),
            #[cfg(feature = "own-worlds")]
            Self::Own(own) => own.spec().solved.map(f64::from),
            #[cfg(not(target_family = "wasm"))]
            Self::External(_) => None,
        }
    }

    /// The worlds with the numbers of `range`.
    pub fn worlds(&self, range: Range<u64>, stream: Stream) -> Box<dyn AnyWorlds> {
        match self {
            Self::BuiltIn(kind) => kind.worlds(range, stream),
            #[cfg(feature = "own-worlds")]
            Self::Own(own) => Box::new(OwnWorlds::new(own.clone(), range, stream)),
            #[cfg(not(target_family = "wasm"))]
            Self::External(_) => unreachable!("the caller steps them; `check_steppable` refuses the network"),
        }
    }

    /// The potential for reward shaping of an observation that is not normalised.
    pub fn shaping_potential(&self, observation: &[f32]) -> f32 {
        match self {
            Self::BuiltIn(kind) => kind.shaping_potential(observation),
            #[cfg(any(feature = "own-worlds", not(target_family = "wasm")))]
            _ => 0.0,
        }
    }

    /// Whether rewards are divided by the deviation of returns before they are learned from, because they may
    /// have any size.
    pub fn normalises_rewards(&self) -> bool {
        !matches!(self, Self::BuiltIn(_))
    }

    /// The bounds of number `i` of a continuous action in the policy's unit. In a world of the lab's own this
    /// is the action's unit; otherwise it is half of the interval between the bounds, which are -1 and 1
    /// then. `None` if the number has no two finite bounds.
    pub fn policy_bounds(&self, i: usize) -> Option<(f32, f32)> {
        let _ = i; // only other environments, which not every build has, have bounds of their own for each number
        match self {
            Self::BuiltIn(kind) => match kind.spec().actions {
                Actions::Continuous { low, high } => Some((low, high)),
                Actions::Discrete(_) => None,
            },
            #[cfg(feature = "own-worlds")]
            Self::Own(_) => Some((-1.0, 1.0)),
            #[cfg(not(target_family = "wasm"))]
            Self::External(spaces) => spaces.is_bounded(i).then_some((-1.0, 1.0)),
        }
    }

    /// Actions in the world's units, from the numbers that [`AnyWorlds::step`] takes; within the bounds of
    /// the world.
    ///
    /// Shape: `actions [rows, numbers]`.
    pub fn actions_in_units(&self, actions: &mut [f32]) {
        match self {
            Self::BuiltIn(kind) => {
                if let Actions::Continuous { low, high } = kind.spec().actions {
                    actions.iter_mut().for_each(|action| *action = action.clamp(low, high));
                }
            }
            #[cfg(feature = "own-worlds")]
            Self::Own(own) => {
                for row in actions.chunks_exact_mut(own.spec().actions.count()) {
                    for (i, action) in row.iter_mut().enumerate() {
                        let (low, high) = own.spec().actions.bounds(i);
                        *action = own.scaled_action(i, *action).clamp(low, high);
                    }
                }
            }
            #[cfg(not(target_family = "wasm"))]
            Self::External(spaces) => spaces.scale_actions(actions),
        }
    }
}
