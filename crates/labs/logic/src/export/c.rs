//! Writes a circuit as C99: a program in one file that runs the circuit in all cells of a grid, 64 cells at a
//! time. It reads the grid as text and prints the grid after some steps.

use std::fmt::Write;

use super::{Origin, expression, header, used_inputs, wire_name};
use crate::circuit::Netlist;

/// The text of the program for this circuit.
pub fn to_c(netlist: &Netlist, origin: &Origin) -> String {
    let setup = origin.setup();
    // Writing to a string cannot fail, so the results of `write!` are ignored.
    let mut text = header("//", &origin.lines(netlist));
    let _ = write!(
        text,
        "
// cc -O3 -o grow THIS.c
// ./grow [STEPS [CHANNELS [RATE]]] <grid
//
// The grid is lines of '.' and '#' of one length, with an empty line before each further channel; missing channels are
// all '.'. The program runs STEPS steps (default 1) and prints the first CHANNELS channels (default {shown}). RATE is
// the probability that a cell updates in a step (default {rate}).

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {{ CHANNELS = {channels}, SHOWN = {shown}, PERIODIC = {periodic} }};
static const double FIRE_RATE = {rate:?};

// Sixty-four cells of a row, the first of them in the lowest bit.
typedef uint64_t bits;

// Sixty-four cells: near[9 * c + k] is channel c of their k-th neighbours in reading order, themselves being number 4.
static void cells(const bits *near, bits *next) {{
",
        shown = setup.shown,
        channels = netlist.channels,
        periodic = u8::from(setup.periodic),
        rate = origin.fire_rate,
    );
    for wire in used_inputs(netlist) {
        let _ = writeln!(text, "    const bits {} = near[{wire}];", wire_name(netlist, wire));
    }
    for (i, gate) in netlist.gates.iter().enumerate() {
        let _ = writeln!(text, "    const bits g{i} = {};", expression(netlist, gate, ["0", "~(bits)0"]));
    }
    for (channel, wire) in netlist.outputs.iter().enumerate() {
        let _ = writeln!(text, "    next[{channel}] = {};", wire_name(netlist, *wire));
    }
    text += "}\n";
    text += REST;
    text
}

/// The part of the program that does not depend on the circuit. It stores a grid as one plane per channel; a
/// row of a plane is words of 64 cells. In it, `across` is the number of words in a row, and `awake` has a
/// one for each cell that updates.
const REST: &str = r#"
static int width, height, across; // cells, rows, words of a row

// The neighbours of sixty-four cells at one place (0 to 8) of the neighbourhood.
static bits seen(const bits *plane, int y, int word, int place) {
    y += place / 3 - 1;
    if (y < 0 || y >= height) {
        if (!PERIODIC) return 0;
        y = (y + height) % height;
    }
    const bits *row = plane + (size_t)y * across;
    const int end = (width - 1) % 64;
    bits beyond;
    switch (place % 3) {
    case 0:
        beyond = word > 0 ? row[word - 1] >> 63 : PERIODIC ? row[across - 1] >> end & 1 : 0;
        return row[word] << 1 | beyond;
    case 1:
        return row[word];
    default:
        beyond = word + 1 < across ? row[word + 1] << 63 : PERIODIC ? (row[0] & 1) << end : 0;
        return row[word] >> 1 | beyond;
    }
}

// A one for each of sixty-four cells that updates; random numbers from xorshift64.
static bits acting(double rate) {
    static uint64_t state = 88172645463325252u;
    bits all = 0;
    for (int i = 0; i < 64; i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        all |= (bits)((double)(state >> 11) * 0x1p-53 < rate) << i;
    }
    return all;
}

static void step(const bits *from, bits *to, double rate) {
    const size_t plane = (size_t)height * across;
    const bits last = ~(bits)0 >> (63 - (width - 1) % 64);
    bits near[9 * CHANNELS], next[CHANNELS];
    for (int y = 0; y < height; y++) {
        for (int word = 0; word < across; word++) {
            for (int i = 0; i < 9 * CHANNELS; i++) near[i] = seen(from + i / 9 * plane, y, word, i % 9);
            cells(near, next);
            const bits awake = (rate < 1 ? acting(rate) : ~(bits)0) & (word + 1 < across ? ~(bits)0 : last);
            for (int c = 0; c < CHANNELS; c++) {
                const size_t at = c * plane + (size_t)y * across + word;
                to[at] = (next[c] & awake) | (from[at] & ~awake);
            }
        }
    }
}

static int refuse(const char *why) {
    fprintf(stderr, "%s\n", why);
    return 1;
}

int main(int count, char **words) {
    const long steps = count > 1 ? atol(words[1]) : 1;
    const int printed = count > 2 ? atoi(words[2]) : SHOWN;
    const double rate = count > 3 ? atof(words[3]) : FIRE_RATE;
    size_t room = 1 << 16, length = 0;
    char *text = malloc(room);
    // There is always room for the zero at its end.
    for (size_t got; text && (got = fread(text + length, 1, room - length - 1, stdin)) > 0;) {
        length += got;
        if (length + 1 == room) text = realloc(text, room *= 2);
    }
    if (!text) return refuse("there is not enough memory");
    text[length] = 0;
    width = (int)strcspn(text, "\r\n");
    if (width == 0) return refuse("the first line has no cells");
    for (size_t at = 0; at < length && strcspn(text + at, "\r\n") > 0; height++) {
        at += strcspn(text + at, "\n") + 1;
    }
    across = (width + 63) / 64;
    const size_t plane = (size_t)height * across;
    bits *state = calloc(CHANNELS * plane, sizeof(bits)), *next = calloc(CHANNELS * plane, sizeof(bits));
    if (!state || !next) return refuse("there is not enough memory");

    int channel = 0, y = 0;
    for (char *line = text; line < text + length; line += strcspn(line, "\n") + 1) {
        const size_t cells = strcspn(line, "\r\n");
        if (cells == 0) {
            if (y != 0) channel++;
            y = 0;
            continue;
        }
        if (cells != (size_t)width) return refuse("the lines are not of one length");
        if (y == height) return refuse("a channel has too many lines");
        if (channel == CHANNELS) return refuse("there are too many channels");
        for (int x = 0; x < width; x++) {
            state[channel * plane + (size_t)y * across + x / 64] |= (bits)(line[x] == '#') << x % 64;
        }
        y++;
    }

    for (long i = 0; i < steps; i++) {
        step(state, next, rate);
        bits *const other = state;
        state = next, next = other;
    }
    for (int c = 0; c < printed && c < CHANNELS; c++) {
        if (c > 0) putchar('\n');
        for (y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                putchar(state[c * plane + (size_t)y * across + x / 64] >> x % 64 & 1 ? '#' : '.');
            }
            putchar('\n');
        }
    }
    free(text), free(state), free(next);
    return 0;
}
"#;
