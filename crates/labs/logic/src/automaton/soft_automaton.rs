//! The cellular automaton with soft gates (mixtures of the sixteen gate kinds): several steps on several
//! grids, with the states of all steps stored for backpropagation.
//!
//! Only the states are stored, not the values of the gates. The backward pass computes these again, tile by
//! tile (gradient checkpointing). A tile is a fixed number of consecutive cells.

use std::sync::{Mutex, MutexGuard};

use learnery_kernels::buffer::Buffer;
use learnery_kernels::gates::TILE;
use rayon::prelude::*;

use super::cell::CellCircuits;
use super::grid::Grids;
use super::layers::COEFS_PER_GATE;
use super::tile::TileWorkspace;

/// The grids, the states of all steps, and the gates. The caller sets the initial state
/// ([`Self::set_channel`]) and the gates ([`Self::set_logits`]), then runs the steps in order
/// ([`Self::step`]).
pub struct SoftAutomaton {
    pub(super) grids: Grids,
    /// The state before the first step, and the state after each step.
    /// Shape: `[steps + 1] of [tiles + 1, channels, TILE]`.
    pub(super) states: Vec<Buffer>,
    /// For each step, 1 where a cell is active and 0 where it keeps its value. Empty if all cells are always
    /// active.
    /// Shape: `[steps] of [tiles, TILE]`.
    pub(super) active: Vec<Buffer>,
    /// The four coefficients of each gate, a function `c0 + c1 a + c2 b + c3 a b` of its inputs.
    /// Shape: `[4 * gates]`.
    pub(super) coefs: Buffer,
    /// One workspace per thread.
    workspaces: Vec<Mutex<TileWorkspace>>,
}

impl SoftAutomaton {
    /// Buffers for `steps` steps. If `asynchronous`, [`Self::set_active`] must be called for every step.
    pub fn new(cell: &CellCircuits, grids: Grids, steps: usize, asynchronous: bool) -> Self {
        let tiles = grids.tiles();
        let workspaces = 0..rayon::current_num_threads();
        Self {
            states: (0..=steps).map(|_| Buffer::new(grids.state_len())).collect(),
            active: (0..if asynchronous { steps } else { 0 }).map(|_| Buffer::new(tiles * TILE)).collect(),
            coefs: Buffer::new(COEFS_PER_GATE * cell.gates()),
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

    /// Sets a channel of the initial state in all cells of all grids.
    pub fn set_channel(&mut self, channel: usize, values: impl IntoIterator<Item = f32>) {
        self.grids.set_channel(&mut self.states[0], channel, values);
    }

    /// Sets one channel of one cell in the initial state.
    pub fn set_value(&mut self, cell: usize, channel: usize, value: f32) {
        let at = self.grids.index(cell, channel);
        self.states[0][at] = value;
    }

    /// Sets which cells of all grids are active in a step.
    pub fn set_active(&mut self, step: usize, values: impl IntoIterator<Item = bool>) {
        for (entry, active) in self.active[step].iter_mut().zip(values) {
            *entry = f32::from(u8::from(active));
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
        let (state, next) = (&before[step], &mut after[0]);
        let active = active.get(step);
        let next_tiles = next[..tiles * tile_len].par_chunks_mut(tile_len).with_max_len(1).enumerate();
        next_tiles.for_each(|(tile, next)| {
            let workspace = &mut *lock(workspaces);
            workspace.forward(cell, coefs, grids, state, tile);
            next.copy_from_slice(workspace.outputs(cell));
            if let Some(active) = active {
                let (state, active) = (&state[tile * tile_len..], &active[tile * TILE..(tile + 1) * TILE]);
                for (next, state) in next.chunks_exact_mut(TILE).zip(state.chunks_exact(TILE)) {
                    keep_inactive(next, state, active);
                }
            }
        });
    }

    /// Makes the last state the initial state of the next steps.
    pub fn restart_from_last(&mut self) {
        let last = self.steps();
        self.states.swap(0, last);
    }

    pub(super) fn workspace(&self) -> MutexGuard<'_, TileWorkspace> {
        lock(&self.workspaces)
    }
}

/// Locks the workspace of this thread. Each thread has its own, so no thread waits, unless the pool has more
/// threads now than when the workspaces were made.
fn lock(workspaces: &[Mutex<TileWorkspace>]) -> MutexGuard<'_, TileWorkspace> {
    let thread = rayon::current_thread_index().unwrap_or(0) % workspaces.len();
    // A poisoned lock (a thread panicked while holding it) is ignored: the panic ends the run anyway.
    workspaces[thread].lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Copies the state of inactive cells to `next`.
///
/// Shapes: `each [TILE]`.
fn keep_inactive(next: &mut [f32], state: &[f32], active: &[f32]) {
    for ((next, state), active) in next.iter_mut().zip(state).zip(active) {
        *next = if *active == 0.0 { *state } else { *next };
    }
}
