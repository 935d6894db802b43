//! The automaton with soft gates: several steps over several grids, with every state kept for backpropagation.
//!
//! Only the cells' channels are kept, not the gates' values; the backward pass computes those again, tile by tile
//! (gradient checkpointing).

use std::sync::{Mutex, MutexGuard};

use learnery_kernels::buffer::Buffer;
use learnery_kernels::gates::TILE;
use rayon::prelude::*;

use super::cell::CellCircuits;
use super::grid::Grids;
use super::tile::TileWorkspace;

pub struct SoftAutomaton {
    pub(super) grids: Grids,
    /// The state before the first step and after each. // [steps + 1] of [tiles + 1, channels, TILE]
    pub(super) states: Vec<Buffer>,
    /// For each step, 1 where a cell is active and 0 where it keeps its value. Empty if all cells are always active.
    /// // [steps] of [tiles, TILE]
    pub(super) active: Vec<Buffer>,
    pub(super) coefs: Buffer,
    workspaces: Vec<Mutex<TileWorkspace>>,
}

impl SoftAutomaton {
    /// Room for this many steps. If `asynchronous`, [`Self::set_active`] must be called for every step.
    pub fn new(cell: &CellCircuits, grids: Grids, steps: usize, asynchronous: bool) -> Self {
        let tiles = grids.tiles();
        let workspaces = 0..rayon::current_num_threads();
        Self {
            states: (0..=steps).map(|_| Buffer::new(grids.state_len())).collect(),
            active: (0..if asynchronous { steps } else { 0 }).map(|_| Buffer::new(tiles * TILE)).collect(),
            coefs: Buffer::new(4 * cell.gates()),
            workspaces: workspaces.map(|_| Mutex::new(TileWorkspace::new(cell))).collect(),
            grids,
        }
    }

    pub fn grids(&self) -> &Grids {
        &self.grids
    }

    pub fn steps(&self) -> usize {
        self.states.len() - 1
    }

    /// The state after `step` steps, laid out as [`Grids`] describes.
    pub fn state(&self, step: usize) -> &[f32] {
        &self.states[step]
    }

    /// Sets a channel of the initial state. // values [cells of all grids]
    pub fn set_channel(&mut self, channel: usize, values: impl IntoIterator<Item = f32>) {
        self.grids.set_channel(&mut self.states[0], channel, values);
    }

    /// Sets one channel of one cell in the initial state.
    pub fn set_value(&mut self, cell: usize, channel: usize, value: f32) {
        let at = self.grids.index(cell, channel);
        self.states[0][at] = value;
    }

    /// Sets which cells are active in a step. // values [cells of all grids]
    pub fn set_active(&mut self, step: usize, values: impl IntoIterator<Item = bool>) {
        for (place, active) in self.active[step].iter_mut().zip(values) {
            *place = f32::from(u8::from(active));
        }
    }

    /// Computes the coefficients of the gates from their logits.
    pub fn set_logits(&mut self, cell: &CellCircuits, logits: &[f32]) {
        cell.coefficients(logits, &mut self.coefs);
    }

    /// Computes state `step + 1` from state `step`.
    pub fn step(&mut self, cell: &CellCircuits, step: usize) {
        let Self { grids, states, active, coefs, workspaces } = self;
        let (tiles, tile_len) = (grids.tiles(), grids.tile_len());
        let (before, after) = states.split_at_mut(step + 1);
        let (from, to) = (&before[step], &mut after[0]);
        let active = active.get(step);
        let each = to[..tiles * tile_len].par_chunks_mut(tile_len).with_max_len(1).enumerate();
        each.for_each(|(tile, to)| {
            let workspace = &mut *lock(workspaces);
            workspace.forward(cell, coefs, grids, from, tile);
            to.copy_from_slice(workspace.outputs(cell));
            if let Some(active) = active {
                let (own, active) = (&from[tile * tile_len..], &active[tile * TILE..(tile + 1) * TILE]);
                for (to, own) in to.chunks_exact_mut(TILE).zip(own.chunks_exact(TILE)) {
                    keep_inactive(to, own, active);
                }
            }
        });
    }

    /// Makes the last state the initial one, so that the steps can continue from there.
    pub fn restart_from_last(&mut self) {
        let last = self.steps();
        self.states.swap(0, last);
    }

    pub(super) fn workspace(&self) -> MutexGuard<'_, TileWorkspace> {
        lock(&self.workspaces)
    }
}

/// The workspace of this thread. It is contended only if there are more threads than when the workspaces were made.
fn lock(workspaces: &[Mutex<TileWorkspace>]) -> MutexGuard<'_, TileWorkspace> {
    let own = rayon::current_thread_index().unwrap_or(0) % workspaces.len();
    // A panic in a tile ends the run anyway.
    workspaces[own].lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn keep_inactive(to: &mut [f32], own: &[f32], active: &[f32]) {
    for ((to, own), active) in to.iter_mut().zip(own).zip(active) {
        *to = if *active == 0.0 { *own } else { *to };
    }
}
