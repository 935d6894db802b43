//! A cellular automaton made of gates that are not decided yet: every cell sees its neighbourhood channel by channel
//! through kernels, and an update circuit makes the cell's next channels of its present ones and of what the kernels
//! found (Miotti, Niklasson, Randazzo and Mordvintsev, "Differentiable logic cellular automata", 2025).
//!
//! The passes go over tiles of cells, and the way back works every gate's value out anew, tile by tile, instead of keeping
//! all of them for all steps: what is kept is the cells' channels after each step.

use std::sync::Mutex;

use learnery_kernels::buffer::Buffer;
use learnery_kernels::gates::{KINDS, TILE, Wiring};
use learnery_kernels::reduce;
use learnery_kernels::rng::Stream;
use rayon::prelude::*;

use super::circuit::Circuit;
use super::grid::Grids;
use super::wiring::{NEIGHBOURHOOD, around, distinct, side_by_side};

/// Most parts a step is dealt into, which bounds the memory for their gradients.
const MOST_PIECES: usize = 16;

/// The two circuits of a cell.
#[derive(Clone, Debug)]
pub struct Brain {
    /// Channels of a cell.
    pub channels: usize,
    /// Kernels side by side: reads a neighbourhood of one channel.
    pub perception: Circuit,
    /// Reads the cell's channels, then what the kernels found, and gives the next channels.
    pub update: Circuit,
}

impl Brain {
    /// Circuits of these sizes: `perception` without the nine values that go in, `update` without what goes in.
    pub fn new(
        channels: usize,
        kernels: usize,
        perception: &[usize],
        update: &[usize],
        wires: Stream,
    ) -> Self {
        let mut before = NEIGHBOURHOOD;
        let layers = perception.iter().enumerate().map(|(i, &gates)| {
            let first = i == 0;
            let pairs = if first { around(wires, 0) } else { distinct(before, gates, wires, i as u64) };
            assert_eq!(pairs.len(), gates, "the first layer of perception has a gate for each neighbour");
            let wiring = side_by_side(before, &pairs, kernels, first);
            before = gates;
            wiring
        });
        let perception = Circuit::new(layers.collect());
        let mut before = channels + channels * perception.outputs();
        let layers = update.iter().enumerate().map(|(i, &gates)| {
            let pairs = distinct(before, gates, wires, 64 + i as u64);
            let wiring = Wiring::new(before, pairs);
            before = gates;
            wiring
        });
        let update = Circuit::new(layers.collect());
        assert_eq!(update.outputs(), channels, "the update gives the next channels");
        Self { channels, perception, update }
    }

    /// Number of gates.
    pub fn gates(&self) -> usize {
        self.perception.gates() + self.update.gates()
    }

    /// Every gate handing on its first input, as sure of it as `certainty`. // [KINDS * gates], perception first
    pub fn pass_through(&self, certainty: f32) -> Vec<f32> {
        let mut logits = vec![0.0; KINDS * self.gates()];
        let (perception, update) = logits.split_at_mut(KINDS * self.perception.gates());
        self.perception.pass_through(perception, certainty);
        self.update.pass_through(update, certainty);
        logits
    }

    /// Both circuits' coefficients. // [4 * gates]
    pub fn mix(&self, logits: &[f32], coefs: &mut [f32]) {
        let (logits_p, logits_u) = logits.split_at(KINDS * self.perception.gates());
        let (coefs_p, coefs_u) = coefs.split_at_mut(4 * self.perception.gates());
        self.perception.mix(logits_p, coefs_p);
        self.update.mix(logits_u, coefs_u);
    }

    /// The gradient at the logits, from that at the coefficients.
    pub fn unmix(&self, logits: &[f32], d_coefs: &[f32], d_logits: &mut [f32]) {
        let at = self.perception.gates();
        let (logits_p, logits_u) = logits.split_at(KINDS * at);
        let (d_coefs_p, d_coefs_u) = d_coefs.split_at(4 * at);
        let (d_logits_p, d_logits_u) = d_logits.split_at_mut(KINDS * at);
        self.perception.unmix(logits_p, d_coefs_p, d_logits_p);
        self.update.unmix(logits_u, d_coefs_u, d_logits_u);
    }
}

/// What a tile is worked out in; one for each thread is enough.
struct Desk {
    /// Neighbourhoods of each channel. // [channels, NEIGHBOURHOOD, TILE]
    seen: Buffer,
    /// Values of the perception's gates for each channel. // [channels, gates, TILE]
    perceived: Buffer,
    /// What goes into the update. // [inputs, TILE]
    input: Buffer,
    /// Values of the update's gates. // [gates, TILE]
    updated: Buffer,
    ways: [Buffer; 2],
    others: [Buffer; 2],
}

impl Desk {
    fn new(brain: &Brain) -> Self {
        let ways = |circuit: &Circuit| std::array::from_fn(|_| Buffer::new(circuit.widest() * TILE));
        Self {
            seen: Buffer::new(brain.channels * NEIGHBOURHOOD * TILE),
            perceived: Buffer::new(brain.channels * brain.perception.gates() * TILE),
            input: Buffer::new(brain.update.inputs() * TILE),
            updated: Buffer::new(brain.update.gates() * TILE),
            ways: ways(&brain.update),
            others: ways(&brain.perception),
        }
    }

    /// Works a tile out; what comes out stands in `updated`.
    fn forward(&mut self, brain: &Brain, coefs: &[f32], grids: &Grids, state: &[f32], tile: usize) {
        let (own, found) = self.input.split_at_mut(brain.channels * TILE);
        own.copy_from_slice(&state[tile * grids.tile_len()..][..grids.tile_len()]);
        let (of_perception, of_update) = coefs.split_at(4 * brain.perception.gates());
        let seen = self.seen.chunks_exact_mut(NEIGHBOURHOOD * TILE);
        let values = self.perceived.chunks_exact_mut(brain.perception.gates() * TILE);
        let found = found.chunks_exact_mut(brain.perception.outputs() * TILE);
        for (channel, ((seen, values), found)) in seen.zip(values).zip(found).enumerate() {
            grids.see(tile, state, channel, seen);
            brain.perception.forward(of_perception, seen, values);
            found.copy_from_slice(brain.perception.results(values));
        }
        brain.update.forward(of_update, &self.input, &mut self.updated);
    }

    /// The way back of the tile that was worked out last; the gradient at what came out stands in the first way.
    /// // -> d_own [channels, TILE], d_seen [channels, NEIGHBOURHOOD, TILE], both replaced
    fn backward(
        &mut self,
        brain: &Brain,
        coefs: &[f32],
        d_coefs: &mut [f32],
        d_own: &mut [f32],
        d_seen: &mut [f32],
    ) {
        let at = 4 * brain.perception.gates();
        let (of_perception, of_update) = coefs.split_at(at);
        let (d_perception, d_update) = d_coefs.split_at_mut(at);
        let [first, second] = &mut self.ways;
        let d_input = brain.update.backward(of_update, &self.input, &self.updated, d_update, [first, second]);
        let (own, found) = d_input.split_at(brain.channels * TILE);
        d_own.copy_from_slice(own);
        let seen = self.seen.chunks_exact(NEIGHBOURHOOD * TILE);
        let values = self.perceived.chunks_exact(brain.perception.gates() * TILE);
        let found = found.chunks_exact(brain.perception.outputs() * TILE);
        let each = seen.zip(values).zip(found).zip(d_seen.chunks_exact_mut(NEIGHBOURHOOD * TILE));
        for (((seen, values), found), d_seen) in each {
            let [first, second] = &mut self.others;
            first[..found.len()].copy_from_slice(found);
            let way = brain.perception.backward(of_perception, seen, values, d_perception, [first, second]);
            d_seen.copy_from_slice(way);
        }
    }
}

/// A run of several steps over several grids, with the way back.
pub struct Automaton {
    grids: Grids,
    /// The cells before the first step and after each. // each [tiles + 1, channels, TILE]
    states: Vec<Buffer>,
    /// For each step one where a cell takes part, zero where it sleeps; nothing where all always do. // each [tiles, TILE]
    awake: Vec<Buffer>,
    coefs: Buffer,
    /// The gradient at the cells. // [tiles, channels, TILE]
    d_state: Buffer,
    /// What came back to the cells' own channels. // [tiles, channels, TILE]
    d_own: Buffer,
    /// What came back to their neighbourhoods. // [tiles, channels, NEIGHBOURHOOD, TILE]
    d_seen: Buffer,
    /// The gradient at the coefficients, for each part of the tiles.
    pieces: Vec<Buffer>,
    desks: Vec<Mutex<Desk>>,
}

impl Automaton {
    /// Room for `steps` steps; `sleepy` where not all cells take part in all of them.
    pub fn new(brain: &Brain, grids: Grids, steps: usize, sleepy: bool) -> Self {
        let coefs = 4 * brain.gates();
        let (tiles, tile_len) = (grids.tiles(), grids.tile_len());
        let each = tiles.div_ceil(MOST_PIECES);
        Self {
            states: (0..=steps).map(|_| Buffer::new(grids.state_len())).collect(),
            awake: (0..if sleepy { steps } else { 0 }).map(|_| Buffer::new(tiles * TILE)).collect(),
            coefs: Buffer::new(coefs),
            d_state: Buffer::new(tiles * tile_len),
            d_own: Buffer::new(tiles * tile_len),
            d_seen: Buffer::new(tiles * tile_len * NEIGHBOURHOOD),
            pieces: (0..tiles.div_ceil(each)).map(|_| Buffer::new(coefs)).collect(),
            desks: (0..rayon::current_num_threads()).map(|_| Mutex::new(Desk::new(brain))).collect(),
            grids,
        }
    }

    /// The grids.
    pub fn grids(&self) -> &Grids {
        &self.grids
    }

    /// Number of steps.
    pub fn steps(&self) -> usize {
        self.states.len() - 1
    }

    /// The cells after `step` steps.
    pub fn state(&self, step: usize) -> &[f32] {
        &self.states[step]
    }

    /// Puts a channel of all cells where the run begins. // values [cells of all grids]
    pub fn put(&mut self, channel: usize, values: impl IntoIterator<Item = f32>) {
        self.grids.put(&mut self.states[0], channel, values);
    }

    /// Says which cells take part in a step. // values [cells of all grids]
    pub fn wake(&mut self, step: usize, values: impl IntoIterator<Item = bool>) {
        for (place, awake) in self.awake[step].iter_mut().zip(values) {
            *place = f32::from(u8::from(awake));
        }
    }

    /// Takes all steps.
    pub fn run(&mut self, brain: &Brain, logits: &[f32]) {
        brain.mix(logits, &mut self.coefs);
        let Self { grids, states, awake, coefs, desks, .. } = self;
        let (tiles, tile_len) = (grids.tiles(), grids.tile_len());
        for step in 0..states.len() - 1 {
            let (before, after) = states.split_at_mut(step + 1);
            let (from, to) = (&before[step], &mut after[0]);
            let awake = awake.get(step);
            to[..tiles * tile_len].par_chunks_mut(tile_len).with_max_len(1).enumerate().for_each(
                |(tile, to)| {
                    let desk = &mut *lock(desks);
                    desk.forward(brain, coefs, grids, from, tile);
                    to.copy_from_slice(brain.update.results(&desk.updated));
                    if let Some(awake) = awake {
                        let (own, awake) = (&from[tile * tile_len..], &awake[tile * TILE..(tile + 1) * TILE]);
                        for (to, own) in to.chunks_exact_mut(TILE).zip(own.chunks_exact(TILE)) {
                            blend(to, own, awake);
                        }
                    }
                },
            );
        }
    }

    /// The gradient at the cells after the last step, to be written before [`Automaton::back`].
    /// // [tiles, channels, TILE]
    pub fn d_state(&mut self) -> (&Grids, &[f32], &mut [f32]) {
        let last = self.states.last().expect("there is a state before any step");
        (&self.grids, last, &mut self.d_state)
    }

    /// The way back over all steps. // -> d_logits [KINDS * gates], replaced
    pub fn back(&mut self, brain: &Brain, logits: &[f32], d_logits: &mut [f32]) {
        let Self { grids, states, awake, coefs, d_state, d_own, d_seen, pieces, desks } = self;
        let (tiles, tile_len) = (grids.tiles(), grids.tile_len());
        let each = tiles.div_ceil(pieces.len());
        pieces.iter_mut().for_each(|piece| piece.fill(0.0));
        for step in (0..states.len() - 1).rev() {
            let (from, awake) = (&states[step], awake.get(step));
            let d_after = &*d_state;
            let parts = d_own
                .par_chunks_mut(each * tile_len)
                .zip(d_seen.par_chunks_mut(each * tile_len * NEIGHBOURHOOD));
            pieces.par_iter_mut().with_max_len(1).zip(parts).enumerate().for_each(
                |(piece, (d_coefs, (d_own, d_seen)))| {
                    let tiles = d_own
                        .chunks_exact_mut(tile_len)
                        .zip(d_seen.chunks_exact_mut(tile_len * NEIGHBOURHOOD));
                    for (i, (d_own, d_seen)) in tiles.enumerate() {
                        let tile = piece * each + i;
                        let desk = &mut *lock(desks);
                        desk.forward(brain, coefs, grids, from, tile);
                        let d_out = &mut desk.ways[0][..tile_len];
                        d_out.copy_from_slice(&d_after[tile * tile_len..][..tile_len]);
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
                grids.unsee(tile, d_seen, d_state);
            });
        }
        let (sum, others) = pieces.split_first_mut().expect("there is a piece");
        others.iter().for_each(|piece| reduce::add_assign(sum, piece));
        brain.unmix(logits, sum, d_logits);
    }
}

/// A desk that nobody uses: that of this thread, unless there are more threads than when they were made.
fn lock(desks: &[Mutex<Desk>]) -> std::sync::MutexGuard<'_, Desk> {
    let own = rayon::current_thread_index().unwrap_or(0) % desks.len();
    // A panic in a tile ends the run anyway.
    desks[own].lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Where a cell sleeps, what it was.
fn blend(to: &mut [f32], own: &[f32], awake: &[f32]) {
    for ((to, own), awake) in to.iter_mut().zip(own).zip(awake) {
        *to = if *awake == 0.0 { *own } else { *to };
    }
}

/// Where a cell sleeps, nothing.
fn keep(row: &mut [f32], awake: &[f32]) {
    row.iter_mut().zip(awake).for_each(|(x, awake)| *x *= awake);
}
