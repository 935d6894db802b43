//! Layers of two-input logic gates, relaxed to numbers from 0 to 1, over tiles of cells.
//!
//! A gate that is not decided yet is a mixture of the sixteen there are (Petersen, Borgelt, Kuehne and Deussen, "Deep
//! differentiable logic gate networks", 2022). Each of the sixteen is `c0 + c1 a + c2 b + c3 a b` with whole
//! coefficients, so their mixture is too: the coefficients are worked out once for an update, and a gate costs three
//! multiply-adds however many kinds are in the mixture.
//!
//! Values lie in rows, one for each input or gate: [`TILE`] cells, or several tiles side by side.

mod tables;

pub use tables::{LINES, mix_tables, unmix_tables};

use crate::simd::{MAX_LANES, Op, Simd, dispatch, load_or, math, store_some, total4};

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

/// The way back: adds to the gradients at what went in and at the coefficients, the latter gate by gate.
/// // dy [gates, width] -> dx [inputs, width], d_coefs [gates, 4]
///
/// # Panics
/// As [`forward`] does.
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

/// The coefficients of mixtures whose shares are the softmax of `logits`. // logits [16, gates] -> coefs [4, gates]
pub fn mix(logits: &[f32], coefs: &mut [f32]) {
    let gates = coefs.len() / 4;
    assert!(coefs.len() == 4 * gates && logits.len() == KINDS * gates);
    dispatch(Mix { logits, coefs, gates });
}

/// The gradient at the logits from that at the coefficients. // d_coefs [gates, 4] -> d_logits [16, gates], replaced
pub fn unmix(logits: &[f32], d_coefs: &[f32], d_logits: &mut [f32]) {
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
        let Self { wiring, width, coefs, x, y } = self;
        let [c0, c1, c2, c3] = quarters(coefs, wiring.pairs.len());
        let coefs = c0.iter().zip(c1).zip(c2).zip(c3);
        let gates = wiring.pairs.iter().zip(coefs).zip(y.chunks_exact_mut(width));
        for ((&[a, b], (((c0, c1), c2), c3)), y) in gates {
            let [c0, c1, c2, c3] = [c0, c1, c2, c3].map(|c| s.splat(*c));
            // SAFETY: a wire's row is below `inputs` (checked when the wiring was made), and `x` has `inputs` rows of
            // `width` values (checked by the caller), which is a multiple of `TILE`, and that of `LANES`.
            unsafe {
                let (a, b) = (row(x, a, width), row(x, b, width));
                for tile in (0..width).step_by(TILE) {
                    for at in (tile..tile + TILE).step_by(S::LANES) {
                        let (a, b) = (s.load_ptr(a.add(at)), s.load_ptr(b.add(at)));
                        let from_b = s.mul_add(s.mul_add(c3, a, c2), b, c0);
                        s.store_ptr(y.as_mut_ptr().add(at), s.mul_add(c1, a, from_b));
                    }
                }
            }
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
        let Self { wiring, width, coefs, x, dy, dx, d_coefs } = self;
        let [_, c1, c2, c3] = quarters(coefs, wiring.pairs.len());
        let (d_coefs, _) = d_coefs.as_chunks_mut::<4>();
        let coefs = c1.iter().zip(c2).zip(c3);
        let gates = wiring.pairs.iter().zip(coefs).zip(dy.chunks_exact(width)).zip(d_coefs);
        for (((&[a, b], ((c1, c2), c3)), dy), d_coefs) in gates {
            let [c1, c2, c3] = [c1, c2, c3].map(|c| s.splat(*c));
            // Sums in sixteen parts, as many vectors as that takes, for each coefficient.
            let mut sums = [[s.splat(0.0); 4]; 4];
            // SAFETY: as in `Forward`; `dx` is as long as `x`.
            unsafe {
                let (from_a, from_b) = (row(x, a, width), row(x, b, width));
                let (to_a, to_b) = (row(dx, a, width).cast_mut(), row(dx, b, width).cast_mut());
                for tile in (0..width).step_by(TILE) {
                    for block in (tile..tile + TILE).step_by(MAX_LANES) {
                        let parts = MAX_LANES / S::LANES;
                        for (part, sums) in sums.iter_mut().take(parts).enumerate() {
                            let at = block + part * S::LANES;
                            let d = s.load_ptr(dy.as_ptr().add(at));
                            let (a, b) = (s.load_ptr(from_a.add(at)), s.load_ptr(from_b.add(at)));
                            let (d_a, d_b) = (s.mul(d, a), s.mul(d, b));
                            sums[0] = s.add(sums[0], d);
                            sums[1] = s.add(sums[1], d_a);
                            sums[2] = s.add(sums[2], d_b);
                            sums[3] = s.mul_add(d_a, b, sums[3]);
                            // One after the other: both wires may come from one row.
                            let was = s.load_ptr(to_a.add(at));
                            s.store_ptr(to_a.add(at), s.mul_add(c3, d_b, s.mul_add(c1, d, was)));
                            let was = s.load_ptr(to_b.add(at));
                            s.store_ptr(to_b.add(at), s.mul_add(c3, d_a, s.mul_add(c2, d, was)));
                        }
                    }
                }
            }
            // By coefficient, and not by part.
            let sums = std::array::from_fn(
                #[inline(always)]
                |k| sums.map(|parts| parts[k]),
            );
            for (d, sum) in d_coefs.iter_mut().zip(total4(s, sums)) {
                *d += sum;
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
        for at in (0..gates).step_by(S::LANES) {
            let end = gates.min(at + S::LANES);
            let shares = shares(s, logits, gates, at, end);
            let d = by_coefficient(s, &d_coefs[4 * at..4 * end]);
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

/// The gradient at each coefficient of at most a vector of gates. // d_coefs [gates, 4]
#[inline(always)]
fn by_coefficient<S: Simd>(s: S, d_coefs: &[f32]) -> [S::F; 4] {
    let mut lanes = [[0.0; MAX_LANES]; 4];
    for (i, gate) in d_coefs.as_chunks::<4>().0.iter().enumerate() {
        for (lanes, d) in lanes.iter_mut().zip(gate) {
            lanes[i] = *d;
        }
    }
    lanes.map(
        #[inline(always)]
        |lanes| load_or(s, &lanes, 0.0),
    )
}

/// # Safety
/// `x` must have more than `row` rows of `width` values.
#[inline(always)]
unsafe fn row(x: &[f32], row: u32, width: usize) -> *const f32 {
    debug_assert!((row as usize + 1) * width <= x.len());
    // SAFETY: the caller vouches for it.
    unsafe { x.as_ptr().add(row as usize * width) }
}
