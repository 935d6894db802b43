//! Layers of two-input logic gates, relaxed to numbers from 0 to 1, over tiles of cells.
//!
//! A gate that is not decided yet is a mixture of the sixteen there are (Petersen, Borgelt, Kuehne and Deussen, "Deep
//! differentiable logic gate networks", 2022). Each of the sixteen is `c0 + c1 a + c2 b + c3 a b` with whole
//! coefficients, so their mixture is too: the coefficients are worked out once for an update, and a gate costs three
//! multiply-adds however many kinds are in the mixture.
//!
//! Values lie in rows of [`TILE`] cells, one row for each input or gate.

mod tables;

pub use tables::{LINES, mix_tables, unmix_tables};

use crate::simd::{MAX_LANES, Op, Simd, dispatch, load_or, math, store_some, total};

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
}

impl Wiring {
    /// Gates that read these pairs of `inputs` rows.
    pub fn new(inputs: usize, pairs: Vec<[u32; 2]>) -> Self {
        assert!(pairs.iter().flatten().all(|row| (*row as usize) < inputs), "a wire comes from nowhere");
        Self { inputs, pairs }
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

/// The gates' values. // coefs [4, gates], x [inputs, TILE] -> y [gates, TILE]
pub fn forward(wiring: &Wiring, coefs: &[f32], x: &[f32], y: &mut [f32]) {
    let gates = wiring.gates();
    assert!(x.len() == wiring.inputs * TILE && y.len() == gates * TILE && coefs.len() == 4 * gates);
    dispatch(Forward { wiring, coefs, x, y });
}

/// The way back: adds to the gradients at what went in and at the coefficients.
/// // dy [gates, TILE] -> dx [inputs, TILE], d_coefs [4, gates]
pub fn backward(wiring: &Wiring, coefs: &[f32], x: &[f32], dy: &[f32], dx: &mut [f32], d_coefs: &mut [f32]) {
    let gates = wiring.gates();
    assert!(x.len() == wiring.inputs * TILE && dx.len() == x.len() && dy.len() == gates * TILE);
    assert!(coefs.len() == 4 * gates && d_coefs.len() == coefs.len());
    dispatch(Backward { wiring, coefs, x, dy, dx, d_coefs });
}

/// The coefficients of mixtures whose shares are the softmax of `logits`. // logits [16, gates] -> coefs [4, gates]
pub fn mix(logits: &[f32], coefs: &mut [f32]) {
    let gates = coefs.len() / 4;
    assert!(coefs.len() == 4 * gates && logits.len() == KINDS * gates);
    dispatch(Mix { logits, coefs, gates });
}

/// The gradient at the logits from that at the coefficients. // d_coefs [4, gates] -> d_logits [16, gates], replaced
pub fn unmix(logits: &[f32], d_coefs: &[f32], d_logits: &mut [f32]) {
    let gates = d_coefs.len() / 4;
    assert!(d_coefs.len() == 4 * gates && logits.len() == KINDS * gates && d_logits.len() == logits.len());
    dispatch(Unmix { logits, d_coefs, d_logits, gates });
}

struct Forward<'a> {
    wiring: &'a Wiring,
    coefs: &'a [f32],
    x: &'a [f32],
    y: &'a mut [f32],
}

impl Op for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { wiring, coefs, x, y } = self;
        let gates = wiring.pairs.len();
        let [c0, c1, c2, c3] = quarters(coefs, gates);
        for (g, (&[a, b], y)) in wiring.pairs.iter().zip(y.chunks_exact_mut(TILE)).enumerate() {
            let [c0, c1, c2, c3] = [c0[g], c1[g], c2[g], c3[g]].map(|c| s.splat(c));
            for at in (0..TILE).step_by(S::LANES) {
                // SAFETY: a wire's row is below `inputs` (checked when the wiring was made), and `x` has `inputs` rows of
                // `TILE` values (checked by the caller); `TILE` is a multiple of `LANES`.
                let (a, b) = unsafe { (load_row(s, x, a, at), load_row(s, x, b, at)) };
                let from_b = s.mul_add(s.mul_add(c3, a, c2), b, c0);
                store_some(s, &mut y[at..at + S::LANES], s.mul_add(c1, a, from_b));
            }
        }
    }
}

struct Backward<'a> {
    wiring: &'a Wiring,
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
        let Self { wiring, coefs, x, dy, dx, d_coefs } = self;
        let gates = wiring.pairs.len();
        let [_, c1, c2, c3] = quarters(coefs, gates);
        for (g, (&[a, b], dy)) in wiring.pairs.iter().zip(dy.chunks_exact(TILE)).enumerate() {
            let [c1, c2, c3] = [c1[g], c2[g], c3[g]].map(|c| s.splat(c));
            // Sums in sixteen parts, as many vectors as that takes, for each coefficient.
            let mut parts = [[s.splat(0.0); 4]; 4];
            for block in (0..TILE).step_by(MAX_LANES) {
                for (part, sums) in parts.iter_mut().take(MAX_LANES / S::LANES).enumerate() {
                    let at = block + part * S::LANES;
                    let d = load_or(s, &dy[at..at + S::LANES], 0.0);
                    // SAFETY: as in `Forward`; `dx` is as long as `x`.
                    unsafe {
                        let (from_a, from_b) = (load_row(s, x, a, at), load_row(s, x, b, at));
                        let (d_a, d_b) = (s.mul(d, from_a), s.mul(d, from_b));
                        sums[0] = s.add(sums[0], d);
                        sums[1] = s.add(sums[1], d_a);
                        sums[2] = s.add(sums[2], d_b);
                        sums[3] = s.mul_add(d_a, from_b, sums[3]);
                        // One after the other: both wires may come from one row.
                        let place = dx.as_mut_ptr().add(a as usize * TILE + at);
                        s.store_ptr(place, s.mul_add(c3, d_b, s.mul_add(c1, d, s.load_ptr(place))));
                        let place = dx.as_mut_ptr().add(b as usize * TILE + at);
                        s.store_ptr(place, s.mul_add(c3, d_a, s.mul_add(c2, d, s.load_ptr(place))));
                    }
                }
            }
            for k in 0..4 {
                d_coefs[k * gates + g] += total(s, parts.map(|sums| sums[k]));
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
                store_some(s, &mut coefs[at..end], sum);
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
        let quarters = quarters(d_coefs, gates);
        for at in (0..gates).step_by(S::LANES) {
            let end = gates.min(at + S::LANES);
            let shares = shares(s, logits, gates, at, end);
            let d = quarters.map(|quarter| load_or(s, &quarter[at..end], 0.0));
            let mut mean = s.splat(0.0);
            let slopes: [S::F; KINDS] = std::array::from_fn(
                #[inline(always)]
                |kind| {
                    let mut slope = s.splat(0.0);
                    for (d, c) in d.iter().zip(COEFFICIENTS[kind]) {
                        slope = s.mul_add(*d, s.splat(c), slope);
                    }
                    mean = s.mul_add(shares[kind], slope, mean);
                    slope
                },
            );
            for (kind, (share, slope)) in shares.iter().zip(slopes).enumerate() {
                let d = s.mul(*share, s.sub(slope, mean));
                store_some(s, &mut d_logits[kind * gates + at..kind * gates + end], d);
            }
        }
    }
}

/// The softmax of the logits of the gates `at..end`, at most a vector of them.
#[inline(always)]
fn shares<S: Simd>(s: S, logits: &[f32], gates: usize, at: usize, end: usize) -> [S::F; KINDS] {
    let mut shares: [S::F; KINDS] = std::array::from_fn(
        #[inline(always)]
        |kind| load_or(s, &logits[kind * gates + at..kind * gates + end], 0.0),
    );
    let most = shares[1..].iter().fold(shares[0], |most, x| s.max(most, *x));
    let mut sum = s.splat(0.0);
    for share in &mut shares {
        *share = math::exp(s, s.sub(*share, most));
        sum = s.add(sum, *share);
    }
    let scale = s.div(s.splat(1.0), sum);
    shares.map(|share| s.mul(share, scale))
}

/// Four slices of `n` values.
#[inline(always)]
fn quarters(x: &[f32], n: usize) -> [&[f32]; 4] {
    std::array::from_fn(|k| &x[k * n..(k + 1) * n])
}

/// # Safety
/// `x` must have more than `row` rows of `TILE` values, and `at + LANES` be at most `TILE`.
#[inline(always)]
unsafe fn load_row<S: Simd>(s: S, x: &[f32], row: u32, at: usize) -> S::F {
    debug_assert!(row as usize * TILE + at + S::LANES <= x.len());
    // SAFETY: the caller vouches for it.
    unsafe { s.load_ptr(x.as_ptr().add(row as usize * TILE + at)) }
}
