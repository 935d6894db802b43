//! Where cells lie and who their neighbours are, for several grids at once. Cell follows cell and grid follows grid in
//! tiles; a tile holds its cells' channels, row by row. Behind the last tile lies one more that is always zero: what is
//! outside a bounded grid is read from there.

use learnery_kernels::gates::TILE;

use super::wiring::NEIGHBOURHOOD;

/// Some grids of one size.
#[derive(Clone, Debug)]
pub struct Grids {
    width: usize,
    height: usize,
    count: usize,
    channels: usize,
    /// Where the first channels of the cells around each place lie, in reading order. // [places, NEIGHBOURHOOD]
    neighbours: Vec<[u32; NEIGHBOURHOOD]>,
}

impl Grids {
    /// `count` grids, whose edges meet where they are `periodic`.
    pub fn new(width: usize, height: usize, periodic: bool, count: usize, channels: usize) -> Self {
        assert!(width > 0 && height > 0 && count > 0 && channels > 0, "there must be a cell");
        let cells = width * height * count;
        let places = cells.next_multiple_of(TILE);
        let along = |at: usize, by: usize, size: usize| match (at + by).checked_sub(1) {
            Some(at) if at < size => Some(at),
            _ if periodic => Some((at + by + size - 1) % size),
            _ => None,
        };
        let first = |cell: usize| (cell / TILE * channels * TILE + cell % TILE) as u32;
        let mut neighbours = vec![[first(places); NEIGHBOURHOOD]; places];
        for (place, own) in neighbours[..cells].iter_mut().enumerate() {
            let (grid, cell) = (place / (width * height), place % (width * height));
            for (k, neighbour) in own.iter_mut().enumerate() {
                let x = along(cell % width, k % 3, width);
                let y = along(cell / width, k / 3, height);
                if let (Some(x), Some(y)) = (x, y) {
                    *neighbour = first((grid * height + y) * width + x);
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

    /// Number of tiles.
    pub fn tiles(&self) -> usize {
        self.neighbours.len() / TILE
    }

    /// Values of a tile: all channels of its cells.
    pub fn tile_len(&self) -> usize {
        self.channels * TILE
    }

    /// Values of all tiles and of the one that is zero.
    pub fn state_len(&self) -> usize {
        (self.tiles() + 1) * self.tile_len()
    }

    /// Where a cell's channel lies, the cells of all grids counted through.
    pub fn at(&self, cell: usize, channel: usize) -> usize {
        cell / TILE * self.tile_len() + channel * TILE + cell % TILE
    }

    /// Puts a channel of all cells into a state. // values [cells of all grids]
    pub fn put(&self, state: &mut [f32], channel: usize, values: impl IntoIterator<Item = f32>) {
        let cells = self.cells() * self.count;
        for (cell, value) in values.into_iter().take(cells).enumerate() {
            state[self.at(cell, channel)] = value;
        }
    }

    /// A channel of all cells. // [cells of all grids]
    pub fn get<'a>(&'a self, state: &'a [f32], channel: usize) -> impl Iterator<Item = f32> + 'a {
        (0..self.cells() * self.count).map(move |cell| state[self.at(cell, channel)])
    }

    /// What the cells of a tile see in `count` channels from `channel` on. // out [NEIGHBOURHOOD, count, TILE]
    pub fn see(&self, tile: usize, state: &[f32], channel: usize, count: usize, out: &mut [f32]) {
        for (j, own) in self.neighbours[tile * TILE..(tile + 1) * TILE].iter().enumerate() {
            for (k, from) in own.iter().enumerate() {
                let from = *from as usize + channel * TILE;
                for c in 0..count {
                    out[(k * count + c) * TILE + j] = state[from + c * TILE];
                }
            }
        }
    }

    /// The way back of [`Grids::see`]: adds to each cell of a tile what came back to it from all that saw it, `count` channels
    /// having been seen together. // seen [tiles, channels / count, NEIGHBOURHOOD, count, TILE] -> sums [channels, TILE]
    pub fn unsee(&self, tile: usize, seen: &[f32], count: usize, sums: &mut [f32]) {
        let outside = self.tiles() * self.tile_len();
        for (j, own) in self.neighbours[tile * TILE..(tile + 1) * TILE].iter().enumerate() {
            for (k, from) in own.iter().map(|from| *from as usize).enumerate() {
                if from >= outside {
                    continue;
                }
                // Who is my neighbour in one direction has me as the neighbour in the opposite one.
                let (back, lane) = (NEIGHBOURHOOD - 1 - k, from % TILE);
                let its = (from - lane) * NEIGHBOURHOOD + back * count * TILE + lane;
                for (group, sums) in sums.chunks_exact_mut(count * TILE).enumerate() {
                    let its = its + group * NEIGHBOURHOOD * count * TILE;
                    for (c, sum) in sums.chunks_exact_mut(TILE).enumerate() {
                        sum[j] += seen[its + c * TILE];
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
    fn edges_meet_or_end() {
        let mut seen = [0.0; NEIGHBOURHOOD * TILE];
        for (periodic, expected) in [
            (true, [9.0, 7.0, 8.0, 3.0, 1.0, 2.0, 6.0, 4.0, 5.0]),
            (false, [0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 0.0, 4.0, 5.0]),
        ] {
            let grids = Grids::new(3, 3, periodic, 2, 2);
            let mut state = vec![0.0; grids.state_len()];
            grids.put(&mut state, 1, (0..18).map(|i| if i < 9 { 0.0 } else { i as f32 - 8.0 }));
            grids.see(0, &state, 1, 1, &mut seen);
            let of =
                |cell: usize| -> Vec<f32> { (0..NEIGHBOURHOOD).map(|k| seen[k * TILE + cell]).collect() };
            assert_eq!(of(9), expected, "periodic: {periodic}");
            assert_eq!(of(0), [0.0; NEIGHBOURHOOD], "the grids do not touch");
            assert_eq!(grids.get(&state, 1).nth(17), Some(9.0));
        }
    }

    /// The way back is the transposed way there: the product of see(x) and y is that of x and unsee(y).
    #[test]
    fn the_way_back_is_the_transposed_way() {
        for (width, height, periodic, count, together) in
            [(3, 3, true, 5, 1), (5, 4, false, 3, 2), (16, 16, false, 1, 4), (2, 1, true, 1, 2)]
        {
            let channels = 4;
            let grids = Grids::new(width, height, periodic, count, channels);
            let number = |i: usize| ((i * 37 + 11) % 101) as f32 / 50.0 - 1.0;
            let mut state = vec![0.0; grids.state_len()];
            for channel in 0..channels {
                grids.put(&mut state, channel, (0..grids.cells() * count).map(|i| number(3 * i + channel)));
            }
            let size = NEIGHBOURHOOD * together * TILE;
            let groups = channels / together;
            let back: Vec<f32> = (0..grids.tiles() * groups * size).map(number).collect();
            let (mut left, mut right) = (0.0, 0.0);
            for tile in 0..grids.tiles() {
                let (mut seen, mut sums) = (vec![0.0; size], vec![0.0; grids.tile_len()]);
                for group in 0..groups {
                    grids.see(tile, &state, group * together, together, &mut seen);
                    left += dot(&seen, &back[(tile * groups + group) * size..]);
                }
                grids.unsee(tile, &back, together, &mut sums);
                right += dot(&sums, &state[tile * grids.tile_len()..]);
            }
            assert!((left - right).abs() < 1e-3, "{width}x{height}: {left} {right}");
        }
    }

    fn dot(a: &[f32], b: &[f32]) -> f64 {
        a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum()
    }
}
