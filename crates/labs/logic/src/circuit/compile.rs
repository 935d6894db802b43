//! Compiles a netlist into a straight-line program over bit planes (see [`BitPlanes`]).
//!
//! A program works on a block of words at a time. While it does, it keeps the value of each wire in a row,
//! which is as long as a block and plays the part of a register. Rows are reused once their wire is dead
//! (register allocation by liveness), which keeps them in the cache.
//!
//! The interpreter decodes an operation once for consecutive gates of the same kind. So gates of one kind are
//! grouped as far as their inputs allow.

use learnery_kernels::bit_parallel::{Instruction, Program};
use learnery_kernels::gates::KINDS;
use learnery_kernels::simd::MAX_LANES;

use super::bit_planes::{BitPlanes, MAX_BLOCK};
use super::netlist::Netlist;

/// The target for the words of all rows together, 96 KiB: blocks are as wide as it allows, but at least
/// [`MAX_LANES`] words wide, so a program with many rows takes more. It is more than a first-level cache.
/// Wider blocks mean that each instruction is decoded less often for the same data, which was measured to be
/// worth more than rows in that cache.
const WORKSPACE_WORDS: usize = 24 * 1024;

/// Number of consecutive gates that are sorted by kind together. Larger windows keep more wires alive at once
/// and so need more rows; smaller ones make shorter runs of one kind.
const WINDOW: usize = 256;

/// In `last_read`: nothing reads the wire.
const NEVER: u32 = 0;
/// In `last_read`: an output reads the wire at the end of the program.
const AT_THE_END: u32 = u32::MAX;

/// A reusable compiler. Its buffers grow to the largest netlist; after that it does not allocate.
#[derive(Clone, Debug, Default)]
pub struct Compiler {
    /// The gates in the order of execution.
    order: Vec<u32>,
    /// The depth of each gate of the current window: the longest chain of gates of the window that it reads
    /// through.
    /// Shape: `[WINDOW]`.
    depths: Vec<u32>,
    /// For each wire, one more than the position in `order` of the last gate that reads it, or [`NEVER`] or
    /// [`AT_THE_END`].
    /// Shape: `[wires]`.
    last_read: Vec<u32>,
    /// The row that holds each wire's value while the wire is alive.
    /// Shape: `[wires]`.
    row_of: Vec<u16>,
    /// A stack of free rows. The row freed last is on top, because it is still in the cache.
    free: Vec<u16>,
    /// Number of rows, free ones included.
    rows: u16,
}

impl Compiler {
    /// Replaces `program` by a program that runs a netlist in every cell of grids with the layout `planes`.
    pub fn compile(&mut self, netlist: &Netlist, planes: &BitPlanes, program: &mut Program) {
        self.sort(netlist);
        self.find_last_reads(netlist);
        program.clear();
        let inputs = netlist.inputs();
        self.row_of.resize(netlist.wires(), 0);
        self.free.clear();
        self.rows = 0;
        // `program` puts its first read into row 0, the second into row 1, and so on. So does
        // `allocate_row`, because no row has been freed yet.
        for wire in 0..inputs {
            if self.last_read[wire] != NEVER {
                self.row_of[wire] = self.allocate_row();
                program.read(planes.read(wire));
            }
        }
        for position in 0..self.order.len() {
            let gate = self.order[position] as usize;
            let [first, second] = netlist.gates[gate].inputs.map(|wire| wire as usize);
            let (a, b) = (self.row_of[first], self.row_of[second]);
            // An input that is read here for the last time frees its row, which the gate's value may
            // overwrite.
            let now = position as u32 + 1;
            if self.last_read[first] == now {
                self.free.push(a);
            }
            if second != first && self.last_read[second] == now {
                self.free.push(b);
            }
            let out = self.allocate_row();
            self.row_of[inputs + gate] = out;
            if self.last_read[inputs + gate] == NEVER {
                self.free.push(out);
            }
            program.push(netlist.gates[gate].kind.number(), Instruction { a, b, out });
        }
        for (channel, wire) in netlist.outputs.iter().enumerate() {
            program.write(planes.write(channel, self.row_of[*wire as usize]));
        }
    }

    /// Orders the gates window by window: by depth within the window, then by kind.
    fn sort(&mut self, netlist: &Netlist) {
        let Self { order, depths, .. } = self;
        let inputs = netlist.inputs();
        order.resize(netlist.gates.len(), 0);
        depths.resize(WINDOW, 0);
        for (window, order) in order.chunks_mut(WINDOW).enumerate() {
            let first = window * WINDOW;
            let gates = &netlist.gates[first..first + order.len()];
            for (i, (gate, key)) in gates.iter().zip(order.iter_mut()).enumerate() {
                // A gate reads only gates before it, so these depths are known.
                let depth = |wire: u32| match (wire as usize).checked_sub(inputs + first) {
                    Some(inside) => depths[inside] + 1,
                    None => 0,
                };
                depths[i] = depth(gate.inputs[0]).max(depth(gate.inputs[1]));
                // Until the window is sorted, `order` holds sort keys: depth, kind and number in the window,
                // packed into one number, which sorts faster than a tuple.
                let kind = u32::from(gate.kind.number());
                *key = ((depths[i] * KINDS as u32 + kind) * WINDOW as u32) + i as u32;
            }
            order.sort_unstable();
            // From keys back to the numbers of gates.
            order.iter_mut().for_each(|key| *key = first as u32 + *key % WINDOW as u32);
        }
    }

    /// Fills `last_read`.
    fn find_last_reads(&mut self, netlist: &Netlist) {
        self.last_read.clear();
        self.last_read.resize(netlist.wires(), NEVER);
        for (position, gate) in self.order.iter().enumerate() {
            let read = netlist.gates[*gate as usize].inputs;
            read.iter().for_each(|wire| self.last_read[*wire as usize] = position as u32 + 1);
        }
        netlist.outputs.iter().for_each(|wire| self.last_read[*wire as usize] = AT_THE_END);
    }

    /// Takes a free row, or adds one.
    fn allocate_row(&mut self) -> u16 {
        self.free.pop().unwrap_or_else(|| {
            self.rows =
                self.rows.checked_add(1).expect("a circuit keeps fewer than 65,536 wires alive at once");
            self.rows - 1
        })
    }
}

/// Returns the number of words that the program should process at a time (a block), a power of two. `words`
/// is the number of words in all rows of a plane ([`BitPlanes::words`]).
pub fn block_width(program: &Program, words: usize) -> usize {
    let fits_workspace = WORKSPACE_WORDS / program.rows().max(1);
    let whole_plane = words.next_power_of_two();
    // `fits_workspace` rounded down to a power of two.
    let fits_workspace =
        fits_workspace.next_power_of_two() / if fits_workspace.is_power_of_two() { 1 } else { 2 };
    fits_workspace.min(whole_plane).clamp(MAX_LANES, MAX_BLOCK)
}
