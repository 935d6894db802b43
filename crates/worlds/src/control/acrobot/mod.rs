//! Gymnasium's Acrobot-v1 (Sutton, "Generalization in reinforcement learning: successful examples using
//! sparse coarse coding", 1996): two linked rods hang from a fixed point, with a motor at the joint between
//! them. The task is to swing the free end above a line. A step is one step of the classical fourth-order
//! Runge-Kutta method over 0.2 seconds, with the dynamics of Sutton and Barto's book. The reward is -1 for
//! every step except the one that reaches the goal, which has 0. Episodes are truncated after 500 steps.

mod double_precision;

use std::f32::consts::PI;

use learnery_kernels::math as scalar;
use learnery_kernels::simd::{MAX_LANES, Simd, load_padded, math, store_partial};

use super::rules::{Actions, LaneStep, Rules, WorldSpec};

/// Fields (the numbers stored of a world): both angles, both angular velocities, cosine and sine of the first
/// angle, cosine and sine of the second. The first angle is that of the first rod from hanging down, the
/// second that of the second rod from the first. Actions 0, 1 and 2 apply a torque of -1, 0 and 1.
#[derive(Clone, Copy, Debug)]
pub struct Acrobot;

impl Acrobot {
    /// The bound on the first rod's absolute angular velocity.
    pub const FASTEST_1: f32 = 4.0 * PI;
    /// The bound on the second rod's absolute angular velocity.
    pub const FASTEST_2: f32 = 9.0 * PI;
    /// Seconds of a step.
    const DT: f32 = 0.2;
    const GRAVITY: f32 = 9.8;
}

impl Rules<8> for Acrobot {
    const SPEC: WorldSpec = WorldSpec {
        id: "Acrobot-v1",
        state_size: 4,
        observation: &[4, 5, 6, 7, 2, 3],
        actions: Actions::Discrete(3),
        max_steps: 500,
        constant_reward: None,
        seconds_per_step: Self::DT,
    };

    #[inline(always)]
    fn step<S: Simd>(s: S, fields: [S::F; 8], action: S::F) -> LaneStep<S, 8> {
        let torque = s.sub(action, s.constant(&1.0));
        let [a, b, da, db] = integrate(s, fields, torque);
        let clamp = |x, bound: f32| s.min(s.splat(bound), s.max(s.splat(-bound), x));
        // `complete` overwrites the last four fields, the cosines and sines.
        let fields = [a, b, clamp(da, Self::FASTEST_1), clamp(db, Self::FASTEST_2), a, a, a, a];
        let fields = Self::complete(s, fields);
        let [_, _, _, _, cos_a, sin_a, cos_b, sin_b] = fields;
        let cos_sum = s.neg_mul_add(sin_a, sin_b, s.mul(cos_a, cos_b));
        // The height of the free end is `-cos a - cos (a + b)`; the line is at 1.
        let is_above_line = s.lt(s.add(cos_a, cos_sum), s.constant(&(-1.0)));
        LaneStep {
            fields,
            reward: s.select(is_above_line, s.constant(&0.0), s.constant(&(-1.0))),
            terminated: s.mask_bits(is_above_line),
        }
    }

    #[inline(always)]
    fn start<S: Simd>(s: S, uniform: [S::F; 4]) -> [S::F; 8] {
        let [a, b, c, d] = uniform;
        // Angles and velocities are uniform in -0.1..0.1.
        let initial = |u| s.mul_add(u, s.constant(&0.2), s.constant(&(-0.1)));
        // The last four fields are placeholders, which `complete` overwrites.
        Self::complete(s, [initial(a), initial(b), initial(c), initial(d), a, a, a, a])
    }

    #[inline(always)]
    fn complete<S: Simd>(s: S, [a, b, da, db, ..]: [S::F; 8]) -> [S::F; 8] {
        let ((sin_a, cos_a), (sin_b, cos_b)) = (math::near_sin_cos(s, a), math::near_sin_cos(s, b));
        [a, b, da, db, cos_a, sin_a, cos_b, sin_b]
    }

    fn is_valid_state(state: &[f32]) -> bool {
        let [a, b, da, db] = [state[0], state[1], state[2], state[3]];
        // Element 1 is the cosine.
        let is_above_line = -scalar::sin_cos(a).1 - scalar::sin_cos(a + b).1 > 1.0;
        let is_slow = da.abs() <= Self::FASTEST_1 && db.abs() <= Self::FASTEST_2;
        // A wrapped angle may be rounded up to the next number beyond pi.
        a.abs() <= PI.next_up() && b.abs() <= PI.next_up() && is_slow && !is_above_line
    }
}

/// Above this angular speed (in radians per second), the step is computed in double precision; see
/// `double_precision.rs`.
const FAST: f32 = 10.0;

/// Returns the state after 0.2 seconds, with angles wrapped to half a turn either way and velocities not
/// clamped yet.
#[inline(always)]
fn integrate<S: Simd>(s: S, fields: [S::F; 8], torque: S::F) -> [S::F; 4] {
    let [a, b, da, db, ..] = fields;
    let start = [a, b, da, db];
    let k1 = slopes_of(s, [da, db], [fields[4], fields[5], fields[6], fields[7]], torque);
    let k2 = slopes(s, ahead(s, start, k1, Acrobot::DT / 2.0), torque);
    let k3 = slopes(s, ahead(s, start, k2, Acrobot::DT / 2.0), torque);
    let k4 = slopes(s, ahead(s, start, k3, Acrobot::DT), torque);
    let [a, b, da, db]: [S::F; 4] = std::array::from_fn(
        #[inline(always)]
        |i| {
            let sum = s.mul_add(s.add(k2[i], k3[i]), s.constant(&2.0), s.add(k1[i], k4[i]));
            s.mul_add(sum, s.constant(&(Acrobot::DT / 6.0)), start[i])
        },
    );
    let end = [math::wrap_angle(s, a), math::wrap_angle(s, b), da, db];

    let fastest = s.max(math::abs(s, start[2]), math::abs(s, start[3]));
    let is_fast = s.lt(s.constant(&FAST), fastest);
    if s.any(is_fast) {
        let lanes = |x| {
            let mut lanes = [0.0; MAX_LANES];
            store_partial(s, &mut lanes, x);
            lanes
        };
        let exact = double_precision::integrate(S::LANES, &start.map(lanes), &lanes(torque));
        return std::array::from_fn(
            #[inline(always)]
            |i| s.select(is_fast, load_padded(s, &exact[i], 0.0), end[i]),
        );
    }
    end
}

/// `start + dt * slopes`
#[inline(always)]
fn ahead<S: Simd>(s: S, start: [S::F; 4], slopes: [S::F; 4], dt: f32) -> [S::F; 4] {
    let [a, b, c, d] = start;
    let [ka, kb, kc, kd] = slopes;
    let dt = s.splat(dt);
    [s.mul_add(ka, dt, a), s.mul_add(kb, dt, b), s.mul_add(kc, dt, c), s.mul_add(kd, dt, d)]
}

/// The time derivative of the state.
#[inline(always)]
fn slopes<S: Simd>(s: S, [a, b, da, db]: [S::F; 4], torque: S::F) -> [S::F; 4] {
    let ((sin_a, cos_a), (sin_b, cos_b)) = (math::near_sin_cos(s, a), math::near_sin_cos(s, b));
    slopes_of(s, [da, db], [cos_a, sin_a, cos_b, sin_b], torque)
}

/// [`slopes`] from known cosines and sines. All masses, lengths and moments of inertia are 1, and the centres
/// of mass are at half length.
#[inline(always)]
fn slopes_of<S: Simd>(
    s: S,
    [da, db]: [S::F; 2],
    [cos_a, sin_a, cos_b, sin_b]: [S::F; 4],
    torque: S::F,
) -> [S::F; 4] {
    const HALF_GRAVITY: f32 = Acrobot::GRAVITY / 2.0;
    // The equations of motion, a linear system for the accelerations dda and ddb:
    //   d1 dda + d2 ddb = -phi1 and d2 dda + 5/4 ddb = rest, with d1 = 7/2 + cos b and d2 = 5/4 + cos b / 2.
    // phi1, phi2 and `rest` collect gravity, the torque and the forces that depend on the velocities.
    let d1 = s.add(cos_b, s.constant(&3.5));
    let d2 = s.mul_add(cos_b, s.constant(&0.5), s.constant(&1.25));
    let sin_sum = s.mul_add(sin_a, cos_b, s.mul(cos_a, sin_b));
    let phi2 = s.mul(sin_sum, s.constant(&HALF_GRAVITY));
    let phi1 = s.mul_add(sin_a, s.constant(&(3.0 * HALF_GRAVITY)), phi2);
    let coriolis = s.mul(s.mul_add(db, s.constant(&0.5), da), db);
    let phi1 = s.neg_mul_add(coriolis, sin_b, phi1);
    let rest = s.sub(torque, phi2);
    let rest = s.neg_mul_add(s.mul(s.mul(da, da), s.constant(&0.5)), sin_b, rest);
    // 5/4 d1 - d2^2 = 2.8125 - cos^2 b / 4
    let determinant = s.neg_mul_add(s.mul(cos_b, cos_b), s.constant(&0.25), s.constant(&2.8125));
    let inverse = s.div(s.constant(&1.0), determinant);
    let dda = s.mul_add(phi1, s.constant(&1.25), s.mul(d2, rest));
    let ddb = s.mul_add(d1, rest, s.mul(d2, phi1));
    [da, db, s.sub(s.constant(&0.0), s.mul(dda, inverse)), s.mul(ddb, inverse)]
}
