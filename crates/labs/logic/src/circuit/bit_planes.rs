//! The memory layout of a cellular automaton whose cells hold bits: one plane of bits per channel, where a
//! channel is one of the bits that every cell has. Several grids of the same size run at once.
//!
//! A row of a plane holds the same row of all grids side by side, 32 cells in a word. Each grid's row has one
//! border bit on either side, and each plane has one border row above and one below. Borders hold the values
//! beyond the edges: zeros, or copies of the opposite edge if edges wrap around. So every cell reads a given
//! neighbour at the same distance in words and with the same shift, without special cases at edges.

use std::ops::Range;

use learnery_kernels::bit_parallel::{Read, Side, Write};

use super::netlist::NEIGHBOURHOOD;

/// Cells in a word.
const WORD_CELLS: usize = u32::BITS as usize;

/// Upper bound of the words that a program processes at a time (a block). A plane ends with as many spare
/// words, because the last block may reach beyond the plane's last row.
pub const MAX_BLOCK: usize = 128;

/// The layout of several grids of one size.
#[derive(Clone, Debug)]
pub struct BitPlanes {
    width: usize,
    height: usize,
    count: usize,
    periodic: bool,
    channels: usize,
    /// Words in a row of all grids.
    stride: usize,
    /// Words in a plane: a spare word, the border row above, the rows, the border row below, another spare
    /// word, and `MAX_BLOCK` spare words. The single spare words exist because reading a neighbour on the
    /// left or right also loads the word before or after.
    plane: usize,
    /// A row whose bits are one for cells and zero for borders.
    /// Shape: `[stride]`.
    cell_mask: Vec<u32>,
}

impl BitPlanes {
    /// `count` grids of `[width, height]`, whose edges wrap around if they are `periodic`.
    pub fn new([width, height]: [usize; 2], periodic: bool, count: usize, channels: usize) -> Self {
        assert!(width > 0 && height > 0 && count > 0 && channels > 0, "a grid needs cells");
        // Each row of a grid, and each plane, has two borders.
        let stride = (count * (width + 2)).div_ceil(WORD_CELLS);
        let plane = 2 + (height + 2) * stride + MAX_BLOCK;
        let cell_mask = vec![0; stride];
        let mut planes = Self { width, height, count, periodic, channels, stride, plane, cell_mask };
        for (grid, x) in (0..count).flat_map(|grid| (0..width).map(move |x| (grid, x))) {
            let bit = planes.bit(grid, x);
            planes.cell_mask[bit / WORD_CELLS] |= 1 << (bit % WORD_CELLS);
        }
        planes
    }

    pub fn channels(&self) -> usize {
        self.channels
    }

    /// Number of cells of all grids.
    pub fn cells(&self) -> usize {
        self.width * self.height * self.count
    }

    /// Number of words in the rows of one plane, without the border rows.
    pub fn words(&self) -> usize {
        self.height * self.stride
    }

    /// Number of words in all planes.
    pub fn len(&self) -> usize {
        self.channels * self.plane
    }

    /// The position of a cell's bit in a row.
    fn bit(&self, grid: usize, x: usize) -> usize {
        grid * (self.width + 2) + x + 1
    }

    /// Returns the position of a cell in a plane: the word, counted from the first row, and the bit in the
    /// word. Cells are numbered grid by grid, and row by row within a grid.
    pub fn position(&self, cell: usize) -> (usize, u32) {
        // The row is also counted through all grids.
        let (row, x) = (cell / self.width, cell % self.width);
        let bit = self.bit(row / self.height, x);
        (row % self.height * self.stride + bit / WORD_CELLS, (bit % WORD_CELLS) as u32)
    }

    /// The first word of a channel's first row.
    pub fn first_word(&self, channel: usize) -> usize {
        channel * self.plane + 1 + self.stride
    }

    /// Returns the instruction that reads an input wire: a channel of one of the nine cells of the
    /// neighbourhood, numbered as in [`super::netlist::Netlist`].
    pub fn read(&self, wire: usize) -> Read {
        let (channel, neighbour) = (wire / NEIGHBOURHOOD, wire % NEIGHBOURHOOD);
        // The neighbourhood is three rows of three cells. Its first row is the one above, which for the first
        // cells is the border row, behind the spare word.
        let side = [Side::Before, Side::Same, Side::After][neighbour % 3];
        Read { offset: channel * self.plane + 1 + neighbour / 3 * self.stride, side }
    }

    /// Returns the instruction that writes a channel's next value from the program's register `row` (see
    /// [`super::compile`]).
    pub fn write(&self, channel: usize, row: u16) -> Write {
        Write { row, offset: self.first_word(channel) }
    }

    /// The words of a channel's plane.
    pub fn plane(&self, channel: usize) -> Range<usize> {
        channel * self.plane..(channel + 1) * self.plane
    }

    /// Sets border bits and border rows from the cells, in one or more whole planes. What they held before
    /// does not matter, except for the border row above if edges do not wrap around: it must be zero.
    pub fn refresh_borders(&self, planes: &mut [u32]) {
        let (first, words) = (1 + self.stride, self.words());
        for plane in planes.chunks_exact_mut(self.plane) {
            for row in plane[first..first + words].chunks_exact_mut(self.stride) {
                row.iter_mut().zip(&self.cell_mask).for_each(|(word, cells)| *word &= cells);
                if self.periodic {
                    (0..self.count).for_each(|grid| self.wrap_row(row, self.bit(grid, 0)));
                }
            }
            if self.periodic {
                // The last row into the border row above, and the first row into the border row below.
                plane.copy_within(first + words - self.stride..first + words, 1);
                plane.copy_within(first..first + self.stride, first + words);
            } else {
                // The last block of a program may have written into the border row below. Nothing writes the
                // one above.
                plane[first + words..first + words + self.stride].fill(0);
            }
        }
    }

    /// Copies the first and last cell of a grid's row, which begins at `bit`, to the borders at the opposite
    /// ends.
    fn wrap_row(&self, row: &mut [u32], bit: usize) {
        let last = bit + self.width - 1;
        for (from, to) in [(last, bit - 1), (bit, last + 1)] {
            row[to / WORD_CELLS] |= (row[from / WORD_CELLS] >> (from % WORD_CELLS) & 1) << (to % WORD_CELLS);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_beyond_an_edge_are_zero_or_the_opposite_edge() {
        for ([width, height], count) in [([3, 3], 20), ([30, 2], 1), ([31, 3], 2), ([64, 1], 3), ([1, 1], 40)]
        {
            for periodic in [false, true] {
                let planes = BitPlanes::new([width, height], periodic, count, 2);
                // The bits are arbitrary, those of the borders included.
                let mut state: Vec<u32> =
                    (0..planes.len() as u32).map(|i| i.wrapping_mul(0x9e37_79b9) ^ i << 7).collect();
                // Except the border row above, which no program writes.
                (0..2).for_each(|c| {
                    state[planes.first_word(c) - 1 - planes.stride..planes.first_word(c)].fill(0);
                });
                planes.refresh_borders(&mut state);
                let value = |cell: usize, channel: usize| {
                    let (word, bit) = planes.position(cell);
                    state[planes.first_word(channel) + word] >> bit & 1
                };
                let read_value = |cell: usize, wire: usize| {
                    let (word, bit) = planes.position(cell);
                    let read = planes.read(wire);
                    let position = 32 * (word + read.offset) + bit as usize;
                    let position = match read.side {
                        Side::Before => position - 1,
                        Side::Same => position,
                        Side::After => position + 1,
                    };
                    state[position / 32] >> (position % 32) & 1
                };
                // All 18 input wires of two channels in every cell.
                for (cell, wire) in (0..planes.cells()).flat_map(|cell| (0..18).map(move |k| (cell, k))) {
                    let (grid, x, y) = (cell / (width * height), cell % width, cell / width % height);
                    let (x, y) = ((x + wire % 3) as i32 - 1, (y + wire % 9 / 3) as i32 - 1);
                    let (w, h) = (width as i32, height as i32);
                    let inside = (0..w).contains(&x) && (0..h).contains(&y);
                    let neighbour =
                        grid * width * height + y.rem_euclid(h) as usize * width + x.rem_euclid(w) as usize;
                    let expected = if inside || periodic { value(neighbour, wire / 9) } else { 0 };
                    assert_eq!(
                        read_value(cell, wire),
                        expected,
                        "{width}x{height}, {periodic}, {cell}, {wire}"
                    );
                }
            }
        }
    }
}
