//! A netlist as a straight-line program over planes of bits: gates of a kind follow each other where their inputs allow
//! it, and every wire gets a row to stand in for as long as anybody still reads it, so that there are few.

use learnery_kernels::bit_parallel::{Instruction, Program};
use learnery_kernels::gates::KINDS;
use learnery_kernels::simd::MAX_LANES;

use super::netlist::Netlist;
use super::planes::{Planes, WIDEST};

/// Words that all rows of a program may take together, 96 kB. A program of few rows stays in the first cache with the
/// widest of them; for one of many rows, to decode a gate less often was worth more than to find its rows there.
const NEAR: usize = 24 * 1024;

/// How many gates are sorted by their kinds at a time. More would need more rows.
const WINDOW: usize = 256;

/// Nobody reads the wire.
const NEVER: u32 = 0;

/// What is needed to compile netlists again and again without asking for memory, if none has more wires than those before.
#[derive(Clone, Debug, Default)]
pub struct Compiler {
    /// The gates in the order in which they are worked out.
    order: Vec<u32>,
    /// How many gates of the window must come before each, one after the other. // [WINDOW]
    levels: Vec<u32>,
    /// One more than the place in that order where each wire is read last.
    last: Vec<u32>,
    row_of: Vec<u16>,
    /// Rows that are free, the one that was used last on top: it is still near.
    free: Vec<u16>,
    used: u16,
}

impl Compiler {
    /// Writes the program of a netlist, for grids that lie in `planes`.
    pub fn compile(&mut self, netlist: &Netlist, planes: &Planes, program: &mut Program) {
        self.sort(netlist);
        self.find_last(netlist);
        program.clear();
        let inputs = netlist.inputs();
        self.row_of.resize(netlist.wires(), 0);
        self.free.clear();
        self.used = 0;
        for wire in 0..inputs {
            if self.last[wire] != NEVER {
                self.row_of[wire] = self.take();
                program.read(planes.read(wire));
            }
        }
        for place in 0..self.order.len() {
            let gate = self.order[place] as usize;
            let [first, second] = netlist.gates[gate].inputs.map(|wire| wire as usize);
            let (a, b) = (self.row_of[first], self.row_of[second]);
            // Its value may take the place of what is read for the last time.
            let now = place as u32 + 1;
            if self.last[first] == now {
                self.free.push(a);
            }
            if second != first && self.last[second] == now {
                self.free.push(b);
            }
            let out = self.take();
            self.row_of[inputs + gate] = out;
            if self.last[inputs + gate] == NEVER {
                self.free.push(out);
            }
            program.push(netlist.gates[gate].kind, Instruction { a, b, out });
        }
        for (channel, wire) in netlist.outputs.iter().enumerate() {
            program.write(planes.write(channel, self.row_of[*wire as usize]));
        }
    }

    /// Gates of a window that wait for the same number of others, kind by kind.
    fn sort(&mut self, netlist: &Netlist) {
        let Self { order, levels, .. } = self;
        let inputs = netlist.inputs();
        order.resize(netlist.gates.len(), 0);
        levels.resize(WINDOW, 0);
        for (window, order) in order.chunks_mut(WINDOW).enumerate() {
            let first = window * WINDOW;
            let gates = &netlist.gates[first..first + order.len()];
            for (i, (gate, key)) in gates.iter().zip(order.iter_mut()).enumerate() {
                let level = |wire: u32| match (wire as usize).checked_sub(inputs + first) {
                    Some(inside) => levels[inside] + 1,
                    None => 0,
                };
                levels[i] = level(gate.inputs[0]).max(level(gate.inputs[1]));
                // Its place comes last, so that each is sorted as one number.
                *key = ((levels[i] * KINDS as u32 + u32::from(gate.kind)) * WINDOW as u32) + i as u32;
            }
            order.sort_unstable();
            order.iter_mut().for_each(|key| *key = first as u32 + *key % WINDOW as u32);
        }
    }

    fn find_last(&mut self, netlist: &Netlist) {
        self.last.clear();
        self.last.resize(netlist.wires(), NEVER);
        for (place, gate) in self.order.iter().enumerate() {
            let read = netlist.gates[*gate as usize].inputs;
            read.iter().for_each(|wire| self.last[*wire as usize] = place as u32 + 1);
        }
        netlist.outputs.iter().for_each(|wire| self.last[*wire as usize] = u32::MAX);
    }

    fn take(&mut self) -> u16 {
        self.free.pop().unwrap_or_else(|| {
            self.used = self.used.checked_add(1).expect("a circuit of fewer wires than rows have numbers");
            self.used - 1
        })
    }
}

/// How many words of each row to work on at a time, where there are so many words in all.
pub fn width(program: &Program, words: usize) -> usize {
    let near = NEAR / program.rows().max(1);
    let all = words.next_power_of_two();
    // The power of two below.
    let near = near.next_power_of_two() / if near.is_power_of_two() { 1 } else { 2 };
    near.min(all).clamp(MAX_LANES, WIDEST)
}
