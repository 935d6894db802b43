//! The cellular automaton with hard gates: each gate is one of the sixteen two-input gates, not a mixture of
//! them as in training. Every value is one bit, and a gate is evaluated for as many cells at once as a vector
//! register has bits (bit-slicing).

use learnery_kernels::bit_parallel::{Program, Workspace};

use super::bit_planes::BitPlanes;
use super::compile::{Compiler, block_width};
use super::gate::GateKind;
use super::netlist::Netlist;
use super::trim::Trimmer;

/// Several grids of bits that run in parallel.
#[derive(Clone, Debug)]
pub struct HardAutomaton {
    netlist: Netlist,
    planes: BitPlanes,
    compiler: Compiler,
    program: Program,
    workspace: Workspace,
    /// The current state of all cells, laid out as [`BitPlanes`] describes.
    state: Vec<u32>,
    /// The state that the current step computes, in the same layout.
    next: Vec<u32>,
    /// One bit per cell, set if the cell is active in the current step. Laid out as the words of a plane from
    /// its first row to its last.
    active: Vec<u32>,
    /// Buffers for [`Self::replace_kinds`]; `None` if the kinds are fixed.
    replacement: Option<KindReplacement>,
}

#[derive(Clone, Debug)]
struct KindReplacement {
    /// The new kinds, as numbers.
    /// Shape: `[gates of the netlist]`.
    kinds: Vec<u8>,
    trimmer: Trimmer,
}

impl HardAutomaton {
    /// `count` grids of `[width, height]` whose cells are all zero; edges wrap around if they are `periodic`.
    /// A step computes every gate of the netlist, so callers should pass a pruned one.
    pub fn new(netlist: Netlist, size: [usize; 2], periodic: bool, count: usize) -> Self {
        let planes = BitPlanes::new(size, periodic, count, netlist.channels);
        let (mut compiler, mut program) = (Compiler::default(), Program::default());
        compiler.compile(&netlist, &planes, &mut program);
        Self {
            workspace: program.workspace(block_width(&program, planes.words())),
            state: vec![0; planes.len()],
            next: vec![0; planes.len()],
            active: vec![0; planes.words()],
            replacement: None,
            compiler,
            program,
            planes,
            netlist,
        }
    }

    /// Like [`Self::new`], but [`Self::replace_kinds`] may change the kinds of the gates. The circuit is then
    /// trimmed (copy propagation and dead-gate removal) instead of pruned.
    pub fn with_replaceable_kinds(netlist: Netlist, size: [usize; 2], periodic: bool, count: usize) -> Self {
        let mut automaton = Self::new(netlist, size, periodic, count);
        let netlist = &automaton.netlist;
        automaton.replacement =
            Some(KindReplacement { kinds: vec![0; netlist.gates.len()], trimmer: Trimmer::new(netlist) });
        automaton
    }

    /// Replaces the kinds of all gates and compiles the circuit again, without allocating. `write_kinds`
    /// writes the number of each gate's new kind into the slice that it receives, which has one entry for
    /// each gate of the netlist.
    ///
    /// # Panics
    /// If the automaton was not made by [`Self::with_replaceable_kinds`].
    pub fn replace_kinds(&mut self, write_kinds: impl FnOnce(&mut [u8])) {
        let Self { netlist, replacement, compiler, planes, program, workspace, .. } = self;
        let KindReplacement { kinds, trimmer } = replacement.as_mut().expect("the kinds are replaceable");
        write_kinds(kinds);
        let gates = netlist.gates.iter_mut().zip(&*kinds);
        gates.for_each(|(gate, kind)| gate.kind = GateKind::from_number(*kind));
        compiler.compile(trimmer.trim(netlist), planes, program);
        workspace.fit(program);
    }

    /// Sets a channel (one of the bits that every cell has) of all cells of all grids, numbered grid by grid.
    pub fn set_channel(&mut self, channel: usize, values: impl IntoIterator<Item = bool>) {
        let first = self.planes.first_word(channel);
        for (cell, value) in values.into_iter().take(self.planes.cells()).enumerate() {
            let (word, bit) = self.planes.position(cell);
            let word = &mut self.state[first + word];
            *word = *word & !(1 << bit) | u32::from(value) << bit;
        }
        self.planes.refresh_borders(&mut self.state[self.planes.plane(channel)]);
    }

    /// Returns a channel of all cells of all grids.
    pub fn channel(&self, channel: usize) -> impl Iterator<Item = bool> + '_ {
        (0..self.planes.cells()).map(move |cell| self.value(channel, cell))
    }

    /// Returns a channel of one cell. Cells are numbered through all grids.
    pub fn value(&self, channel: usize, cell: usize) -> bool {
        let (word, bit) = self.planes.position(cell);
        self.state[self.planes.first_word(channel) + word] >> bit & 1 == 1
    }

    /// Runs one step. With `active`, which has an entry for each cell of all grids, only the cells whose
    /// entry is true change.
    pub fn step(&mut self, active: Option<&[bool]>) {
        self.program.run(&mut self.workspace, self.planes.words(), &self.state, &mut self.next);
        if let Some(active) = active {
            self.keep_inactive(active);
        }
        self.planes.refresh_borders(&mut self.next);
        std::mem::swap(&mut self.state, &mut self.next);
    }

    /// Copies the state of inactive cells to `next`.
    fn keep_inactive(&mut self, active: &[bool]) {
        self.active.fill(0);
        for (cell, active) in active.iter().enumerate() {
            let (word, bit) = self.planes.position(cell);
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
