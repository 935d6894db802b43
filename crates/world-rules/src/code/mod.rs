//! Vector code: a program for a virtual machine whose registers hold one number for each of a block of
//! worlds.
//!
//! The program is a list of instructions without branches, executed by one `match` for each instruction and
//! block (`run.rs`), so a block is large enough to pay for it, and small enough for the registers to stay in
//! the first-level cache. `compile.rs` makes it from the graph.

mod compile;
mod run;

pub(crate) use run::{Counters, Draws, run};

use crate::graph::{Graph, Id, Op, apply};

/// Numbers of a register that lie together, aligned to a cache line. A register has one or more lines.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(64))]
pub(crate) struct Line(pub [f32; LANES]);

/// Lanes of a line.
pub(crate) const LANES: usize = 16;

/// Lines of a register of large batches.
pub(crate) const BLOCK_LINES: usize = 4;

impl Line {
    pub const ZERO: Self = Self([0.0; LANES]);
}

/// What an instruction computes. Names of operands are those of [`Instruction`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opcode {
    Add,
    Sub,
    Mul,
    Div,
    Min,
    Max,
    Less,
    AtMost,
    Equal,
    NotEqual,
    /// `a * b + c`
    MulAdd,
    /// `a * b - c`
    MulSub,
    /// `c - a * b`
    NegMulAdd,
    /// `if a { b } else { c }`
    Select,
    /// `if a < b { c } else { d }`
    SelectLess,
    /// `if a == b { c } else { d }`
    SelectEqual,
    /// `min(c, max(a, b))`
    Clamp,
    Abs,
    Floor,
    Sqrt,
    Exp,
    Log,
    Sin,
    Cos,
    Tanh,
    Wrap,
    Not,
    /// Sine of `a` to `out`, cosine to `b`.
    SinCos,
    /// Element `a` of table `b`.
    Lookup,
    /// Four uniform numbers from block `a` to `out`, `b`, `c` and `d`.
    Uniform,
    /// Four normal numbers.
    Normal,
}

/// An instruction. All numbers are registers, except where [`Opcode`] says that they are a table or a block
/// of random numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instruction {
    pub opcode: Opcode,
    pub out: u16,
    pub a: u16,
    pub b: u16,
    pub c: u16,
    pub d: u16,
}

/// A program. Its first registers are the numbers of the state, then those of the action.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    instructions: Vec<Instruction>,
    /// Nodes that are the same in all worlds: constants, parameters and what follows from them.
    uniforms: Vec<Op>,
    /// Registers that hold such a node, with the node's index in `uniforms`.
    uniform_registers: Vec<(u16, u32)>,
    tables: Vec<Vec<f32>>,
    /// The number of registers.
    pub registers: usize,
    /// Registers of the outputs.
    pub outputs: Vec<u16>,
    /// Which of the outputs are always 0.
    pub never: Vec<bool>,
    /// The register that is not 0 in a world where an output depends on a fault; `None` if no fault is
    /// possible.
    pub fault: Option<u16>,
}

impl Code {
    pub fn len(&self) -> usize {
        self.instructions.len()
    }

    /// Writes the constants, the parameters and what follows from them to their registers of `lines` lines
    /// each.
    pub fn set_parameters(&self, parameters: &[f32], registers: &mut [Line], lines: usize) {
        let mut values = vec![0.0; self.uniforms.len()];
        for (i, op) in self.uniforms.iter().enumerate() {
            values[i] = match *op {
                Op::Constant(bits) => f32::from_bits(bits),
                Op::Parameter(k) => parameters[usize::from(k)],
                Op::Lookup(table, index) => {
                    let table = &self.tables[usize::from(table)];
                    table[(values[index.index()] as usize).min(table.len() - 1)]
                }
                op => apply(op, |id: Id| values[id.index()]),
            };
        }
        for (register, i) in &self.uniform_registers {
            let first = usize::from(*register) * lines;
            registers[first..first + lines].fill(Line([values[*i as usize]; LANES]));
        }
    }
}

/// Whether a node has the same value in all worlds: all its operands have, and it is no part of a state or an
/// action and not random.
fn is_uniform(graph: &Graph, id: Id, is_operand_uniform: impl Fn(Id) -> bool) -> bool {
    let op = graph.op(id);
    let mut all = true;
    op.operands(|operand| all &= is_operand_uniform(operand));
    all && !matches!(op, Op::State(_) | Op::Action(_) | Op::Uniform(_) | Op::Normal(_))
}
