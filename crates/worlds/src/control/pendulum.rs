//! Gymnasium's Pendulum-v1: swing a pendulum up and hold it there. The motor is too weak to lift the pendulum
//! in one go, so it must swing back and forth first; near the top, where gravity hardly pulls, the motor is
//! strong enough to hold it.
//!
//! The integrator is semi-implicit Euler. The reward is `-(angle^2 + 0.1 velocity^2 + 0.001 torque^2)` of the
//! state before the step and the clipped torque. For the reward, the angle is wrapped to half a turn either
//! way, where 0 is upright; the angle in the state is not wrapped. An episode is truncated after 200 steps
//! and never terminates.

use std::f32::consts::{PI, TAU};

use learnery_kernels::simd::{Simd, math};

use super::rules::{Actions, LaneStep, Rules, WorldSpec};

/// Fields (the numbers stored of a world): angle, angular velocity, cosine and sine of the angle.
#[derive(Clone, Copy, Debug)]
pub struct Pendulum;

impl Pendulum {
    /// The bound on the absolute torque.
    pub const TORQUE: f32 = 2.0;
    /// The bound on the absolute angular velocity.
    pub const FASTEST: f32 = 8.0;
    /// Seconds of a step.
    pub const DT: f32 = 0.05;
    /// Angular acceleration per unit of torque: `3 / (m l^2)`.
    pub const LEVER: f32 = 3.0;
    /// Angular acceleration by gravity: `3 g / (2 l)`.
    const FALL: f32 = 15.0;
}

impl Rules<4> for Pendulum {
    const SPEC: WorldSpec = WorldSpec {
        id: "Pendulum-v1",
        state_size: 2,
        observation: &[2, 3, 1],
        actions: Actions::Continuous { low: -Self::TORQUE, high: Self::TORQUE },
        max_steps: 200,
        constant_reward: None,
        seconds_per_step: Self::DT,
    };

    #[inline(always)]
    fn step<S: Simd>(s: S, [angle, speed, _, sin]: [S::F; 4], action: S::F) -> LaneStep<S, 4> {
        let torque = s.min(s.constant(&Self::TORQUE), s.max(s.constant(&(-Self::TORQUE)), action));
        let angle_error = math::wrap_angle(s, angle);
        let cost = s.mul(angle_error, angle_error);
        let cost = s.mul_add(s.mul(speed, speed), s.constant(&0.1), cost);
        let cost = s.mul_add(s.mul(torque, torque), s.constant(&0.001), cost);

        let acceleration = s.mul_add(sin, s.constant(&Self::FALL), s.mul(torque, s.constant(&Self::LEVER)));
        let speed = s.mul_add(acceleration, s.constant(&Self::DT), speed);
        let speed = s.min(s.constant(&Self::FASTEST), s.max(s.constant(&(-Self::FASTEST)), speed));
        let angle = s.mul_add(speed, s.constant(&Self::DT), angle);
        // `complete` overwrites the last two fields, cosine and sine.
        let fields = Self::complete(s, [angle, speed, angle, angle]);
        LaneStep { fields, reward: s.sub(s.constant(&0.0), cost), terminated: 0 }
    }

    #[inline(always)]
    fn start<S: Simd>(s: S, uniform: [S::F; 4]) -> [S::F; 4] {
        // Any angle, and a velocity from -1 to 1.
        let angle = s.mul_add(uniform[0], s.constant(&TAU), s.constant(&(-PI)));
        let speed = s.mul_add(uniform[1], s.constant(&2.0), s.constant(&(-1.0)));
        Self::complete(s, [angle, speed, angle, angle])
    }

    #[inline(always)]
    fn complete<S: Simd>(s: S, [angle, speed, ..]: [S::F; 4]) -> [S::F; 4] {
        let (sin, cos) = math::sin_cos(s, angle);
        [angle, speed, cos, sin]
    }

    fn is_valid_state(state: &[f32]) -> bool {
        // An episode starts within half a turn and covers 80 radians at top speed (8 for 10 seconds), so 100
        // is never reached.
        state[0].abs() <= 100.0 && state[1].abs() <= Self::FASTEST
    }
}
