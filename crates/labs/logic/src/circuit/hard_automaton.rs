//! The cellular automaton with decided gates. Every value is one bit, and a gate is evaluated for as many cells at once as
//! a vector register has bits (bit-slicing).

use learnery_kernels::bit_parallel::{Program, Workspace};

use super::bit_planes::BitPlanes;
use super::compile::{Compiler, block_width};
use super::gate::GateKind;
use super::netlist::Netlist;
use super::trim::Trimmer;

/// Several grids of bits that take steps together.
#[derive(Clone, Debug)]
pub struct HardAutomaton {
    netlist: Netlist,
    planes: BitPlanes,
    compiler: Compiler,
    program: Program,
    workspace: Workspace,
    state: Vec<u32>,
    next: Vec<u32>,
    /// Which cells take part in a step, laid out as the words of a plane.
    active: Vec<u32>,
    /// Only if the gates can be decided again.
    redecide: Option<Redecide>,
}

#[derive(Clone, Debug)]
struct Redecide {
    /// The kinds of the netlist's gates. // [gates]
    kinds: Vec<u8>,
    trimmer: Trimmer,
}

impl HardAutomaton {
    /// `count` grids of zeros. The program computes all gates of the netlist, so it should have been pruned.
    pub fn new(netlist: Netlist, size: [usize; 2], periodic: bool, count: usize) -> Self {
        let planes = BitPlanes::new(size, periodic, count, netlist.channels);
        let (mut compiler, mut program) = (Compiler::default(), Program::default());
        compiler.compile(&netlist, &planes, &mut program);
        Self {
            workspace: program.workspace(block_width(&program, planes.words())),
            state: vec![0; planes.len()],
            next: vec![0; planes.len()],
            active: vec![0; planes.words()],
            redecide: None,
            compiler,
            program,
            planes,
            netlist,
        }
    }

    /// The same, with gates that [`Self::redecide`] may change. Such a circuit is trimmed, not pruned.
    pub fn redecidable(netlist: Netlist, size: [usize; 2], periodic: bool, count: usize) -> Self {
        let mut automaton = Self::new(netlist, size, periodic, count);
        let netlist = &automaton.netlist;
        automaton.redecide =
            Some(Redecide { kinds: vec![0; netlist.gates.len()], trimmer: Trimmer::new(netlist) });
        automaton
    }

    /// Changes the kinds of the gates and compiles the circuit again, without allocating. `decide` writes the numbers of the
    /// new kinds. // [gates of the netlist]
    ///
    /// # Panics
    /// If it was not made by [`Self::redecidable`].
    pub fn redecide(&mut self, decide: impl FnOnce(&mut [u8])) {
        let Self { netlist, redecide, compiler, planes, program, workspace, .. } = self;
        let Redecide { kinds, trimmer } = redecide.as_mut().expect("the automaton is redecidable");
        decide(kinds);
        let gates = netlist.gates.iter_mut().zip(&*kinds);
        gates.for_each(|(gate, kind)| gate.kind = GateKind::from_number(*kind));
        compiler.compile(trimmer.trim(netlist), planes, program);
        workspace.fit(program);
    }

    /// Sets a channel of all cells. // values [cells of all grids]
    pub fn set_channel(&mut self, channel: usize, values: impl IntoIterator<Item = bool>) {
        let first = self.planes.first_word(channel);
        for (cell, value) in values.into_iter().take(self.planes.cells()).enumerate() {
            let (word, bit) = self.planes.place(cell);
            let word = &mut self.state[first + word];
            *word = *word & !(1 << bit) | u32::from(value) << bit;
        }
        self.planes.refresh_borders(&mut self.state[self.planes.plane(channel)]);
    }

    /// A channel of all cells. // [cells of all grids]
    pub fn channel(&self, channel: usize) -> impl Iterator<Item = bool> + '_ {
        (0..self.planes.cells()).map(move |cell| self.value(channel, cell))
    }

    /// A channel of one cell. Cells are numbered through all grids.
    pub fn value(&self, channel: usize, cell: usize) -> bool {
        let (word, bit) = self.planes.place(cell);
        self.state[self.planes.first_word(channel) + word] >> bit & 1 == 1
    }

    /// One step of all cells, or only of the `active` ones. // active [cells of all grids]
    pub fn step(&mut self, active: Option<&[bool]>) {
        self.program.run(&mut self.workspace, self.planes.words(), &self.state, &mut self.next);
        if let Some(active) = active {
            self.keep_inactive(active);
        }
        self.planes.refresh_borders(&mut self.next);
        std::mem::swap(&mut self.state, &mut self.next);
    }

    fn keep_inactive(&mut self, active: &[bool]) {
        self.active.fill(0);
        for (cell, active) in active.iter().enumerate() {
            let (word, bit) = self.planes.place(cell);
            self.active[word] |= u32::from(*active) << bit;
        }
        for channel in 0..self.planes.channels() {
            let first = self.planes.first_word(channel);
            let (state, next) = (&self.state[first..], &mut self.next[first..]);
            for ((next, state), active) in next.iter_mut().zip(state).zip(&self.active) {
                *next = *next & active | state & !active;
            }
        }
    }
}
