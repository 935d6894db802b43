//! Layers of two-input logic gates, relaxed to numbers from 0 to 1, over tiles of cells.
//!
//! A gate that is not decided yet is a mixture of the sixteen there are (Petersen, Borgelt, Kuehne and Deussen, "Deep
//! differentiable logic gate networks", 2022). Each of the sixteen is `c0 + c1 a + c2 b + c3 a b` with whole
//! coefficients, so their mixture is too: the coefficients are worked out once for an update, and a gate costs three
//! multiply-adds however many kinds are in the mixture.
//!
//! Values lie in rows, one for each input or gate: [`TILE`] cells, or several tiles side by side.

mod argmax;
mod backward;
mod schedule;
mod tile;
mod truth_table;

pub use argmax::argmax_kinds;
pub use backward::{GRADIENT_BIAS, add_gradient_bias, backward, remove_gradient_bias};
pub use truth_table::{LINES, table_backward, table_coefficients};

use crate::simd::{MAX_LANES, Op, Simd, dispatch, load_padded, math, store_partial};
use schedule::Schedule;
use tile::{read, write};

/// Cells that go through a layer together.
pub const TILE: usize = 32;

/// Kinds of gates.
pub const KINDS: usize = 16;

/// The coefficients of 1, a, b and ab of every kind, numbered by truth table: `0000` first, `1111` last, its digits being
/// the answers to (a, b) = (0, 0), (0, 1), (1, 0), (1, 1).
pub const COEFFICIENTS: [[f32; 4]; KINDS] = {
    let mut table = [[0.0; 4]; KINDS];
    let mut kind = 0;
    while kind < KINDS {
        let none = (kind >> 3 & 1) as i32;
        let (b, a, both) = ((kind >> 2 & 1) as i32, (kind >> 1 & 1) as i32, (kind & 1) as i32);
        table[kind] = [none as f32, (a - none) as f32, (b - none) as f32, (both - a - b + none) as f32];
        kind += 1;
    }
    table
};

/// Which two of the values before it each gate of a layer reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wiring {
    inputs: usize,
    pairs: Vec<[u32; 2]>,
    /// The order in which the gates are worked out.
    schedule: Schedule,
}

impl Wiring {
    /// Gates that read these pairs of `inputs` rows.
    pub fn new(inputs: usize, pairs: Vec<[u32; 2]>) -> Self {
        assert!(pairs.iter().flatten().all(|row| (*row as usize) < inputs), "a wire comes from nowhere");
        let schedule = schedule::schedule(inputs, &pairs);
        Self { inputs, pairs, schedule }
    }

    /// Rows that go in.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Number of gates.
    pub fn gates(&self) -> usize {
        self.pairs.len()
    }

    /// What each gate reads.
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }
}

/// The gates' values. // coefs [4, gates], x [inputs, width] -> y [gates, width]
///
/// # Panics
/// Where the slices do not fit, or rows are not whole tiles.
pub fn forward(wiring: &Wiring, width: usize, coefs: &[f32], x: &[f32], y: &mut [f32]) {
    let gates = wiring.gates();
    assert!(width.is_multiple_of(TILE) && coefs.len() == 4 * gates);
    assert!(x.len() == wiring.inputs * width && y.len() == gates * width);
    dispatch(Forward { wiring, width, coefs, x, y });
}

/// The coefficients of mixtures whose shares are the softmax of `logits`. // logits [16, gates] -> coefs [4, gates]
pub fn mixture_coefficients(logits: &[f32], coefs: &mut [f32]) {
    let gates = coefs.len() / 4;
    assert!(coefs.len() == 4 * gates && logits.len() == KINDS * gates);
    dispatch(Mix { logits, coefs, gates });
}

/// The gradient at the logits from that at the coefficients. // d_coefs [gates, 4] -> d_logits [16, gates], replaced
pub fn mixture_backward(logits: &[f32], d_coefs: &[f32], d_logits: &mut [f32]) {
    let gates = d_coefs.len() / 4;
    assert!(d_coefs.len() == 4 * gates && logits.len() == KINDS * gates && d_logits.len() == logits.len());
    dispatch(Unmix { logits, d_coefs, d_logits, gates });
}

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
        // A tile fits the registers of the widest set alone.
        if S::LANES == MAX_LANES && self.width == TILE { self.carried(s) } else { self.gate_by_gate(s) }
    }
}

impl Forward<'_> {
    /// One tile wide: the row that the next gate begins with stays in registers.
    #[inline(always)]
    fn carried<S: Simd>(self, s: S) {
        let Self { wiring, coefs, x, y, .. } = self;
        let (gates, y) = (wiring.pairs.len(), y.as_mut_ptr());
        let Some(first) = wiring.schedule.stops.first() else { return };
        let mut at = first.a;
        // SAFETY: a wire's row is below `inputs` and a stop's gate below `gates` (checked when the wiring was made); `coefs`, `x`
        // and `y` have four times `gates` values, `inputs` and `gates` rows of `TILE` values (checked by the caller). This is
        // called for the widest vectors alone.
        unsafe {
            let mut a = read(s, row(x, at, TILE));
            for stop in &wiring.schedule.stops {
                if stop.a != at {
                    a = read(s, row(x, stop.a, TILE));
                }
                let [c0, c1, c2, c3] = of_gate(s, coefs, gates, stop.gate);
                let b = read(s, row(x, stop.b, TILE));
                let mut to = a;
                for ((to, a), b) in to.iter_mut().zip(&a).zip(&b) {
                    let from_b = s.mul_add(s.mul_add(c3, *a, c2), *b, c0);
                    *to = s.mul_add(c1, *a, from_b);
                }
                write(s, y.add(stop.gate as usize * TILE), to);
                (at, a) = (stop.b, b);
            }
        }
    }

    /// Any number of tiles wide.
    #[inline(always)]
    fn gate_by_gate<S: Simd>(self, s: S) {
        let Self { wiring, width, coefs, x, y } = self;
        let (gates, y) = (wiring.pairs.len(), y.as_mut_ptr());
        for stop in &wiring.schedule.stops {
            // SAFETY: as above, with rows of `width` values, which is a multiple of `TILE`, and that of `LANES`.
            unsafe {
                let [c0, c1, c2, c3] = of_gate(s, coefs, gates, stop.gate);
                let (a, b) = (row(x, stop.a, width), row(x, stop.b, width));
                let y = y.add(stop.gate as usize * width);
                for tile in (0..width).step_by(TILE) {
                    for at in (tile..tile + TILE).step_by(S::LANES) {
                        let (a, b) = (s.load_ptr(a.add(at)), s.load_ptr(b.add(at)));
                        let from_b = s.mul_add(s.mul_add(c3, a, c2), b, c0);
                        s.store_ptr(y.add(at), s.mul_add(c1, a, from_b));
                    }
                }
            }
        }
    }
}

struct Mix<'a> {
    logits: &'a [f32],
    coefs: &'a mut [f32],
    gates: usize,
}

impl Op for Mix<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { logits, coefs, gates } = self;
        for at in (0..gates).step_by(S::LANES) {
            let end = gates.min(at + S::LANES);
            let shares = shares(s, logits, gates, at, end);
            for (k, coefs) in coefs.chunks_exact_mut(gates).enumerate() {
                let mut sum = s.splat(0.0);
                for (share, kind) in shares.iter().zip(&COEFFICIENTS) {
                    sum = s.mul_add(*share, s.splat(kind[k]), sum);
                }
                store_partial(s, &mut coefs[at..end], if k == 0 { raised(s, sum) } else { cleared(s, sum) });
            }
        }
    }
}

struct Unmix<'a> {
    logits: &'a [f32],
    d_coefs: &'a [f32],
    d_logits: &'a mut [f32],
    gates: usize,
}

impl Op for Unmix<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { logits, d_coefs, d_logits, gates } = self;
        for at in (0..gates).step_by(S::LANES) {
            let end = gates.min(at + S::LANES);
            let shares = shares(s, logits, gates, at, end);
            let d = by_coefficient(s, &d_coefs[4 * at..4 * end]);
            let mut mean = s.splat(0.0);
            let mut slopes = [mean; KINDS];
            for (kind, slope) in slopes.iter_mut().enumerate() {
                *slope = s.splat(0.0);
                for (d, c) in d.iter().zip(COEFFICIENTS[kind]) {
                    *slope = s.mul_add(*d, s.splat(c), *slope);
                }
                mean = s.mul_add(shares[kind], *slope, mean);
            }
            for (kind, (share, slope)) in shares.iter().zip(slopes).enumerate() {
                let d = s.mul(*share, s.sub(slope, mean));
                store_partial(s, &mut d_logits[kind * gates + at..kind * gates + end], d);
            }
        }
    }
}

/// What is further below the largest logit than this has no share of a mixture, as anything smaller than [`NO_SHARE`]: so
/// neither shares nor what they are multiplied by become slow numbers.
const FAINTEST: f32 = -60.0;
const NO_SHARE: f32 = 1.0 / (1u64 << 60) as f32;

/// The softmax of the logits of the gates `at..end`, at most a vector of them.
#[inline(always)]
fn shares<S: Simd>(s: S, logits: &[f32], gates: usize, at: usize, end: usize) -> [S::F; KINDS] {
    let mut shares = [s.splat(0.0); KINDS];
    for (kind, share) in shares.iter_mut().enumerate() {
        *share = load_padded(s, &logits[kind * gates + at..kind * gates + end], 0.0);
    }
    let most = shares[1..].iter().fold(shares[0], |most, x| s.max(most, *x));
    let mut sum = s.splat(0.0);
    for share in &mut shares {
        *share = math::exp(s, s.max(s.sub(*share, most), s.splat(FAINTEST)));
        sum = s.add(sum, *share);
    }
    let (scale, zero, nought) = (s.div(s.splat(1.0), sum), s.splat(0.0), s.splat(NO_SHARE));
    for share in &mut shares {
        let scaled = s.mul(*share, scale);
        *share = s.select(s.lt(scaled, nought), zero, scaled);
    }
    shares
}

/// The least that a coefficient of 1 is, so the least value of a gate beside what rounding does: far below what a value near one
/// can tell apart. Numbers below 2^-126 take a hundred times as long on many a machine, and products of gates' values, of which
/// one that is nearly nought is multiplied by another in layer after layer and step after step, would soon be such.
const LEAST: f32 = 1.0 / (1u64 << 33) as f32;

/// The coefficient of 1, no less than [`LEAST`].
#[inline(always)]
fn raised<S: Simd>(s: S, c: S::F) -> S::F {
    s.max(c, s.splat(LEAST))
}

/// Any other coefficient: nought where it is less than what rounding leaves of it.
#[inline(always)]
fn cleared<S: Simd>(s: S, c: S::F) -> S::F {
    const NOUGHT: f32 = 1.0 / (1u64 << 40) as f32;
    let size = s.max(c, s.sub(s.splat(0.0), c));
    s.select(s.lt(size, s.splat(NOUGHT)), s.splat(0.0), c)
}

/// The coefficients of one gate. // coefs [4, gates]
///
/// # Safety
/// `coefs` must have four times `gates` values, and `gate` be below `gates`.
#[inline(always)]
unsafe fn of_gate<S: Simd>(s: S, coefs: &[f32], gates: usize, gate: u32) -> [S::F; 4] {
    let gate = gate as usize;
    debug_assert!(gate < gates && coefs.len() == 4 * gates);
    let c = coefs.as_ptr();
    // SAFETY: the caller vouches for it.
    unsafe {
        [
            s.splat(*c.add(gate)),
            s.splat(*c.add(gates + gate)),
            s.splat(*c.add(2 * gates + gate)),
            s.splat(*c.add(3 * gates + gate)),
        ]
    }
}

/// Four slices of `n` values.
#[inline(always)]
fn quarters(x: &[f32], n: usize) -> [&[f32]; 4] {
    std::array::from_fn(|k| &x[k * n..(k + 1) * n])
}

/// The gradient at each coefficient of at most a vector of gates. // d_coefs [gates, 4]
#[inline(always)]
fn by_coefficient<S: Simd>(s: S, d_coefs: &[f32]) -> [S::F; 4] {
    let mut lanes = [[0.0; MAX_LANES]; 4];
    for (i, gate) in d_coefs.as_chunks::<4>().0.iter().enumerate() {
        for (lanes, d) in lanes.iter_mut().zip(gate) {
            lanes[i] = *d;
        }
    }
    let [c0, c1, c2, c3] = &lanes;
    [load_padded(s, c0, 0.0), load_padded(s, c1, 0.0), load_padded(s, c2, 0.0), load_padded(s, c3, 0.0)]
}

/// # Safety
/// `x` must have more than `row` rows of `width` values.
#[inline(always)]
unsafe fn row(x: &[f32], row: u32, width: usize) -> *const f32 {
    debug_assert!((row as usize + 1) * width <= x.len());
    // SAFETY: the caller vouches for it.
    unsafe { x.as_ptr().add(row as usize * width) }
}
