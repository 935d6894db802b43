//! Pendulum-v1 of Gymnasium: swing a pendulum up and hold it there with a motor too weak to lift it at once.
//! Semi-implicit Euler; the reward is that of the state before the step and of the torque as clipped; the angle is
//! not wrapped; 200 steps.

use std::f32::consts::{PI, TAU};

use learnery_kernels::simd::{Simd, math};

use super::rules::{About, Actions, Rules, Step};

/// The rules. Fields: angle, angular speed, and the cosine and sine of the angle.
#[derive(Clone, Copy, Debug)]
pub struct Pendulum;

impl Pendulum {
    /// The strongest torque either way.
    pub const TORQUE: f32 = 2.0;
    /// It turns no faster than this, in either direction.
    pub const FASTEST: f32 = 8.0;
    /// Seconds in a step.
    pub const DT: f32 = 0.05;
    /// Three over mass and squared length: the acceleration for each unit of torque.
    pub const LEVER: f32 = 3.0;
    /// Three halves of gravity over length.
    const FALL: f32 = 15.0;
}

impl Rules<4> for Pendulum {
    const ABOUT: About = About {
        id: "Pendulum-v1",
        state: 2,
        observation: &[2, 3, 1],
        actions: Actions::Continuous { low: -Self::TORQUE, high: Self::TORQUE },
        limit: 200,
        steady_reward: None,
        tau: Self::DT,
    };

    #[inline(always)]
    fn step<S: Simd>(s: S, [angle, speed, _, sin]: [S::F; 4], action: S::F) -> Step<S, 4> {
        let torque = s.min(s.constant(&Self::TORQUE), s.max(s.constant(&(-Self::TORQUE)), action));
        let off = math::wrap_angle(s, angle);
        let cost = s.mul(off, off);
        let cost = s.mul_add(s.mul(speed, speed), s.constant(&0.1), cost);
        let cost = s.mul_add(s.mul(torque, torque), s.constant(&0.001), cost);

        let pull = s.mul_add(sin, s.constant(&Self::FALL), s.mul(torque, s.constant(&Self::LEVER)));
        let speed = s.mul_add(pull, s.constant(&Self::DT), speed);
        let speed = s.min(s.constant(&Self::FASTEST), s.max(s.constant(&(-Self::FASTEST)), speed));
        let angle = s.mul_add(speed, s.constant(&Self::DT), angle);
        let fields = Self::complete(s, [angle, speed, angle, angle]);
        Step { fields, reward: s.sub(s.constant(&0.0), cost), terminated: 0 }
    }

    #[inline(always)]
    fn start<S: Simd>(s: S, uniform: [S::F; 4]) -> [S::F; 4] {
        let angle = s.mul_add(uniform[0], s.constant(&TAU), s.constant(&(-PI)));
        let speed = s.mul_add(uniform[1], s.constant(&2.0), s.constant(&(-1.0)));
        Self::complete(s, [angle, speed, angle, angle])
    }

    #[inline(always)]
    fn complete<S: Simd>(s: S, [angle, speed, ..]: [S::F; 4]) -> [S::F; 4] {
        let (sin, cos) = math::sin_cos(s, angle);
        [angle, speed, cos, sin]
    }

    fn is_lawful(state: &[f32]) -> bool {
        // An episode is over before it has turned so far.
        state[0].abs() <= 100.0 && state[1].abs() <= Self::FASTEST
    }
}
