//! Where grids begin, and what they are to become.

use learnery_kernels::rng::Stream;

use super::experiment::{Experiment, lives};

/// Some grids of one size at their start.
#[derive(Clone, Debug)]
pub struct Starts {
    experiment: Experiment,
    size: [usize; 2],
    /// A number from 0 to 1 for each cell and channel, where the start is random. // [cells of all grids, channels]
    coins: Vec<f32>,
    channels: usize,
    count: usize,
    /// The neighbourhoods of the game of life in the order of this round, and which round that is: on grids of three by
    /// three, none comes again before all have come.
    order: Vec<u32>,
    round: u64,
}

/// Neighbourhoods of the game of life.
const NEIGHBOURHOODS: u64 = 512;

impl Starts {
    /// `count` grids.
    pub fn new(experiment: Experiment, size: [usize; 2], count: usize) -> Self {
        let channels = experiment.setup().channels;
        let random = matches!(experiment, Experiment::Life | Experiment::Checkerboard | Experiment::Async);
        let coins = if random { size[0] * size[1] * count * channels } else { 0 };
        let all = experiment == Experiment::Life && size == [3; 2];
        let order = if all { NEIGHBOURHOODS as usize } else { 0 };
        Self {
            experiment,
            size,
            coins: vec![0.0; coins],
            channels,
            count,
            order: vec![0; order],
            round: u64::MAX,
        }
    }

    /// Draws the starts of number `index`.
    pub fn draw(&mut self, stream: Stream, index: u64) {
        if self.order.is_empty() {
            stream.fill_uniform(index, &mut self.coins);
            return;
        }
        for (grid, coins) in self.coins.chunks_exact_mut(9).enumerate() {
            let drawn = index * self.count as u64 + grid as u64;
            let round = drawn / NEIGHBOURHOODS;
            if round != self.round {
                self.round = round;
                self.order.iter_mut().zip(0..).for_each(|(place, bits)| *place = bits);
                stream.shuffle(round, &mut self.order);
            }
            let bits = self.order[(drawn % NEIGHBOURHOODS) as usize];
            coins
                .iter_mut()
                .enumerate()
                .for_each(|(i, coin)| *coin = if bits >> i & 1 == 1 { 0.0 } else { 1.0 });
        }
    }

    /// Whether a cell's channel is on; `cell` counts through the grids.
    pub fn at(&self, cell: usize, channel: usize) -> bool {
        let [width, height] = self.size;
        match self.experiment {
            Experiment::Life | Experiment::Checkerboard | Experiment::Async => {
                self.coins[cell * self.channels + channel] < 0.5
            }
            Experiment::Figure => cell % (width * height) == height / 2 * width + width / 2,
            Experiment::Letter => false,
        }
    }
}

/// What a rule of life makes of grids whose edges meet. // alive, out [cells of all grids]
pub fn live(size: [usize; 2], alive: &[bool], out: &mut [bool]) {
    let [width, height] = size;
    let cells = width * height;
    for (grid, out) in alive.chunks_exact(cells).zip(out.chunks_exact_mut(cells)) {
        for (cell, out) in out.iter_mut().enumerate() {
            let (x, y) = (cell % width, cell / width);
            let around = (0..9).filter(|k| *k != 4).filter(|k| {
                let (x, y) = ((x + width + k % 3 - 1) % width, (y + height + k / 3 - 1) % height);
                grid[y * width + x]
            });
            *out = lives(grid[cell], around.count());
        }
    }
}

/// A picture in the middle of a grid that is at least as large, darkness around it. // picture [size, size]
pub fn in_the_middle(picture: &[bool], size: usize, [width, height]: [usize; 2]) -> Vec<bool> {
    let (left, top) = (width / 2 - size / 2, height / 2 - size / 2);
    let mut plane = vec![false; width * height];
    for (y, row) in picture.chunks_exact(size).enumerate() {
        plane[(top + y) * width + left..][..size].copy_from_slice(row);
    }
    plane
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blinker_turns_and_a_block_stays() {
        let grid = |rows: [&str; 5]| -> Vec<bool> { rows.concat().chars().map(|c| c == '#').collect() };
        let (upright, lying) = (
            grid([".....", "..#..", "..#..", "..#..", "....."]),
            grid([".....", ".....", ".###.", ".....", "....."]),
        );
        let block = grid(["##...", "##...", ".....", ".....", "....."]);
        let grids = [upright.clone(), lying.clone(), block.clone()].concat();
        let mut next = vec![false; grids.len()];
        live([5, 5], &grids, &mut next);
        assert_eq!(next, [lying, upright, block].concat());
    }

    #[test]
    fn in_a_grid_of_three_all_others_are_neighbours() {
        for bits in 0..512 {
            let alive: Vec<bool> = (0..9).map(|i| bits >> i & 1 == 1).collect();
            let mut next = vec![false; 9];
            live([3, 3], &alive, &mut next);
            let all = alive.iter().filter(|a| **a).count();
            let expected: Vec<bool> = alive.iter().map(|a| lives(*a, all - usize::from(*a))).collect();
            assert_eq!(next, expected);
        }
    }

    /// As many grids at a time as fit into 512 without remainder, and as many as do not.
    #[test]
    fn every_neighbourhood_comes_once_in_a_round() {
        for count in [16, 20] {
            let mut starts = Starts::new(Experiment::Life, [3; 2], count);
            let mut seen = vec![0; 512];
            let mut grids = 0;
            for index in 0..64 {
                starts.draw(Stream::new(3, 1), index);
                for grid in 0..count {
                    let bits = (0..9).map(|i| usize::from(starts.at(9 * grid + i, 0)) << i).sum::<usize>();
                    seen[bits] += 1;
                    grids += 1;
                    if grids % 512 == 0 {
                        assert!(seen.iter().all(|n| *n == grids / 512), "{count} at a time");
                    }
                }
            }
        }
    }

    #[test]
    fn a_picture_lies_where_the_seed_does() {
        let plane = in_the_middle(&[true, false, false, true], 2, [5, 6]);
        let lit: Vec<usize> = (0..30).filter(|i| plane[*i]).collect();
        // The seed of a grid stands at half its size, and so does that of the picture.
        assert_eq!(lit, [2 * 5 + 1, 3 * 5 + 2]);
    }
}
