//! What the operations compute, one number at a time.
//!
//! The elementary functions are the kernels' own polynomials. [`unary_lanes`] is generic over the
//! instruction set; the slow reference runs it on one number, the vector code on blocks of lanes.

use learnery_kernels::isa::{self, Bits};
use learnery_kernels::simd::{MAX_LANES, Op as Computation, Simd, dispatch, math, store_partial};

use super::{Binary, Id, Op, Ternary, Unary};

/// A function of one number, in every lane.
#[inline(always)]
pub(crate) fn unary_lanes<S: Simd>(s: S, f: Unary, x: S::F) -> S::F {
    match f {
        Unary::Abs => math::abs(s, x),
        Unary::Floor => floor(s, x),
        Unary::Sqrt => s.sqrt(x),
        Unary::Exp => math::exp(s, x),
        Unary::Log => math::log(s, x),
        Unary::Sin => math::sin(s, x),
        Unary::Cos => math::cos(s, x),
        Unary::Tanh => math::tanh(s, x),
        Unary::Wrap => math::wrap_angle(s, x),
        Unary::Not => s.sub(s.splat(1.0), x),
    }
}

/// The largest whole number that is not larger than `x`, as `f32::floor` computes it.
#[inline(always)]
fn floor<S: Simd>(s: S, x: S::F) -> S::F {
    /// From 2^23 on, every number is whole. Below it, adding 2^23 rounds to a whole number.
    const WHOLE: f32 = 8_388_608.0;
    let sign = s.and(s.to_bits(x), s.splat_u(1 << 31));
    let shift = s.bits_to_f(s.or(sign, s.splat_u(WHOLE.to_bits())));
    let rounded = s.sub(s.add(x, shift), shift);
    let below = s.select(s.lt(x, rounded), s.sub(rounded, s.splat(1.0)), rounded);
    // Zero keeps the sign of `x`.
    let below = s.bits_to_f(s.or(s.to_bits(below), sign));
    s.select(s.lt(math::abs(s, x), s.splat(WHOLE)), below, x)
}

/// [`unary_lanes`] of one number.
fn unary(f: Unary, x: f32) -> f32 {
    struct One(Unary, f32);
    impl Computation for One {
        type Output = f32;
        #[inline(always)]
        fn run<S: Simd>(self, s: S) -> f32 {
            let mut lanes = [0.0; MAX_LANES];
            store_partial(s, &mut lanes, unary_lanes(s, self.0, s.splat(self.1)));
            lanes[0]
        }
    }
    match f {
        // IEEE 754 determines these to the bit, so the standard library computes what vectors do.
        Unary::Abs => x.abs(),
        Unary::Floor => x.floor(),
        Unary::Sqrt => x.sqrt(),
        Unary::Not => 1.0 - x,
        _ => dispatch(One(f, x)),
    }
}

fn truth(x: bool) -> f32 {
    f32::from(u8::from(x))
}

/// The result of an operation on the numbers that `get` returns. Panics for inputs (constants, parameters,
/// state, action, random numbers) and for lookups, which the caller handles.
pub(crate) fn apply(op: Op, get: impl Fn(Id) -> f32) -> f32 {
    match op {
        Op::Unary(f, a) => unary(f, get(a)),
        Op::Binary(f, a, b) => {
            let (a, b) = (get(a), get(b));
            match f {
                Binary::Add => a + b,
                Binary::Sub => a - b,
                Binary::Mul => a * b,
                Binary::Div => a / b,
                Binary::Min | Binary::And => {
                    if a < b {
                        a
                    } else {
                        b
                    }
                }
                Binary::Max | Binary::Or => {
                    if a > b {
                        a
                    } else {
                        b
                    }
                }
                Binary::Less => truth(a < b),
                // Also true of what is no number, as in vectors.
                Binary::AtMost => 1.0 - truth(b < a),
                Binary::Equal => truth(a == b),
                Binary::NotEqual => truth(a != b),
            }
        }
        Op::Ternary(f, [a, b, c]) => {
            let (a, b, c) = (get(a), get(b), get(c));
            match f {
                Ternary::MulAdd => multiply_add(a, b, c),
                Ternary::MulSub => multiply_add(a, b, -c),
                Ternary::NegMulAdd => multiply_add(-a, b, c),
                Ternary::Select => {
                    if a > 0.0 {
                        b
                    } else {
                        c
                    }
                }
            }
        }
        // Whether it is a fault is for the caller to test.
        Op::Check(value, ..) => get(value),
        _ => unreachable!("{op:?} is an input or a lookup"),
    }
}

/// `a * b + c`, rounded once in the class `fused` and twice in the class `plain`.
fn multiply_add(a: f32, b: f32, c: f32) -> f32 {
    match isa::bits() {
        Bits::Fused => a.mul_add(b, c),
        Bits::Plain => a * b + c,
    }
}
