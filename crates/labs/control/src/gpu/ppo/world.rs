//! The kinds of worlds that a device simulates, and their sizes.

/// A kind of world. The rules of the lab's own are in `wgsl/worlds.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum World {
    CartPole,
    MountainCar,
    Pendulum,
    Acrobot,
    /// A world of the user's own with these sizes. Its rules are a text that [`super::Trainer::new`] gets.
    #[cfg(feature = "own-worlds")]
    Own(OwnSizes),
}

/// The sizes of a world of the user's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnSizes {
    /// Numbers of the state.
    pub state: usize,
    pub inputs: usize,
    pub outputs: usize,
    /// Whether the outputs are logits.
    pub is_discrete: bool,
    pub parameters: usize,
    /// The steps after which an episode is truncated, if there is such a limit.
    pub step_limit: Option<usize>,
    /// The steps after which an episode of an evaluation ends.
    pub evaluation_steps: usize,
}

/// Words of the note of a world's faults before its state, see `wgsl/own_rollout.wgsl`.
const FAULT_WORDS: usize = 4;

impl OwnSizes {
    /// Numbers of an action: one if there are choices.
    pub(super) fn action(self) -> usize {
        if self.is_discrete { 1 } else { self.outputs }
    }

    /// Vectors of four words that hold the note of a world's faults.
    pub(super) fn fault_vectors(self) -> usize {
        (FAULT_WORDS + self.state + self.action()).div_ceil(4)
    }
}

/// A world of the user's own as a device takes it.
#[cfg(feature = "own-worlds")]
#[derive(Clone, Debug, PartialEq)]
pub struct OwnRules {
    pub world: World,
    /// What the kernels include as `world_rules`.
    pub wgsl: String,
    pub parameters: Vec<f32>,
}

impl World {
    /// All kinds of the lab's own.
    pub const ALL: [Self; 4] = [Self::CartPole, Self::MountainCar, Self::Pendulum, Self::Acrobot];

    /// The value of the kernels' constant `WORLD`.
    pub(crate) fn number(self) -> u32 {
        match self {
            Self::CartPole => 0,
            Self::MountainCar => 1,
            Self::Pendulum => 2,
            Self::Acrobot => 3,
            #[cfg(feature = "own-worlds")]
            Self::Own(_) => 4,
        }
    }

    /// The sizes of a world of the user's own; `None` for the lab's own worlds.
    pub(crate) fn own(self) -> Option<OwnSizes> {
        match self {
            #[cfg(feature = "own-worlds")]
            Self::Own(sizes) => Some(sizes),
            _ => None,
        }
    }

    /// The components of an observation.
    pub fn inputs(self) -> usize {
        match self {
            Self::CartPole => 4,
            Self::MountainCar => 2,
            Self::Pendulum => 3,
            Self::Acrobot => 6,
            #[cfg(feature = "own-worlds")]
            Self::Own(sizes) => sizes.inputs,
        }
    }

    /// The actor's outputs: a logit for each discrete action, or the mean of each number of a continuous one.
    pub fn outputs(self) -> usize {
        match self {
            Self::CartPole => 2,
            Self::MountainCar | Self::Acrobot => 3,
            Self::Pendulum => 1,
            #[cfg(feature = "own-worlds")]
            Self::Own(sizes) => sizes.outputs,
        }
    }

    /// Numbers of a continuous action; 0 if actions are discrete.
    pub(crate) fn continuous_numbers(self) -> usize {
        match self {
            Self::CartPole | Self::MountainCar | Self::Acrobot => 0,
            Self::Pendulum => 1,
            #[cfg(feature = "own-worlds")]
            Self::Own(sizes) => {
                if sizes.is_discrete {
                    0
                } else {
                    sizes.outputs
                }
            }
        }
    }

    /// The steps after which an episode is truncated.
    pub(super) fn step_limit(self) -> Option<usize> {
        match self {
            Self::CartPole | Self::Acrobot => Some(500),
            Self::MountainCar | Self::Pendulum => Some(200),
            #[cfg(feature = "own-worlds")]
            Self::Own(sizes) => sizes.step_limit,
        }
    }

    /// The longest episode of an evaluation.
    pub(super) fn evaluation_steps(self) -> usize {
        self.own().map_or_else(|| self.step_limit().unwrap_or(usize::MAX), |sizes| sizes.evaluation_steps)
    }

    /// Floats of the state of a world on the device: padded in the lab's own worlds, otherwise with what the
    /// agent sees of it.
    pub(crate) fn state_floats(self) -> usize {
        self.own().map_or(4, |sizes| sizes.state + sizes.inputs)
    }
}
