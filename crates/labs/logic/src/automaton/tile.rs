//! Forward and backward pass of one step for one tile of cells.

use learnery_kernels::buffer::Buffer;
use learnery_kernels::gates::{self, TILE};

use super::cell::CellCircuits;
use super::grid::Grids;
use super::layers::GateLayers;
use crate::circuit::NEIGHBOURHOOD;

/// The most channels that go through perception together, as rows of several tiles. A gate's coefficients are then loaded,
/// and their gradients summed, once for all of these channels.
const MAX_CHANNEL_GROUP: usize = 4;

/// How many channels go through perception together: the largest group size that divides their number.
pub fn channel_group(channels: usize) -> usize {
    (1..=MAX_CHANNEL_GROUP).rev().find(|n| channels.is_multiple_of(*n)).unwrap_or(1)
}

/// Buffers for the passes over one tile. Each thread has its own.
pub struct TileWorkspace {
    /// The neighbourhoods, gathered for each group of channels. // [groups, NEIGHBOURHOOD, group size, TILE]
    neighbourhoods: Buffer,
    /// The values of all perception gates. // [groups, gates, group size, TILE]
    perception: Buffer,
    /// The inputs of the update circuit. // [inputs, TILE]
    update_input: Buffer,
    /// The values of all update gates. // [gates, TILE]
    update: Buffer,
    /// Gradients that pass through the update circuit, with the bias of [`gates::add_gradient_bias`]. The first buffer takes
    /// those at its outputs.
    pub update_gradients: [Buffer; 2],
    /// Gradients that pass through perception.
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

    /// Computes the next values of a tile, which [`Self::outputs`] returns.
    pub fn forward(&mut self, cell: &CellCircuits, coefs: &[f32], grids: &Grids, state: &[f32], tile: usize) {
        let (own, found) = self.update_input.split_at_mut(cell.channels * TILE);
        own.copy_from_slice(&state[tile * grids.tile_len()..][..grids.tile_len()]);
        let (perception_coefs, update_coefs) = coefs.split_at(4 * cell.perception.gates());
        let (group_size, outputs) = (channel_group(cell.channels), cell.perception.outputs());
        let width = group_size * TILE;
        let neighbourhoods = self.neighbourhoods.chunks_exact_mut(NEIGHBOURHOOD * width);
        let values = self.perception.chunks_exact_mut(cell.perception.gates() * width);
        let found = found.chunks_exact_mut(outputs * width);
        for (group, ((seen, values), found)) in neighbourhoods.zip(values).zip(found).enumerate() {
            grids.gather(tile, state, group * group_size, group_size, seen);
            cell.perception.forward(width, perception_coefs, seen, values);
            // From [outputs, group size, TILE] to [group size, outputs, TILE]. As arrays, because for copies this short a
            // call of memcpy costs more than the copy.
            let (results, _) = cell.perception.outputs_of(width, values).as_chunks::<TILE>();
            for (channel, found) in found.chunks_exact_mut(outputs * TILE).enumerate() {
                let own = results.iter().skip(channel).step_by(group_size);
                found.as_chunks_mut().0.iter_mut().zip(own).for_each(|(found, own)| *found = *own);
            }
        }
        cell.update.forward(TILE, update_coefs, &self.update_input, &mut self.update);
    }

    /// Backpropagation for the tile of the last forward pass. The first of `update_gradients` holds the biased gradient at
    /// its outputs. Adds to `d_coefs`; replaces `d_own`, the gradient at the tile's own cells, and
    /// `d_neighbourhoods`, that at the cells it gathered. // d_own [channels, TILE], d_neighbourhoods as `neighbourhoods`
    pub fn backward(
        &mut self,
        cell: &CellCircuits,
        coefs: &[f32],
        d_coefs: &mut [f32],
        d_own: &mut [f32],
        d_neighbourhoods: &mut [f32],
    ) {
        let at = 4 * cell.perception.gates();
        let (perception_coefs, update_coefs) = coefs.split_at(at);
        let (d_perception, d_update) = d_coefs.split_at_mut(at);
        let [first, second] = &mut self.update_gradients;
        let buffers: [&mut [f32]; 2] = [first, second];
        let d_input =
            cell.update.backward(TILE, update_coefs, &self.update_input, &self.update, d_update, buffers);
        let (own, found) = d_input.split_at(cell.channels * TILE);
        gates::remove_gradient_bias(own, d_own);
        let (group_size, outputs) = (channel_group(cell.channels), cell.perception.outputs());
        let width = group_size * TILE;
        let neighbourhoods = self.neighbourhoods.chunks_exact(NEIGHBOURHOOD * width);
        let values = self.perception.chunks_exact(cell.perception.gates() * width);
        let found = found.chunks_exact(outputs * width);
        let d_groups = d_neighbourhoods.chunks_exact_mut(NEIGHBOURHOOD * width);
        for (((seen, values), found), d_seen) in neighbourhoods.zip(values).zip(found).zip(d_groups) {
            let [first, second] = &mut self.perception_gradients;
            for (channel, found) in found.chunks_exact(outputs * TILE).enumerate() {
                let own = first.as_chunks_mut().0.iter_mut().skip(channel).step_by(group_size);
                own.zip(found.as_chunks::<TILE>().0).for_each(|(own, found)| *own = *found);
            }
            let buffers: [&mut [f32]; 2] = [first, second];
            let d_input =
                cell.perception.backward(width, perception_coefs, seen, values, d_perception, buffers);
            gates::remove_gradient_bias(d_input, d_seen);
        }
    }

    /// The tile's next values. // [channels, TILE]
    pub fn outputs(&self, cell: &CellCircuits) -> &[f32] {
        cell.update.outputs_of(TILE, &self.update)
    }
}
