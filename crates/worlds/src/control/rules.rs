//! The interface of a kind of world (an environment, such as a cart with a pole): its constants
//! ([`WorldSpec`]) and its rules ([`Rules`]), which are written once for all SIMD instruction sets. The
//! functions at the end apply the rules to a single world.

use learnery_kernels::simd::{MAX_LANES, Op, Simd, dispatch, load_padded, store_partial};

/// The action space. Discrete actions are stored as floats too, so that all kinds of world share one rollout
/// buffer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Actions {
    /// The integers from 0 to one less than this.
    Discrete(usize),
    /// The interval from `low` to `high`. Actions outside the interval are clipped to it.
    Continuous { low: f32, high: f32 },
}

impl Actions {
    /// Whether `action` is valid. Any finite number is, if actions are continuous.
    pub fn allow(&self, action: f32) -> bool {
        match *self {
            Self::Discrete(n) => (0..n).any(|i| action == i as f32),
            Self::Continuous { .. } => action.is_finite(),
        }
    }
}

/// The constants of a kind of world, like Gymnasium's `EnvSpec`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldSpec {
    /// Gymnasium's ID.
    pub id: &'static str,
    /// The number of fields of the state.
    pub state_size: usize,
    /// The observation: indices of fields, in Gymnasium's order.
    pub observation: &'static [usize],
    pub actions: Actions,
    /// An episode is truncated after this many steps.
    pub max_steps: u32,
    /// The reward of every step, if all steps have the same reward.
    pub constant_reward: Option<f32>,
    /// Simulated seconds of a step.
    pub seconds_per_step: f32,
}

/// The rules of one kind of world. A world has `N` fields: first the state, then derived numbers (such as
/// sines and cosines) that the observation needs and that are cached between steps.
///
/// Every function computes on SIMD vectors with one world in each lane; lanes are independent.
pub trait Rules<const N: usize>: Copy + Send + Sync + 'static {
    const SPEC: WorldSpec;

    /// Computes one step from any state. Implementations must be `#[inline(always)]`, so that the compiler
    /// generates code for the instruction set of `s`.
    fn step<S: Simd>(s: S, fields: [S::F; N], action: S::F) -> LaneStep<S, N>;

    /// Computes the fields at the start of an episode from four uniform numbers in [0, 1).
    fn start<S: Simd>(s: S, uniform: [S::F; 4]) -> [S::F; N];

    /// Computes the derived fields from the state.
    fn complete<S: Simd>(s: S, fields: [S::F; N]) -> [S::F; N] {
        let _ = s;
        fields
    }

    /// Whether a running episode can be in this state.
    fn is_valid_state(state: &[f32]) -> bool;
}

/// The result of a step, one world in each lane.
pub struct LaneStep<S: Simd, const N: usize> {
    pub fields: [S::F; N],
    pub reward: S::F,
    /// Bit `i` is set if the world in lane `i` has reached a terminal state.
    pub terminated: u32,
}

/// The result of a step of one world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SingleStep<const N: usize> {
    pub fields: [f32; N],
    pub reward: f32,
    pub terminated: bool,
}

/// Computes one step of one world from any state. The result is bit-identical to a step in a batch.
pub fn step_one<R: Rules<N>, const N: usize>(fields: [f32; N], action: f32) -> SingleStep<N> {
    // Fields, action, rules.
    struct One<R, const N: usize>([f32; N], f32, std::marker::PhantomData<R>);
    impl<R: Rules<N>, const N: usize> Op for One<R, N> {
        type Output = SingleStep<N>;
        #[inline(always)]
        fn run<S: Simd>(self, s: S) -> SingleStep<N> {
            let Self(fields, action, _) = self;
            let step = R::step(s, R::complete(s, fields.map(|x| s.splat(x))), s.splat(action));
            SingleStep {
                fields: step.fields.map(|x| first_lane(s, x)),
                reward: first_lane(s, step.reward),
                // Bit 0 is the first lane.
                terminated: step.terminated & 1 != 0,
            }
        }
    }
    dispatch(One::<R, N>(fields, action, std::marker::PhantomData))
}

/// [`Rules::start`] for one world.
pub fn start_one<R: Rules<N>, const N: usize>(uniform: [f32; 4]) -> [f32; N] {
    struct One<R, const N: usize>([f32; 4], std::marker::PhantomData<R>);
    impl<R: Rules<N>, const N: usize> Op for One<R, N> {
        type Output = [f32; N];
        #[inline(always)]
        fn run<S: Simd>(self, s: S) -> [f32; N] {
            let Self(uniform, _) = self;
            R::start(s, uniform.map(|x| s.splat(x))).map(|x| first_lane(s, x))
        }
    }
    dispatch(One::<R, N>(uniform, std::marker::PhantomData))
}

/// [`Rules::complete`] for one world.
pub fn complete_one<R: Rules<N>, const N: usize>(fields: [f32; N]) -> [f32; N] {
    struct One<R, const N: usize>([f32; N], std::marker::PhantomData<R>);
    impl<R: Rules<N>, const N: usize> Op for One<R, N> {
        type Output = [f32; N];
        #[inline(always)]
        fn run<S: Simd>(self, s: S) -> [f32; N] {
            let Self(fields, _) = self;
            R::complete(s, fields.map(|x| s.splat(x))).map(|x| first_lane(s, x))
        }
    }
    dispatch(One::<R, N>(fields, std::marker::PhantomData))
}

/// The number in the first lane.
#[inline(always)]
fn first_lane<S: Simd>(s: S, x: S::F) -> f32 {
    let mut lanes = [0.0; MAX_LANES];
    store_partial(s, &mut lanes, x);
    lanes[0]
}

/// Loads the lanes from index `at` on of a block of sixteen.
#[inline(always)]
pub(super) fn lanes<S: Simd>(s: S, block: &[f32; MAX_LANES], at: usize) -> S::F {
    load_padded(s, &block[at..at + S::LANES], 0.0)
}
