//! The step of the acrobot (two linked rods) in double precision, for fast rods: one step of the classical
//! fourth-order Runge-Kutta method. The state is the angles a and b of the two rods, then their angular
//! velocities da and db.
//!
//! Beyond an angular speed of 10 radians per second single precision is not enough, because rounding errors
//! of the angles reappear about a hundred times larger in the accelerations. The code is plain loops over
//! worlds (lanes of a vector) that the compiler vectorises. It has no fused multiply-adds, so the bits are
//! the same on every machine.

use learnery_kernels::simd::MAX_LANES;

type Lanes = [f64; MAX_LANES];

/// Seconds of a step.
const DT: f64 = 0.2;
/// Gravity (9.8) times the distance of a rod's centre of mass from its end (0.5).
const HALF_GRAVITY: f64 = 4.9;

/// Returns the state of the first `n` lanes after 0.2 seconds, with angles wrapped to half a turn either way
/// and velocities not clamped yet.
#[inline(always)]
pub(super) fn integrate(
    n: usize,
    state: &[[f32; MAX_LANES]; 4],
    torque: &[f32; MAX_LANES],
) -> [[f32; MAX_LANES]; 4] {
    let start = state.map(|field| field.map(f64::from));
    let torque = torque.map(f64::from);
    let k1 = slopes(n, &start, &torque);
    let k2 = slopes(n, &ahead(n, &start, &k1, DT / 2.0), &torque);
    let k3 = slopes(n, &ahead(n, &start, &k2, DT / 2.0), &torque);
    let k4 = slopes(n, &ahead(n, &start, &k3, DT), &torque);
    let mut end = [[0.0; MAX_LANES]; 4];
    for f in 0..4 {
        for i in 0..n {
            let sum = k1[f][i] + 2.0 * (k2[f][i] + k3[f][i]) + k4[f][i];
            let x = start[f][i] + DT / 6.0 * sum;
            // Fields 0 and 1 are angles, of which whole turns are subtracted.
            let turns = if f < 2 { round(x / std::f64::consts::TAU) } else { 0.0 };
            end[f][i] = (x - std::f64::consts::TAU * turns) as f32;
        }
    }
    end
}

/// `start + dt * slopes`
#[inline(always)]
fn ahead(n: usize, start: &[Lanes; 4], slopes: &[Lanes; 4], dt: f64) -> [Lanes; 4] {
    let mut out = *start;
    for (out, slope) in out.iter_mut().zip(slopes) {
        for i in 0..n {
            out[i] += dt * slope[i];
        }
    }
    out
}

/// The time derivative of the state. The equations of motion are explained at `slopes_of` in the parent
/// module.
#[inline(always)]
fn slopes(n: usize, [a, b, da, db]: &[Lanes; 4], torque: &Lanes) -> [Lanes; 4] {
    let (mut dda, mut ddb) = ([0.0; MAX_LANES], [0.0; MAX_LANES]);
    for i in 0..n {
        let ((sin_a, cos_a), (sin_b, cos_b)) = (sin_cos(a[i]), sin_cos(b[i]));
        let (d1, d2) = (3.5 + cos_b, 1.25 + 0.5 * cos_b);
        let phi2 = HALF_GRAVITY * (sin_a * cos_b + cos_a * sin_b);
        let phi1 = 3.0 * HALF_GRAVITY * sin_a + phi2 - (0.5 * db[i] + da[i]) * db[i] * sin_b;
        let rest = torque[i] - phi2 - 0.5 * da[i] * da[i] * sin_b;
        let determinant = 2.8125 - 0.25 * cos_b * cos_b;
        dda[i] = -(1.25 * phi1 + d2 * rest) / determinant;
        ddb[i] = (d1 * rest + d2 * phi1) / determinant;
    }
    [*da, *db, dda, ddb]
}

/// Adding this constant to a number rounds the number to an integer, which is then in the low bits of the
/// sum. Subtracting the constant again gives the integer as a float.
const ROUNDER: f64 = 6_755_399_441_055_744.0; // 1.5 * 2^52

/// Rounds to the nearest integer.
#[inline(always)]
fn round(x: f64) -> f64 {
    (x + ROUNDER) - ROUNDER
}

/// Sine and cosine of an angle up to about 40 radians, with an error below 1e-11: Taylor series around the
/// nearest quarter turn.
#[inline(always)]
fn sin_cos(x: f64) -> (f64, f64) {
    // The number of quarter turns is in the low bits of `shifted`; `r` is the rest of the angle.
    let shifted = x * std::f64::consts::FRAC_2_PI + ROUNDER;
    let quadrant = shifted.to_bits();
    let r = x - (shifted - ROUNDER) * std::f64::consts::FRAC_PI_2;
    let q = r * r;
    let sin = r - r
        * q
        * (1.0 / 6.0
            - q * (1.0 / 120.0 - q * (1.0 / 5040.0 - q * (1.0 / 362_880.0 - q * (1.0 / 39_916_800.0)))));
    let cos = 1.0
        - q * (0.5
            - q * (1.0 / 24.0
                - q * (1.0 / 720.0
                    - q * (1.0 / 40_320.0 - q * (1.0 / 3_628_800.0 - q * (1.0 / 479_001_600.0))))));
    // An odd quadrant exchanges sine and cosine; the second bit of the quadrant decides the signs.
    let is_odd = quadrant & 1 == 1;
    let (s, c) = if is_odd { (cos, sin) } else { (sin, cos) };
    // Shifted by 62, the second bit is the sign bit.
    let s = f64::from_bits(s.to_bits() ^ ((quadrant & 2) << 62));
    let c = f64::from_bits(c.to_bits() ^ ((quadrant.wrapping_add(1) & 2) << 62));
    (s, c)
}

#[cfg(test)]
mod tests {
    #[test]
    fn sin_cos_is_accurate() {
        for i in -400_000..400_000 {
            let x = f64::from(i) * 1e-4;
            let (sin, cos) = super::sin_cos(x);
            assert!((sin - x.sin()).abs() < 1e-11 && (cos - x.cos()).abs() < 1e-11, "{x}");
        }
    }
}
