//! Executes vector code: one `match` for each instruction, which is then applied to all worlds of a block.

use learnery_kernels::rng::Stream;
use learnery_kernels::simd::{Op, Simd, dispatch, load_padded, load_words, math, store_partial};

use super::{BLOCK_LINES, Code, Instruction, LANES, Line, Opcode};
use crate::graph::{Unary, unary_lanes};

/// The worlds of a line, by the counters of their random numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub(crate) struct Counters {
    /// The low and the high word of the index.
    pub index: [[u32; LANES]; 2],
    pub episode: [u32; LANES],
    /// The time at which the episode began.
    pub begun: [u32; LANES],
}

/// What random numbers are drawn from.
pub(crate) struct Draws<'a> {
    pub stream: Stream,
    pub counters: &'a [Counters],
    /// The present time. The number of a step is the time since its episode began.
    pub now: u32,
}

/// Runs a program on registers of `lines` lines each: 1 or [`BLOCK_LINES`]. The registers lie one after the
/// other.
pub(crate) fn run(code: &Code, registers: &mut [Line], lines: usize, draws: &Draws<'_>) {
    struct Run<'a, const LINES: usize>(&'a Code, &'a mut [[Line; LINES]], &'a Draws<'a>);
    impl<const LINES: usize> Op for Run<'_, LINES> {
        type Output = ();
        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let Self(code, registers, draws) = self;
            for instruction in &code.instructions {
                execute(s, code, registers, instruction, draws);
            }
        }
    }
    if lines == 1 {
        dispatch(Run::<1>(code, registers.as_chunks_mut().0, draws));
    } else {
        dispatch(Run::<BLOCK_LINES>(code, registers.as_chunks_mut().0, draws));
    }
}

#[inline(always)]
fn load<S: Simd, const LINES: usize>(s: S, register: &[Line; LINES], line: usize, at: usize) -> S::F {
    load_padded(s, &register[line].0[at..at + S::LANES], 0.0)
}

#[inline(always)]
fn store<S: Simd, const LINES: usize>(s: S, register: &mut [Line; LINES], line: usize, at: usize, x: S::F) {
    store_partial(s, &mut register[line].0[at..at + S::LANES], x);
}

/// `registers[out] = value` for every vector, with the vectors of other registers in scope.
macro_rules! lanes {
    ($s:ident, $registers:ident, $out:expr, [$($x:ident = $register:expr),*], $value:expr) => {{
        let out = usize::from($out);
        $(let $x = usize::from($register);)*
        for line in 0..LINES {
            for at in (0..LANES).step_by(S::LANES) {
                $(let $x = load($s, &$registers[$x], line, at);)*
                let value = $value;
                store($s, &mut $registers[out], line, at, value);
            }
        }
    }};
}

#[inline(always)]
fn execute<S: Simd, const LINES: usize>(
    s: S,
    code: &Code,
    r: &mut [[Line; LINES]],
    i: &Instruction,
    draws: &Draws<'_>,
) {
    let (one, zero) = (s.splat(1.0), s.splat(0.0));
    match i.opcode {
        Opcode::Add => lanes!(s, r, i.out, [a = i.a, b = i.b], s.add(a, b)),
        Opcode::Sub => lanes!(s, r, i.out, [a = i.a, b = i.b], s.sub(a, b)),
        Opcode::Mul => lanes!(s, r, i.out, [a = i.a, b = i.b], s.mul(a, b)),
        Opcode::Div => lanes!(s, r, i.out, [a = i.a, b = i.b], s.div(a, b)),
        Opcode::Min => lanes!(s, r, i.out, [a = i.a, b = i.b], s.min(a, b)),
        Opcode::Max => lanes!(s, r, i.out, [a = i.a, b = i.b], s.max(a, b)),
        Opcode::Less => lanes!(s, r, i.out, [a = i.a, b = i.b], s.select(s.lt(a, b), one, zero)),
        Opcode::AtMost => lanes!(s, r, i.out, [a = i.a, b = i.b], s.select(s.lt(b, a), zero, one)),
        Opcode::Equal => lanes!(s, r, i.out, [a = i.a, b = i.b], s.select(s.eq(a, b), one, zero)),
        Opcode::NotEqual => lanes!(s, r, i.out, [a = i.a, b = i.b], s.select(s.eq(a, b), zero, one)),
        Opcode::MulAdd => lanes!(s, r, i.out, [a = i.a, b = i.b, c = i.c], s.mul_add(a, b, c)),
        Opcode::MulSub => {
            // Flipping the sign bit negates `c`.
            let sign = s.splat_u(1 << 31);
            lanes!(s, r, i.out, [a = i.a, b = i.b, c = i.c], {
                s.mul_add(a, b, s.bits_to_f(s.xor(s.to_bits(c), sign)))
            });
        }
        Opcode::NegMulAdd => lanes!(s, r, i.out, [a = i.a, b = i.b, c = i.c], s.neg_mul_add(a, b, c)),
        Opcode::Select => {
            lanes!(s, r, i.out, [a = i.a, b = i.b, c = i.c], s.select(s.lt(zero, a), b, c));
        }
        Opcode::SelectLess => {
            lanes!(s, r, i.out, [a = i.a, b = i.b, c = i.c, d = i.d], s.select(s.lt(a, b), c, d));
        }
        Opcode::SelectEqual => {
            lanes!(s, r, i.out, [a = i.a, b = i.b, c = i.c, d = i.d], s.select(s.eq(a, b), c, d));
        }
        Opcode::Clamp => lanes!(s, r, i.out, [a = i.a, b = i.b, c = i.c], s.min(c, s.max(a, b))),
        Opcode::Abs => lanes!(s, r, i.out, [a = i.a], unary_lanes(s, Unary::Abs, a)),
        Opcode::Floor => lanes!(s, r, i.out, [a = i.a], unary_lanes(s, Unary::Floor, a)),
        Opcode::Sqrt => lanes!(s, r, i.out, [a = i.a], s.sqrt(a)),
        Opcode::Exp => lanes!(s, r, i.out, [a = i.a], math::exp(s, a)),
        Opcode::Log => lanes!(s, r, i.out, [a = i.a], math::log(s, a)),
        Opcode::Sin => lanes!(s, r, i.out, [a = i.a], math::sin(s, a)),
        Opcode::Cos => lanes!(s, r, i.out, [a = i.a], math::cos(s, a)),
        Opcode::Tanh => lanes!(s, r, i.out, [a = i.a], math::tanh(s, a)),
        Opcode::Wrap => lanes!(s, r, i.out, [a = i.a], math::wrap_angle(s, a)),
        Opcode::Not => lanes!(s, r, i.out, [a = i.a], s.sub(one, a)),
        Opcode::SinCos => {
            let (out, a, b) = (usize::from(i.out), usize::from(i.a), usize::from(i.b));
            for line in 0..LINES {
                for at in (0..LANES).step_by(S::LANES) {
                    let (sin, cos) = math::sin_cos(s, load(s, &r[a], line, at));
                    store(s, &mut r[out], line, at, sin);
                    store(s, &mut r[b], line, at, cos);
                }
            }
        }
        Opcode::Lookup => {
            let (out, a) = (usize::from(i.out), usize::from(i.a));
            let table = &code.tables[usize::from(i.b)][..];
            let indices = r[a];
            for (line, indices) in r[out].iter_mut().zip(indices) {
                for (x, index) in line.0.iter_mut().zip(indices.0) {
                    // The conversion is 0 for negative numbers and for what is no number.
                    *x = table[(index as usize).min(table.len() - 1)];
                }
            }
        }
        Opcode::Uniform | Opcode::Normal => draw(s, r, i, draws),
    }
}

/// Draws the random numbers of a block.
#[inline(always)]
fn draw<S: Simd, const LINES: usize>(s: S, r: &mut [[Line; LINES]], i: &Instruction, draws: &Draws<'_>) {
    let out = [i.out, i.b, i.c, i.d].map(usize::from);
    for (line, counters) in draws.counters.iter().take(LINES).enumerate() {
        for at in (0..LANES).step_by(S::LANES) {
            let step = s.sub_u(s.splat_u(draws.now), load_words(s, &counters.begun[at..]));
            // The counter, as `draws::sub_index` lays it out: eight bits of the block below the step.
            let high = s.or(s.shl(step, 8), s.splat_u(u32::from(i.a)));
            let index = counters.index.each_ref().map(
                #[inline(always)]
                |words| load_words(s, &words[at..]),
            );
            let sub = [load_words(s, &counters.episode[at..]), high];
            let numbers = if i.opcode == Opcode::Normal {
                draws.stream.normal4_lanes(s, index, sub)
            } else {
                draws.stream.uniform4_lanes(s, index, sub)
            };
            for (out, x) in out.into_iter().zip(numbers) {
                store(s, &mut r[out], line, at, x);
            }
        }
    }
}
