//! Writes a circuit as Verilog (IEEE 1364-2001): a combinational module for one cell, and a clocked one for a
//! grid of cells.

use std::fmt::Write;

use super::{Origin, expression, header, used_inputs, wire_name};
use crate::circuit::Netlist;

pub fn to_verilog(netlist: &Netlist, origin: &Origin) -> String {
    let (channels, setup) = (netlist.channels, origin.setup());
    // Writing to a string cannot fail, so the results of `write!` are ignored.
    let mut text = header("//", &origin.lines(netlist));
    // The number of the last input wire.
    let last = netlist.inputs() - 1;
    let _ = write!(
        text,
        "
// A cell. Bit 9 * c + k of `near` is channel c of its k-th neighbour in reading order, itself being number 4.
module learned_cell (
    input wire [{last}:0] near,
    output wire [{}:0] next
);
",
        channels - 1
    );
    for wire in used_inputs(netlist) {
        let _ = writeln!(text, "    wire {} = near[{wire}];", wire_name(netlist, wire));
    }
    for (i, gate) in netlist.gates.iter().enumerate() {
        let _ = writeln!(text, "    wire g{i} = {};", expression(netlist, gate, ["1'b0", "1'b1"]));
    }
    for (channel, wire) in netlist.outputs.iter().enumerate() {
        let _ = writeln!(text, "    assign next[{channel}] = {};", wire_name(netlist, *wire));
    }
    text += "endmodule\n";
    let size = setup.size;
    let periodic = u8::from(setup.periodic);
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
    wire [{channels} * WIDTH * HEIGHT - 1:0] next;
    genvar x, y, k, c;
    generate
        for (y = 0; y < HEIGHT; y = y + 1) begin : row
            for (x = 0; x < WIDTH; x = x + 1) begin : column
                localparam CELL = y * WIDTH + x;
                wire [{last}:0] near;
                wire [{}:0] becomes;
                for (k = 0; k < 9; k = k + 1) begin : place
                    localparam X = x + k % 3 - 1;
                    localparam Y = y + k / 3 - 1;
                    localparam INSIDE = X >= 0 && X < WIDTH && Y >= 0 && Y < HEIGHT;
                    localparam FROM = (Y + HEIGHT) % HEIGHT * WIDTH + (X + WIDTH) % WIDTH;
                    for (c = 0; c < {channels}; c = c + 1) begin : channel
                        if (INSIDE || PERIODIC) assign near[9 * c + k] = state[{channels} * FROM + c];
                        else assign near[9 * c + k] = 1'b0;
                    end
                end
                learned_cell learned (.near(near), .next(becomes));
                assign next[{channels} * CELL +: {channels}] =
                    awake[CELL] ? becomes : state[{channels} * CELL +: {channels}];
            end
        end
    endgenerate
    always @(posedge clock) state <= load ? start : next;
endmodule
",
        channels - 1
    );
    text
}
