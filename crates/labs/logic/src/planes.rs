//! Grids as planes of bits, one plane a channel. The rows of all grids lie side by side in the plane's rows, each between
//! two bits for what is beyond its ends, and the rows between two such rows; so what a cell sees is the same few shifts
//! and distances for all of them, and edges are a matter of what stands in those bits.

use std::ops::Range;

use learnery_kernels::bit_parallel::{Read, Side, Write};

use super::wiring::NEIGHBOURHOOD;

/// Words in the widest row that a program may work in, which planes have room for behind their last cell.
pub const WIDEST: usize = 128;

/// Where the cells of some grids of one size lie.
#[derive(Clone, Debug)]
pub struct Planes {
    width: usize,
    height: usize,
    count: usize,
    periodic: bool,
    channels: usize,
    /// Words of a row of all grids.
    stride: usize,
    /// Words of a plane: one, a row beyond the first, the rows, and room.
    plane: usize,
    /// Which bits of a row are cells. // [stride]
    cells: Vec<u32>,
}

impl Planes {
    /// `count` grids of `[width, height]`, whose edges meet where they are `periodic`.
    pub fn new([width, height]: [usize; 2], periodic: bool, count: usize, channels: usize) -> Self {
        assert!(width > 0 && height > 0 && count > 0 && channels > 0, "there must be a cell");
        let stride = (count * (width + 2)).div_ceil(32);
        let plane = 2 + (height + 2) * stride + WIDEST;
        let mut planes =
            Self { width, height, count, periodic, channels, stride, plane, cells: vec![0; stride] };
        for (grid, x) in (0..count).flat_map(|grid| (0..width).map(move |x| (grid, x))) {
            let bit = planes.bit(grid, x);
            planes.cells[bit / 32] |= 1 << (bit % 32);
        }
        planes
    }

    /// Planes.
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// Number of cells in all grids.
    pub fn count(&self) -> usize {
        self.width * self.height * self.count
    }

    /// Words from the first row to the last.
    pub fn words(&self) -> usize {
        self.height * self.stride
    }

    /// Words of all planes.
    pub fn len(&self) -> usize {
        self.channels * self.plane
    }

    fn bit(&self, grid: usize, x: usize) -> usize {
        grid * (self.width + 2) + x + 1
    }

    /// The word, counted from the first row, and the bit of a cell, the cells of all grids counted through.
    pub fn place(&self, cell: usize) -> (usize, u32) {
        let (row, x) = (cell / self.width, cell % self.width);
        let bit = self.bit(row / self.height, x);
        (row % self.height * self.stride + bit / 32, (bit % 32) as u32)
    }

    /// Where the words of a channel begin.
    pub fn first(&self, channel: usize) -> usize {
        channel * self.plane + 1 + self.stride
    }

    /// How cells see one place of their neighbourhood in a channel.
    pub fn read(&self, wire: usize) -> Read {
        let (channel, place) = (wire / NEIGHBOURHOOD, wire % NEIGHBOURHOOD);
        let side = [Side::Before, Side::Same, Side::After][place % 3];
        Read { offset: channel * self.plane + 1 + place / 3 * self.stride, side }
    }

    /// How a row becomes a channel's next values.
    pub fn write(&self, channel: usize, row: u16) -> Write {
        Write { row, offset: self.first(channel) }
    }

    /// Where a channel's plane lies.
    pub fn own(&self, channel: usize) -> Range<usize> {
        channel * self.plane..(channel + 1) * self.plane
    }

    /// Puts right what lies beyond the cells, in all planes or in some.
    pub fn settle(&self, planes: &mut [u32]) {
        let (first, words) = (1 + self.stride, self.words());
        for plane in planes.chunks_exact_mut(self.plane) {
            for row in plane[first..first + words].chunks_exact_mut(self.stride) {
                row.iter_mut().zip(&self.cells).for_each(|(word, cells)| *word &= cells);
                if self.periodic {
                    (0..self.count).for_each(|grid| self.meet(row, self.bit(grid, 0)));
                }
            }
            if self.periodic {
                plane.copy_within(first + words - self.stride..first + words, 1);
                plane.copy_within(first..first + self.stride, first + words);
            } else {
                plane[first + words..first + words + self.stride].fill(0);
            }
        }
    }

    /// Lets the ends of a row whose first cell is `bit` meet.
    fn meet(&self, row: &mut [u32], bit: usize) {
        let last = bit + self.width - 1;
        for (from, to) in [(last, bit - 1), (bit, last + 1)] {
            row[to / 32] |= (row[from / 32] >> (from % 32) & 1) << (to % 32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beyond_an_edge_is_nothing_or_the_other_edge() {
        for ([width, height], count) in [([3, 3], 20), ([30, 2], 1), ([31, 3], 2), ([64, 1], 3), ([1, 1], 40)]
        {
            for periodic in [false, true] {
                let planes = Planes::new([width, height], periodic, count, 2);
                // Noise, also where there are no cells.
                let mut state: Vec<u32> =
                    (0..planes.len() as u32).map(|i| i.wrapping_mul(0x9e37_79b9) ^ i << 7).collect();
                // The row before the first is never written, so nothing ever cleans it.
                (0..2).for_each(|c| state[planes.first(c) - 1 - planes.stride..planes.first(c)].fill(0));
                planes.settle(&mut state);
                let own = |cell: usize, channel: usize| {
                    let (word, bit) = planes.place(cell);
                    state[planes.first(channel) + word] >> bit & 1
                };
                let seen = |cell: usize, wire: usize| {
                    let (word, bit) = planes.place(cell);
                    let read = planes.read(wire);
                    let at = 32 * (word + read.offset) + bit as usize;
                    let at = match read.side {
                        Side::Before => at - 1,
                        Side::Same => at,
                        Side::After => at + 1,
                    };
                    state[at / 32] >> (at % 32) & 1
                };
                for (cell, wire) in (0..planes.count()).flat_map(|cell| (0..18).map(move |k| (cell, k))) {
                    let (grid, x, y) = (cell / (width * height), cell % width, cell / width % height);
                    let (x, y) = ((x + wire % 3) as i32 - 1, (y + wire % 9 / 3) as i32 - 1);
                    let (w, h) = (width as i32, height as i32);
                    let inside = (0..w).contains(&x) && (0..h).contains(&y);
                    let there =
                        grid * width * height + y.rem_euclid(h) as usize * width + x.rem_euclid(w) as usize;
                    let expected = if inside || periodic { own(there, wire / 9) } else { 0 };
                    assert_eq!(seen(cell, wire), expected, "{width}x{height}, {periodic}, {cell}, {wire}");
                }
            }
        }
    }
}
