//! Writes a circuit as Verilog (IEEE 1364-2001): a combinational module for one cell or many, and a clocked
//! one for a grid of cells.

use std::fmt::Write;

use super::{Origin, expression, header, used_inputs, wire_name};
use crate::circuit::Netlist;

/// Names of outputs in a line of their list. With twelve, a line stays below 130 characters even where
/// channels have three digits.
const NAMES_PER_LINE: usize = 12;

/// The text of the modules for this circuit.
pub fn to_verilog(netlist: &Netlist, origin: &Origin) -> String {
    let (channels, inputs, setup) = (netlist.channels, netlist.inputs(), origin.setup());
    // Writing to a string cannot fail, so the results of `write!` are ignored.
    let mut text = header("//", &origin.lines(netlist));
    let _ = write!(
        text,
        "
// A cell, or CELLS of them at once. Bit 9 * c + k of `near` is channel c of a cell's k-th neighbour in
// reading order, itself being number 4. With more cells, each of these bits becomes CELLS bits, one for each
// cell.
module learned_cell #(
    parameter CELLS = 1
) (
    input wire [{inputs} * CELLS - 1:0] near,
    output wire [{channels} * CELLS - 1:0] next
);
"
    );
    for wire in used_inputs(netlist) {
        let name = wire_name(netlist, wire);
        let _ = writeln!(text, "    wire [CELLS - 1:0] {name} = near[CELLS * {wire} +: CELLS];");
    }
    for (i, gate) in netlist.gates.iter().enumerate() {
        let gate = expression(netlist, gate, ["{CELLS{1'b0}}", "{CELLS{1'b1}}"]);
        let _ = writeln!(text, "    wire [CELLS - 1:0] g{i} = {gate};");
    }
    for (channel, wire) in netlist.outputs.iter().enumerate() {
        let wire = wire_name(netlist, *wire);
        let _ = writeln!(text, "    wire [CELLS - 1:0] next{channel} = {wire};");
    }
    // One assignment for all outputs: a simulator would rebuild a vector that is assigned part by part at
    // each change of a part.
    let names: Vec<String> = (0..channels).rev().map(|channel| format!("next{channel}")).collect();
    let lines: Vec<String> = names.chunks(NAMES_PER_LINE).map(|names| names.join(", ")).collect();
    let _ = write!(text, "    assign next = {{\n        {}\n    }};\nendmodule\n", lines.join(",\n        "));
    let size = setup.size;
    let periodic = u8::from(setup.periodic);
    // The grid has one `learned_cell` for all of its cells, in which every gate is one operation on the bits
    // of all cells. An instance for each cell would be elaborated gate by gate, for minutes with many
    // channels.
    //
    // `awake` has a bit for each cell: whether it updates in this step. The user of the module drives it,
    // with random bits at the fire rate of the run, or with ones. `moves` repeats it for every channel. In
    // the functions, `one` is what the loop is at: a cell (all channels), or a channel (all cells). Shifted
    // left by 1 or by WIDTH, each cell has the bit of its western or northern neighbour. Beyond the border it
    // reads 0, unless PERIODIC adds the opposite edge.
    let _ = write!(
        text,
        "
// A grid of them, row by row: bit {channels} * (WIDTH * y + x) + c is channel c of the cell in column x and row y.
// At each rising edge of the clock the cells that are awake take a step; with `load`, all take the value of `start`.
module learned_grid #(
    parameter WIDTH = {size},
    parameter HEIGHT = {size},
    parameter PERIODIC = {periodic}
) (
    input wire clock,
    input wire load,
    input wire [{channels} * WIDTH * HEIGHT - 1:0] start,
    input wire [WIDTH * HEIGHT - 1:0] awake,
    output reg [{channels} * WIDTH * HEIGHT - 1:0] state
);
    localparam CELLS = WIDTH * HEIGHT;
    // A bit for each cell: whether it is in the first or the last column, and whether edges wrap around.
    localparam [CELLS - 1:0] FIRST = {{HEIGHT{{{{WIDTH{{1'b0}}}} | 1'b1}}}};
    localparam [CELLS - 1:0] LAST = FIRST << (WIDTH - 1);
    localparam [CELLS - 1:0] WRAP = {{CELLS{{PERIODIC != 0}}}};

    // The bits of a state, channel by channel instead of cell by cell.
    function [{channels} * CELLS - 1:0] by_channel(input [{channels} * CELLS - 1:0] bits);
        reg [{channels} - 1:0] one;
        integer place, channel;
        for (place = 0; place < CELLS; place = place + 1) begin
            one = bits[{channels} * place +: {channels}];
            for (channel = 0; channel < {channels}; channel = channel + 1)
                by_channel[CELLS * channel + place] = one[channel];
        end
    endfunction

    // The other way round.
    function [{channels} * CELLS - 1:0] by_cell(input [{channels} * CELLS - 1:0] bits);
        reg [CELLS - 1:0] one;
        integer place, channel;
        for (channel = 0; channel < {channels}; channel = channel + 1) begin
            one = bits[CELLS * channel +: CELLS];
            for (place = 0; place < CELLS; place = place + 1)
                by_cell[{channels} * place + channel] = one[place];
        end
    endfunction

    // The neighbours of all cells, from a state channel by channel.
    function [{inputs} * CELLS - 1:0] neighbours(input [{channels} * CELLS - 1:0] bits);
        reg [CELLS - 1:0] one, west, east;
        reg [3 * CELLS - 1:0] row;
        integer channel, column;
        for (channel = 0; channel < {channels}; channel = channel + 1) begin
            one = bits[CELLS * channel +: CELLS];
            west = ((one << 1) & ~FIRST) | ((one >> (WIDTH - 1)) & FIRST & WRAP);
            east = ((one >> 1) & ~LAST) | ((one << (WIDTH - 1)) & LAST & WRAP);
            row = {{east, one, west}};
            for (column = 0; column < 3; column = column + 1) begin
                one = row[CELLS * column +: CELLS];
                neighbours[CELLS * (9 * channel + column) +: CELLS] =
                    (one << WIDTH) | ((one >> (CELLS - WIDTH)) & WRAP);
                neighbours[CELLS * (9 * channel + column + 3) +: CELLS] = one;
                neighbours[CELLS * (9 * channel + column + 6) +: CELLS] =
                    (one >> WIDTH) | ((one << (CELLS - WIDTH)) & WRAP);
            end
        end
    endfunction

    wire [{channels} * CELLS - 1:0] now = by_channel(state);
    wire [{inputs} * CELLS - 1:0] near = neighbours(now);
    wire [{channels} * CELLS - 1:0] becomes;
    learned_cell #(.CELLS(CELLS)) learned (.near(near), .next(becomes));
    wire [{channels} * CELLS - 1:0] moves = {{{channels}{{awake}}}};
    always @(posedge clock) state <= load ? start : by_cell((moves & becomes) | (~moves & now));
endmodule
"
    );
    text
}
