//! The states that grids start from.

use learnery_kernels::rng::Stream;

use super::Experiment;

/// Initial states of several grids of one size.
#[derive(Clone, Debug)]
pub struct InitialStates {
    experiment: Experiment,
    size: [usize; 2],
    /// A uniform number for each cell and channel: below one half, the channel starts on. Empty if the experiment's start
    /// is fixed. // [cells of all grids, channels]
    coins: Vec<f32>,
    channels: usize,
    count: usize,
    /// The permutation of the 512 neighbourhoods for this round; used only for the game of life on 3x3 grids, where a round
    /// presents every neighbourhood once before any is repeated.
    order: Vec<u32>,
    round: u64,
}

/// Neighbourhoods of the game of life.
const NEIGHBOURHOODS: u64 = 512;

/// Whether a cell is alive when the i-th of 512 grids of 3x3 cells holds the neighbourhood whose cells are the bits of i.
/// Cells are numbered through all grids.
pub fn life_neighbourhood(cell: usize) -> bool {
    ((cell / 9) >> (cell % 9)) & 1 == 1
}

impl InitialStates {
    /// For `count` grids.
    pub fn new(experiment: Experiment, size: [usize; 2], count: usize) -> Self {
        let channels = experiment.setup().channels;
        let random = matches!(experiment, Experiment::Life | Experiment::Checkerboard | Experiment::Async);
        let coins = if random { size[0] * size[1] * count * channels } else { 0 };
        let in_rounds = experiment == Experiment::Life && size == [3; 2];
        let order = if in_rounds { NEIGHBOURHOODS as usize } else { 0 };
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

    /// Draws initial states number `index`.
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
            let coin = |i: usize| if bits >> i & 1 == 1 { 0.0 } else { 1.0 };
            coins.iter_mut().enumerate().for_each(|(i, place)| *place = coin(i));
        }
    }

    /// Whether a cell's channel starts on. Cells are numbered through all grids.
    pub fn is_on(&self, cell: usize, channel: usize) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initial_states_of_life_present_every_neighbourhood_once_per_round() {
        // 16 grids divide 512, 20 do not.
        for count in [16, 20] {
            let mut states = InitialStates::new(Experiment::Life, [3; 2], count);
            let mut seen = vec![0; 512];
            let mut grids = 0;
            for index in 0..64 {
                states.draw(Stream::new(3, 1), index);
                for grid in 0..count {
                    let bit = |i: usize| usize::from(states.is_on(9 * grid + i, 0)) << i;
                    seen[(0..9).map(bit).sum::<usize>()] += 1;
                    grids += 1;
                    if grids % 512 == 0 {
                        assert!(seen.iter().all(|n| *n == grids / 512), "{count} at a time");
                    }
                }
            }
        }
    }
}
