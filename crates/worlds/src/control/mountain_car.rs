//! Gymnasium's MountainCar-v0 (Moore, "Efficient memory-based learning for robot control", 1990): a car with an engine
//! too weak for the hill must swing up to the flag. The reward is -1 for every step; episodes are truncated after 200
//! steps.

use learnery_kernels::simd::{Simd, math};

use super::rules::{Actions, LaneStep, Rules, WorldSpec};

/// Fields: position, velocity. Action 0 pushes left, 1 does nothing, 2 pushes right.
#[derive(Clone, Copy, Debug)]
pub struct MountainCar;

/// The greatest position short of the flag.
const BEFORE_FLAG: f32 = MountainCar::FLAG.next_down();

impl MountainCar {
    /// The wall on the left; the car stops there (inelastic collision).
    pub const WALL: f32 = -1.2;
    /// The right end of the track.
    pub const EDGE: f32 = 0.6;
    pub const FLAG: f32 = 0.5;
    /// Bound on the speed.
    pub const FASTEST: f32 = 0.07;
    /// Change of velocity by gravity in a step on the steepest slope.
    pub const GRAVITY: f32 = 0.0025;
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
    fn step<S: Simd>(s: S, [position, speed]: [S::F; 2], action: S::F) -> LaneStep<S, 2> {
        let push = s.mul(s.sub(action, s.constant(&1.0)), s.constant(&Self::FORCE));
        let cos = math::cos(s, s.mul(position, s.constant(&3.0)));
        let speed = s.add(speed, s.neg_mul_add(cos, s.constant(&Self::GRAVITY), push));
        let speed = s.min(s.constant(&Self::FASTEST), s.max(s.constant(&(-Self::FASTEST)), speed));
        let position = s.add(position, speed);
        let position = s.min(s.constant(&Self::EDGE), s.max(s.constant(&Self::WALL), position));
        let at_wall = s.eq(position, s.constant(&Self::WALL));
        let zero = s.constant(&0.0);
        let speed = s.select(at_wall, s.max(zero, speed), speed);
        let at_flag = s.mask_bits(s.lt(s.constant(&BEFORE_FLAG), position));
        let forward = s.mask_bits(s.lt(zero, speed)) | s.mask_bits(s.eq(zero, speed));
        LaneStep { fields: [position, speed], reward: s.constant(&(-1.0)), terminated: at_flag & forward }
    }

    #[inline(always)]
    fn start<S: Simd>(s: S, uniform: [S::F; 4]) -> [S::F; 2] {
        [s.mul_add(uniform[0], s.constant(&0.2), s.constant(&(-0.6))), s.constant(&0.0)]
    }

    fn is_valid_state(state: &[f32]) -> bool {
        let [position, speed] = [state[0], state[1]];
        let over = position >= Self::FLAG && speed >= 0.0;
        (Self::WALL..=Self::EDGE).contains(&position) && speed.abs() <= Self::FASTEST && !over
    }
}
