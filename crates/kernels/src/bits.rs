//! Circuits of decided gates as straight-line programs over rows of bits: every bit is a cell, and a gate is one vector
//! instruction for as many cells as a vector has bits.
//!
//! A program is interpreted. To find out what the next step is costs more than the step itself on one vector, so each
//! step works on a whole row of words; the rows of a program together should fit the first cache.

use crate::buffer::Buffer;
use crate::gates::KINDS;
use crate::simd::{MAX_LANES, Op, Simd, dispatch};

/// One gate: `out` becomes what a gate of `kind`, numbered as [`crate::gates::COEFFICIENTS`] are, makes of `a` and `b`.
/// All three are rows; they may be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its truth table.
    pub kind: u8,
    /// What it reads first.
    pub a: u16,
    /// What it reads second.
    pub b: u16,
    /// Where its value goes.
    pub out: u16,
}

/// From which side of a cell the bit comes that it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// From the cell before it, which is the next lower bit.
    Before,
    /// Its own.
    Same,
    /// From the cell after it, the next higher bit.
    After,
}

/// Where a row of bits comes from: words of a plane, counted from the place that is worked on, and every bit from that
/// side of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    /// Words behind the place; at least one, because [`Side::Before`] looks at the word before.
    pub offset: usize,
    /// Which way the bits move.
    pub side: Side,
}

/// A row of the results, and where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// The row.
    pub row: u16,
    /// Words behind the place.
    pub offset: usize,
}

/// What is done with every part of some planes of bits: rows are read, gates worked out, rows written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    rows: usize,
    reads: Vec<Read>,
    steps: Vec<Step>,
    writes: Vec<Write>,
}

impl Program {
    /// A program that works in so many rows; what is read stands in the first of them. What a row holds before anything
    /// is put there is unspecified.
    ///
    /// # Panics
    /// Where it names rows or kinds that do not exist.
    pub fn new(rows: usize, reads: Vec<Read>, steps: Vec<Step>, writes: Vec<Write>) -> Self {
        let fits = |row: u16| usize::from(row) < rows;
        assert!(reads.len() <= rows && reads.iter().all(|read| read.offset > 0), "a row is read from nowhere");
        let good = |step: &Step| {
            usize::from(step.kind) < KINDS && [step.a, step.b, step.out].into_iter().all(fits)
        };
        assert!(steps.iter().all(good), "a gate of no kind, or without a row");
        assert!(writes.iter().all(|write| fits(write.row)), "a result without a row");
        Self { rows, reads, steps, writes }
    }

    /// Rows that it works in.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Its gates.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Other kinds for its gates, in their order.
    pub fn set_kinds(&mut self, kinds: impl IntoIterator<Item = u8>) {
        for (step, kind) in self.steps.iter_mut().zip(kinds) {
            assert!(usize::from(kind) < KINDS, "a gate of no kind");
            step.kind = kind;
        }
    }

    /// Room for `width` words of every row. // width: a multiple of [`MAX_LANES`]
    pub fn desk(&self, width: usize) -> Desk {
        assert!(width > 0 && width.is_multiple_of(MAX_LANES), "rows are whole vectors");
        Desk { rows: Buffer::new(self.rows * width), width }
    }

    /// Works out all places below `words`, as many at a time as the desk is wide, and thus up to `width - 1` places more.
    /// // from, to: planes, of which the words named by `reads` and `writes` lie at these places
    pub fn sweep(&self, desk: &mut Desk, words: usize, from: &[u32], to: &mut [u32]) {
        let end = words.next_multiple_of(desk.width);
        assert_eq!(desk.rows.len(), self.rows * desk.width, "a desk of another program");
        assert!(self.reads.iter().all(|read| read.offset + end < from.len()), "a plane ends too early");
        assert!(self.writes.iter().all(|write| write.offset + end <= to.len()), "a plane ends too early");
        dispatch(Sweep { program: self, desk, words, from, to });
    }
}

/// What a program works in.
#[derive(Clone, Debug)]
pub struct Desk {
    /// Bits, whatever the type says. // [rows, width]
    rows: Buffer,
    width: usize,
}

struct Sweep<'a> {
    program: &'a Program,
    desk: &'a mut Desk,
    words: usize,
    from: &'a [u32],
    to: &'a mut [u32],
}

impl Op for Sweep<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { program, desk, words, from, to } = self;
        let width = desk.width;
        let rows = desk.rows.as_mut_ptr();
        for place in (0..words).step_by(width) {
            // SAFETY: `sweep` saw to it that all that is read, from the word before to the word after, and all that is
            // written lies inside the planes for every place below `words`, rounded up to whole desks; `new`, that every
            // row is one of the program's; and the desk holds that many rows of `width` words, a multiple of `LANES`.
            unsafe {
                for (row, read) in program.reads.iter().enumerate() {
                    let source = from.as_ptr().add(place + read.offset);
                    fetch(s, read.side, source, rows.add(row * width), width);
                }
                for step in &program.steps {
                    let [a, b, out] = [step.a, step.b, step.out].map(|row| rows.add(usize::from(row) * width));
                    gate(s, step.kind, a, b, out, width);
                }
                for write in &program.writes {
                    let row = rows.add(usize::from(write.row) * width).cast::<u32>().cast_const();
                    row.copy_to_nonoverlapping(to.as_mut_ptr().add(place + write.offset), width);
                }
            }
        }
    }
}

/// # Safety
/// From the word before `from` to `width` words behind it all must be readable, and `width` words from `to` on writable;
/// `width` is a multiple of `LANES`.
#[inline(always)]
unsafe fn fetch<S: Simd>(s: S, side: Side, from: *const u32, to: *mut f32, width: usize) {
    for at in (0..width).step_by(S::LANES) {
        // SAFETY: the caller vouches for it.
        unsafe {
            let load = |p: *const u32| s.bits(s.load_ptr(p.add(at).cast()));
            let own = load(from);
            let bits = match side {
                Side::Before => s.or(s.shl(own, 1), s.shr(load(from.sub(1)), 31)),
                Side::Same => own,
                Side::After => s.or(s.shr(own, 1), s.shl(load(from.add(1)), 31)),
            };
            s.store_ptr(to.add(at), s.of_bits(bits));
        }
    }
}

/// # Safety
/// `width` words must be readable at `a` and `b` and writable at `out`; `width` is a multiple of `LANES`.
#[inline(always)]
unsafe fn gate<S: Simd>(s: S, kind: u8, a: *const f32, b: *const f32, out: *mut f32, width: usize) {
    let ones = s.splat_u(u32::MAX);
    macro_rules! each {
        (|$a:ident, $b:ident| $value:expr) => {
            for at in (0..width).step_by(S::LANES) {
                // SAFETY: the caller vouches for it.
                unsafe {
                    let ($a, $b) = (s.bits(s.load_ptr(a.add(at))), s.bits(s.load_ptr(b.add(at))));
                    s.store_ptr(out.add(at), s.of_bits($value));
                }
            }
        };
    }
    match kind {
        0 => each!(|a, _b| s.xor(a, a)),
        1 => each!(|a, b| s.and(a, b)),
        2 => each!(|a, b| s.and(a, s.xor(b, ones))),
        3 => each!(|a, _b| a),
        4 => each!(|a, b| s.and(s.xor(a, ones), b)),
        5 => each!(|_a, b| b),
        6 => each!(|a, b| s.xor(a, b)),
        7 => each!(|a, b| s.or(a, b)),
        8 => each!(|a, b| s.xor(s.or(a, b), ones)),
        9 => each!(|a, b| s.xor(s.xor(a, b), ones)),
        10 => each!(|_a, b| s.xor(b, ones)),
        11 => each!(|a, b| s.or(a, s.xor(b, ones))),
        12 => each!(|a, _b| s.xor(a, ones)),
        13 => each!(|a, b| s.or(s.xor(a, ones), b)),
        14 => each!(|a, b| s.xor(s.and(a, b), ones)),
        _ => each!(|a, _b| s.or(a, ones)),
    }
}
