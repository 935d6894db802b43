//! Backpropagation through time for the automaton with soft gates (mixtures of the sixteen gate kinds): from
//! the gradient at the last state to the gradient at the logits that define the mixtures, step by step. The
//! values of the gates are not stored but computed again, tile by tile (gradient checkpointing). A tile is a
//! fixed number of consecutive cells.
//!
//! Each step has two passes. The first goes backward through the circuits of every cell: it gives the
//! gradient at the cell's own channels and at the neighbourhood that the cell read. The second adds, for
//! every cell, the gradients of all neighbourhoods that contain it.
//!
//! A soft gate computes `c0 + c1 a + c2 b + c3 a b`. Gradients are summed for these four coefficients of each
//! gate first, and converted to gradients of the logits once, at the end.

use learnery_kernels::buffer::Buffer;
use learnery_kernels::gates::{self, GRADIENT_BIAS, TILE};
use learnery_kernels::reduce;
use rayon::prelude::*;

use super::cell::CellCircuits;
use super::grid::Grids;
use super::layers::COEFS_PER_GATE;
use super::soft_automaton::SoftAutomaton;
use super::tile::channel_group;
use crate::circuit::NEIGHBOURHOOD;

/// Upper bound of the number of parts that the tiles are divided into. Each part has its own sum of
/// gradients, which it adds up in the order of its tiles. So the result does not depend on the number of
/// threads.
const MAX_PARTS: usize = 16;

/// The buffers of a backward pass.
pub struct Backward {
    /// The gradient at the state after the current step; at the end of the step, at the state before it.
    /// Shape: `[tiles, channels, TILE]`.
    d_state: Buffer,
    /// The gradient at the channels of the cell itself, as the update circuit reads them.
    /// Shape: `[tiles, channels, TILE]`.
    d_own: Buffer,
    /// The gradient at the nine cells that perception (the first circuits of a cell) reads.
    /// Shape: `[tiles, channels * NEIGHBOURHOOD * TILE]`.
    d_neighbourhoods: Buffer,
    /// The gradient at the coefficients, summed over steps; one sum for each part of the tiles.
    /// Shape: `[parts] of [4 * gates]`.
    pub(crate) d_coefs: Vec<Buffer>,
}

impl Backward {
    pub fn new(cell: &CellCircuits, grids: &Grids) -> Self {
        let (tiles, tile_len) = (grids.tiles(), grids.tile_len());
        let tiles_per_part = tiles.div_ceil(MAX_PARTS);
        let parts = 0..tiles.div_ceil(tiles_per_part);
        Self {
            d_state: Buffer::new(tiles * tile_len),
            d_own: Buffer::new(tiles * tile_len),
            d_neighbourhoods: Buffer::new(tiles * tile_len * NEIGHBOURHOOD),
            d_coefs: parts.map(|_| Buffer::new(COEFS_PER_GATE * cell.gates())).collect(),
        }
    }

    /// Begins a backward pass. Returns zeros, into which the caller writes the gradient at the last state.
    ///
    /// Shape: `[tiles, channels, TILE]`.
    pub fn begin(&mut self) -> &mut [f32] {
        self.d_coefs.par_iter_mut().with_max_len(1).for_each(|part| part.fill(0.0));
        self.d_state.fill(0.0);
        &mut self.d_state
    }

    /// Backpropagates through one step. Steps must be passed from the last to the first.
    pub fn step(&mut self, cell: &CellCircuits, automaton: &SoftAutomaton, step: usize) {
        let Self { d_state, d_own, d_neighbourhoods, d_coefs } = self;
        let SoftAutomaton { grids, states, active, coefs, .. } = automaton;
        let (tiles, tile_len) = (grids.tiles(), grids.tile_len());
        let tiles_per_part = tiles.div_ceil(d_coefs.len());
        let (state, active, d_after) = (&states[step], active.get(step), &*d_state);
        let seen_len = tile_len * NEIGHBOURHOOD;
        // First pass: through the circuits, in parallel over parts.
        let own = d_own.par_chunks_mut(tiles_per_part * tile_len);
        let parts = own.zip(d_neighbourhoods.par_chunks_mut(tiles_per_part * seen_len));
        d_coefs.par_iter_mut().with_max_len(1).zip(parts).enumerate().for_each(
            |(part, (d_coefs, (d_own, d_seen)))| {
                let tiles = d_own.chunks_exact_mut(tile_len).zip(d_seen.chunks_exact_mut(seen_len));
                for (i, (d_own, d_seen)) in tiles.enumerate() {
                    let tile = part * tiles_per_part + i;
                    let workspace = &mut *automaton.workspace();
                    workspace.forward(cell, coefs, grids, state, tile);
                    let d_out = &mut workspace.update_gradients[0][..tile_len];
                    gates::add_gradient_bias(&d_after[tile * tile_len..][..tile_len], d_out);
                    if let Some(active) = active {
                        let active = &active[tile * TILE..(tile + 1) * TILE];
                        d_out.chunks_exact_mut(TILE).for_each(|row| mask_inactive(row, active));
                    }
                    workspace.backward(cell, coefs, d_coefs, d_own, d_seen);
                }
            },
        );
        // Second pass: from neighbourhoods to cells, in parallel over tiles.
        let (d_own, d_neighbourhoods) = (&*d_own, &*d_neighbourhoods);
        d_state.par_chunks_mut(tile_len).with_max_len(1).enumerate().for_each(|(tile, d_state)| {
            let own = &d_own[tile * tile_len..][..tile_len];
            match active {
                // An inactive cell keeps its value, so the gradient of its next state belongs to its present
                // state as well.
                Some(active) => {
                    let active = &active[tile * TILE..(tile + 1) * TILE];
                    for (d, own) in d_state.chunks_exact_mut(TILE).zip(own.chunks_exact(TILE)) {
                        for ((d, own), active) in d.iter_mut().zip(own).zip(active) {
                            *d = own + (1.0 - active) * *d;
                        }
                    }
                }
                None => d_state.copy_from_slice(own),
            }
            grids.gather_backward(tile, d_neighbourhoods, channel_group(cell.channels), d_state);
        });
    }

    /// Computes the gradient at the logits, after all steps.
    pub fn finish(&mut self, cell: &CellCircuits, logits: &[f32], d_logits: &mut [f32]) {
        let (sum, rest) = self.d_coefs.split_first_mut().expect("there is a part");
        rest.iter().for_each(|part| reduce::add_assign(sum, part));
        cell.logit_gradient(logits, sum, d_logits);
    }
}

/// Sets the gradient of inactive cells to zero. A small constant is added to all gradients to keep them out
/// of the slow denormal range, so zero is stored as [`GRADIENT_BIAS`].
///
/// Shapes: `each [TILE]`.
fn mask_inactive(gradient: &mut [f32], active: &[f32]) {
    gradient
        .iter_mut()
        .zip(active)
        .for_each(|(d, active)| *d = if *active == 0.0 { GRADIENT_BIAS } else { *d });
}
