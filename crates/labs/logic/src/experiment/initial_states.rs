//! The states that grids of the automaton start from. A cell has channels, each of which starts on or off.

use learnery_kernels::rng::Stream;

use super::Experiment;

/// Initial states of several grids of one size.
#[derive(Clone, Debug)]
pub struct InitialStates {
    experiment: Experiment,
    size: [usize; 2],
    /// A number in [0, 1) for each cell and channel: below one half, the channel starts on. Empty if the
    /// experiment's initial state is fixed.
    /// Shape: `[cells of all grids, channels]`.
    uniforms: Vec<f32>,
    channels: usize,
    /// Number of grids.
    count: usize,
    /// The order of the 512 neighbourhoods in the present round. A round presents every neighbourhood once,
    /// over several batches. Only for the game of life on 3x3 grids, each of which is one neighbourhood;
    /// empty otherwise.
    neighbourhood_order: Vec<u32>,
    /// The round that `neighbourhood_order` belongs to; `u64::MAX` before the first.
    round: u64,
}

/// Cells of a neighbourhood.
const NEIGHBOURHOOD_CELLS: usize = 9;

/// Number of neighbourhoods of the game of life: 2^9.
const NEIGHBOURHOODS: u64 = 1 << NEIGHBOURHOOD_CELLS;

/// Values that stand in `uniforms` for a channel that is to start on or off.
const ON: f32 = 0.0;
const OFF: f32 = 1.0;

/// Whether a cell is alive if every grid has 3x3 cells, and grid i holds neighbourhood i, whose k-th cell is
/// bit k of i. Cells are numbered through all grids.
pub fn life_neighbourhood(cell: usize) -> bool {
    let (grid, k) = (cell / NEIGHBOURHOOD_CELLS, cell % NEIGHBOURHOOD_CELLS);
    (grid >> k) & 1 == 1
}

impl InitialStates {
    /// Buffers for `count` grids, to be filled by [`Self::draw`].
    pub fn new(experiment: Experiment, size: [usize; 2], count: usize) -> Self {
        let channels = experiment.setup().channels;
        let is_random = matches!(experiment, Experiment::Life | Experiment::Checkerboard | Experiment::Async);
        let uniforms = if is_random { size[0] * size[1] * count * channels } else { 0 };
        let is_in_rounds = experiment == Experiment::Life && size == [3; 2];
        let order = if is_in_rounds { NEIGHBOURHOODS as usize } else { 0 };
        Self {
            experiment,
            size,
            uniforms: vec![0.0; uniforms],
            channels,
            count,
            neighbourhood_order: vec![0; order],
            round: u64::MAX,
        }
    }

    pub fn channels(&self) -> usize {
        self.channels
    }

    /// Samples the initial states of batch number `index`.
    pub fn draw(&mut self, stream: Stream, index: u64) {
        if self.neighbourhood_order.is_empty() {
            stream.fill_uniform(index, &mut self.uniforms);
            return;
        }
        for (grid, cells) in self.uniforms.chunks_exact_mut(NEIGHBOURHOOD_CELLS).enumerate() {
            // The number of neighbourhoods presented before this one.
            let presented = index * self.count as u64 + grid as u64;
            let round = presented / NEIGHBOURHOODS;
            if round != self.round {
                self.round = round;
                (0..).zip(&mut self.neighbourhood_order).for_each(|(number, entry)| *entry = number);
                stream.shuffle(round, &mut self.neighbourhood_order);
            }
            let neighbourhood = self.neighbourhood_order[(presented % NEIGHBOURHOODS) as usize];
            for (k, value) in cells.iter_mut().enumerate() {
                *value = if neighbourhood >> k & 1 == 1 { ON } else { OFF };
            }
        }
    }

    /// Whether a cell's channel starts on. Cells are numbered through all grids.
    pub fn is_on(&self, cell: usize, channel: usize) -> bool {
        let [width, height] = self.size;
        match self.experiment {
            Experiment::Life | Experiment::Checkerboard | Experiment::Async => {
                self.uniforms[cell * self.channels + channel] < 0.5
            }
            // All channels of the cell in the middle.
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
        // Batches of 16 grids fit a round exactly (16 divides 512); batches of 20 cross from one round to the
        // next.
        for count in [16, 20] {
            let mut states = InitialStates::new(Experiment::Life, [3; 2], count);
            let mut presentations = vec![0; 512];
            let mut grids = 0;
            for index in 0..64 {
                // Any seed and stream will do.
                states.draw(Stream::new(3, 1), index);
                for grid in 0..count {
                    let bit = |k: usize| usize::from(states.is_on(9 * grid + k, 0)) << k;
                    presentations[(0..9).map(bit).sum::<usize>()] += 1;
                    grids += 1;
                    if grids % 512 == 0 {
                        assert!(presentations.iter().all(|n| *n == grids / 512), "{count} grids per batch");
                    }
                }
            }
        }
    }
}
