//! The choice of world as a setting, and the lab's own worlds: when each counts as solved, how the *stage*
//! shows it (the large picture on the page, a world apart from training that the user can push), and the
//! potential for reward shaping. The rules of the worlds are in `learnery_worlds::control`.

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
    /// A text of the user's own.
    Own,
}

/// The two state variables over which the map of the critic's values is drawn. All other state variables are
/// 0 there.
pub struct MapAxes {
    /// Indices in the state of the variables on the x and the y axis.
    pub fields: [usize; 2],
    /// The range [low, high] of the x axis, then that of the y axis.
    pub ranges: [[f32; 2]; 2],
}

impl World {
    /// The rules of the world; `None` if they are a text.
    pub fn kind(self) -> Option<Kind> {
        match self {
            Self::CartPole => Some(Kind::CartPole),
            Self::MountainCar => Some(Kind::MountainCar),
            Self::Pendulum => Some(Kind::Pendulum),
            Self::Acrobot => Some(Kind::Acrobot),
            Self::Own => None,
        }
    }
}

/// What the lab knows of its own worlds.
pub trait BuiltIn {
    /// The mean return over 100 episodes from which on the world counts as solved: the usual thresholds in
    /// the literature.
    fn solved_return(self) -> f64;

    /// The mean return at which a run stops. It is a little above [`BuiltIn::solved_return`]: a mean over 100
    /// episodes has a standard error, and the next 100 episodes should find the world solved too.
    fn target_return(self) -> f64;

    /// Outputs of the actor: a logit for each discrete action, or the mean of the continuous one.
    fn outputs(self) -> usize;

    /// Seconds for which the stage shows one step.
    fn stage_step_seconds(self) -> f64;

    /// Takes one step with the user's push added to the agent's action. `strength` is in units of the agent's
    /// own force. Returns the next state, the reward, and whether the episode terminated.
    fn step_with_push(self, state: &[f32], action: f32, strength: f32) -> (Vec<f32>, f32, bool);

    /// The axes of the map of the critic's values.
    fn map_axes(self) -> MapAxes;

    /// The potential for reward shaping (an extra reward for each gain of potential): in MountainCar, the
    /// car's mechanical energy as a fraction of the energy that it needs to reach the flag; 0 in all other
    /// worlds. `observation` is not normalised; in MountainCar it is position and speed.
    fn shaping_potential(self, observation: &[f32]) -> f32;
}

impl BuiltIn for Kind {
    fn solved_return(self) -> f64 {
        match self {
            Self::CartPole => 475.0,
            Self::MountainCar => -110.0,
            Self::Pendulum => -200.0,
            Self::Acrobot => -100.0,
        }
    }

    fn target_return(self) -> f64 {
        match self {
            Self::CartPole => 490.0,
            Self::MountainCar => -105.0,
            Self::Pendulum => -155.0,
            Self::Acrobot => -88.0,
        }
    }

    fn outputs(self) -> usize {
        match self.spec().actions {
            Actions::Discrete(n) => n,
            Actions::Continuous { .. } => 1,
        }
    }

    fn stage_step_seconds(self) -> f64 {
        match self {
            // The duration of a step in the rules.
            Self::CartPole => f64::from(CartPole::TAU),
            Self::Pendulum => f64::from(Pendulum::DT),
            // The rules have no unit of time; thirty steps a second are easy to follow.
            Self::MountainCar => 1.0 / 30.0,
            // Three times as fast as in the rules, whose steps take 0.2 seconds: at that speed the picture
            // would change only five times a second.
            Self::Acrobot => 1.0 / 15.0,
        }
    }

    fn step_with_push(self, state: &[f32], action: f32, strength: f32) -> (Vec<f32>, f32, bool) {
        let stepped = match self {
            Self::CartPole => {
                // Actions 0 and 1 apply `FORCE` to the left and to the right.
                let force = CartPole::FORCE * (2.0 * action - 1.0 + strength);
                let state = [state[0], state[1], state[2], state[3]];
                let pushed = CartPole::push(state, force);
                return (pushed.fields.to_vec(), pushed.reward, pushed.terminated);
            }
            // Action k applies k - 1 times the agent's force. The rules accept any real number for k, so the
            // push adds to k.
            Self::MountainCar | Self::Acrobot => self.step(state, action + strength),
            // The rules clip the torque, so it cannot hold the push. Instead the step is corrected: the speed
            // by the change that the push causes in one step, and the angle by what this speed adds.
            Self::Pendulum => {
                let mut stepped = self.step(state, action);
                let speed_change = Pendulum::LEVER * Pendulum::DT * Pendulum::TORQUE * strength;
                let speed = (stepped.state[1] + speed_change).clamp(-Pendulum::FASTEST, Pendulum::FASTEST);
                stepped.state[0] += Pendulum::DT * (speed - stepped.state[1]);
                stepped.state[1] = speed;
                stepped
            }
        };
        (stepped.state, stepped.reward, stepped.terminated)
    }

    fn map_axes(self) -> MapAxes {
        use std::f32::consts::PI;
        let (fields, ranges) = match self {
            // Angle and angular speed of the pole: a little beyond the angle at which an episode ends (0.21),
            // and up to a speed that is rarely exceeded.
            Self::CartPole => ([2, 3], [[-0.25, 0.25], [-2.5, 2.5]]),
            // Position and speed of the car.
            Self::MountainCar => (
                [0, 1],
                [[MountainCar::WALL, MountainCar::EDGE], [-MountainCar::FASTEST, MountainCar::FASTEST]],
            ),
            // Angle and angular speed.
            Self::Pendulum => ([0, 1], [[-PI, PI], [-Pendulum::FASTEST, Pendulum::FASTEST]]),
            // Angle of the first rod, and half of the range of its angular speed.
            Self::Acrobot => ([0, 2], [[-PI, PI], [-Acrobot::FASTEST_1 / 2.0, Acrobot::FASTEST_1 / 2.0]]),
        };
        MapAxes { fields, ranges }
    }

    fn shaping_potential(self, observation: &[f32]) -> f32 {
        if self != Self::MountainCar {
            return 0.0;
        }
        // Each step, the slope accelerates the car by -GRAVITY cos(3 x): minus the derivative of this
        // potential energy.
        let potential_energy = |x: f32| MountainCar::GRAVITY / 3.0 * math::sin_cos(3.0 * x).0;
        let lowest = -MountainCar::GRAVITY / 3.0;
        let kinetic_energy = 0.5 * observation[1] * observation[1];
        let energy = potential_energy(observation[0]) + kinetic_energy - lowest;
        energy / (potential_energy(MountainCar::FLAG) - lowest)
    }
}
