//! Bit-parallel evaluation of logic circuits on the cells of a cellular automaton. Each bit of a word belongs
//! to another cell, so one vector instruction computes a gate for as many cells as a vector has bits (bit
//! slicing, as in Biham, "A fast new DES implementation in software", 1997). A circuit is a straight-line
//! program, a sequence of gates without branches.
//!
//! Programs are interpreted: for each gate, the interpreter branches to the code of its kind (AND, XOR, ...).
//! Such a branch is unpredictable and takes longer than a gate. So successive gates of one kind form a run
//! with one branch, and each gate computes a row of several vectors.
//!
//! A bit plane holds one bit of each cell. All input planes lie in one slice and all output planes in
//! another, so the offset of a read or a write names the plane as well as the place in it. For each block of
//! `width` words, a program reads rows from the input planes, computes gates on rows of the [`Workspace`],
//! and writes rows to the output planes.

use crate::buffer::Buffer;
use crate::gates::KINDS;
// `dispatch` runs an `Op`, a computation generic over the instruction set `S`, with the best set of this
// machine.
use crate::simd::{MAX_LANES, Op, Simd, dispatch};

/// One gate: row `out` becomes the gate's function of rows `a` and `b`. The rows may be equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    pub a: u16,
    pub b: u16,
    pub out: u16,
}

/// Consecutive instructions of one gate kind, numbered as in [`crate::gates::COEFFICIENTS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    kind: u8,
    instructions: u32,
}

/// Which neighbour's bit a cell reads. The cells of a row of the grid are consecutive bits; the first cell is
/// the lowest bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The cell before it: the next lower bit.
    Before,
    /// The cell itself.
    Same,
    /// The cell after it: the next higher bit.
    After,
}

/// Reads a row of `width` words from the input planes, shifted by at most one bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    /// The first word, relative to the current position in the planes. At least 1, because [`Side::Before`]
    /// also reads the word before the first.
    pub offset: usize,
    pub side: Side,
}

/// Writes a row of results to the output planes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    pub row: u16,
    /// The first word, relative to the current position in the planes.
    pub offset: usize,
}

/// A straight-line program of gates. Read i fills row i; the other rows are undefined until an instruction
/// writes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The number of rows that reads, instructions and writes name.
    rows: usize,
    reads: Vec<Read>,
    /// The instructions, counted by runs of one kind.
    runs: Vec<Run>,
    instructions: Vec<Instruction>,
    writes: Vec<Write>,
}

impl Program {
    /// A program with the given reads and without gates.
    pub fn new(reads: Vec<Read>) -> Self {
        let mut program = Self::default();
        reads.into_iter().for_each(|read| program.read(read));
        program
    }

    /// Removes all reads, gates and writes, but keeps the allocated memory.
    pub fn clear(&mut self) {
        self.rows = 0;
        self.reads.clear();
        self.runs.clear();
        self.instructions.clear();
        self.writes.clear();
    }

    /// Adds a read. The first read fills row 0, the next one row 1, and so on.
    ///
    /// # Panics
    /// If the offset is zero.
    pub fn read(&mut self, read: Read) {
        assert!(read.offset > 0, "a read needs a word before it");
        self.reads.push(read);
        self.rows = self.rows.max(self.reads.len());
    }

    /// Adds a gate of kind `kind` (numbered as in [`crate::gates::COEFFICIENTS`]).
    ///
    /// # Panics
    /// If there is no such kind.
    pub fn push(&mut self, kind: u8, instruction: Instruction) {
        assert!(usize::from(kind) < KINDS, "a gate of no kind");
        let highest = instruction.a.max(instruction.b).max(instruction.out);
        self.rows = self.rows.max(usize::from(highest) + 1);
        self.instructions.push(instruction);
        match self.runs.last_mut() {
            Some(run) if run.kind == kind => run.instructions += 1,
            _ => self.runs.push(Run { kind, instructions: 1 }),
        }
    }

    /// Adds a write.
    pub fn write(&mut self, write: Write) {
        self.rows = self.rows.max(usize::from(write.row) + 1);
        self.writes.push(write);
    }

    /// The number of workspace rows that the program uses.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of gates.
    pub fn gates(&self) -> usize {
        self.instructions.len()
    }

    /// A workspace with rows of `width` words, a power of two and at least [`MAX_LANES`].
    pub fn workspace(&self, width: usize) -> Workspace {
        assert!(width >= MAX_LANES && width.is_power_of_two(), "rows are a power of two of whole vectors");
        let mut workspace = Workspace { rows: Buffer::default(), shift: width.trailing_zeros() };
        workspace.fit(self);
        workspace
    }

    /// Runs the program at the positions 0, width, 2 width, ... below `words`. It computes whole rows and
    /// thus up to `width - 1` words more than `words`. `from` holds the input planes and `to` the output
    /// planes.
    pub fn run(&self, workspace: &mut Workspace, words: usize, from: &[u32], to: &mut [u32]) {
        let end = words.next_multiple_of(workspace.width());
        assert!(workspace.rows.len() >= self.rows << workspace.shift, "a workspace for a smaller program");
        assert!(self.reads.iter().all(|read| read.offset + end < from.len()), "a plane ends too early");
        assert!(self.writes.iter().all(|write| write.offset + end <= to.len()), "a plane ends too early");
        dispatch(Execution { program: self, workspace, words, from, to });
    }
}

/// Memory for the rows of a program.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// Words of bits, stored as floats for their alignment.
    /// Shape: `[rows, width]`.
    rows: Buffer,
    /// The logarithm of the row width (in words) to base 2.
    shift: u32,
}

impl Workspace {
    /// Words per row.
    pub fn width(&self) -> usize {
        1 << self.shift
    }

    /// Grows to fit `program` if necessary. It then allocates a quarter and 16 rows more than needed, so that
    /// programs that grow little by little rarely allocate.
    pub fn fit(&mut self, program: &Program) {
        if self.rows.len() < program.rows << self.shift {
            self.rows = Buffer::new((program.rows + program.rows / 4 + 16) << self.shift);
        }
    }
}

/// The arguments of [`Program::run`], checked.
struct Execution<'a> {
    program: &'a Program,
    workspace: &'a mut Workspace,
    words: usize,
    from: &'a [u32],
    to: &'a mut [u32],
}

impl Op for Execution<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self { program, workspace, words, from, to } = self;
        let (width, shift) = (workspace.width(), workspace.shift);
        let rows = workspace.rows.as_mut_ptr();
        for position in (0..words).step_by(width) {
            // SAFETY: `Program::run` has checked that all reads, with the words before and after them, and
            // all writes are inside the planes at every position below `words` rounded up to whole rows, and
            // that the workspace has as many rows of `width` words as the program; `read`, `push` and `write`
            // count every row they name. `width` is a multiple of `LANES`.
            unsafe {
                for (row, read) in program.reads.iter().enumerate() {
                    load_row(
                        s,
                        read.side,
                        from.as_ptr().add(position + read.offset),
                        rows.add(row << shift),
                        width,
                    );
                }
                let mut instructions = program.instructions.as_slice();
                for run in &program.runs {
                    let (instructions_of_run, rest) = instructions.split_at(run.instructions as usize);
                    execute(s, run.kind, instructions_of_run, rows, shift);
                    instructions = rest;
                }
                for write in &program.writes {
                    let row = rows.add(usize::from(write.row) << shift).cast::<u32>().cast_const();
                    row.copy_to_nonoverlapping(to.as_mut_ptr().add(position + write.offset), width);
                }
            }
        }
    }
}

/// Loads one row.
///
/// # Safety
/// The words from `from - 1` to `from + width` inclusive must be readable, and `width` words from `to` on
/// writable; `width` is a multiple of `LANES`.
#[inline(always)]
unsafe fn load_row<S: Simd>(s: S, side: Side, from: *const u32, to: *mut f32, width: usize) {
    for at in (0..width).step_by(S::LANES) {
        // SAFETY: the caller guarantees it.
        unsafe {
            let load = |p: *const u32| s.to_bits(s.load_ptr(p.add(at).cast()));
            let own = load(from);
            let bits = match side {
                // The bit that crosses the border of a word comes from the neighbouring word.
                Side::Before => s.or(s.shl(own, 1), s.shr(load(from.sub(1)), 31)),
                Side::Same => own,
                Side::After => s.or(s.shr(own, 1), s.shl(load(from.add(1)), 31)),
            };
            s.store_ptr(to.add(at), s.bits_to_f(bits));
        }
    }
}

/// Executes instructions of one gate kind.
///
/// # Safety
/// All rows named by `instructions` must exist, each of `1 << shift` words, a multiple of `LANES`.
#[inline(always)]
unsafe fn execute<S: Simd>(s: S, kind: u8, instructions: &[Instruction], rows: *mut f32, shift: u32) {
    let ones = s.splat_u(u32::MAX);
    macro_rules! each {
        (|$a:ident, $b:ident| $value:expr) => {
            for instruction in instructions {
                // SAFETY: the caller guarantees it.
                unsafe {
                    let [a, b, out] = [instruction.a, instruction.b, instruction.out]
                        .map(|row| rows.add(usize::from(row) << shift));
                    let mut at = 0;
                    while at < 1 << shift {
                        let ($a, $b) = (s.to_bits(s.load_ptr(a.add(at))), s.to_bits(s.load_ptr(b.add(at))));
                        s.store_ptr(out.add(at), s.bits_to_f($value));
                        at += S::LANES;
                    }
                }
            }
        };
    }
    match kind {
        0 => each!(|a, _b| s.xor(a, a)),              // false
        1 => each!(|a, b| s.and(a, b)),               // and
        2 => each!(|a, b| s.and(a, s.xor(b, ones))),  // a and not b
        3 => each!(|a, _b| a),                        // a
        4 => each!(|a, b| s.and(s.xor(a, ones), b)),  // not a and b
        5 => each!(|_a, b| b),                        // b
        6 => each!(|a, b| s.xor(a, b)),               // xor
        7 => each!(|a, b| s.or(a, b)),                // or
        8 => each!(|a, b| s.xor(s.or(a, b), ones)),   // nor
        9 => each!(|a, b| s.xor(s.xor(a, b), ones)),  // xnor
        10 => each!(|_a, b| s.xor(b, ones)),          // not b
        11 => each!(|a, b| s.or(a, s.xor(b, ones))),  // a or not b
        12 => each!(|a, _b| s.xor(a, ones)),          // not a
        13 => each!(|a, b| s.or(s.xor(a, ones), b)),  // not a or b
        14 => each!(|a, b| s.xor(s.and(a, b), ones)), // nand
        _ => each!(|a, _b| s.or(a, ones)),            // true
    }
}
