//! The way back through a layer of gates.
//!
//! Gradients shrink on their way through layer after layer and step after step, most of them into numbers below 2^-126, with
//! which many a machine takes a hundred times as long. So they travel lifted: each is kept as itself and [`GRADIENT_BIAS`], and what
//! such a sum cannot hold, some 2^-56, is lost to it. Adam divides by no less than 1e-8, so nobody misses that.

use super::schedule::Visit;
use super::tile::{VECTORS, read, write};
use super::{TILE, Wiring, of_gate, row};
use crate::simd::{MAX_LANES, Op, Simd, dispatch, load_padded, store_partial};

/// What a gradient at a value has on top while it is on its way.
pub const GRADIENT_BIAS: f32 = 1.0 / (1u64 << 32) as f32;

/// The gradients at what went in, replaced, and those at the coefficients, added to gate by gate. Gradients at values are
/// lifted, those at coefficients are not. // dy [gates, width] -> dx [inputs, width], d_coefs [gates, 4]
///
/// # Panics
/// Where the slices do not fit, or rows are not whole tiles.
pub fn backward(
    wiring: &Wiring,
    width: usize,
    coefs: &[f32],
    x: &[f32],
    dy: &[f32],
    dx: &mut [f32],
    d_coefs: &mut [f32],
) {
    let gates = wiring.gates();
    assert!(width.is_multiple_of(TILE) && coefs.len() == 4 * gates && d_coefs.len() == coefs.len());
    assert!(x.len() == wiring.inputs * width && dx.len() == x.len() && dy.len() == gates * width);
    dispatch(Backward { wiring, width, coefs, x, dy, dx, d_coefs });
}

/// Gradients as [`backward`] takes them.
pub fn add_gradient_bias(from: &[f32], to: &mut [f32]) {
    assert_eq!(from.len(), to.len(), "lengths differ");
    dispatch(Move { by: GRADIENT_BIAS, from, to });
}

/// Gradients as they are, of what [`backward`] gives.
pub fn remove_gradient_bias(from: &[f32], to: &mut [f32]) {
    assert_eq!(from.len(), to.len(), "lengths differ");
    dispatch(Move { by: -GRADIENT_BIAS, from, to });
}

struct Move<'a> {
    by: f32,
    from: &'a [f32],
    to: &'a mut [f32],
}

impl Op for Move<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let by = s.splat(self.by);
        for (to, from) in self.to.chunks_mut(S::LANES).zip(self.from.chunks(S::LANES)) {
            store_partial(s, to, s.add(load_padded(s, from, 0.0), by));
        }
    }
}

struct Backward<'a> {
    wiring: &'a Wiring,
    width: usize,
    coefs: &'a [f32],
    x: &'a [f32],
    dy: &'a [f32],
    dx: &'a mut [f32],
    d_coefs: &'a mut [f32],
}

impl Op for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        for row in &self.wiring.schedule.unread {
            self.dx[*row as usize * self.width..][..self.width].fill(GRADIENT_BIAS);
        }
        // A tile has to fit the registers together with what comes back to it.
        if S::LANES == MAX_LANES && self.width == TILE { self.carried(s) } else { self.gate_by_gate(s) }
    }
}

/// Adds to the sums at a gate's coefficients what a vector of cells says of them. Returns what the gradient is to be multiplied
/// by for each input: what the gate gains where that one grows.
#[inline(always)]
fn learn<S: Simd>(s: S, c: &[S::F; 4], d: S::F, a: S::F, b: S::F, sums: &mut [S::F; 4]) -> [S::F; 2] {
    let d_b = s.mul(d, b);
    sums[0] = s.add(sums[0], d);
    sums[1] = s.mul_add(d, a, sums[1]);
    sums[2] = s.add(sums[2], d_b);
    sums[3] = s.mul_add(d_b, a, sums[3]);
    [s.mul_add(c[3], b, c[1]), s.mul_add(c[3], a, c[2])]
}

/// Adds the lanes of the sums to the gradient at a gate's coefficients. // d_coefs [gates, 4]
///
/// # Safety
/// `d_coefs` must have more than `gate` times four values.
#[inline(always)]
unsafe fn put<S: Simd>(s: S, d_coefs: &mut [f32], gate: u32, sums: [S::F; 4]) {
    let gate = gate as usize;
    debug_assert!(4 * gate + 4 <= d_coefs.len());
    // SAFETY: the caller vouches for it.
    let d_coefs = unsafe { &mut *d_coefs.as_mut_ptr().add(4 * gate).cast::<[f32; 4]>() };
    let sums = s.sum4(sums);
    for (d, sum) in d_coefs.iter_mut().zip(&sums) {
        *d += sum;
    }
}

impl Backward<'_> {
    /// One tile wide: the row that the next gate begins with stays in registers, and so does what came back to it.
    #[inline(always)]
    fn carried<S: Simd>(self, s: S) {
        let Self { wiring, coefs, x, dy, dx, d_coefs, .. } = self;
        let gates = wiring.pairs.len();
        let (lift, zero, dx) = (s.splat(GRADIENT_BIAS), s.splat(0.0), dx.as_mut_ptr());
        let Some(first) = wiring.schedule.stops.first() else { return };
        let (mut at, nothing) = (first.a, [lift; VECTORS]);
        // SAFETY: a wire's row is below `inputs` and a stop's gate below `gates` (checked when the wiring was made); `x` and
        // `dx` have `inputs` rows of `TILE` values, `dy` has `gates` and the coefficients are four for each (checked by the
        // caller). This is called for the widest vectors alone.
        unsafe {
            let mut a = read(s, row(x, at, TILE));
            let mut to_a = nothing;
            for stop in &wiring.schedule.stops {
                if stop.a != at {
                    write(s, dx.add(at as usize * TILE), to_a);
                    at = stop.a;
                    a = read(s, row(x, at, TILE));
                    to_a = if stop.fresh_a { nothing } else { read(s, dx.add(at as usize * TILE)) };
                }
                let c = of_gate(s, coefs, gates, stop.gate);
                let mut d = read(s, row(dy, stop.gate, TILE));
                for d in &mut d {
                    *d = s.sub(*d, lift);
                }
                let mut sums = [zero; 4];
                if stop.b == at {
                    for ((d, a), to) in d.iter().zip(&a).zip(&mut to_a) {
                        let [by_a, by_b] = learn(s, &c, *d, *a, *a, &mut sums);
                        *to = s.mul_add(by_b, *d, s.mul_add(by_a, *d, *to));
                    }
                } else {
                    let b = read(s, row(x, stop.b, TILE));
                    let to = dx.add(stop.b as usize * TILE);
                    let mut to_b = if stop.fresh_b { nothing } else { read(s, to) };
                    for i in 0..VECTORS {
                        let [by_a, by_b] = learn(s, &c, d[i], a[i], b[i], &mut sums);
                        to_a[i] = s.mul_add(by_a, d[i], to_a[i]);
                        to_b[i] = s.mul_add(by_b, d[i], to_b[i]);
                    }
                    write(s, dx.add(at as usize * TILE), to_a);
                    (at, a, to_a) = (stop.b, b, to_b);
                }
                put(s, d_coefs, stop.gate, sums);
            }
            write(s, dx.add(at as usize * TILE), to_a);
        }
    }

    /// Any number of tiles wide; the sums at the coefficients are made of sixteen parts, whatever the vectors. Narrow sets have
    /// registers for a vector of each sum and not for all parts, so they go along the row part by part.
    #[inline(always)]
    fn gate_by_gate<S: Simd>(mut self, s: S) {
        let wiring = self.wiring;
        for stop in &wiring.schedule.stops {
            let sums = match MAX_LANES / S::LANES {
                1 => self.part(s, stop, 0),
                2 => {
                    let even = self.part(s, stop, 0);
                    plus(s, even, self.part(s, stop, 1))
                }
                _ => {
                    let first = self.part(s, stop, 0);
                    let even = plus(s, first, self.part(s, stop, 2));
                    let second = self.part(s, stop, 1);
                    plus(s, even, plus(s, second, self.part(s, stop, 3)))
                }
            };
            // SAFETY: a stop's gate is one of the wiring's, and the coefficients are four for each of these.
            unsafe { put(s, self.d_coefs, stop.gate, sums) };
        }
    }

    /// One vector of every sixteen values of a gate.
    #[inline(always)]
    fn part<S: Simd>(&mut self, s: S, stop: &Visit, part: usize) -> [S::F; 4] {
        let Self { wiring, width, coefs, x, dy, .. } = *self;
        let (lift, dx) = (s.splat(GRADIENT_BIAS), self.dx.as_mut_ptr());
        let mut sums = [s.splat(0.0); 4];
        // SAFETY: a wire's row is below `inputs` and a stop's gate below `gates` (checked when the wiring was made); `x` and
        // `dx` have `inputs` rows of `width` values, `dy` has `gates` and the coefficients are four for each (checked by the
        // caller). `width` is a multiple of `TILE`, and that of `MAX_LANES`.
        unsafe {
            let c = of_gate(s, coefs, wiring.pairs.len(), stop.gate);
            let (a, b, d) = (row(x, stop.a, width), row(x, stop.b, width), row(dy, stop.gate, width));
            let (to_a, to_b) = (dx.add(stop.a as usize * width), dx.add(stop.b as usize * width));
            for at in (part * S::LANES..width).step_by(MAX_LANES) {
                let d = s.sub(s.load_ptr(d.add(at)), lift);
                let (a, b) = (s.load_ptr(a.add(at)), s.load_ptr(b.add(at)));
                let [by_a, by_b] = learn(s, &c, d, a, b, &mut sums);
                // One after the other: both wires may come from one row.
                let was = if stop.fresh_a { lift } else { s.load_ptr(to_a.add(at)) };
                s.store_ptr(to_a.add(at), s.mul_add(by_a, d, was));
                let was = if stop.fresh_b { lift } else { s.load_ptr(to_b.add(at)) };
                s.store_ptr(to_b.add(at), s.mul_add(by_b, d, was));
            }
        }
        sums
    }
}

#[inline(always)]
fn plus<S: Simd>(s: S, x: [S::F; 4], y: [S::F; 4]) -> [S::F; 4] {
    [s.add(x[0], y[0]), s.add(x[1], y[1]), s.add(x[2], y[2]), s.add(x[3], y[3])]
}
