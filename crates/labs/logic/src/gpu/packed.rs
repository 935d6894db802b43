//! Cellular automata of hard gates on the device, 32 cells in a word. The circuit of a cell becomes
//! straight-line code of operations on words, so a step computes 32 cells at once in every invocation.
//!
//! Straight-line code costs one instruction a gate, and needs no memory for wires. A table of gates that a
//! kernel interprets would load two wires and store one for each gate; it would only save compiling, which
//! takes seconds for thousands of gates on the slowest adapter (`docs/gpu.md`), and pruned circuits rarely
//! have a hundred.

use std::fmt::Write;
use std::sync::Arc;

use learnery_kernels::product;

use crate::gpu::SOURCES;
use learnery_gpu::shader::Shader;
use learnery_gpu::{Buffer, Gpu, GpuError, Kernel, Plan, PlanBuilder, ReadBack};

/// Cells in a word.
const CELLS_PER_WORD: usize = 32;
/// Neighbours of a cell, itself included, in reading order.
const NEIGHBOURHOOD: u32 = 9;
/// Words and rows of a workgroup.
const WORKGROUP_SIZE: [usize; 2] = [32, 8];

/// The circuit of one cell. All cells change in every step (a fire rate of 1). Wires are numbered: first the
/// nine cells of the neighbourhood channel by channel, then one wire per gate. A gate reads only wires before
/// its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circuit {
    pub channels: usize,
    /// The kind of each gate, 0 to 15, and the wires of both inputs. The kind is the truth table: its four
    /// bits, from the highest on, are the outputs for the inputs (0, 0), (0, 1), (1, 0) and (1, 1).
    pub gates: Vec<(u8, [u32; 2])>,
    /// The wire of each channel's next value.
    pub outputs: Vec<u32>,
    /// Whether the edges of grids wrap around. Otherwise cells beyond them are zero.
    pub periodic: bool,
}

impl Circuit {
    fn inputs(&self) -> u32 {
        self.channels as u32 * NEIGHBOURHOOD
    }

    fn wire(&self, wire: u32) -> String {
        match wire.checked_sub(self.inputs()) {
            None => format!("i{wire}"),
            Some(gate) => format!("g{gate}"),
        }
    }

    /// A gate as an expression.
    fn expression(&self, (kind, [a, b]): (u8, [u32; 2])) -> String {
        let (a, b) = (self.wire(a), self.wire(b));
        match kind {
            0 => "0u".into(),
            1 => format!("{a} & {b}"),
            2 => format!("{a} & ~{b}"),
            3 => a,
            4 => format!("~{a} & {b}"),
            5 => b,
            6 => format!("{a} ^ {b}"),
            7 => format!("{a} | {b}"),
            8 => format!("~({a} | {b})"),
            9 => format!("~({a} ^ {b})"),
            10 => format!("~{b}"),
            11 => format!("{a} | ~{b}"),
            12 => format!("~{a}"),
            13 => format!("~{a} | {b}"),
            14 => format!("~({a} & {b})"),
            _ => "0xffffffffu".into(), // kind 15; there are no others
        }
    }

    /// Whether a gate or an output reads each input wire. Gates that nothing reads are left to the compiler.
    fn used_inputs(&self) -> Vec<bool> {
        let mut used = vec![false; self.inputs() as usize];
        let wires = self.gates.iter().flat_map(|(_, inputs)| inputs).chain(&self.outputs);
        for wire in wires.filter(|wire| **wire < self.inputs()) {
            used[*wire as usize] = true;
        }
        used
    }

    /// The kernel of one step. Cells lie as `[channels, height, words]`, row-major; bit i of a word is its
    /// i-th cell. Bits beyond the width stay zero.
    pub fn shader(&self) -> Shader {
        // Writing to a string cannot fail, so the results of `writeln!` are ignored.
        let mut text = String::from(HEADER);
        let _ = writeln!(text, "const PERIODIC = {};", self.periodic);
        let [x, y] = WORKGROUP_SIZE;
        let _ = writeln!(text, "@compute @workgroup_size({x}, {y})");
        text.push_str(MAIN);
        let used = self.used_inputs();
        for channel in 0..self.channels {
            for row in 0..3 {
                // The input wires of a channel are its nine cells in reading order; in a row these are the
                // cell to the west, that of the own column, and the one to the east.
                let first = NEIGHBOURHOOD as usize * channel + 3 * row;
                let [uses_west, uses_own, uses_east] = [used[first], used[first + 1], used[first + 2]];
                if !(uses_west || uses_own || uses_east) {
                    continue;
                }
                // Variable iN is input wire N.
                let _ = writeln!(text, "let i{} = word({channel}u, at, y{row}, in{row});", first + 1);
                if uses_west {
                    let _ = writeln!(
                        text,
                        "let i{first} = west({channel}u, at, y{row}, in{row}, i{});",
                        first + 1
                    );
                }
                if uses_east {
                    let [east, own] = [first + 2, first + 1];
                    let _ = writeln!(text, "let i{east} = east({channel}u, at, y{row}, in{row}, i{own});");
                }
            }
        }
        for (i, gate) in self.gates.iter().enumerate() {
            let _ = writeln!(text, "let g{i} = {};", self.expression(*gate));
        }
        for (channel, wire) in self.outputs.iter().enumerate() {
            let wire = self.wire(*wire);
            let _ = writeln!(text, "after[place({channel}u, at, id.y)] = {wire} & valid;");
        }
        text.push_str("}\n");
        Shader::of_text(text)
    }
}

/// Bindings, and how neighbours to the left and to the right are read.
const HEADER: &str = "\
struct Params { width: u32, height: u32, words: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> before: array<u32>;
@group(0) @binding(2) var<storage, read_write> after: array<u32>;
fn place(channel: u32, at: u32, y: u32) -> u32 {
  return (channel * params.height + y) * params.words + at;
}
fn word(channel: u32, at: u32, y: u32, inside: bool) -> u32 {
  return select(0u, before[place(channel, at, y)], inside);
}
fn west(channel: u32, at: u32, y: u32, inside: bool, own: u32) -> u32 {
  if (at > 0u) {
    return (own << 1u) | (word(channel, at - 1u, y, inside) >> 31u);
  }
  let last = (word(channel, params.words - 1u, y, inside) >> ((params.width - 1u) % 32u)) & 1u;
  return (own << 1u) | select(0u, last, PERIODIC);
}
fn east(channel: u32, at: u32, y: u32, inside: bool, own: u32) -> u32 {
  if (at + 1u < params.words) {
    return (own >> 1u) | (word(channel, at + 1u, y, inside) << 31u);
  }
  let first = (word(channel, 0u, y, inside) & 1u) << ((params.width - 1u) % 32u);
  return (own >> 1u) | select(0u, first, PERIODIC);
}
";

/// The beginning of the entry point: the rows of the neighbourhood, and the mask without padding bits.
const MAIN: &str = "\
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.words || id.y >= params.height) {
    return;
  }
  let at = id.x;
  let y1 = id.y;
  let y0 = select(id.y - 1u, params.height - 1u, id.y == 0u);
  let y2 = select(id.y + 1u, 0u, id.y + 1u == params.height);
  let in0 = PERIODIC || id.y > 0u;
  let in1 = true;
  let in2 = PERIODIC || id.y + 1u < params.height;
  let valid = 0xffffffffu >> select(0u, 32u * params.words - params.width, at + 1u == params.words);
";

/// A grid on the device.
#[derive(Debug)]
pub struct PackedAutomaton {
    gpu: Gpu,
    channels: usize,
    size: [usize; 2],
    /// A double buffer: the current state, and the one that the next step writes.
    planes: [Buffer; 2],
    /// A step from each of the planes to the other, and two steps from the first plane back to it.
    single: [Plan; 2],
    double: Plan,
    /// The plane of the current state.
    current: usize,
}

impl PackedAutomaton {
    /// A grid of `[width, height]` cells that are all zero.
    pub fn new(gpu: &Gpu, circuit: &Circuit, size: [usize; 2]) -> Result<Self, GpuError> {
        let [width, height] = size;
        let words = width.div_ceil(CELLS_PER_WORD);
        let plane = || gpu.buffer(circuit.channels * height * words);
        let planes = [plane()?, plane()?];
        let kernel = Arc::new(Kernel::of_shader("packed", circuit.shader()));
        let parameters = [width.into(), height.into(), words.into()];
        let workgroups = [words.div_ceil(WORKGROUP_SIZE[0]), height.div_ceil(WORKGROUP_SIZE[1]), 1];
        // A plan of one step from each of these planes to the other.
        let plan_from = |froms: &[usize]| {
            let mut plan = PlanBuilder::with_sources(gpu, SOURCES);
            let cost = product([circuit.gates.len(), height, words]);
            for from in froms {
                let buffers = [&planes[*from], &planes[1 - from]];
                plan.dispatch_kernel(kernel.clone(), &parameters, &buffers, workgroups, cost);
            }
            plan.build()
        };
        let single = [plan_from(&[0])?, plan_from(&[1])?];
        let double = plan_from(&[0, 1])?;
        let channels = circuit.channels;
        Ok(Self { gpu: gpu.clone(), channels, size, planes, single, double, current: 0 })
    }

    /// Words of a row.
    pub fn words(&self) -> usize {
        self.size[0].div_ceil(CELLS_PER_WORD)
    }

    /// Sets the channels of all cells, channel after channel and row after row.
    pub fn set(&mut self, cells: impl IntoIterator<Item = bool>) {
        let ([width, height], words) = (self.size, self.words());
        let mut packed = vec![0u32; self.channels * height * words];
        for (i, on) in cells.into_iter().take(self.channels * height * width).enumerate() {
            let (row, x) = (i / width, i % width);
            packed[row * words + x / CELLS_PER_WORD] |= u32::from(on) << (x % CELLS_PER_WORD);
        }
        self.gpu.write(&self.planes[self.current], 0, &packed);
    }

    /// Submits `steps` steps as one piece of work. It should take the device less than a second: drivers end
    /// work that takes many.
    pub fn step(&mut self, steps: usize) {
        let mut left = steps;
        // `double` begins at plane 0.
        if self.current == 1 && left > 0 {
            self.single[1].submit_all();
            (self.current, left) = (0, left - 1);
        }
        if left > 1 {
            self.double.submit_repeated(left / 2);
        }
        if left % 2 == 1 {
            self.single[0].submit_all();
            self.current = 1;
        }
    }

    /// Begins to read the words of all channels.
    ///
    /// Shape: `[channels, height, words]`.
    pub fn read(&self) -> ReadBack {
        self.gpu.read_back(&self.planes[self.current], 0, self.channels * self.size[1] * self.words())
    }
}
