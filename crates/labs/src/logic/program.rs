//! A netlist as a straight-line program over planes of bits: every wire gets a row to stand in for as long as anybody
//! still reads it, so that few rows are needed and the first cache holds them.

use learnery_kernels::bits::{Program, Step};
use learnery_kernels::simd::MAX_LANES;

use super::netlist::Netlist;
use super::planes::{Planes, WIDEST};

/// Words that all rows of a program may take together: three quarters of a first cache of 32 kB.
const NEAR: usize = 24 * 1024 / 4;

/// The program of all gates in their order, for grids that lie in `planes`.
pub fn compile(netlist: &Netlist, planes: &Planes) -> Program {
    let inputs = netlist.inputs();
    // When each wire is read last: by a gate, or at the end.
    let mut last: Vec<Option<usize>> = vec![None; netlist.wires()];
    for (i, gate) in netlist.gates.iter().enumerate() {
        gate.inputs.iter().for_each(|wire| last[*wire as usize] = Some(i));
    }
    netlist.outputs.iter().for_each(|wire| last[*wire as usize] = Some(usize::MAX));

    let mut rows = Rows::default();
    let mut row_of = vec![0; netlist.wires()];
    let mut reads = Vec::new();
    for wire in (0..inputs).filter(|wire| last[*wire].is_some()) {
        row_of[wire] = rows.take();
        reads.push(planes.read(wire));
    }
    let step = |(i, gate): (usize, &super::hard::Gate)| {
        let [first, second] = gate.inputs.map(|wire| wire as usize);
        let (a, b) = (row_of[first], row_of[second]);
        // Its value may take the place of what is read for the last time.
        if last[first] == Some(i) {
            rows.give_back(a);
        }
        if second != first && last[second] == Some(i) {
            rows.give_back(b);
        }
        let out = rows.take();
        row_of[inputs + i] = out;
        if last[inputs + i].is_none() {
            rows.give_back(out);
        }
        Step { kind: gate.kind, a, b, out }
    };
    let steps = netlist.gates.iter().enumerate().map(step).collect();
    let write = |(channel, wire): (usize, &u32)| planes.write(channel, row_of[*wire as usize]);
    let writes = netlist.outputs.iter().enumerate().map(write).collect();
    Program::new(usize::from(rows.used), reads, steps, writes)
}

/// How many words of each row to work on at a time, where there are so many words in all.
pub fn width(program: &Program, words: usize) -> usize {
    let near = NEAR / program.rows().max(1) / MAX_LANES * MAX_LANES;
    near.min(words.next_multiple_of(MAX_LANES)).clamp(MAX_LANES, WIDEST)
}

/// Rows that are free, the one that was used last on top: it is still near.
#[derive(Default)]
struct Rows {
    free: Vec<u16>,
    used: u16,
}

impl Rows {
    fn take(&mut self) -> u16 {
        self.free.pop().unwrap_or_else(|| {
            self.used = self.used.checked_add(1).expect("a circuit of fewer wires than rows have numbers");
            self.used - 1
        })
    }

    fn give_back(&mut self, row: u16) {
        self.free.push(row);
    }
}
