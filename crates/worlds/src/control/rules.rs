//! What a world of classic control is: numbers for each world, a step written once for every instruction set, and
//! what an agent sees of it.

use learnery_kernels::simd::{MAX_LANES, Op, Simd, dispatch, load_padded, store_partial};

/// What an agent may do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Actions {
    /// One of so many, numbered from zero.
    Discrete(usize),
    /// Any number between these; what lies outside counts as the nearer of them.
    Continuous {
        /// The least.
        low: f32,
        /// The most.
        high: f32,
    },
}

impl Actions {
    /// True for an action that can be taken as it is.
    pub fn allow(&self, action: f32) -> bool {
        match *self {
            Self::Discrete(n) => (0..n).any(|i| action == i as f32),
            Self::Continuous { .. } => action.is_finite(),
        }
    }
}

/// What is known of a world without looking into it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct About {
    /// Gymnasium's name for it.
    pub id: &'static str,
    /// Numbers in its state.
    pub state: usize,
    /// What an agent sees: which of the fields, in Gymnasium's order.
    pub observation: &'static [usize],
    /// What it may do.
    pub actions: Actions,
    /// An episode is cut off after this many steps.
    pub limit: u32,
    /// The reward, where it is always the same.
    pub steady_reward: Option<f32>,
    /// Seconds in a step.
    pub tau: f32,
}

/// The rules of one kind of world, which has `N` fields: first its state, then whatever else an agent sees that is
/// worth keeping from one step to the next.
///
/// Every function is a computation on vectors, a world in each lane, and no lane knows of another.
pub trait Rules<const N: usize>: Copy + Send + Sync + 'static {
    /// What is known of it.
    const ABOUT: About;

    /// One step from any state. Implementations are marked `#[inline(always)]`.
    fn step<S: Simd>(s: S, fields: [S::F; N], action: S::F) -> Step<S, N>;

    /// The fields at the start of an episode, made of four numbers in [0, 1).
    fn start<S: Simd>(s: S, uniform: [S::F; 4]) -> [S::F; N];

    /// Fills in the fields that follow from the state.
    fn complete<S: Simd>(s: S, fields: [S::F; N]) -> [S::F; N] {
        let _ = s;
        fields
    }

    /// Whether an episode could be in this state and go on.
    fn is_lawful(state: &[f32]) -> bool;
}

/// What a step leads to.
pub struct Step<S: Simd, const N: usize> {
    /// The fields after it.
    pub fields: [S::F; N],
    /// What it earns.
    pub reward: S::F,
    /// A bit for each lane, the first lowest: set where nothing can come after.
    pub terminated: u32,
}

/// What a step of one world leads to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Single<const N: usize> {
    /// The fields after it.
    pub fields: [f32; N],
    /// What it earns.
    pub reward: f32,
    /// Whether nothing can come after.
    pub terminated: bool,
}

/// One step of one world from any state, with the bits it has among many.
pub fn step_one<R: Rules<N>, const N: usize>(fields: [f32; N], action: f32) -> Single<N> {
    struct One<R, const N: usize>([f32; N], f32, std::marker::PhantomData<R>);
    impl<R: Rules<N>, const N: usize> Op for One<R, N> {
        type Output = Single<N>;
        #[inline(always)]
        fn run<S: Simd>(self, s: S) -> Single<N> {
            let step = R::step(s, R::complete(s, self.0.map(|x| s.splat(x))), s.splat(self.1));
            Single {
                fields: step.fields.map(|x| first(s, x)),
                reward: first(s, step.reward),
                terminated: step.terminated & 1 != 0,
            }
        }
    }
    dispatch(One::<R, N>(fields, action, std::marker::PhantomData))
}

/// The start of an episode, made of four numbers in [0, 1).
pub fn start_one<R: Rules<N>, const N: usize>(uniform: [f32; 4]) -> [f32; N] {
    struct One<R, const N: usize>([f32; 4], std::marker::PhantomData<R>);
    impl<R: Rules<N>, const N: usize> Op for One<R, N> {
        type Output = [f32; N];
        #[inline(always)]
        fn run<S: Simd>(self, s: S) -> [f32; N] {
            R::start(s, self.0.map(|x| s.splat(x))).map(|x| first(s, x))
        }
    }
    dispatch(One::<R, N>(uniform, std::marker::PhantomData))
}

/// The fields of a state.
pub fn complete_one<R: Rules<N>, const N: usize>(fields: [f32; N]) -> [f32; N] {
    struct One<R, const N: usize>([f32; N], std::marker::PhantomData<R>);
    impl<R: Rules<N>, const N: usize> Op for One<R, N> {
        type Output = [f32; N];
        #[inline(always)]
        fn run<S: Simd>(self, s: S) -> [f32; N] {
            R::complete(s, self.0.map(|x| s.splat(x))).map(|x| first(s, x))
        }
    }
    dispatch(One::<R, N>(fields, std::marker::PhantomData))
}

/// The first lane.
#[inline(always)]
fn first<S: Simd>(s: S, x: S::F) -> f32 {
    let mut lanes = [0.0; MAX_LANES];
    store_partial(s, &mut lanes, x);
    lanes[0]
}

/// A vector from a block of sixteen.
#[inline(always)]
pub(super) fn lanes<S: Simd>(s: S, block: &[f32; MAX_LANES], at: usize) -> S::F {
    load_padded(s, &block[at..at + S::LANES], 0.0)
}
