//! Layers of differentiable two-input logic gates on values in 0..=1 (Petersen, Borgelt, Kuehne and Deussen,
//! "Deep differentiable logic gate networks", 2022).
//!
//! A soft gate is a mixture of the 16 gate kinds (all functions of two bits). Its weights are the softmax of
//! 16 logits. Each kind is a polynomial `c0 + c1 a + c2 b + c3 a b` of the inputs a and b with integer
//! coefficients, so a mixture is such a polynomial too. The coefficients of all gates are computed once per
//! training step, and a gate then costs three multiply-adds.
//!
//! Values are stored in rows, one row per input or gate. A row holds the values of `width` independent
//! samples (cells of a cellular automaton), a multiple of [`TILE`].
//!
//! **Denormal numbers** (below 2^-126) take about a hundred times as long as others on many processors, and
//! WebAssembly cannot flush them to zero. Products of values and gradients of many gates would often become
//! denormal. Three constants keep all numbers out of that range: [`MIN_CONSTANT`] for values,
//! [`NEGLIGIBLE_COEFFICIENT`] for coefficients and [`GRADIENT_BIAS`] for gradients.

mod argmax;
mod backward;
pub mod schedule;
mod tile;
mod truth_table;

pub use argmax::argmax_kinds;
pub use backward::{GRADIENT_BIAS, add_gradient_bias, backward, remove_gradient_bias};
pub use truth_table::{LINES, table_backward, table_coefficients};

// `dispatch` runs an `Op`, a computation generic over the instruction set `S`, with the best set of this
// machine.
use crate::simd::{MAX_LANES, Op, Simd, dispatch, load_padded, math, store_partial};
use schedule::Schedule;
use tile::{read, write};

/// The number of cells that a layer processes together; the width of a row is a multiple of it.
pub const TILE: usize = 32;

/// The number of gate kinds: all functions of two bits.
pub const KINDS: usize = 16;

/// The coefficients of 1, a, b and ab of every gate kind. The number of a kind is its truth table: its four
/// binary digits, highest first, are the outputs for (a, b) = (0, 0), (0, 1), (1, 0), (1, 1). So 0 is
/// "false", 1 AND, 6 XOR, 7 OR, 15 "true".
pub const COEFFICIENTS: [[f32; 4]; KINDS] = {
    let mut table = [[0.0; 4]; KINDS];
    let mut kind = 0;
    while kind < KINDS {
        // The outputs for no input one, only b, only a, and both.
        let none = (kind >> 3 & 1) as i32;
        let (b, a, both) = ((kind >> 2 & 1) as i32, (kind >> 1 & 1) as i32, (kind & 1) as i32);
        table[kind] = [none as f32, (a - none) as f32, (b - none) as f32, (both - a - b + none) as f32];
        kind += 1;
    }
    table
};

/// The wiring of a layer: which two input rows each gate reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wiring {
    inputs: usize,
    pairs: Vec<[u32; 2]>,
    /// The order in which the gates are computed.
    schedule: Schedule,
}

impl Wiring {
    /// Gate g reads the rows `pairs[g]` of `inputs` rows.
    pub fn new(inputs: usize, pairs: Vec<[u32; 2]>) -> Self {
        assert!(
            pairs.iter().flatten().all(|row| (*row as usize) < inputs),
            "a wire from a row that does not exist"
        );
        Self { inputs, schedule: schedule::order_gates(inputs, &pairs), pairs }
    }

    pub fn inputs(&self) -> usize {
        self.inputs
    }

    pub fn gates(&self) -> usize {
        self.pairs.len()
    }

    /// The two rows that each gate reads.
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }
}

/// Computes all gates.
/// Shapes: `coefs [4, gates], x [inputs, width] -> y [gates, width]`.
///
/// # Panics
/// If the slices have other sizes, or `width` is not a multiple of [`TILE`].
pub fn forward(wiring: &Wiring, width: usize, coefs: &[f32], x: &[f32], y: &mut [f32]) {
    let gates = wiring.gates();
    assert!(width.is_multiple_of(TILE) && coefs.len() == 4 * gates);
    assert!(x.len() == wiring.inputs * width && y.len() == gates * width);
    dispatch(Forward { wiring, width, coefs, x, y });
}

/// The coefficients of mixtures whose weights are the softmax of `logits`.
/// Shapes: `logits [16, gates] -> coefs [4, gates]`.
pub fn mixture_coefficients(logits: &[f32], coefs: &mut [f32]) {
    let gates = coefs.len() / 4;
    assert!(coefs.len() == 4 * gates && logits.len() == KINDS * gates);
    dispatch(MixtureCoefficients { logits, coefs, gates });
}

/// Backward pass of [`mixture_coefficients`]; overwrites `d_logits`.
/// Shapes: `d_coefs [gates, 4] -> d_logits [16, gates]`.
pub fn mixture_backward(logits: &[f32], d_coefs: &[f32], d_logits: &mut [f32]) {
    let gates = d_coefs.len() / 4;
    assert!(d_coefs.len() == 4 * gates && logits.len() == KINDS * gates && d_logits.len() == logits.len());
    dispatch(MixtureBackward { logits, d_coefs, d_logits, gates });
}

/// The arguments of [`forward`], checked.
struct Forward<'a> {
    wiring: &'a Wiring,
    width: usize,
    coefs: &'a [f32],
    x: &'a [f32],
    y: &'a mut [f32],
}

impl Op for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        // Only AVX-512 has enough registers to keep rows of a tile in them.
        if S::LANES == MAX_LANES && self.width == TILE { self.keeping_rows(s) } else { self.gate_by_gate(s) }
    }
}

impl Forward<'_> {
    /// The forward pass for rows of one tile. The second row of a gate stays in registers if the next gate
    /// reads it as its first row.
    #[inline(always)]
    fn keeping_rows<S: Simd>(self, s: S) {
        let Self { wiring, coefs, x, y, .. } = self;
        let (gates, y) = (wiring.pairs.len(), y.as_mut_ptr());
        let Some(first) = wiring.schedule.visits.first() else { return };
        // The row whose values are in `a`.
        let mut loaded = first.a;
        // SAFETY: rows are below `inputs` and gates below `gates` (checked by `Wiring::new`); `coefs` has
        // `4 * gates` values, `x` has `inputs` and `y` has `gates` rows of `TILE` values (checked by
        // `forward`). Vectors have `MAX_LANES` lanes (checked by `run`).
        unsafe {
            let mut a = read(s, row(x, loaded, TILE));
            for visit in &wiring.schedule.visits {
                if visit.a != loaded {
                    a = read(s, row(x, visit.a, TILE));
                }
                let [c0, c1, c2, c3] = gate_coefficients(s, coefs, gates, visit.gate);
                let b = read(s, row(x, visit.b, TILE));
                let mut to = a;
                for ((to, a), b) in to.iter_mut().zip(&a).zip(&b) {
                    let from_b = s.mul_add(s.mul_add(c3, *a, c2), *b, c0);
                    *to = s.mul_add(c1, *a, from_b);
                }
                write(s, y.add(visit.gate as usize * TILE), to);
                (loaded, a) = (visit.b, b);
            }
        }
    }

    /// The forward pass for rows of any number of tiles.
    #[inline(always)]
    fn gate_by_gate<S: Simd>(self, s: S) {
        let Self { wiring, width, coefs, x, y } = self;
        let (gates, y) = (wiring.pairs.len(), y.as_mut_ptr());
        for visit in &wiring.schedule.visits {
            // SAFETY: as above, with rows of `width` values, a multiple of `TILE` and hence of `LANES`.
            unsafe {
                let [c0, c1, c2, c3] = gate_coefficients(s, coefs, gates, visit.gate);
                let (a, b) = (row(x, visit.a, width), row(x, visit.b, width));
                let y = y.add(visit.gate as usize * width);
                for tile in (0..width).step_by(TILE) {
                    for first in (tile..tile + TILE).step_by(S::LANES) {
                        let (a, b) = (s.load_ptr(a.add(first)), s.load_ptr(b.add(first)));
                        let from_b = s.mul_add(s.mul_add(c3, a, c2), b, c0);
                        s.store_ptr(y.add(first), s.mul_add(c1, a, from_b));
                    }
                }
            }
        }
    }
}

/// The arguments of [`mixture_coefficients`], checked.
struct MixtureCoefficients<'a> {
    logits: &'a [f32],
    coefs: &'a mut [f32],
    gates: usize,
}

impl Op for MixtureCoefficients<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { logits, coefs, gates } = self;
        for first in (0..gates).step_by(S::LANES) {
            let end = gates.min(first + S::LANES);
            let weights = mixture_weights(s, logits, gates, first, end);
            for (k, coefs) in coefs.chunks_exact_mut(gates).enumerate() {
                let mut sum = s.splat(0.0);
                for (weight, kind) in weights.iter().zip(&COEFFICIENTS) {
                    sum = s.mul_add(*weight, s.splat(kind[k]), sum);
                }
                store_partial(
                    s,
                    &mut coefs[first..end],
                    if k == 0 { at_least_min(s, sum) } else { zero_if_negligible(s, sum) },
                );
            }
        }
    }
}

/// The arguments of [`mixture_backward`], checked.
struct MixtureBackward<'a> {
    logits: &'a [f32],
    d_coefs: &'a [f32],
    d_logits: &'a mut [f32],
    gates: usize,
}

impl Op for MixtureBackward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { logits, d_coefs, d_logits, gates } = self;
        for first in (0..gates).step_by(S::LANES) {
            let end = gates.min(first + S::LANES);
            let weights = mixture_weights(s, logits, gates, first, end);
            let d = transpose_gradients(s, &d_coefs[4 * first..4 * end]);
            // The derivative of a softmax: weight * (gradient at the weight - mean of these gradients).
            let mut mean = s.splat(0.0);
            let mut kind_gradients = [mean; KINDS];
            for (kind, gradient) in kind_gradients.iter_mut().enumerate() {
                *gradient = s.splat(0.0);
                for (d, c) in d.iter().zip(COEFFICIENTS[kind]) {
                    *gradient = s.mul_add(*d, s.splat(c), *gradient);
                }
                mean = s.mul_add(weights[kind], *gradient, mean);
            }
            for (kind, (weight, gradient)) in weights.iter().zip(kind_gradients).enumerate() {
                let d = s.mul(*weight, s.sub(gradient, mean));
                store_partial(s, &mut d_logits[kind * gates + first..kind * gates + end], d);
            }
        }
    }
}

/// A logit relative to the largest logit of its gate is clamped to this minimum, and weights below
/// [`NEGLIGIBLE_WEIGHT`] (2^-60) become zero. So neither weights nor their products become denormal.
const MIN_RELATIVE_LOGIT: f32 = -60.0;
const NEGLIGIBLE_WEIGHT: f32 = 1.0 / (1u64 << 60) as f32;

/// Mixture weights (softmax of the logits) of the gates `first..end`, at most one vector of gates.
#[inline(always)]
fn mixture_weights<S: Simd>(s: S, logits: &[f32], gates: usize, first: usize, end: usize) -> [S::F; KINDS] {
    let mut weights = [s.splat(0.0); KINDS];
    for (kind, weight) in weights.iter_mut().enumerate() {
        *weight = load_padded(s, &logits[kind * gates + first..kind * gates + end], 0.0);
    }
    let highest = weights[1..].iter().fold(weights[0], |highest, x| s.max(highest, *x));
    let mut sum = s.splat(0.0);
    for weight in &mut weights {
        *weight = math::exp(s, s.max(s.sub(*weight, highest), s.splat(MIN_RELATIVE_LOGIT)));
        sum = s.add(sum, *weight);
    }
    let (scale, zero, negligible) = (s.div(s.splat(1.0), sum), s.splat(0.0), s.splat(NEGLIGIBLE_WEIGHT));
    for weight in &mut weights {
        let scaled = s.mul(*weight, scale);
        *weight = s.select(s.lt(scaled, negligible), zero, scaled);
    }
    weights
}

/// The minimum of the constant coefficient c0, 2^-33, which is far below the precision of values near one.
/// The output of a gate is at least c0 (up to rounding), so products of small values over many layers and
/// steps do not become denormal.
const MIN_CONSTANT: f32 = 1.0 / (1u64 << 33) as f32;

/// Coefficients of smaller magnitude, 2^-40, become zero: the rounding errors of the other terms are larger.
const NEGLIGIBLE_COEFFICIENT: f32 = 1.0 / (1u64 << 40) as f32;

/// The constant coefficient c0, raised to at least [`MIN_CONSTANT`].
#[inline(always)]
fn at_least_min<S: Simd>(s: S, c: S::F) -> S::F {
    s.max(c, s.splat(MIN_CONSTANT))
}

/// A coefficient c1, c2 or c3, replaced by zero if it is negligible.
#[inline(always)]
fn zero_if_negligible<S: Simd>(s: S, c: S::F) -> S::F {
    let magnitude = s.max(c, s.sub(s.splat(0.0), c));
    s.select(s.lt(magnitude, s.splat(NEGLIGIBLE_COEFFICIENT)), s.splat(0.0), c)
}

/// The four coefficients of one gate, each in all lanes.
/// Shapes: `coefs [4, gates]`.
///
/// # Safety
/// `coefs` must have `4 * gates` values, and `gate` must be below `gates`.
#[inline(always)]
unsafe fn gate_coefficients<S: Simd>(s: S, coefs: &[f32], gates: usize, gate: u32) -> [S::F; 4] {
    let gate = gate as usize;
    debug_assert!(gate < gates && coefs.len() == 4 * gates);
    let c = coefs.as_ptr();
    // SAFETY: the caller guarantees it.
    unsafe {
        [
            s.splat(*c.add(gate)),
            s.splat(*c.add(gates + gate)),
            s.splat(*c.add(2 * gates + gate)),
            s.splat(*c.add(3 * gates + gate)),
        ]
    }
}

/// Splits `x` `[4, n]` into its four rows.
#[inline(always)]
fn split_in_four(x: &[f32], n: usize) -> [&[f32]; 4] {
    std::array::from_fn(|k| &x[k * n..(k + 1) * n])
}

/// Transposes the coefficient gradients of at most one vector of gates. Returns one vector per coefficient.
/// Shapes: `d_coefs [gates, 4]`.
#[inline(always)]
fn transpose_gradients<S: Simd>(s: S, d_coefs: &[f32]) -> [S::F; 4] {
    let mut lanes = [[0.0; MAX_LANES]; 4];
    for (i, gate) in d_coefs.as_chunks::<4>().0.iter().enumerate() {
        for (lanes, d) in lanes.iter_mut().zip(gate) {
            lanes[i] = *d;
        }
    }
    let [c0, c1, c2, c3] = &lanes;
    [load_padded(s, c0, 0.0), load_padded(s, c1, 0.0), load_padded(s, c2, 0.0), load_padded(s, c3, 0.0)]
}

/// A pointer to a row of `x`.
///
/// # Safety
/// `x` must have more than `row` rows of `width` values.
#[inline(always)]
unsafe fn row(x: &[f32], row: u32, width: usize) -> *const f32 {
    debug_assert!((row as usize + 1) * width <= x.len());
    // SAFETY: the caller guarantees it.
    unsafe { x.as_ptr().add(row as usize * width) }
}
