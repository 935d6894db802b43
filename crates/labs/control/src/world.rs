//! The worlds of the lab: what counts as solved, and how each is shown.

use learnery_worlds::control::{Acrobot, Actions, CartPole, Kind, MountainCar, Pendulum};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The choice of world, as settings have it.
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

/// The map of the critic: two numbers of a state, the others at zero.
pub struct Map {
    /// Which numbers, along and up.
    pub fields: [usize; 2],
    /// The edges of each.
    pub edges: [[f32; 2]; 2],
}

impl World {
    /// Its rules.
    pub fn kind(self) -> Kind {
        match self {
            Self::CartPole => Kind::CartPole,
            Self::MountainCar => Kind::MountainCar,
            Self::Pendulum => Kind::Pendulum,
            Self::Acrobot => Kind::Acrobot,
        }
    }

    /// The mean return that counts as solved.
    pub fn solved(self) -> f64 {
        match self {
            Self::CartPole => 475.0,
            Self::MountainCar => -110.0,
            Self::Pendulum => -200.0,
            Self::Acrobot => -100.0,
        }
    }

    /// A run is after a little more, so that any other hundred episodes would find it solved too: the mean of an
    /// examination just over the threshold is off by its own error either way.
    pub fn target(self) -> f64 {
        match self {
            Self::CartPole => 490.0,
            Self::MountainCar => -105.0,
            Self::Pendulum => -155.0,
            Self::Acrobot => -88.0,
        }
    }

    /// Outputs of the actor: a preference for each action, or the mean of the only one.
    pub fn outputs(self) -> usize {
        match self.kind().spec().actions {
            Actions::Discrete(n) => n,
            Actions::Continuous { .. } => 1,
        }
    }

    /// Seconds in which a step is shown on the stage.
    pub fn shown_step(self) -> f64 {
        match self {
            Self::CartPole => f64::from(CartPole::TAU),
            Self::Pendulum => f64::from(Pendulum::DT),
            Self::MountainCar => 1.0 / 30.0,
            // A third of the true speed, which is too fast to follow.
            Self::Acrobot => 1.0 / 15.0,
        }
    }

    /// Where a visitor's `strength`, in units of the agent's own force, joins the agent's action.
    pub fn step_pushed(self, state: &[f32], action: f32, strength: f32) -> (Vec<f32>, f32, bool) {
        let kind = self.kind();
        let stepped = match self {
            Self::CartPole => {
                let force = CartPole::FORCE * (2.0 * action - 1.0 + strength);
                let state = [state[0], state[1], state[2], state[3]];
                let single = CartPole::push(state, force);
                return (single.fields.to_vec(), single.reward, single.terminated);
            }
            // Their rules take any strength between and beyond the numbered ones.
            Self::MountainCar | Self::Acrobot => kind.step(state, action + strength),
            Self::Pendulum => {
                let mut stepped = kind.step(state, action);
                let kick = Pendulum::LEVER * Pendulum::DT * Pendulum::TORQUE * strength;
                let speed = (stepped.state[1] + kick).clamp(-Pendulum::FASTEST, Pendulum::FASTEST);
                stepped.state[0] += Pendulum::DT * (speed - stepped.state[1]);
                stepped.state[1] = speed;
                stepped
            }
        };
        (stepped.state, stepped.reward, stepped.terminated)
    }

    /// What the critic's map shows.
    pub fn map(self) -> Map {
        const HALF_TURN: f32 = std::f32::consts::PI;
        let (fields, edges) = match self {
            // Just beyond the angle at which an episode ends, and a speed rarely exceeded.
            Self::CartPole => ([2, 3], [[-0.25, 0.25], [-2.5, 2.5]]),
            Self::MountainCar => (
                [0, 1],
                [[MountainCar::WALL, MountainCar::EDGE], [-MountainCar::FASTEST, MountainCar::FASTEST]],
            ),
            Self::Pendulum => ([0, 1], [[-HALF_TURN, HALF_TURN], [-Pendulum::FASTEST, Pendulum::FASTEST]]),
            Self::Acrobot => {
                ([0, 2], [[-HALF_TURN, HALF_TURN], [-Acrobot::FASTEST_1 / 2.0, Acrobot::FASTEST_1 / 2.0]])
            }
        };
        Map { fields, edges }
    }

    /// A potential for shaping: the energy of what is seen, over what reaching the flag takes; 0 in other worlds.
    pub fn potential(self, seen: &[f32]) -> f32 {
        if self != Self::MountainCar {
            return 0.0;
        }
        // The slope pulls by `GRAVITY cos(3 x)` a step, which is the slope of this height.
        let height = |x: f32| MountainCar::GRAVITY / 3.0 * (3.0 * x).sin();
        let bottom = -MountainCar::GRAVITY / 3.0;
        let energy = height(seen[0]) + 0.5 * seen[1] * seen[1] - bottom;
        energy / (height(MountainCar::FLAG) - bottom)
    }
}
