//! The way back through an automaton's steps: the gradient at the gates' logits, from that at the cells after the last step.
//! Every gate's value is worked out anew, tile by tile, instead of being kept for all steps.

use learnery_kernels::buffer::Buffer;
use learnery_kernels::gates::{self, GRADIENT_BIAS, TILE};
use learnery_kernels::reduce;
use rayon::prelude::*;

use super::automaton::{Automaton, Brain, together};
use super::grid::Grids;
use super::wiring::NEIGHBOURHOOD;

/// Most parts a step is dealt into, which bounds the memory for their gradients.
const MOST_PIECES: usize = 16;

/// What the way back is worked out in.
pub struct WayBack {
    /// The gradient at the cells. // [tiles, channels, TILE]
    d_state: Buffer,
    /// What came back to the cells' own channels. // [tiles, channels, TILE]
    d_own: Buffer,
    /// What came back to their neighbourhoods, as a tile's desk has it. // [tiles, channels * NEIGHBOURHOOD * TILE]
    d_seen: Buffer,
    /// The gradient at the coefficients, for each part of the tiles. // each [gates, 4]
    pieces: Vec<Buffer>,
}

impl WayBack {
    /// Room for the way back through steps over these grids.
    pub fn new(brain: &Brain, grids: &Grids) -> Self {
        let (tiles, tile_len) = (grids.tiles(), grids.tile_len());
        let each = tiles.div_ceil(MOST_PIECES);
        Self {
            d_state: Buffer::new(tiles * tile_len),
            d_own: Buffer::new(tiles * tile_len),
            d_seen: Buffer::new(tiles * tile_len * NEIGHBOURHOOD),
            pieces: (0..tiles.div_ceil(each)).map(|_| Buffer::new(4 * brain.gates())).collect(),
        }
    }

    /// Begins; the gradient at the cells after the last step is to be written into what is returned, which is zero.
    /// // [tiles, channels, TILE]
    pub fn begin(&mut self) -> &mut [f32] {
        self.pieces.par_iter_mut().with_max_len(1).for_each(|piece| piece.fill(0.0));
        self.d_state.fill(0.0);
        &mut self.d_state
    }

    /// Goes back over step `step`, those after it done.
    pub fn step(&mut self, brain: &Brain, automaton: &Automaton, step: usize) {
        let Self { d_state, d_own, d_seen, pieces } = self;
        let Automaton { grids, states, awake, coefs, .. } = automaton;
        let (tiles, tile_len) = (grids.tiles(), grids.tile_len());
        let each = tiles.div_ceil(pieces.len());
        let (from, awake, d_after) = (&states[step], awake.get(step), &*d_state);
        let parts =
            d_own.par_chunks_mut(each * tile_len).zip(d_seen.par_chunks_mut(each * tile_len * NEIGHBOURHOOD));
        pieces.par_iter_mut().with_max_len(1).zip(parts).enumerate().for_each(
            |(piece, (d_coefs, (d_own, d_seen)))| {
                let tiles =
                    d_own.chunks_exact_mut(tile_len).zip(d_seen.chunks_exact_mut(tile_len * NEIGHBOURHOOD));
                for (i, (d_own, d_seen)) in tiles.enumerate() {
                    let tile = piece * each + i;
                    let desk = &mut *automaton.desk();
                    desk.forward(brain, coefs, grids, from, tile);
                    let d_out = &mut desk.ways[0][..tile_len];
                    gates::add_gradient_bias(&d_after[tile * tile_len..][..tile_len], d_out);
                    if let Some(awake) = awake {
                        let awake = &awake[tile * TILE..(tile + 1) * TILE];
                        d_out.chunks_exact_mut(TILE).for_each(|row| keep(row, awake));
                    }
                    desk.backward(brain, coefs, d_coefs, d_own, d_seen);
                }
            },
        );
        let (d_own, d_seen) = (&*d_own, &*d_seen);
        d_state.par_chunks_mut(tile_len).with_max_len(1).enumerate().for_each(|(tile, d_state)| {
            let own = &d_own[tile * tile_len..][..tile_len];
            match awake {
                // What slept stayed what it was.
                Some(awake) => {
                    let awake = &awake[tile * TILE..(tile + 1) * TILE];
                    for (d, own) in d_state.chunks_exact_mut(TILE).zip(own.chunks_exact(TILE)) {
                        for ((d, own), awake) in d.iter_mut().zip(own).zip(awake) {
                            *d = own + (1.0 - awake) * *d;
                        }
                    }
                }
                None => d_state.copy_from_slice(own),
            }
            grids.unsee(tile, d_seen, together(brain.channels), d_state);
        });
    }

    /// The gradient at the logits, all steps done. // -> d_logits, replaced
    pub fn end(&mut self, brain: &Brain, logits: &[f32], d_logits: &mut [f32]) {
        let (sum, others) = self.pieces.split_first_mut().expect("there is a piece");
        others.iter().for_each(|piece| reduce::add_assign(sum, piece));
        brain.unmix(logits, sum, d_logits);
    }
}

/// Where a cell sleeps, nothing; that is, of a gradient that is lifted, what it has on top.
fn keep(row: &mut [f32], awake: &[f32]) {
    row.iter_mut().zip(awake).for_each(|(x, awake)| *x = if *awake == 0.0 { GRADIENT_BIAS } else { *x });
}
