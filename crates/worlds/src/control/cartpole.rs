//! Gymnasium's CartPole-v1 (Barto, Sutton and Anderson, "Neuronlike adaptive elements that can solve
//! difficult learning control problems", 1983): balance a pole on a cart by pushing left or right. The
//! integrator is explicit Euler. The reward is 1 for every step, including the last. An episode ends when the
//! cart or the pole is strictly beyond its bound, and is truncated after 500 steps.

use learnery_kernels::simd::{Simd, math};

use super::rules::{Actions, LaneStep, Rules, SingleStep, WorldSpec, step_one};

// Gymnasium's constants, in metres, kilograms and seconds. The total mass is that of cart and pole. Those
// from which others are derived are `f64`, and the results are rounded once.
const GRAVITY: f32 = 9.8;
const POLE_MASS: f64 = 0.1;
const TOTAL_MASS: f64 = 1.1;
/// Half the pole's length, in metres.
const HALF_LENGTH: f64 = 0.5;
/// `m l / M`, in metres: `polemass_length / total_mass` in Gymnasium.
const POLE_MASS_LENGTH_RATIO: f32 = (POLE_MASS * HALF_LENGTH / TOTAL_MASS) as f32;
/// Initial states are uniform in `-RESET_RANGE..RESET_RANGE`.
const RESET_RANGE: f32 = 0.05;
/// The smallest position and the smallest angle (absolute values) at which an episode is terminated: the next
/// numbers beyond the bounds, because [`Simd`] compares by less-than only.
const FIRST_OFF_TRACK: f32 = CartPole::TRACK.next_up();
const FIRST_FALLEN: f32 = CartPole::ANGLE.next_up();

/// Fields (the numbers stored of a world): position, velocity, angle, angular velocity. Action 0 pushes left,
/// 1 right.
#[derive(Clone, Copy, Debug)]
pub struct CartPole;

impl CartPole {
    /// Seconds of a step.
    pub const TAU: f32 = 0.02;
    /// The force of a push, in newtons.
    pub const FORCE: f32 = 10.0;
    /// The episode is terminated if the cart is strictly beyond this distance.
    pub const TRACK: f32 = 2.4;
    /// The episode is terminated if the pole is strictly beyond this angle: 12 degrees.
    pub const ANGLE: f32 = (12.0 * 2.0 * std::f64::consts::PI / 360.0) as f32;

    /// The state after a step with a force of `force` newtons.
    pub fn push(state: [f32; 4], force: f32) -> SingleStep<4> {
        step_one::<CartPoleWithForce, 4>(state, force)
    }

    /// Whether the pole has fallen, the cart has left the track, or a number is NaN.
    pub fn is_over(state: [f32; 4]) -> bool {
        let within = state[0].abs() <= Self::TRACK && state[2].abs() <= Self::ANGLE;
        // Comparisons with NaN are false, so NaN counts as terminated.
        !within
    }
}

impl Rules<4> for CartPole {
    const SPEC: WorldSpec = WorldSpec {
        id: "CartPole-v1",
        state_size: 4,
        observation: &[0, 1, 2, 3],
        actions: Actions::Discrete(2),
        max_steps: 500,
        constant_reward: Some(1.0),
        seconds_per_step: Self::TAU,
    };

    #[inline(always)]
    fn step<S: Simd>(s: S, fields: [S::F; 4], action: S::F) -> LaneStep<S, 4> {
        let right = s.lt(s.constant(&0.5), action);
        CartPoleWithForce::step(
            s,
            fields,
            s.select(right, s.constant(&Self::FORCE), s.constant(&(-Self::FORCE))),
        )
    }

    #[inline(always)]
    fn start<S: Simd>(s: S, uniform: [S::F; 4]) -> [S::F; 4] {
        CartPoleWithForce::start(s, uniform)
    }

    fn is_valid_state(state: &[f32]) -> bool {
        state.iter().all(|x| x.is_finite()) && !Self::is_over([state[0], state[1], state[2], state[3]])
    }
}

/// CartPole with a continuous action: the force in newtons. [`CartPole`] steps by it too, with a force of
/// fixed size.
#[derive(Clone, Copy, Debug)]
struct CartPoleWithForce;

impl Rules<4> for CartPoleWithForce {
    const SPEC: WorldSpec =
        WorldSpec { actions: Actions::Continuous { low: f32::MIN, high: f32::MAX }, ..CartPole::SPEC };

    #[inline(always)]
    fn step<S: Simd>(s: S, [x, x_dot, theta, theta_dot]: [S::F; 4], force: S::F) -> LaneStep<S, 4> {
        let AngleTerms { sin, cos, inverse } = angle_terms(s, theta);
        // `(force + m l theta_dot^2 sin) / M`, the variable `temp` of Gymnasium.
        let cart_term = s.mul(force, s.constant(&((1.0 / TOTAL_MASS) as f32)));
        let cart_term = s.mul_add(
            s.mul(s.mul(theta_dot, theta_dot), sin),
            s.constant(&POLE_MASS_LENGTH_RATIO),
            cart_term,
        );
        let theta_acc = s.mul(s.neg_mul_add(cos, cart_term, s.mul(s.constant(&GRAVITY), sin)), inverse);
        let x_acc = s.neg_mul_add(s.mul(theta_acc, s.constant(&POLE_MASS_LENGTH_RATIO)), cos, cart_term);
        let tau = s.constant(&CartPole::TAU);
        let fields = [
            s.mul_add(tau, x_dot, x),
            s.mul_add(tau, x_acc, x_dot),
            s.mul_add(tau, theta_dot, theta),
            s.mul_add(tau, theta_acc, theta_dot),
        ];
        // These comparisons are false for NaN, so NaN terminates the episode.
        let on_track = s.lt(math::abs(s, fields[0]), s.constant(&FIRST_OFF_TRACK));
        let upright = s.lt(math::abs(s, fields[2]), s.constant(&FIRST_FALLEN));
        let within = s.mask_bits(on_track) & s.mask_bits(upright);
        // Only the bits of lanes that exist may be set.
        let all_lanes = u32::MAX >> (32 - S::LANES);
        LaneStep { fields, reward: s.constant(&1.0), terminated: !within & all_lanes }
    }

    #[inline(always)]
    fn start<S: Simd>(s: S, uniform: [S::F; 4]) -> [S::F; 4] {
        let [a, b, c, d] = uniform;
        let initial = |u| s.mul_add(u, s.constant(&(2.0 * RESET_RANGE)), s.constant(&(-RESET_RANGE)));
        [initial(a), initial(b), initial(c), initial(d)]
    }

    fn is_valid_state(state: &[f32]) -> bool {
        CartPole::is_valid_state(state)
    }
}

/// The terms of the equations of motion that depend on the angle only.
struct AngleTerms<F> {
    sin: F,
    cos: F,
    /// `1 / (l (4/3 - m cos^2 / M))`.
    inverse: F,
}

/// Up to this angle (in radians), short series replace sine, cosine and a division. Episodes end at 0.21
/// radians, so larger angles occur only in tests and after the user has pushed the pole.
const MAX_SERIES_ANGLE: f32 = 0.25;

#[inline(always)]
fn angle_terms<S: Simd>(s: S, theta: S::F) -> AngleTerms<S::F> {
    // Taylor series around zero. The relative error is below 2e-8 at the angles of an episode, and below 5e-8
    // up to `MAX_SERIES_ANGLE`.
    let square = s.mul(theta, theta);
    let sin = s.mul_add(square, s.constant(&(1.0 / 120.0)), s.constant(&(-1.0 / 6.0)));
    let sin = s.mul_add(s.mul(theta, square), sin, theta);
    let cos = s.mul_add(square, s.constant(&(-1.0 / 720.0)), s.constant(&(1.0 / 24.0)));
    let cos = s.mul_add(square, cos, s.constant(&(-0.5)));
    let cos = s.mul_add(square, cos, s.constant(&1.0));
    // With q = m sin^2 / (4/3 M - m), the inverse is 1 / (l (4/3 - m / M) (1 + q)). It is expanded to second
    // order, 1 - q + q^2. As q < 0.005, the relative error (q^3) is below 1.3e-7.
    const AT_ZERO: f64 = 1.0 / (HALF_LENGTH * (4.0 / 3.0 - POLE_MASS / TOTAL_MASS));
    const Q_PER_SIN_SQUARE: f64 = POLE_MASS / (4.0 / 3.0 * TOTAL_MASS - POLE_MASS);
    let sin_square = s.mul(sin, sin);
    let inverse = s.mul_add(
        sin_square,
        s.constant(&((AT_ZERO * Q_PER_SIN_SQUARE * Q_PER_SIN_SQUARE) as f32)),
        s.constant(&((-AT_ZERO * Q_PER_SIN_SQUARE) as f32)),
    );
    let inverse = s.mul_add(sin_square, inverse, s.constant(&(AT_ZERO as f32)));

    let far = s.lt(s.constant(&MAX_SERIES_ANGLE), math::abs(s, theta));
    if s.any(far) {
        let (far_sin, far_cos) = math::sin_cos(s, theta);
        let (sin, cos) = (s.select(far, far_sin, sin), s.select(far, far_cos, cos));
        let square = s.mul(far_cos, far_cos);
        let denominator = s.neg_mul_add(
            square,
            s.constant(&((HALF_LENGTH * POLE_MASS / TOTAL_MASS) as f32)),
            s.constant(&((HALF_LENGTH * 4.0 / 3.0) as f32)),
        );
        return AngleTerms {
            sin,
            cos,
            inverse: s.select(far, s.div(s.constant(&1.0), denominator), inverse),
        };
    }
    AngleTerms { sin, cos, inverse }
}
