//! Circuits of decided gates as straight-line programs over rows of bits: every bit is a cell, and a gate is one vector
//! instruction for as many cells as a vector has bits.
//!
//! A program is interpreted. To go to another kind of gate costs more than the gate itself, because nobody foresees which
//! one it will be; so gates of a kind stand in runs, and each works on a row of some vectors.

use crate::buffer::Buffer;
use crate::gates::KINDS;
use crate::simd::{MAX_LANES, Op, Simd, dispatch};

/// One gate: the row `out` becomes what it makes of the rows `a` and `b`. They may be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// What it reads first.
    pub a: u16,
    /// What it reads second.
    pub b: u16,
    /// Where its value goes.
    pub out: u16,
}

/// Gates that follow each other and are of one kind, numbered as [`crate::gates::COEFFICIENTS`] are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    kind: u8,
    steps: u32,
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

/// What is done with every part of some planes of bits: rows are read, gates worked out, rows written. What is read stands
/// in the first rows; what the others hold before anything is put there is unspecified.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    rows: usize,
    reads: Vec<Read>,
    runs: Vec<Run>,
    steps: Vec<Instruction>,
    writes: Vec<Write>,
}

impl Program {
    /// A program that reads these rows and does nothing with them yet.
    pub fn new(reads: Vec<Read>) -> Self {
        let mut program = Self::default();
        reads.into_iter().for_each(|read| program.read(read));
        program
    }

    /// Forgets all that it does, and keeps the memory.
    pub fn clear(&mut self) {
        self.rows = 0;
        self.reads.clear();
        self.runs.clear();
        self.steps.clear();
        self.writes.clear();
    }

    /// One more row that is read, behind those before.
    ///
    /// # Panics
    /// Where it is read from before the beginning of all planes.
    pub fn read(&mut self, read: Read) {
        assert!(read.offset > 0, "a row is read from nowhere");
        self.reads.push(read);
        self.rows = self.rows.max(self.reads.len());
    }

    /// One more gate.
    ///
    /// # Panics
    /// Where there is no such kind.
    pub fn push(&mut self, kind: u8, step: Instruction) {
        assert!(usize::from(kind) < KINDS, "a gate of no kind");
        let highest = step.a.max(step.b).max(step.out);
        self.rows = self.rows.max(usize::from(highest) + 1);
        self.steps.push(step);
        match self.runs.last_mut() {
            Some(run) if run.kind == kind => run.steps += 1,
            _ => self.runs.push(Run { kind, steps: 1 }),
        }
    }

    /// One more result.
    pub fn write(&mut self, write: Write) {
        self.rows = self.rows.max(usize::from(write.row) + 1);
        self.writes.push(write);
    }

    /// Rows that it works in.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of gates.
    pub fn gates(&self) -> usize {
        self.steps.len()
    }

    /// Workspace for rows of `width` words. // width: a power of two, at least [`MAX_LANES`]
    pub fn workspace(&self, width: usize) -> Workspace {
        assert!(width >= MAX_LANES && width.is_power_of_two(), "rows are a power of two of whole vectors");
        let mut workspace = Workspace { rows: Buffer::default(), shift: width.trailing_zeros() };
        workspace.fit(self);
        workspace
    }

    /// Works out all places below `words`, as many at a time as the workspace is wide, and thus up to `width - 1` places more.
    /// // from, to: planes, of which the words named by reads and writes lie at these places
    pub fn run(&self, workspace: &mut Workspace, words: usize, from: &[u32], to: &mut [u32]) {
        let end = words.next_multiple_of(workspace.width());
        assert!(workspace.rows.len() >= self.rows << workspace.shift, "a workspace for a smaller program");
        assert!(self.reads.iter().all(|read| read.offset + end < from.len()), "a plane ends too early");
        assert!(self.writes.iter().all(|write| write.offset + end <= to.len()), "a plane ends too early");
        dispatch(Execute { program: self, workspace, words, from, to });
    }
}

/// What a program works in.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// Bits, whatever the type says. // [rows, width]
    rows: Buffer,
    /// The width's logarithm.
    shift: u32,
}

impl Workspace {
    /// Words in a row.
    pub fn width(&self) -> usize {
        1 << self.shift
    }

    /// Grows where a program has become larger, by more than it needs so that this is rare.
    pub fn fit(&mut self, program: &Program) {
        if self.rows.len() < program.rows << self.shift {
            self.rows = Buffer::new((program.rows + program.rows / 4 + 16) << self.shift);
        }
    }
}

struct Execute<'a> {
    program: &'a Program,
    workspace: &'a mut Workspace,
    words: usize,
    from: &'a [u32],
    to: &'a mut [u32],
}

impl Op for Execute<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { program, workspace, words, from, to } = self;
        let (width, shift) = (workspace.width(), workspace.shift);
        let rows = workspace.rows.as_mut_ptr();
        for place in (0..words).step_by(width) {
            // SAFETY: `sweep` saw to it that all that is read, from the word before to the word after, and all that is
            // written lies inside the planes for every place below `words`, rounded up to whole desks, and that the workspace
            // holds as many rows of `width` words as the program has; `new`, `push` and `write`, that there is none
            // beyond these. `width` is a multiple of `LANES`.
            unsafe {
                for (row, read) in program.reads.iter().enumerate() {
                    fetch(
                        s,
                        read.side,
                        from.as_ptr().add(place + read.offset),
                        rows.add(row << shift),
                        width,
                    );
                }
                let mut steps = program.steps.as_slice();
                for run in &program.runs {
                    let (own, rest) = steps.split_at(run.steps as usize);
                    gates(s, run.kind, own, rows, shift);
                    steps = rest;
                }
                for write in &program.writes {
                    let row = rows.add(usize::from(write.row) << shift).cast::<u32>().cast_const();
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
            s.store_ptr(to.add(at), s.from_bits(bits));
        }
    }
}

/// # Safety
/// There must be rows of `1 << shift` words, a multiple of `LANES`, for all that `steps` name.
#[inline(always)]
unsafe fn gates<S: Simd>(s: S, kind: u8, steps: &[Instruction], rows: *mut f32, shift: u32) {
    let ones = s.splat_u(u32::MAX);
    macro_rules! each {
        (|$a:ident, $b:ident| $value:expr) => {
            for step in steps {
                // SAFETY: the caller vouches for it.
                unsafe {
                    let [a, b, out] =
                        [step.a, step.b, step.out].map(|row| rows.add(usize::from(row) << shift));
                    let mut at = 0;
                    while at < 1 << shift {
                        let ($a, $b) = (s.bits(s.load_ptr(a.add(at))), s.bits(s.load_ptr(b.add(at))));
                        s.store_ptr(out.add(at), s.from_bits($value));
                        at += S::LANES;
                    }
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
