//! The memory layout of the automaton with soft gates: the channels (values) of all cells of several grids,
//! and the indices of every cell's neighbours.
//!
//! Cells are numbered through all grids. Every `TILE` consecutive cells form a tile, which may hold cells of
//! two grids. The place of a cell within its tile is a lane. A state is an array `[tiles + 1, channels,
//! TILE]`. Its last tile is padding that is always zero: if edges do not wrap around, cells at an edge read
//! the padding in place of a neighbour.

use learnery_kernels::gates::TILE;

use crate::circuit::NEIGHBOURHOOD;

/// Several grids of one size.
#[derive(Clone, Debug)]
pub struct Grids {
    width: usize,
    height: usize,
    count: usize,
    channels: usize,
    /// For every cell, where channel 0 of each of the nine cells of its neighbourhood lies in a state. The
    /// last tile of cells may have unused lanes; all their neighbours are in the padding.
    /// Shape: `[tiles * TILE, NEIGHBOURHOOD]`.
    neighbours: Vec<[u32; NEIGHBOURHOOD]>,
}

impl Grids {
    /// `count` grids, whose edges wrap around if they are `periodic`.
    pub fn new(width: usize, height: usize, periodic: bool, count: usize, channels: usize) -> Self {
        assert!(width > 0 && height > 0 && count > 0 && channels > 0, "a grid needs cells");
        let cells = width * height * count;
        let lanes = cells.next_multiple_of(TILE);
        // A coordinate moved by -1, 0 or 1 (`by` is 0, 1 or 2); `None` beyond an edge.
        let shifted = |coordinate: usize, by: usize, size: usize| match (coordinate + by).checked_sub(1) {
            Some(moved) if moved < size => Some(moved),
            _ if periodic => Some((coordinate + by + size - 1) % size),
            _ => None,
        };
        // The index of a cell's channel 0 in a state.
        let channel_0_at = |cell: usize| (cell / TILE * channels * TILE + cell % TILE) as u32;
        // Cell number `lanes` is the first of the padding.
        let mut neighbours = vec![[channel_0_at(lanes); NEIGHBOURHOOD]; lanes];
        for (index, neighbourhood) in neighbours[..cells].iter_mut().enumerate() {
            let (grid, cell) = (index / (width * height), index % (width * height));
            for (k, neighbour) in neighbourhood.iter_mut().enumerate() {
                let x = shifted(cell % width, k % 3, width);
                let y = shifted(cell / width, k / 3, height);
                if let (Some(x), Some(y)) = (x, y) {
                    *neighbour = channel_0_at((grid * height + y) * width + x);
                }
            }
        }
        Self { width, height, count, channels, neighbours }
    }

    /// Width and height of a grid.
    pub fn size(&self) -> [usize; 2] {
        [self.width, self.height]
    }

    /// Cells of one grid.
    pub fn cells(&self) -> usize {
        self.width * self.height
    }

    /// Number of grids.
    pub fn count(&self) -> usize {
        self.count
    }

    pub fn tiles(&self) -> usize {
        self.neighbours.len() / TILE
    }

    /// Number of values in a tile: all channels of its cells.
    pub fn tile_len(&self) -> usize {
        self.channels * TILE
    }

    /// Number of values in a state, padding included.
    pub fn state_len(&self) -> usize {
        (self.tiles() + 1) * self.tile_len()
    }

    /// The index of a cell's channel in a state.
    pub fn index(&self, cell: usize, channel: usize) -> usize {
        cell / TILE * self.tile_len() + channel * TILE + cell % TILE
    }

    /// Sets a channel of all cells of all grids.
    pub fn set_channel(&self, state: &mut [f32], channel: usize, values: impl IntoIterator<Item = f32>) {
        let cells = self.cells() * self.count;
        for (cell, value) in values.into_iter().take(cells).enumerate() {
            state[self.index(cell, channel)] = value;
        }
    }

    /// A channel of all cells of all grids.
    pub fn channel<'a>(&'a self, state: &'a [f32], channel: usize) -> impl Iterator<Item = f32> + 'a {
        (0..self.cells() * self.count).map(move |cell| state[self.index(cell, channel)])
    }

    /// Gathers the neighbourhoods of a tile's cells in `count` channels from `channel` on.
    ///
    /// Shapes: `out [NEIGHBOURHOOD, count, TILE]`.
    pub fn gather(&self, tile: usize, state: &[f32], channel: usize, count: usize, out: &mut [f32]) {
        for (lane, cells) in self.neighbours[tile * TILE..(tile + 1) * TILE].iter().enumerate() {
            for (k, first) in cells.iter().enumerate() {
                let from = *first as usize + channel * TILE;
                for c in 0..count {
                    out[(k * count + c) * TILE + lane] = state[from + c * TILE];
                }
            }
        }
    }

    /// The transpose of [`Self::gather`]: adds to each cell of a tile the gradients of all neighbourhoods
    /// that contain it. `count` is the number of channels that one call of `gather` handled.
    ///
    /// Shapes: `d_neighbourhoods [tiles, channels / count, NEIGHBOURHOOD, count, TILE], sums [channels,
    /// TILE]`.
    pub fn gather_backward(&self, tile: usize, d_neighbourhoods: &[f32], count: usize, sums: &mut [f32]) {
        // Where the padding begins.
        let outside = self.tiles() * self.tile_len();
        for (lane, cells) in self.neighbours[tile * TILE..(tile + 1) * TILE].iter().enumerate() {
            for (k, neighbour) in cells.iter().map(|first| *first as usize).enumerate() {
                if neighbour >= outside {
                    continue;
                }
                // Seen from its neighbour k, this cell is neighbour 8 - k. So each cell can fetch the
                // gradients that belong to it, and no two threads write to the same cell.
                let (opposite, neighbour_lane) = (NEIGHBOURHOOD - 1 - k, neighbour % TILE);
                // `neighbour - neighbour_lane` is where the neighbour's tile begins in a state. In
                // `d_neighbourhoods`, each value of a state takes nine entries.
                let from =
                    (neighbour - neighbour_lane) * NEIGHBOURHOOD + opposite * count * TILE + neighbour_lane;
                for (group, sums) in sums.chunks_exact_mut(count * TILE).enumerate() {
                    let from = from + group * NEIGHBOURHOOD * count * TILE;
                    for (c, sum) in sums.chunks_exact_mut(TILE).enumerate() {
                        sum[lane] += d_neighbourhoods[from + c * TILE];
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_beyond_an_edge_are_zero_or_wrap_around() {
        // Two grids of 3x3 cells, 18 cells in all. Channel 1 is 0 in the first grid, and 1 to 9 in the
        // second.
        let mut gathered = [0.0; NEIGHBOURHOOD * TILE];
        for (periodic, expected) in [
            (true, [9.0, 7.0, 8.0, 3.0, 1.0, 2.0, 6.0, 4.0, 5.0]),
            (false, [0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 0.0, 4.0, 5.0]),
        ] {
            // Two grids of two channels.
            let grids = Grids::new(3, 3, periodic, 2, 2);
            let mut state = vec![0.0; grids.state_len()];
            grids.set_channel(&mut state, 1, (0..18).map(|i| if i < 9 { 0.0 } else { i as f32 - 8.0 }));
            grids.gather(0, &state, 1, 1, &mut gathered);
            let neighbourhood =
                |cell: usize| -> Vec<f32> { (0..NEIGHBOURHOOD).map(|k| gathered[k * TILE + cell]).collect() };
            // The corner at the top left of the second grid, and of the first.
            assert_eq!(neighbourhood(9), expected, "periodic: {periodic}");
            assert_eq!(neighbourhood(0), [0.0; NEIGHBOURHOOD], "grids are separate");
            assert_eq!(grids.channel(&state, 1).nth(17), Some(9.0));
        }
    }

    /// The inner product of gather(x) and y equals the inner product of x and gather_backward(y).
    #[test]
    fn gather_backward_is_the_transpose_of_gather() {
        for (width, height, periodic, count, group_size) in
            [(3, 3, true, 5, 1), (5, 4, false, 3, 2), (16, 16, false, 1, 4), (2, 1, true, 1, 2)]
        {
            let channels = 4;
            let grids = Grids::new(width, height, periodic, count, channels);
            // An arbitrary number from -1 to 1.
            let number = |i: usize| ((i * 37 + 11) % 101) as f32 / 50.0 - 1.0;
            let mut state = vec![0.0; grids.state_len()];
            for channel in 0..channels {
                grids.set_channel(
                    &mut state,
                    channel,
                    (0..grids.cells() * count).map(|i| number(3 * i + channel)),
                );
            }
            let size = NEIGHBOURHOOD * group_size * TILE;
            let groups = channels / group_size;
            let y: Vec<f32> = (0..grids.tiles() * groups * size).map(number).collect();
            let (mut left, mut right) = (0.0, 0.0);
            for tile in 0..grids.tiles() {
                let (mut gathered, mut sums) = (vec![0.0; size], vec![0.0; grids.tile_len()]);
                for group in 0..groups {
                    grids.gather(tile, &state, group * group_size, group_size, &mut gathered);
                    left += dot(&gathered, &y[(tile * groups + group) * size..]);
                }
                grids.gather_backward(tile, &y, group_size, &mut sums);
                right += dot(&sums, &state[tile * grids.tile_len()..]);
            }
            assert!((left - right).abs() < 1e-3, "{width}x{height}: {left} {right}");
        }
    }

    fn dot(a: &[f32], b: &[f32]) -> f64 {
        a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum()
    }
}
