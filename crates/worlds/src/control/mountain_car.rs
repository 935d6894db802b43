//! Gymnasium's MountainCar-v0 (Moore, "Efficient memory-based learning for robot control", 1990): a car with
//! an engine too weak for the hill must swing back and forth until it reaches the flag. The reward is -1 for
//! every step, and an episode is truncated after 200 steps.

use learnery_kernels::simd::{Simd, math};

use super::rules::{Actions, LaneStep, Rules, WorldSpec};

/// Fields (the numbers stored of a world): position, velocity. Action 0 pushes left, 1 does nothing, 2 pushes
/// right.
#[derive(Clone, Copy, Debug)]
pub struct MountainCar;

/// The largest position that has not reached the flag: `position > BEFORE_FLAG` means `position >= FLAG`.
const BEFORE_FLAG: f32 = MountainCar::FLAG.next_down();

impl MountainCar {
    /// The position of the wall on the left, where the car stops (inelastic collision).
    pub const WALL: f32 = -1.2;
    /// The position of the right end of the track.
    pub const EDGE: f32 = 0.6;
    /// The position of the goal.
    pub const FLAG: f32 = 0.5;
    /// The bound on the absolute velocity.
    pub const FASTEST: f32 = 0.07;
    /// The change of velocity by gravity in a step on the steepest slope.
    pub const GRAVITY: f32 = 0.0025;
    /// The change of velocity by the engine in a step.
    const FORCE: f32 = 0.001;
}

impl Rules<2> for MountainCar {
    const SPEC: WorldSpec = WorldSpec {
        id: "MountainCar-v0",
        state_size: 2,
        observation: &[0, 1],
        actions: Actions::Discrete(3),
        max_steps: 200,
        constant_reward: Some(-1.0),
        seconds_per_step: 1.0,
    };

    #[inline(always)]
    fn step<S: Simd>(s: S, [position, velocity]: [S::F; 2], action: S::F) -> LaneStep<S, 2> {
        let push = s.mul(s.sub(action, s.constant(&1.0)), s.constant(&Self::FORCE));
        // The track has the height sin(3 x), so its slope is proportional to cos(3 x).
        let cos = math::cos(s, s.mul(position, s.constant(&3.0)));
        let velocity = s.add(velocity, s.neg_mul_add(cos, s.constant(&Self::GRAVITY), push));
        let velocity = s.min(s.constant(&Self::FASTEST), s.max(s.constant(&(-Self::FASTEST)), velocity));
        let position = s.add(position, velocity);
        let position = s.min(s.constant(&Self::EDGE), s.max(s.constant(&Self::WALL), position));
        let at_wall = s.eq(position, s.constant(&Self::WALL));
        let zero = s.constant(&0.0);
        let velocity = s.select(at_wall, s.max(zero, velocity), velocity);
        let at_flag = s.mask_bits(s.lt(s.constant(&BEFORE_FLAG), position));
        // As in Gymnasium, the flag counts only if the car does not roll backwards.
        let is_forward = s.mask_bits(s.lt(zero, velocity)) | s.mask_bits(s.eq(zero, velocity));
        LaneStep {
            fields: [position, velocity],
            reward: s.constant(&(-1.0)),
            terminated: at_flag & is_forward,
        }
    }

    #[inline(always)]
    fn start<S: Simd>(s: S, uniform: [S::F; 4]) -> [S::F; 2] {
        // The car stands still, at a position that is uniform in -0.6..-0.4.
        [s.mul_add(uniform[0], s.constant(&0.2), s.constant(&(-0.6))), s.constant(&0.0)]
    }

    fn is_valid_state(state: &[f32]) -> bool {
        let [position, velocity] = [state[0], state[1]];
        let is_terminal = position >= Self::FLAG && velocity >= 0.0;
        (Self::WALL..=Self::EDGE).contains(&position) && velocity.abs() <= Self::FASTEST && !is_terminal
    }
}
