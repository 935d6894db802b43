//! Forward and backward pass of one step of the soft automaton for one tile, which is a fixed number of
//! consecutive cells (see [`Grids`]). In a step, a cell's perception circuit reads the neighbourhood of each
//! of its channels. Then its update circuit reads the cell's channels and what perception computed, and gives
//! the next channels.

use learnery_kernels::buffer::Buffer;
use learnery_kernels::gates::{self, TILE};

use super::cell::CellCircuits;
use super::grid::Grids;
use super::layers::{COEFS_PER_GATE, GateLayers};
use crate::circuit::NEIGHBOURHOOD;

/// Upper bound of the number of channels that perception handles at a time. A gate's coefficients are loaded,
/// and their gradients summed, once for all channels of such a group.
const MAX_CHANNEL_GROUP: usize = 4;

/// Returns the number of channels that perception handles at a time: the largest allowed number that divides
/// `channels`.
pub fn channel_group(channels: usize) -> usize {
    (1..=MAX_CHANNEL_GROUP).rev().find(|n| channels.is_multiple_of(*n)).unwrap_or(1)
}

/// Buffers for the passes over one tile. Each thread has its own.
pub struct TileWorkspace {
    /// The neighbourhoods, gathered for each group of channels.
    /// Shape: `[groups, NEIGHBOURHOOD, group size, TILE]`.
    neighbourhoods: Buffer,
    /// The values of all perception gates.
    /// Shape: `[groups, gates, group size, TILE]`.
    perception: Buffer,
    /// The inputs of the update circuit.
    /// Shape: `[inputs, TILE]`.
    update_input: Buffer,
    /// The values of all update gates.
    /// Shape: `[gates, TILE]`.
    update: Buffer,
    /// Gradients at the values of two consecutive layers of the update circuit. They carry a small constant
    /// that keeps them out of the slow denormal range (see [`gates::add_gradient_bias`]). The caller of
    /// [`Self::backward`] writes the gradient at the outputs into the first buffer.
    pub update_gradients: [Buffer; 2],
    /// Gradients at the values of two consecutive layers of the perception circuits, with the same constant.
    perception_gradients: [Buffer; 2],
}

impl TileWorkspace {
    pub fn new(cell: &CellCircuits) -> Self {
        let gradients = |circuit: &GateLayers, width: usize| {
            std::array::from_fn(|_| Buffer::new(circuit.max_width() * width))
        };
        Self {
            neighbourhoods: Buffer::new(cell.channels * NEIGHBOURHOOD * TILE),
            perception: Buffer::new(cell.channels * cell.perception.gates() * TILE),
            update_input: Buffer::new(cell.update.inputs() * TILE),
            update: Buffer::new(cell.update.gates() * TILE),
            update_gradients: gradients(&cell.update, TILE),
            perception_gradients: gradients(&cell.perception, channel_group(cell.channels) * TILE),
        }
    }

    /// Computes the next channels of a tile's cells, which [`Self::outputs`] returns. Keeps all intermediate
    /// values for [`Self::backward`].
    pub fn forward(&mut self, cell: &CellCircuits, coefs: &[f32], grids: &Grids, state: &[f32], tile: usize) {
        let (own, perceived) = self.update_input.split_at_mut(cell.channels * TILE);
        own.copy_from_slice(&state[tile * grids.tile_len()..][..grids.tile_len()]);
        let (perception_coefs, update_coefs) = coefs.split_at(COEFS_PER_GATE * cell.perception.gates());
        let (group_size, outputs) = (channel_group(cell.channels), cell.perception.outputs());
        let width = group_size * TILE;
        let neighbourhoods = self.neighbourhoods.chunks_exact_mut(NEIGHBOURHOOD * width);
        let values = self.perception.chunks_exact_mut(cell.perception.gates() * width);
        let perceived = perceived.chunks_exact_mut(outputs * width);
        for (group, ((seen, values), perceived)) in neighbourhoods.zip(values).zip(perceived).enumerate() {
            grids.gather(tile, state, group * group_size, group_size, seen);
            cell.perception.forward(width, perception_coefs, seen, values);
            // Transposes [outputs, group size, TILE] to [group size, outputs, TILE]. The rows are copied as
            // arrays of fixed length: calling memcpy would cost more than copying so few bytes.
            let (results, _) = cell.perception.outputs_of(width, values).as_chunks::<TILE>();
            for (channel, perceived) in perceived.chunks_exact_mut(outputs * TILE).enumerate() {
                let rows = results.iter().skip(channel).step_by(group_size);
                perceived.as_chunks_mut().0.iter_mut().zip(rows).for_each(|(to, row)| *to = *row);
            }
        }
        cell.update.forward(TILE, update_coefs, &self.update_input, &mut self.update);
    }

    /// Backpropagates through the last forward pass. The first of `update_gradients` must hold the biased
    /// gradient at the outputs.
    ///
    /// Adds to `d_coefs`, the gradient at the gates' coefficients. Overwrites `d_own`, the gradient at the
    /// tile's own cells, and `d_neighbourhoods`, the gradient at the gathered neighbourhoods.
    ///
    /// Shapes: `d_own [channels, TILE], d_neighbourhoods [groups, NEIGHBOURHOOD, group size, TILE]`.
    pub fn backward(
        &mut self,
        cell: &CellCircuits,
        coefs: &[f32],
        d_coefs: &mut [f32],
        d_own: &mut [f32],
        d_neighbourhoods: &mut [f32],
    ) {
        let perception_len = COEFS_PER_GATE * cell.perception.gates();
        let (perception_coefs, update_coefs) = coefs.split_at(perception_len);
        let (d_perception, d_update) = d_coefs.split_at_mut(perception_len);
        let [first, second] = &mut self.update_gradients;
        let buffers: [&mut [f32]; 2] = [first, second];
        let d_input =
            cell.update.backward(TILE, update_coefs, &self.update_input, &self.update, d_update, buffers);
        let (own, perceived) = d_input.split_at(cell.channels * TILE);
        gates::remove_gradient_bias(own, d_own);
        let (group_size, outputs) = (channel_group(cell.channels), cell.perception.outputs());
        let width = group_size * TILE;
        let neighbourhoods = self.neighbourhoods.chunks_exact(NEIGHBOURHOOD * width);
        let values = self.perception.chunks_exact(cell.perception.gates() * width);
        let perceived = perceived.chunks_exact(outputs * width);
        let d_groups = d_neighbourhoods.chunks_exact_mut(NEIGHBOURHOOD * width);
        for (((seen, values), perceived), d_seen) in neighbourhoods.zip(values).zip(perceived).zip(d_groups) {
            let [first, second] = &mut self.perception_gradients;
            // Transposes the gradients back, from [group size, outputs, TILE] to [outputs, group size, TILE].
            for (channel, perceived) in perceived.chunks_exact(outputs * TILE).enumerate() {
                let rows = first.as_chunks_mut().0.iter_mut().skip(channel).step_by(group_size);
                rows.zip(perceived.as_chunks::<TILE>().0).for_each(|(row, from)| *row = *from);
            }
            let buffers: [&mut [f32]; 2] = [first, second];
            let d_input =
                cell.perception.backward(width, perception_coefs, seen, values, d_perception, buffers);
            gates::remove_gradient_bias(d_input, d_seen);
        }
    }

    /// The next channels of the tile's cells.
    ///
    /// Shape: `[channels, TILE]`.
    pub fn outputs(&self, cell: &CellCircuits) -> &[f32] {
        cell.update.outputs_of(TILE, &self.update)
    }
}
