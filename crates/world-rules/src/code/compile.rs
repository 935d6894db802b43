//! From the graph to instructions and registers.
//!
//! Instructions are in the order of the graph. Pairs that often stand together are one instruction:
//! a comparison and its `if`, both bounds of a clamp, sine and cosine of one angle. Registers are allocated
//! by a linear scan (Poletto and Sarkar 1999): a register is free again after the last instruction that reads
//! it.

use super::{Code, Instruction, Opcode, is_uniform};
use crate::draws::{normal_block, uniform_block};
use crate::graph::{Binary, Faultless, Graph, Id, Op, Ternary, Unary};
use crate::world::Spec;

/// An instruction before its registers are known. Operands and results are nodes.
struct Draft {
    opcode: Opcode,
    reads: Vec<Id>,
    /// One result, two of [`Opcode::SinCos`], four of random numbers. Nothing, if nobody needs it.
    writes: Vec<Option<Id>>,
    /// A number that is no register: a table, or a block of random numbers; else 0.
    immediate: u16,
}

impl Code {
    pub fn compile(program: &Faultless, spec: &Spec) -> Self {
        let graph = &program.graph;
        let outputs = || program.outputs.iter().copied().chain([program.fault]);
        let live = graph.live(outputs());
        let mut uniform = vec![false; graph.len()];
        for id in &live {
            uniform[id.index()] = is_uniform(graph, *id, |operand| uniform[operand.index()]);
        }
        let drafts = drafts(graph, &live, &uniform, outputs());
        let mut allocator = Allocator::new(graph, spec, &drafts, outputs());
        // Uniform nodes first: their registers are never free again.
        let mut uniforms = Vec::new();
        let mut uniform_registers = Vec::new();
        let mut index = vec![u32::MAX; graph.len()];
        for id in live.iter().filter(|id| uniform[id.index()]) {
            index[id.index()] = uniforms.len() as u32;
            uniforms.push(renumbered(graph.op(*id), |id| Id(index[id.index()])));
            if allocator.last_use[id.index()].is_some() {
                let register = allocator.new_register();
                allocator.register[id.index()] = register;
                allocator.last_use[id.index()] = Some(LastUse::Never);
                uniform_registers.push((register, index[id.index()]));
            }
        }
        allocator.free_unused_inputs();
        let instructions =
            drafts.iter().enumerate().map(|(i, draft)| allocator.instruction(i, draft)).collect();
        Self {
            instructions,
            uniforms,
            uniform_registers,
            tables: graph.tables().to_vec(),
            outputs: program.outputs.iter().map(|id| allocator.register[id.index()]).collect(),
            never: program.outputs.iter().map(|id| graph.is(*id, 0.0)).collect(),
            fault: Some(allocator.register[program.fault.index()]).filter(|_| !graph.is(program.fault, 0.0)),
            registers: allocator.count,
        }
    }
}

/// An operation whose operands have other indices.
fn renumbered(op: Op, name: impl Fn(Id) -> Id) -> Op {
    match op {
        Op::Unary(f, a) => Op::Unary(f, name(a)),
        Op::Lookup(table, a) => Op::Lookup(table, name(a)),
        Op::Binary(f, a, b) => Op::Binary(f, name(a), name(b)),
        Op::Ternary(f, abc) => Op::Ternary(f, abc.map(name)),
        Op::Check(a, b, site) => Op::Check(name(a), name(b), site),
        given => given,
    }
}

/// The instructions in order.
fn drafts(graph: &Graph, live: &[Id], uniform: &[bool], outputs: impl Iterator<Item = Id>) -> Vec<Draft> {
    let mut uses = vec![0u32; graph.len()];
    live.iter().for_each(|id| graph.op(*id).operands(|operand| uses[operand.index()] += 1));
    outputs.for_each(|id| uses[id.index()] += 1);
    let is_varying = |id: &&Id| !uniform[id.index()];
    // A comparison or a bound that only one other operation uses is fused into that operation's instruction.
    let mut is_part = vec![false; graph.len()];
    for id in live.iter().filter(is_varying) {
        if let Some(part) = part(graph, *id).filter(|part| uses[part.index()] == 1 && !uniform[part.index()])
        {
            is_part[part.index()] = true;
        }
    }
    let mut drafts: Vec<Draft> = Vec::new();
    // Sines and cosines by their angle, and random numbers by their block: the instruction that has them.
    let mut angles: Vec<(Id, usize)> = Vec::new();
    let mut blocks: Vec<(u32, usize)> = Vec::new();
    for id in live.iter().filter(is_varying).filter(|id| !is_part[id.index()]) {
        let op = graph.op(*id);
        match op {
            Op::Unary(f @ (Unary::Sin | Unary::Cos), angle) => {
                let place = usize::from(f == Unary::Cos);
                if let Some((_, i)) = angles.iter().find(|(known, _)| *known == angle) {
                    drafts[*i].writes[place] = Some(*id);
                } else {
                    angles.push((angle, drafts.len()));
                    let mut writes = vec![None; 2];
                    writes[place] = Some(*id);
                    drafts.push(Draft { opcode: Opcode::SinCos, reads: vec![angle], writes, immediate: 0 });
                }
            }
            Op::Uniform(i) | Op::Normal(i) => {
                let is_normal = matches!(op, Op::Normal(_));
                let block = if is_normal { normal_block(i) } else { uniform_block(i) };
                let at = blocks.iter().find(|(known, _)| *known == block).map(|(_, at)| *at);
                let at = at.unwrap_or_else(|| {
                    blocks.push((block, drafts.len()));
                    let opcode = if is_normal { Opcode::Normal } else { Opcode::Uniform };
                    let immediate = block as u16;
                    drafts.push(Draft { opcode, reads: Vec::new(), writes: vec![None; 4], immediate });
                    drafts.len() - 1
                });
                drafts[at].writes[usize::from(i % 4)] = Some(*id);
            }
            Op::Constant(_) | Op::Parameter(_) | Op::State(_) | Op::Action(_) => {}
            _ => drafts.push(draft(graph, *id, |part| is_part[part.index()])),
        }
    }
    // One of the two alone is a function of its own.
    for draft in &mut drafts {
        match (draft.opcode, &draft.writes[..]) {
            (Opcode::SinCos, [sin, None]) => (draft.opcode, draft.writes) = (Opcode::Sin, vec![*sin]),
            (Opcode::SinCos, [None, cos]) => (draft.opcode, draft.writes) = (Opcode::Cos, vec![*cos]),
            _ => {}
        }
    }
    drafts
}

/// The operand that could be fused into the instruction of this operation: the comparison of an `if`, or the
/// lower bound below an upper one.
fn part(graph: &Graph, id: Id) -> Option<Id> {
    match graph.op(id) {
        Op::Ternary(Ternary::Select, [condition, ..]) => {
            let is_comparison = matches!(
                graph.op(condition),
                Op::Binary(Binary::Less | Binary::AtMost | Binary::Equal | Binary::NotEqual, ..)
            );
            is_comparison.then_some(condition)
        }
        Op::Binary(Binary::Min, _, inner) => {
            matches!(graph.op(inner), Op::Binary(Binary::Max, ..)).then_some(inner)
        }
        _ => None,
    }
}

/// The instruction of an operation. `is_part` says which operands are fused into it.
fn draft(graph: &Graph, id: Id, is_part: impl Fn(Id) -> bool) -> Draft {
    let (opcode, reads, immediate) = match graph.op(id) {
        Op::Ternary(Ternary::Select, [condition, a, b]) if is_part(condition) => {
            let Op::Binary(f, x, y) = graph.op(condition) else { unreachable!("a comparison") };
            match f {
                Binary::Less => (Opcode::SelectLess, vec![x, y, a, b], 0),
                // `x <= y` is `not (y < x)`.
                Binary::AtMost => (Opcode::SelectLess, vec![y, x, b, a], 0),
                Binary::Equal => (Opcode::SelectEqual, vec![x, y, a, b], 0),
                _ => (Opcode::SelectEqual, vec![x, y, b, a], 0),
            }
        }
        Op::Binary(Binary::Min, high, inner) if is_part(inner) => {
            let Op::Binary(_, low, x) = graph.op(inner) else { unreachable!("a bound") };
            (Opcode::Clamp, vec![low, x, high], 0)
        }
        Op::Unary(f, a) => (unary(f), vec![a], 0),
        Op::Binary(f, a, b) => (binary(f), vec![a, b], 0),
        Op::Ternary(f, abc) => (ternary(f), abc.to_vec(), 0),
        Op::Lookup(table, index) => (Opcode::Lookup, vec![index], table),
        op => unreachable!("{op:?} is no operation of vector code"),
    };
    Draft { opcode, reads, writes: vec![Some(id)], immediate }
}

fn unary(f: Unary) -> Opcode {
    match f {
        Unary::Abs => Opcode::Abs,
        Unary::Floor => Opcode::Floor,
        Unary::Sqrt => Opcode::Sqrt,
        Unary::Exp => Opcode::Exp,
        Unary::Log => Opcode::Log,
        Unary::Sin => Opcode::Sin,
        Unary::Cos => Opcode::Cos,
        Unary::Tanh => Opcode::Tanh,
        Unary::Wrap => Opcode::Wrap,
        Unary::Not => Opcode::Not,
    }
}

fn binary(f: Binary) -> Opcode {
    match f {
        Binary::Add => Opcode::Add,
        Binary::Sub => Opcode::Sub,
        Binary::Mul => Opcode::Mul,
        Binary::Div => Opcode::Div,
        // Truth values are 0 and 1.
        Binary::Min | Binary::And => Opcode::Min,
        Binary::Max | Binary::Or => Opcode::Max,
        Binary::Less => Opcode::Less,
        Binary::AtMost => Opcode::AtMost,
        Binary::Equal => Opcode::Equal,
        Binary::NotEqual => Opcode::NotEqual,
    }
}

fn ternary(f: Ternary) -> Opcode {
    match f {
        Ternary::MulAdd => Opcode::MulAdd,
        Ternary::MulSub => Opcode::MulSub,
        Ternary::NegMulAdd => Opcode::NegMulAdd,
        Ternary::Select => Opcode::Select,
    }
}

/// When a value is read for the last time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum LastUse {
    Instruction(usize),
    /// It is an output.
    Never,
}

struct Allocator {
    /// The register of each node, once it has one.
    register: Vec<u16>,
    /// For each node when it is read for the last time; `None` if it never is.
    last_use: Vec<Option<LastUse>>,
    /// Registers whose value nobody needs any more.
    free: Vec<u16>,
    /// Registers in use so far.
    count: usize,
    /// The nodes of the first registers, which hold the state and the action; `None` if the program reads
    /// none.
    inputs: Vec<Option<Id>>,
    /// Takes results that nobody needs.
    unused: Option<u16>,
}

impl Allocator {
    fn new(graph: &Graph, spec: &Spec, drafts: &[Draft], outputs: impl Iterator<Item = Id>) -> Self {
        let mut last_use = vec![None; graph.len()];
        for (i, draft) in drafts.iter().enumerate() {
            draft.reads.iter().for_each(|id| last_use[id.index()] = Some(LastUse::Instruction(i)));
        }
        outputs.for_each(|id| last_use[id.index()] = Some(LastUse::Never));
        let states = spec.state.len();
        let mut inputs = vec![None; states + spec.actions.count()];
        let mut register = vec![u16::MAX; graph.len()];
        for (i, register) in register.iter_mut().enumerate() {
            let id = Id(i as u32);
            let place = match graph.op(id) {
                Op::State(k) => usize::from(k),
                Op::Action(k) => states + usize::from(k),
                _ => continue,
            };
            inputs[place] = Some(id);
            *register = place as u16;
        }
        Self { register, last_use, free: Vec::new(), count: inputs.len(), inputs, unused: None }
    }

    fn new_register(&mut self) -> u16 {
        self.count += 1;
        // There are at most some thousand nodes.
        (self.count - 1) as u16
    }

    /// Inputs that no instruction reads and no output is.
    fn free_unused_inputs(&mut self) {
        for (register, input) in self.inputs.iter().enumerate() {
            if input.is_none_or(|id| self.last_use[id.index()].is_none()) {
                self.free.push(register as u16);
            }
        }
    }

    fn instruction(&mut self, i: usize, draft: &Draft) -> Instruction {
        let reads: Vec<u16> = draft.reads.iter().map(|id| self.register[id.index()]).collect();
        // An instruction may write to a register that it reads, because it reads a lane before it writes it.
        let mut freed: Vec<Id> = draft
            .reads
            .iter()
            .copied()
            .filter(|id| self.last_use[id.index()] == Some(LastUse::Instruction(i)))
            .collect();
        freed.dedup();
        for id in freed {
            let register = self.register[id.index()];
            if !self.free.contains(&register) {
                self.free.push(register);
            }
        }
        let writes: Vec<u16> = draft.writes.iter().map(|id| self.written(*id)).collect();
        let read = |k: usize| reads.get(k).copied().unwrap_or(0);
        let (out, opcode) = (writes[0], draft.opcode);
        match opcode {
            Opcode::SinCos => Instruction { opcode, out, a: read(0), b: writes[1], c: 0, d: 0 },
            Opcode::Lookup => Instruction { opcode, out, a: read(0), b: draft.immediate, c: 0, d: 0 },
            Opcode::Uniform | Opcode::Normal => {
                Instruction { opcode, out, a: draft.immediate, b: writes[1], c: writes[2], d: writes[3] }
            }
            _ => Instruction { opcode, out, a: read(0), b: read(1), c: read(2), d: read(3) },
        }
    }

    /// The register for a result.
    fn written(&mut self, id: Option<Id>) -> u16 {
        let Some(id) = id.filter(|id| self.last_use[id.index()].is_some()) else {
            let unused = self.unused.unwrap_or_else(|| self.new_register());
            self.unused = Some(unused);
            return unused;
        };
        let register = self.free.pop().unwrap_or_else(|| self.new_register());
        self.register[id.index()] = register;
        register
    }
}
