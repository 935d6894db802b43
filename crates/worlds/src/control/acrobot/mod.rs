//! Acrobot-v1 of Gymnasium: swing two linked rods up over a line with a motor at the joint between them (Sutton,
//! 1996). Fourth-order Runge and Kutta over 0.2 seconds, the dynamics of Sutton and Barto's book; reward -1 on every
//! step but the one that gets there; 500 steps.

mod whirl;

use std::f32::consts::PI;

use learnery_kernels::simd::{MAX_LANES, Simd, load_padded, math, store_partial};

use super::rules::{About, Actions, Rules, Step};

/// The rules. Fields: both angles and angular speeds, then cosine and sine of the first angle and of the second.
/// Action 0 turns the joint one way, 1 not at all, 2 the other.
#[derive(Clone, Copy, Debug)]
pub struct Acrobot;

impl Acrobot {
    /// The first rod turns no faster than this, either way.
    pub const FASTEST_1: f32 = 4.0 * PI;
    /// Nor does the second.
    pub const FASTEST_2: f32 = 9.0 * PI;
    const DT: f32 = 0.2;
    const GRAVITY: f32 = 9.8;
}

impl Rules<8> for Acrobot {
    const ABOUT: About = About {
        id: "Acrobot-v1",
        state: 4,
        observation: &[4, 5, 6, 7, 2, 3],
        actions: Actions::Discrete(3),
        limit: 500,
        steady_reward: None,
        tau: Self::DT,
    };

    #[inline(always)]
    fn step<S: Simd>(s: S, fields: [S::F; 8], action: S::F) -> Step<S, 8> {
        let torque = s.sub(action, s.constant(&1.0));
        let [a, b, da, db] = turned(s, fields, torque);
        let hold = |x, most: f32| s.min(s.splat(most), s.max(s.splat(-most), x));
        let fields = [a, b, hold(da, Self::FASTEST_1), hold(db, Self::FASTEST_2), a, a, a, a];
        let fields = Self::complete(s, fields);
        let [_, _, _, _, cos_a, sin_a, cos_b, sin_b] = fields;
        let cos_sum = s.neg_mul_add(sin_a, sin_b, s.mul(cos_a, cos_b));
        let up = s.lt(s.add(cos_a, cos_sum), s.constant(&(-1.0)));
        Step {
            fields,
            reward: s.select(up, s.constant(&0.0), s.constant(&(-1.0))),
            terminated: s.mask_bits(up),
        }
    }

    #[inline(always)]
    fn start<S: Simd>(s: S, uniform: [S::F; 4]) -> [S::F; 8] {
        let [a, b, c, d] = uniform;
        let spread = |u| s.mul_add(u, s.constant(&0.2), s.constant(&(-0.1)));
        Self::complete(s, [spread(a), spread(b), spread(c), spread(d), a, a, a, a])
    }

    #[inline(always)]
    fn complete<S: Simd>(s: S, [a, b, da, db, ..]: [S::F; 8]) -> [S::F; 8] {
        let ((sin_a, cos_a), (sin_b, cos_b)) = (math::near_sin_cos(s, a), math::near_sin_cos(s, b));
        [a, b, da, db, cos_a, sin_a, cos_b, sin_b]
    }

    fn is_lawful(state: &[f32]) -> bool {
        let [a, b, da, db] = [state[0], state[1], state[2], state[3]];
        let up = -a.cos() - (a + b).cos() > 1.0;
        let slow = da.abs() <= Self::FASTEST_1 && db.abs() <= Self::FASTEST_2;
        a.abs() <= PI.next_up() && b.abs() <= PI.next_up() && slow && !up
    }
}

/// Beyond this speed single precision is not enough.
const WHIRL: f32 = 10.0;

/// The state after 0.2 seconds, the speeds not yet held to their limits.
#[inline(always)]
fn turned<S: Simd>(s: S, fields: [S::F; 8], torque: S::F) -> [S::F; 4] {
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
    let whirls = s.lt(s.constant(&WHIRL), fastest);
    if s.any(whirls) {
        let lanes = |x| {
            let mut lanes = [0.0; MAX_LANES];
            store_partial(s, &mut lanes, x);
            lanes
        };
        let exact = whirl::step(S::LANES, &start.map(lanes), &lanes(torque));
        return std::array::from_fn(
            #[inline(always)]
            |i| s.select(whirls, load_padded(s, &exact[i], 0.0), end[i]),
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

/// How fast the state changes.
#[inline(always)]
fn slopes<S: Simd>(s: S, [a, b, da, db]: [S::F; 4], torque: S::F) -> [S::F; 4] {
    let ((sin_a, cos_a), (sin_b, cos_b)) = (math::near_sin_cos(s, a), math::near_sin_cos(s, b));
    slopes_of(s, [da, db], [cos_a, sin_a, cos_b, sin_b], torque)
}

/// The same with the angles' functions known. All masses, lengths and moments are 1, centres lie at a half.
#[inline(always)]
fn slopes_of<S: Simd>(
    s: S,
    [da, db]: [S::F; 2],
    [cos_a, sin_a, cos_b, sin_b]: [S::F; 4],
    torque: S::F,
) -> [S::F; 4] {
    const HALF_GRAVITY: f32 = Acrobot::GRAVITY / 2.0;
    // d1 dda + d2 ddb = -phi1 and d2 dda + 5/4 ddb = rest, with d1 = 7/2 + cos b and d2 = 5/4 + cos b / 2.
    let d1 = s.add(cos_b, s.constant(&3.5));
    let d2 = s.mul_add(cos_b, s.constant(&0.5), s.constant(&1.25));
    let sin_sum = s.mul_add(sin_a, cos_b, s.mul(cos_a, sin_b));
    let phi2 = s.mul(sin_sum, s.constant(&HALF_GRAVITY));
    let phi1 = s.mul_add(sin_a, s.constant(&(3.0 * HALF_GRAVITY)), phi2);
    let whirl = s.mul(s.mul_add(db, s.constant(&0.5), da), db);
    let phi1 = s.neg_mul_add(whirl, sin_b, phi1);
    let rest = s.sub(torque, phi2);
    let rest = s.neg_mul_add(s.mul(s.mul(da, da), s.constant(&0.5)), sin_b, rest);
    // 5/4 d1 - d2^2
    let determinant = s.neg_mul_add(s.mul(cos_b, cos_b), s.constant(&0.25), s.constant(&2.8125));
    let inverse = s.div(s.constant(&1.0), determinant);
    let dda = s.mul_add(phi1, s.constant(&1.25), s.mul(d2, rest));
    let ddb = s.mul_add(d1, rest, s.mul(d2, phi1));
    [da, db, s.sub(s.constant(&0.0), s.mul(dda, inverse)), s.mul(ddb, inverse)]
}
