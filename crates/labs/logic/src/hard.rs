//! The automaton decided: every gate is the likeliest of its kinds, every value a bit, and a gate is worked out for as many
//! cells at once as a vector has bits.

use learnery_kernels::bit_parallel::{Program, Workspace};

use super::automaton::Brain;
use super::netlist::{Netlist, repeated};
use super::planes::Planes;
use super::program::{Compiler, width};
use super::trim::Trimmer;

/// A gate that is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Gate {
    /// Its truth table, as in [`learnery_kernels::gates::COEFFICIENTS`].
    pub kind: u8,
    /// The wires that it reads.
    pub inputs: [u32; 2],
}

/// The value of a gate of a kind, for 64 cells at once.
pub fn apply(kind: u8, a: u64, b: u64) -> u64 {
    let chosen = |bit: u8, cells: u64| if kind >> bit & 1 == 1 { cells } else { 0 };
    chosen(3, !a & !b) | chosen(2, !a & b) | chosen(1, a & !b) | chosen(0, a & b)
}

/// Grids of bits that take steps.
#[derive(Clone, Debug)]
pub struct HardAutomaton {
    netlist: Netlist,
    planes: Planes,
    compiler: Compiler,
    program: Program,
    desk: Workspace,
    state: Vec<u32>,
    next: Vec<u32>,
    /// Which cells take part in a step, laid out as the words of a plane.
    awake: Vec<u32>,
    /// What is needed to be decided anew, where it can be.
    anew: Option<Anew>,
}

/// Room for deciding a brain anew.
#[derive(Clone, Debug)]
struct Anew {
    /// What its gates are. // [gates of the brain]
    kinds: Vec<u8>,
    trimmer: Trimmer,
}

impl HardAutomaton {
    /// `count` grids of a decided brain, all zero; it can be decided anew, so it is no more than trimmed.
    pub fn new(brain: &Brain, logits: &[f32], size: [usize; 2], periodic: bool, count: usize) -> Self {
        let mut automaton = Self::of(Netlist::of(brain, logits), size, periodic, count);
        automaton.anew =
            Some(Anew { kinds: vec![0; brain.gates()], trimmer: Trimmer::new(&automaton.netlist) });
        automaton.decide(brain, logits);
        automaton
    }

    /// `count` grids of a netlist with all its gates, all zero.
    pub fn of(netlist: Netlist, size: [usize; 2], periodic: bool, count: usize) -> Self {
        let planes = Planes::new(size, periodic, count, netlist.channels);
        let (mut compiler, mut program) = (Compiler::default(), Program::default());
        compiler.compile(&netlist, &planes, &mut program);
        Self {
            desk: program.workspace(width(&program, planes.words())),
            state: vec![0; planes.len()],
            next: vec![0; planes.len()],
            awake: vec![0; planes.words()],
            anew: None,
            compiler,
            program,
            planes,
            netlist,
        }
    }

    /// Decides anew which gates of the brain they are that this was made of.
    ///
    /// # Panics
    /// Where it was made of a netlist.
    pub fn decide(&mut self, brain: &Brain, logits: &[f32]) {
        let Self { netlist, anew, compiler, planes, program, desk, .. } = self;
        let Anew { kinds, trimmer } = anew.as_mut().expect("it was made of a brain");
        brain.decide(logits, kinds, None);
        let gates = netlist.gates.iter_mut();
        gates.zip(repeated(brain, kinds)).for_each(|(gate, kind)| gate.kind = kind);
        compiler.compile(trimmer.trim(netlist), planes, program);
        desk.fit(program);
    }

    /// What it computes.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Puts a channel of all cells. // values [cells of all grids]
    pub fn put(&mut self, channel: usize, values: impl IntoIterator<Item = bool>) {
        let first = self.planes.first(channel);
        for (cell, value) in values.into_iter().take(self.planes.count()).enumerate() {
            let (word, bit) = self.planes.place(cell);
            let word = &mut self.state[first + word];
            *word = *word & !(1 << bit) | u32::from(value) << bit;
        }
        self.planes.settle(&mut self.state[self.planes.own(channel)]);
    }

    /// A channel of all cells. // [cells of all grids]
    pub fn get(&self, channel: usize) -> impl Iterator<Item = bool> + '_ {
        let first = self.planes.first(channel);
        (0..self.planes.count()).map(move |cell| {
            let (word, bit) = self.planes.place(cell);
            self.state[first + word] >> bit & 1 == 1
        })
    }

    /// A channel of one cell; the cells of all grids are counted through.
    pub fn at(&self, channel: usize, cell: usize) -> bool {
        let (word, bit) = self.planes.place(cell);
        self.state[self.planes.first(channel) + word] >> bit & 1 == 1
    }

    /// One step of all cells; of those alone that are `awake`, where that is said. // awake [cells of all grids]
    pub fn step(&mut self, awake: Option<&[bool]>) {
        self.program.run(&mut self.desk, self.planes.words(), &self.state, &mut self.next);
        if let Some(awake) = awake {
            self.keep_sleepers(awake);
        }
        self.planes.settle(&mut self.next);
        std::mem::swap(&mut self.state, &mut self.next);
    }

    fn keep_sleepers(&mut self, awake: &[bool]) {
        self.awake.fill(0);
        for (cell, awake) in awake.iter().enumerate() {
            let (word, bit) = self.planes.place(cell);
            self.awake[word] |= u32::from(*awake) << bit;
        }
        for channel in 0..self.planes.channels() {
            let first = self.planes.first(channel);
            let (state, next) = (&self.state[first..], &mut self.next[first..]);
            for ((next, state), awake) in next.iter_mut().zip(state).zip(&self.awake) {
                *next = *next & awake | state & !awake;
            }
        }
    }
}
