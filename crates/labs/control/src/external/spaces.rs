//! What an agent sees and does in an external environment.

use std::sync::Arc;

use learnery_lab::LabError;
use learnery_nn::Tensors;

use crate::policy::{MAX_ACTIONS, MAX_NUMBERS};

/// The most numbers of an observation. It also limits the memory that a stranger's checkpoint can ask for.
const MAX_INPUTS: usize = 4096;

/// The spaces of an environment, and its name.
#[derive(Clone, Debug, PartialEq)]
pub struct ExternalSpaces {
    /// What people call it, such as Gymnasium's ID.
    pub name: String,
    /// How many numbers an observation has.
    pub inputs: usize,
    pub actions: ExternalActions,
}

/// The action space of an environment.
#[derive(Clone, Debug, PartialEq)]
pub enum ExternalActions {
    /// One of this many choices, numbered from 0 (`Discrete` in Gymnasium).
    Choice(usize),
    /// Numbers with their bounds, which may be infinite (`Box` in Gymnasium).
    Numbers { low: Vec<f32>, high: Vec<f32> },
}

impl ExternalSpaces {
    /// Refuses spaces that the networks of this lab cannot have.
    pub fn check(&self) -> Result<(), LabError> {
        let refuse = |problem: String| Err(LabError::Settings(format!("the environment {problem}")));
        if !(1..=MAX_INPUTS).contains(&self.inputs) {
            return refuse(format!("has observations of {} numbers, not 1 to {MAX_INPUTS}", self.inputs));
        }
        match &self.actions {
            ExternalActions::Choice(n) if !(2..=MAX_ACTIONS).contains(n) => {
                refuse(format!("has {n} actions to choose from, not 2 to {MAX_ACTIONS}"))
            }
            ExternalActions::Numbers { low, high } if low.len() != high.len() => {
                refuse(format!("has actions with {} lower and {} upper bounds", low.len(), high.len()))
            }
            ExternalActions::Numbers { low, .. } if !(1..=MAX_NUMBERS).contains(&low.len()) => {
                refuse(format!("has actions of {} numbers, not 1 to {MAX_NUMBERS}", low.len()))
            }
            ExternalActions::Numbers { low, high }
                if low.iter().zip(high).any(|(l, h)| !is_interval(*l, *h)) =>
            {
                refuse("has an action whose lower bound is not below its upper one".into())
            }
            _ => Ok(()),
        }
    }

    /// Outputs of the actor: a logit for each choice, or the mean of each number.
    pub fn outputs(&self) -> usize {
        match &self.actions {
            ExternalActions::Choice(n) => *n,
            ExternalActions::Numbers { low, .. } => low.len(),
        }
    }

    /// Whether the actor's outputs are logits.
    pub fn is_discrete(&self) -> bool {
        matches!(self.actions, ExternalActions::Choice(_))
    }

    /// Whether number `i` of a continuous action has two finite bounds.
    pub fn is_bounded(&self, i: usize) -> bool {
        match &self.actions {
            ExternalActions::Choice(_) => false,
            ExternalActions::Numbers { low, high } => low[i].is_finite() && high[i].is_finite(),
        }
    }

    /// Scales the policy's numbers from [-1, 1] to their bounds, and clips them. A number without two finite
    /// bounds is not scaled, only clipped at the finite one. Choices stay as they are.
    ///
    /// Shape: `actions [rows, numbers]`.
    pub fn scale_actions(&self, actions: &mut [f32]) {
        let ExternalActions::Numbers { low, high } = &self.actions else { return };
        for row in actions.chunks_exact_mut(low.len()) {
            for (action, (low, high)) in row.iter_mut().zip(low.iter().zip(high)) {
                if low.is_finite() && high.is_finite() {
                    // Halves, because `high - low` could overflow.
                    *action = 0.5 * low + 0.5 * high + (0.5 * high - 0.5 * low) * *action;
                }
                *action = action.clamp(*low, *high);
            }
        }
    }

    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = Tensors::new();
        tensors.insert("name", &[self.name.len()], self.name.as_bytes());
        tensors.insert("inputs", &[1], &[self.inputs as u64]);
        match &self.actions {
            ExternalActions::Choice(n) => tensors.insert("choices", &[1], &[*n as u64]),
            ExternalActions::Numbers { low, high } => {
                tensors.insert("low", &[low.len()], low);
                tensors.insert("high", &[high.len()], high);
            }
        }
        tensors
    }

    /// Whether a network for these spaces can act in `other`. Names may differ. Bounds may not, because
    /// actions are scaled to them.
    pub fn fits(&self, other: &Self) -> bool {
        self.inputs == other.inputs && self.actions == other.actions
    }

    /// Restores what [`ExternalSpaces::to_tensors`] saved.
    pub fn from_tensors(tensors: &Tensors) -> Result<Arc<Self>, LabError> {
        let name = String::from_utf8_lossy(&tensors.get_vec::<u8>("name")?).into_owned();
        let size = |name: &str| -> Result<usize, LabError> {
            // A size that no machine can hold is refused below like any other that is too large.
            Ok(usize::try_from(tensors.get::<u64>(name, &[1])?[0]).unwrap_or(usize::MAX))
        };
        let actions = if tensors.contains("choices") {
            ExternalActions::Choice(size("choices")?)
        } else {
            ExternalActions::Numbers { low: tensors.get_vec("low")?, high: tensors.get_vec("high")? }
        };
        let spaces = Self { name, inputs: size("inputs")?, actions };
        spaces.check().map_err(|e| LabError::Checkpoint(e.to_string()))?;
        Ok(Arc::new(spaces))
    }
}

/// Whether there are numbers between two bounds. A NaN is no bound.
fn is_interval(low: f32, high: f32) -> bool {
    low < high
}
