//! The classic control environments of Gymnasium, vectorised: thousands of environments of one kind step at
//! once. An environment is called a *world* in this project.

mod acrobot;
mod autoreset;
mod cartpole;
mod kind;
mod mountain_car;
mod pendulum;
mod rules;
mod worlds;

#[cfg(test)]
mod tests;

pub use acrobot::Acrobot;
pub use autoreset::{Autoreset, RestartableWorlds, SavedWorld, StepResults, VectorWorlds, Verdict};
pub use cartpole::CartPole;
pub use kind::{AnyWorlds, Kind, StepResult};
pub use mountain_car::MountainCar;
pub use pendulum::Pendulum;
pub use rules::{Actions, LaneStep, Rules, SingleStep, WorldSpec, complete_one, start_one, step_one};
pub use worlds::{Outcome, Worlds};
