//! A cellular automaton made of gates that are not decided yet: every cell sees its neighbourhood channel by channel
//! through kernels, and an update circuit makes the cell's next channels of its present ones and of what the kernels
//! found (Miotti, Niklasson, Randazzo and Mordvintsev, "Differentiable logic cellular automata", 2025).
//!
//! The passes go over tiles of cells, and what is kept of a step is the cells' channels after it.

use std::sync::{Mutex, MutexGuard};

use learnery_kernels::buffer::Buffer;
use learnery_kernels::gates::{self, TILE, Wiring};
use learnery_kernels::rng::Stream;
use rayon::prelude::*;

use super::circuit::Circuit;
use super::config::Parameters;
use super::grid::Grids;
use super::wiring::{NEIGHBOURHOOD, around, distinct, hands_on_second, look, side_by_side};

/// The two circuits of a cell.
#[derive(Clone, Debug)]
pub struct Brain {
    /// Channels of a cell.
    pub channels: usize,
    /// Kernels side by side, and how many of them one after the other look elsewhere at first.
    kernels: usize,
    turns: usize,
    /// Kernels side by side: reads a neighbourhood of one channel.
    pub perception: Circuit,
    /// Reads the cell's channels, then what the kernels found, and gives the next channels.
    pub update: Circuit,
}

impl Brain {
    /// Circuits of these sizes: `perception` without the nine values that go in, `update` without what goes in. The kernels by
    /// turns hand on the neighbours of `looks` at first, or, where that is empty, all the same ones. // looks [turns][outputs]
    pub fn new(
        channels: usize,
        kernels: usize,
        perception: &[usize],
        update: &[usize],
        parameters: Parameters,
        looks: &[&[u32]],
        wires: Stream,
    ) -> Self {
        let mut before = NEIGHBOURHOOD;
        let pairs = perception.iter().enumerate().map(|(i, &gates)| {
            let pairs = if i == 0 { around(wires, 0) } else { distinct(before, gates, wires, i as u64) };
            assert_eq!(pairs.len(), gates, "the first layer of perception has a gate for each neighbour");
            before = gates;
            pairs
        });
        let mut pairs: Vec<Vec<[u32; 2]>> = pairs.collect();
        look(&mut pairs, looks);
        let mut before = NEIGHBOURHOOD;
        let layers = pairs.iter().enumerate().map(|(i, pairs)| {
            let wiring = side_by_side(before, pairs, kernels, i == 0);
            before = pairs.len();
            wiring
        });
        let perception = Circuit::new(layers.collect(), parameters);
        let mut before = channels + channels * perception.outputs();
        let layers = update.iter().enumerate().map(|(i, &gates)| {
            let pairs = distinct(before, gates, wires, 64 + i as u64);
            let wiring = Wiring::new(before, pairs);
            before = gates;
            wiring
        });
        let update = Circuit::new(layers.collect(), parameters);
        assert_eq!(update.outputs(), channels, "the update gives the next channels");
        Self { channels, kernels, turns: looks.len().max(1), perception, update }
    }

    /// What each gate reads, perception first. // [gates, 2]
    pub fn wires(&self) -> Vec<u32> {
        let wirings = self.perception.wirings().chain(self.update.wirings());
        wirings.flat_map(Wiring::pairs).flatten().copied().collect()
    }

    /// The same gates reading other values; nothing where a wire would come from nowhere. // wires [gates, 2]
    pub fn rewired(&self, wires: &[u32]) -> Option<Self> {
        let (perception, update) = wires.split_at_checked(2 * self.perception.gates())?;
        let (perception, update) = (self.perception.rewired(perception)?, self.update.rewired(update)?);
        Some(Self { perception, update, ..*self })
    }

    /// Number of gates.
    pub fn gates(&self) -> usize {
        self.perception.gates() + self.update.gates()
    }

    /// Number of logits.
    pub fn logits(&self) -> usize {
        self.perception.logits() + self.update.logits()
    }

    /// Those of perception and those of the update.
    pub fn split<'a>(&self, logits: &'a [f32]) -> (&'a [f32], &'a [f32]) {
        logits.split_at(self.perception.logits())
    }

    /// Every gate handing on its first input, or in kernels that look elsewhere some their second, as sure of it as
    /// `certainty`. // [logits], perception first
    pub fn pass_through(&self, certainty: f32) -> Vec<f32> {
        let mut logits = vec![0.0; self.logits()];
        let (perception, update) = logits.split_at_mut(self.perception.logits());
        let turn = |gate: usize| gate % self.kernels % self.turns;
        self.perception.pass_through(perception, certainty, |layer, gate| hands_on_second(turn(gate), layer));
        self.update.pass_through(update, certainty, |_, _| false);
        logits
    }

    /// Makes those gates certain of their kinds whose number is below `share`. // numbers, kinds [gates]
    pub fn settle(&self, numbers: &[f32], share: f32, kinds: &[u8], logits: &mut [f32]) {
        let at = self.perception.gates();
        let (logits_p, logits_u) = logits.split_at_mut(self.perception.logits());
        self.perception.settle(&numbers[..at], share, &kinds[..at], logits_p);
        self.update.settle(&numbers[at..], share, &kinds[at..], logits_u);
    }

    /// Exchanges what speaks for two kinds of a gate.
    pub fn exchange(&self, gate: usize, kinds: [usize; 2], logits: &mut [f32]) {
        let (logits_p, logits_u) = logits.split_at_mut(self.perception.logits());
        match gate.checked_sub(self.perception.gates()) {
            None => self.perception.exchange(gate, kinds, logits_p),
            Some(gate) => self.update.exchange(gate, kinds, logits_u),
        }
    }

    /// Which gates the next state may depend on, as far as their kinds alone tell. // kinds [gates] -> needed [gates]
    pub fn needed(&self, kinds: &[u8], needed: &mut [bool]) {
        let at = self.perception.gates();
        let (of_perception, of_update) = needed.split_at_mut(at);
        self.perception.needed(&kinds[..at], of_perception);
        self.update.needed(&kinds[at..], of_update);
    }

    /// Both circuits' coefficients. // [4 * gates]
    pub fn mix(&self, logits: &[f32], coefs: &mut [f32]) {
        let (logits_p, logits_u) = self.split(logits);
        let (coefs_p, coefs_u) = coefs.split_at_mut(4 * self.perception.gates());
        self.perception.mix(logits_p, coefs_p);
        self.update.mix(logits_u, coefs_u);
    }

    /// The gradient at the logits, from that at the coefficients.
    pub fn unmix(&self, logits: &[f32], d_coefs: &[f32], d_logits: &mut [f32]) {
        let (logits_p, logits_u) = self.split(logits);
        let (d_coefs_p, d_coefs_u) = d_coefs.split_at(4 * self.perception.gates());
        let (d_logits_p, d_logits_u) = d_logits.split_at_mut(self.perception.logits());
        self.perception.unmix(logits_p, d_coefs_p, d_logits_p);
        self.update.unmix(logits_u, d_coefs_u, d_logits_u);
    }

    /// The likeliest kind of each gate, perception first, and how likely it is. // -> kinds [gates], sure [gates]
    pub fn decide(&self, logits: &[f32], kinds: &mut [u8], sure: Option<&mut [f32]>) {
        let ((logits_p, logits_u), at) = (self.split(logits), self.perception.gates());
        let (kinds_p, kinds_u) = kinds.split_at_mut(at);
        let (sure_p, sure_u) = sure.map(|sure| sure.split_at_mut(at)).unzip();
        self.perception.decide(logits_p, kinds_p, sure_p);
        self.update.decide(logits_u, kinds_u, sure_u);
    }
}

/// Most channels that go through perception side by side, as so many tiles: a gate's coefficients are then fetched, and the
/// gradients at them summed, once for all of these.
const TOGETHER: usize = 4;

/// How many channels go through perception side by side: as many as divide all of them.
pub fn together(channels: usize) -> usize {
    (1..=TOGETHER).rev().find(|n| channels.is_multiple_of(*n)).unwrap_or(1)
}

/// What a tile is worked out in; one for each thread is enough.
pub(super) struct Desk {
    /// Neighbourhoods of each channel. // [channels / together, NEIGHBOURHOOD, together, TILE]
    seen: Buffer,
    /// Values of the perception's gates for each channel. // [channels / together, gates, together, TILE]
    perceived: Buffer,
    /// What goes into the update. // [inputs, TILE]
    input: Buffer,
    /// Values of the update's gates. // [gates, TILE]
    updated: Buffer,
    pub(super) ways: [Buffer; 2],
    others: [Buffer; 2],
}

impl Desk {
    fn new(brain: &Brain) -> Self {
        let ways =
            |circuit: &Circuit, width: usize| std::array::from_fn(|_| Buffer::new(circuit.widest() * width));
        Self {
            seen: Buffer::new(brain.channels * NEIGHBOURHOOD * TILE),
            perceived: Buffer::new(brain.channels * brain.perception.gates() * TILE),
            input: Buffer::new(brain.update.inputs() * TILE),
            updated: Buffer::new(brain.update.gates() * TILE),
            ways: ways(&brain.update, TILE),
            others: ways(&brain.perception, together(brain.channels) * TILE),
        }
    }

    /// Works a tile out; what comes out stands in `updated`.
    pub(super) fn forward(
        &mut self,
        brain: &Brain,
        coefs: &[f32],
        grids: &Grids,
        state: &[f32],
        tile: usize,
    ) {
        let (own, found) = self.input.split_at_mut(brain.channels * TILE);
        own.copy_from_slice(&state[tile * grids.tile_len()..][..grids.tile_len()]);
        let (of_perception, of_update) = coefs.split_at(4 * brain.perception.gates());
        let (together, outputs) = (together(brain.channels), brain.perception.outputs());
        let width = together * TILE;
        let seen = self.seen.chunks_exact_mut(NEIGHBOURHOOD * width);
        let values = self.perceived.chunks_exact_mut(brain.perception.gates() * width);
        let found = found.chunks_exact_mut(outputs * width);
        for (group, ((seen, values), found)) in seen.zip(values).zip(found).enumerate() {
            grids.see(tile, state, group * together, together, seen);
            brain.perception.forward(width, of_perception, seen, values);
            // As arrays: so short a copy is not worth a call.
            let (results, _) = brain.perception.results(width, values).as_chunks::<TILE>();
            for (channel, found) in found.chunks_exact_mut(outputs * TILE).enumerate() {
                let own = results.iter().skip(channel).step_by(together);
                found.as_chunks_mut().0.iter_mut().zip(own).for_each(|(found, own)| *found = *own);
            }
        }
        brain.update.forward(TILE, of_update, &self.input, &mut self.updated);
    }

    /// The way back of the tile that was worked out last; the gradient at what came out stands, lifted, in the first way.
    /// // -> d_own [channels, TILE], d_seen as `seen`, both replaced
    pub(super) fn backward(
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
        let ways: [&mut [f32]; 2] = [first, second];
        let d_input = brain.update.backward(TILE, of_update, &self.input, &self.updated, d_update, ways);
        let (own, found) = d_input.split_at(brain.channels * TILE);
        gates::remove_gradient_bias(own, d_own);
        let (together, outputs) = (together(brain.channels), brain.perception.outputs());
        let width = together * TILE;
        let seen = self.seen.chunks_exact(NEIGHBOURHOOD * width);
        let values = self.perceived.chunks_exact(brain.perception.gates() * width);
        let found = found.chunks_exact(outputs * width);
        let each = seen.zip(values).zip(found).zip(d_seen.chunks_exact_mut(NEIGHBOURHOOD * width));
        for (((seen, values), found), d_seen) in each {
            let [first, second] = &mut self.others;
            for (channel, found) in found.chunks_exact(outputs * TILE).enumerate() {
                let own = first.as_chunks_mut().0.iter_mut().skip(channel).step_by(together);
                own.zip(found.as_chunks::<TILE>().0).for_each(|(own, found)| *own = *found);
            }
            let ways: [&mut [f32]; 2] = [first, second];
            let way = brain.perception.backward(width, of_perception, seen, values, d_perception, ways);
            gates::remove_gradient_bias(way, d_seen);
        }
    }

    /// What came out of the tile. // [channels, TILE]
    fn results(&self, brain: &Brain) -> &[f32] {
        brain.update.results(TILE, &self.updated)
    }
}

/// A run of several steps over several grids.
pub struct Automaton {
    pub(super) grids: Grids,
    /// The cells before the first step and after each. // each [tiles + 1, channels, TILE]
    pub(super) states: Vec<Buffer>,
    /// For each step one where a cell takes part, zero where it sleeps; nothing where all always do. // each [tiles, TILE]
    pub(super) awake: Vec<Buffer>,
    pub(super) coefs: Buffer,
    desks: Vec<Mutex<Desk>>,
}

impl Automaton {
    /// Room for `steps` steps; `sleepy` where not all cells take part in all of them.
    pub fn new(brain: &Brain, grids: Grids, steps: usize, sleepy: bool) -> Self {
        let tiles = grids.tiles();
        Self {
            states: (0..=steps).map(|_| Buffer::new(grids.state_len())).collect(),
            awake: (0..if sleepy { steps } else { 0 }).map(|_| Buffer::new(tiles * TILE)).collect(),
            coefs: Buffer::new(4 * brain.gates()),
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

    /// Sets one cell's channel where the run begins.
    pub fn set(&mut self, cell: usize, channel: usize, value: f32) {
        let at = self.grids.at(cell, channel);
        self.states[0][at] = value;
    }

    /// Says which cells take part in a step. // values [cells of all grids]
    pub fn wake(&mut self, step: usize, values: impl IntoIterator<Item = bool>) {
        for (place, awake) in self.awake[step].iter_mut().zip(values) {
            *place = f32::from(u8::from(awake));
        }
    }

    /// Takes over what the gates lean towards.
    pub fn learn(&mut self, brain: &Brain, logits: &[f32]) {
        brain.mix(logits, &mut self.coefs);
    }

    /// Takes step `step`, from what the one before it left.
    pub fn step(&mut self, brain: &Brain, step: usize) {
        let Self { grids, states, awake, coefs, desks } = self;
        let (tiles, tile_len) = (grids.tiles(), grids.tile_len());
        let (before, after) = states.split_at_mut(step + 1);
        let (from, to) = (&before[step], &mut after[0]);
        let awake = awake.get(step);
        let each = to[..tiles * tile_len].par_chunks_mut(tile_len).with_max_len(1).enumerate();
        each.for_each(|(tile, to)| {
            let desk = &mut *lock(desks);
            desk.forward(brain, coefs, grids, from, tile);
            to.copy_from_slice(desk.results(brain));
            if let Some(awake) = awake {
                let (own, awake) = (&from[tile * tile_len..], &awake[tile * TILE..(tile + 1) * TILE]);
                for (to, own) in to.chunks_exact_mut(TILE).zip(own.chunks_exact(TILE)) {
                    blend(to, own, awake);
                }
            }
        });
    }

    /// Begins again where the last step ended.
    pub fn go_on(&mut self) {
        let last = self.steps();
        self.states.swap(0, last);
    }

    /// A desk that nobody uses: that of this thread, unless there are more threads than when they were made.
    pub(super) fn desk(&self) -> MutexGuard<'_, Desk> {
        lock(&self.desks)
    }
}

fn lock(desks: &[Mutex<Desk>]) -> MutexGuard<'_, Desk> {
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
