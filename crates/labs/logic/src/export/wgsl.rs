//! Writes a circuit as WGSL: a compute shader that runs 32 grids at once. Every u32 holds the same cell of
//! all of them, one grid per bit.

use std::fmt::Write;

use super::{Origin, expression, header, used_inputs, wire_name};
use crate::circuit::{NEIGHBOURHOOD, Netlist};

/// The text of the shader for this circuit.
pub fn to_wgsl(netlist: &Netlist, origin: &Origin) -> String {
    let (channels, setup) = (netlist.channels, origin.setup());
    // Writing to a string cannot fail, so the results of `write!` are ignored.
    let mut text = header("//", &origin.lines(netlist));
    let _ = write!(
        text,
        "
// Steps 32 grids at once: each bit of a number is the cell of another grid. Channel follows channel, row follows row.
// A step is one dispatch of (width / 8, height / 8) workgroups, rounded up; then `before` and `after` change places.
struct Size {{
    width: u32,
    height: u32,
}}

@group(0) @binding(0) var<uniform> size: Size;
@group(0) @binding(1) var<storage, read> before: array<u32>;
@group(0) @binding(2) var<storage, read_write> after: array<u32>;
// A one in each bit whose cell takes the step. // [height, width]
@group(0) @binding(3) var<storage, read> awake: array<u32>;

const CHANNELS = {channels}u;
const PERIODIC = {};

// A channel of the cell so far to the right and below; 0 beyond an edge that does not meet the opposite one.
fn near(id: vec3<u32>, channel: u32, right: i32, below: i32) -> u32 {{
    let width = i32(size.width);
    let height = i32(size.height);
    let x = i32(id.x) + right;
    let y = i32(id.y) + below;
    let outside = x < 0 || x >= width || y < 0 || y >= height;
    if (outside && !PERIODIC) {{
        return 0u;
    }}
    let at = ((y + height) % height) * width + (x + width) % width;
    return before[channel * size.width * size.height + u32(at)];
}}

fn keep(id: vec3<u32>, channel: u32, value: u32) {{
    let cell = id.y * size.width + id.x;
    let at = channel * size.width * size.height + cell;
    after[at] = (value & awake[cell]) | (before[at] & ~awake[cell]);
}}

@compute @workgroup_size(8, 8)
fn grow(@builtin(global_invocation_id) id: vec3<u32>) {{
    if (id.x >= size.width || id.y >= size.height) {{
        return;
    }}
",
        setup.periodic,
    );
    for wire in used_inputs(netlist) {
        let (channel, place) = (wire as usize / NEIGHBOURHOOD, wire as i32 % NEIGHBOURHOOD as i32);
        // The nine places are in reading order, the cell itself being number 4.
        let (right, below) = (place % 3 - 1, place / 3 - 1);
        let _ =
            writeln!(text, "    let {} = near(id, {channel}u, {right}, {below});", wire_name(netlist, wire));
    }
    for (i, gate) in netlist.gates.iter().enumerate() {
        let _ = writeln!(text, "    let g{i} = {};", expression(netlist, gate, ["0u", "0xffffffffu"]));
    }
    for (channel, wire) in netlist.outputs.iter().enumerate() {
        let _ = writeln!(text, "    keep(id, {channel}u, {});", wire_name(netlist, *wire));
    }
    text += "}\n";
    text
}
