//! The worlds of the lab: when each counts as solved, how the stage (the world that the user can push) steps and shows it, and
//! the potential for reward shaping. The rules themselves are in `learnery_worlds::control`.

use learnery_kernels::math;
use learnery_worlds::control::{Acrobot, Actions, CartPole, Kind, MountainCar, Pendulum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The world to learn, as a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub enum World {
    /// CartPole-v1.
    CartPole,
    /// MountainCar-v0.
    MountainCar,
    /// Pendulum-v1.
    Pendulum,
    /// Acrobot-v1.
    Acrobot,
}

/// The two state variables over which the map of the critic's values is drawn. All other state variables are 0 there.
pub struct MapAxes {
    /// Indices of the two variables in the state. // [x, y]
    pub fields: [usize; 2],
    /// Ranges of the two variables. // [x, y], each [low, high]
    pub ranges: [[f32; 2]; 2],
}

impl World {
    /// The rules of the world.
    pub fn kind(self) -> Kind {
        match self {
            Self::CartPole => Kind::CartPole,
            Self::MountainCar => Kind::MountainCar,
            Self::Pendulum => Kind::Pendulum,
            Self::Acrobot => Kind::Acrobot,
        }
    }

    /// The mean return over 100 episodes that counts as solved.
    pub fn solved_return(self) -> f64 {
        match self {
            Self::CartPole => 475.0,
            Self::MountainCar => -110.0,
            Self::Pendulum => -200.0,
            Self::Acrobot => -100.0,
        }
    }

    /// The mean return at which a run stops: a little above [`World::solved_return`], because a mean over 100 episodes has
    /// a standard error and another evaluation must find the world solved too.
    pub fn target_return(self) -> f64 {
        match self {
            Self::CartPole => 490.0,
            Self::MountainCar => -105.0,
            Self::Pendulum => -155.0,
            Self::Acrobot => -88.0,
        }
    }

    /// Outputs of the actor: a logit for each discrete action, or the mean of the continuous one.
    pub fn outputs(self) -> usize {
        match self.kind().spec().actions {
            Actions::Discrete(n) => n,
            Actions::Continuous { .. } => 1,
        }
    }

    /// Seconds for which the stage shows one step.
    pub fn stage_step_seconds(self) -> f64 {
        match self {
            Self::CartPole => f64::from(CartPole::TAU),
            Self::Pendulum => f64::from(Pendulum::DT),
            Self::MountainCar => 1.0 / 30.0,
            // A third of the true speed, which is too fast to follow.
            Self::Acrobot => 1.0 / 15.0,
        }
    }

    /// Takes one step with the user's push added to the agent's action. `strength` is in units of the agent's own force.
    /// Returns the next state, the reward, and whether the episode terminated.
    pub fn step_with_push(self, state: &[f32], action: f32, strength: f32) -> (Vec<f32>, f32, bool) {
        let kind = self.kind();
        let stepped = match self {
            Self::CartPole => {
                // Actions 0 and 1 apply a force of -1 and 1.
                let force = CartPole::FORCE * (2.0 * action - 1.0 + strength);
                let state = [state[0], state[1], state[2], state[3]];
                let single = CartPole::push(state, force);
                return (single.fields.to_vec(), single.reward, single.terminated);
            }
            // Action k applies a force of k - 1, and the rules accept any real number for k.
            Self::MountainCar | Self::Acrobot => kind.step(state, action + strength),
            // The rules clip the torque, so the push is applied to the speed after the step.
            Self::Pendulum => {
                let mut stepped = kind.step(state, action);
                let speed_change = Pendulum::LEVER * Pendulum::DT * Pendulum::TORQUE * strength;
                let speed = (stepped.state[1] + speed_change).clamp(-Pendulum::FASTEST, Pendulum::FASTEST);
                stepped.state[0] += Pendulum::DT * (speed - stepped.state[1]);
                stepped.state[1] = speed;
                stepped
            }
        };
        (stepped.state, stepped.reward, stepped.terminated)
    }

    /// The axes of the map of the critic's values.
    pub fn map_axes(self) -> MapAxes {
        use std::f32::consts::PI;
        let (fields, ranges) = match self {
            // A little beyond the angle at which an episode ends, and up to a speed that is rarely exceeded.
            Self::CartPole => ([2, 3], [[-0.25, 0.25], [-2.5, 2.5]]),
            Self::MountainCar => (
                [0, 1],
                [[MountainCar::WALL, MountainCar::EDGE], [-MountainCar::FASTEST, MountainCar::FASTEST]],
            ),
            Self::Pendulum => ([0, 1], [[-PI, PI], [-Pendulum::FASTEST, Pendulum::FASTEST]]),
            Self::Acrobot => ([0, 2], [[-PI, PI], [-Acrobot::FASTEST_1 / 2.0, Acrobot::FASTEST_1 / 2.0]]),
        };
        MapAxes { fields, ranges }
    }

    /// The potential for reward shaping: in MountainCar, the car's mechanical energy as a fraction of the energy
    /// that reaching the flag takes; 0 in all other worlds. Takes a raw observation, which in MountainCar is position and speed.
    pub fn shaping_potential(self, observation: &[f32]) -> f32 {
        if self != Self::MountainCar {
            return 0.0;
        }
        // Each step, the slope accelerates the car by -GRAVITY cos(3 x): minus the derivative of this potential energy.
        let height = |x: f32| MountainCar::GRAVITY / 3.0 * math::sin_cos(3.0 * x).0;
        let lowest = -MountainCar::GRAVITY / 3.0;
        let energy = height(observation[0]) + 0.5 * observation[1] * observation[1] - lowest;
        energy / (height(MountainCar::FLAG) - lowest)
    }
}
