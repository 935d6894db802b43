//! The backward pass of a layer of differentiable logic gates.
//!
//! A gate reads two rows of values, a and b, and computes `c0 + c1 a + c2 b + c3 a b` for every cell of the
//! rows. Its four coefficients c0 to c3 are the parameters at this level. The gates are visited in the order
//! of [`super::schedule`], in which a gate often reads as its row a what the gate before it read as its row
//! b.
//!
//! Gradients shrink over many layers and steps, and most would become denormal, which is slow (see
//! [`super`]). So each gradient at a value is stored as the sum of itself and [`GRADIENT_BIAS`]. The sum
//! rounds gradients below about 2^-56 to zero. They are negligible, because Adam adds 1e-8 (about 2^-27) to
//! its denominator.

use super::schedule::Visit;
use super::tile::{VECTORS, read, write};
use super::{TILE, Wiring, gate_coefficients, row};
// `dispatch` runs an `Op`, a computation generic over the instruction set `S`, with the best set of this
// machine.
use crate::simd::{MAX_LANES, Op, Simd, dispatch, load_padded, store_partial};

/// The bias that stored gradients at values carry, 2^-32, to keep them out of the denormal range.
pub const GRADIENT_BIAS: f32 = 1.0 / (1u64 << 32) as f32;

/// Backward pass: overwrites `dx` with the gradients at the inputs, and adds the gradients at the
/// coefficients to `d_coefs`. All values of `dy` and `dx` include [`GRADIENT_BIAS`]; those of `d_coefs` do
/// not. `coefs` is `[4, gates]` as in the forward pass, but `d_coefs` is `[gates, 4]`, so that the four sums
/// of a gate are stored together.
/// Shapes: `dy [gates, width] -> dx [inputs, width], d_coefs [gates, 4]`.
///
/// # Panics
/// If the slices have other sizes, or `width` is not a multiple of [`TILE`].
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

/// `to = from + GRADIENT_BIAS`: converts plain gradients to the form that [`backward`] takes.
pub fn add_gradient_bias(from: &[f32], to: &mut [f32]) {
    assert_eq!(from.len(), to.len(), "lengths differ");
    dispatch(Shift { by: GRADIENT_BIAS, from, to });
}

/// `to = from - GRADIENT_BIAS`: converts results of [`backward`] to plain gradients.
pub fn remove_gradient_bias(from: &[f32], to: &mut [f32]) {
    assert_eq!(from.len(), to.len(), "lengths differ");
    dispatch(Shift { by: -GRADIENT_BIAS, from, to });
}

/// `to = from + by`
struct Shift<'a> {
    by: f32,
    from: &'a [f32],
    to: &'a mut [f32],
}

impl Op for Shift<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let by = s.splat(self.by);
        for (to, from) in self.to.chunks_mut(S::LANES).zip(self.from.chunks(S::LANES)) {
            store_partial(s, to, s.add(load_padded(s, from, 0.0), by));
        }
    }
}

/// The arguments of [`backward`], checked.
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
        // Only AVX-512 has enough registers for the rows of a tile and their gradients.
        if S::LANES == MAX_LANES && self.width == TILE { self.keeping_rows(s) } else { self.gate_by_gate(s) }
    }
}

/// Adds the contributions of one vector of cells to the sums for a gate's coefficient gradients. Returns the
/// derivatives of the gate with respect to a and b. `d` is the gradient at the gate's output.
#[inline(always)]
fn accumulate<S: Simd>(s: S, c: &[S::F; 4], d: S::F, a: S::F, b: S::F, sums: &mut [S::F; 4]) -> [S::F; 2] {
    let d_b = s.mul(d, b);
    sums[0] = s.add(sums[0], d);
    sums[1] = s.mul_add(d, a, sums[1]);
    sums[2] = s.add(sums[2], d_b);
    sums[3] = s.mul_add(d_b, a, sums[3]);
    [s.mul_add(c[3], b, c[1]), s.mul_add(c[3], a, c[2])]
}

/// Sums the lanes and adds them to a gate's coefficient gradients.
/// Shapes: `d_coefs [gates, 4]`.
///
/// # Safety
/// `d_coefs` must have at least `4 * gate + 4` values.
#[inline(always)]
unsafe fn add_lane_sums<S: Simd>(s: S, d_coefs: &mut [f32], gate: u32, sums: [S::F; 4]) {
    let gate = gate as usize;
    debug_assert!(4 * gate + 4 <= d_coefs.len());
    // SAFETY: the caller guarantees it.
    let d_coefs = unsafe { &mut *d_coefs.as_mut_ptr().add(4 * gate).cast::<[f32; 4]>() };
    let sums = s.sum4(sums);
    for (d, sum) in d_coefs.iter_mut().zip(&sums) {
        *d += sum;
    }
}

impl Backward<'_> {
    /// The backward pass for rows of one tile. The second row of a gate and its gradient stay in registers if
    /// the next gate reads it as its first row. `at` is the row in registers, `a` its values and `to_a` its
    /// gradient.
    #[inline(always)]
    fn keeping_rows<S: Simd>(self, s: S) {
        let Self { wiring, coefs, x, dy, dx, d_coefs, .. } = self;
        let gates = wiring.pairs.len();
        let (bias, zero, dx) = (s.splat(GRADIENT_BIAS), s.splat(0.0), dx.as_mut_ptr());
        let Some(first) = wiring.schedule.visits.first() else { return };
        let (mut at, no_gradient) = (first.a, [bias; VECTORS]);
        // SAFETY: rows are below `inputs` and gates below `gates` (checked by `Wiring::new`); `x` and `dx`
        // have `inputs` rows of `TILE` values, `dy` has `gates` rows, and there are four coefficients per
        // gate (checked by `backward`). Vectors have `MAX_LANES` lanes (checked by `run`).
        unsafe {
            let mut a = read(s, row(x, at, TILE));
            let mut to_a = no_gradient;
            for visit in &wiring.schedule.visits {
                if visit.a != at {
                    write(s, dx.add(at as usize * TILE), to_a);
                    at = visit.a;
                    a = read(s, row(x, at, TILE));
                    to_a =
                        if visit.is_first_of_a { no_gradient } else { read(s, dx.add(at as usize * TILE)) };
                }
                let c = gate_coefficients(s, coefs, gates, visit.gate);
                let mut d = read(s, row(dy, visit.gate, TILE));
                for d in &mut d {
                    *d = s.sub(*d, bias);
                }
                let mut sums = [zero; 4];
                // A gate may read one row twice; both gradients are then added to that row.
                if visit.b == at {
                    for ((d, a), to) in d.iter().zip(&a).zip(&mut to_a) {
                        let [dy_da, dy_db] = accumulate(s, &c, *d, *a, *a, &mut sums);
                        *to = s.mul_add(dy_db, *d, s.mul_add(dy_da, *d, *to));
                    }
                } else {
                    let b = read(s, row(x, visit.b, TILE));
                    let to = dx.add(visit.b as usize * TILE);
                    let mut to_b = if visit.is_first_of_b { no_gradient } else { read(s, to) };
                    for i in 0..VECTORS {
                        let [dy_da, dy_db] = accumulate(s, &c, d[i], a[i], b[i], &mut sums);
                        to_a[i] = s.mul_add(dy_da, d[i], to_a[i]);
                        to_b[i] = s.mul_add(dy_db, d[i], to_b[i]);
                    }
                    write(s, dx.add(at as usize * TILE), to_a);
                    (at, a, to_a) = (visit.b, b, to_b);
                }
                add_lane_sums(s, d_coefs, visit.gate, sums);
            }
            write(s, dx.add(at as usize * TILE), to_a);
        }
    }

    /// The backward pass for rows of any number of tiles. Coefficient gradients are summed in 16 partial sums
    /// on every instruction set, so that the results are bit-identical. Instruction sets with short vectors
    /// lack the registers for 16 sums at once, so they pass over the row once per vector of partial sums.
    #[inline(always)]
    fn gate_by_gate<S: Simd>(mut self, s: S) {
        let wiring = self.wiring;
        for visit in &wiring.schedule.visits {
            let sums = match MAX_LANES / S::LANES {
                1 => self.part(s, visit, 0),
                2 => {
                    let even = self.part(s, visit, 0);
                    add4(s, even, self.part(s, visit, 1))
                }
                // The order of `crate::simd::sum_partials`: (0 + 2) + (1 + 3).
                _ => {
                    let first = self.part(s, visit, 0);
                    let even = add4(s, first, self.part(s, visit, 2));
                    let second = self.part(s, visit, 1);
                    add4(s, even, add4(s, second, self.part(s, visit, 3)))
                }
            };
            // SAFETY: `visit.gate` is a gate of the wiring, and `d_coefs` has four values for each.
            unsafe { add_lane_sums(s, self.d_coefs, visit.gate, sums) };
        }
    }

    /// Backward pass of one gate for a part of its cells: of every 16 cells, the vector number `part`.
    /// Returns partial sums of the gate's coefficient gradients.
    #[inline(always)]
    fn part<S: Simd>(&mut self, s: S, visit: &Visit, part: usize) -> [S::F; 4] {
        let Self { wiring, width, coefs, x, dy, .. } = *self;
        let (bias, dx) = (s.splat(GRADIENT_BIAS), self.dx.as_mut_ptr());
        let mut sums = [s.splat(0.0); 4];
        // SAFETY: rows are below `inputs` and gates below `gates` (checked by `Wiring::new`); `x` and `dx`
        // have `inputs` rows of `width` values, `dy` has `gates` rows, and there are four coefficients per
        // gate (checked by `backward`). `width` is a multiple of `TILE` and hence of `MAX_LANES`.
        unsafe {
            let c = gate_coefficients(s, coefs, wiring.pairs.len(), visit.gate);
            let (a, b, d) = (row(x, visit.a, width), row(x, visit.b, width), row(dy, visit.gate, width));
            let (to_a, to_b) = (dx.add(visit.a as usize * width), dx.add(visit.b as usize * width));
            for at in (part * S::LANES..width).step_by(MAX_LANES) {
                let d = s.sub(s.load_ptr(d.add(at)), bias);
                let (a, b) = (s.load_ptr(a.add(at)), s.load_ptr(b.add(at)));
                let [dy_da, dy_db] = accumulate(s, &c, d, a, b, &mut sums);
                // `to_b` is read after `to_a` is written, because both wires may read the same row.
                let old = if visit.is_first_of_a { bias } else { s.load_ptr(to_a.add(at)) };
                s.store_ptr(to_a.add(at), s.mul_add(dy_da, d, old));
                let old = if visit.is_first_of_b { bias } else { s.load_ptr(to_b.add(at)) };
                s.store_ptr(to_b.add(at), s.mul_add(dy_db, d, old));
            }
        }
        sums
    }
}

/// `x + y`, coefficient by coefficient.
#[inline(always)]
fn add4<S: Simd>(s: S, x: [S::F; 4], y: [S::F; 4]) -> [S::F; 4] {
    [s.add(x[0], y[0]), s.add(x[1], y[1]), s.add(x[2], y[2]), s.add(x[3], y[3])]
}
