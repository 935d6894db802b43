//! A stack of layers of gates: where their logits and coefficients lie, and both passes over a tile of cells.

use std::ops::Range;

use learnery_kernels::gates::{self, KINDS, TILE, Wiring};

/// The kind of gate that hands on its first input.
pub const PASS_THROUGH: usize = 3;

/// Layers, each reading what the one before it gave.
#[derive(Clone, Debug)]
pub struct Circuit {
    layers: Vec<Layer>,
    gates: usize,
}

#[derive(Clone, Debug)]
struct Layer {
    wiring: Wiring,
    /// Gates of the circuit before this layer's.
    first: usize,
}

impl Layer {
    /// Its rows among those of all gates.
    fn rows(&self) -> Range<usize> {
        self.first * TILE..(self.first + self.wiring.gates()) * TILE
    }

    /// Its part of something that has `each` numbers for a gate.
    fn part(&self, each: usize) -> Range<usize> {
        each * self.first..each * (self.first + self.wiring.gates())
    }
}

impl Circuit {
    /// A circuit of these layers.
    pub fn new(wirings: Vec<Wiring>) -> Self {
        assert!(!wirings.is_empty(), "a circuit needs a layer");
        let mut gates = 0;
        let layers = wirings.into_iter().map(|wiring| {
            let first = gates;
            gates += wiring.gates();
            Layer { wiring, first }
        });
        let layers: Vec<Layer> = layers.collect();
        for pair in layers.windows(2) {
            assert_eq!(pair[0].wiring.gates(), pair[1].wiring.inputs(), "layers do not fit");
        }
        Self { layers, gates }
    }

    /// Number of gates.
    pub fn gates(&self) -> usize {
        self.gates
    }

    /// Values that go in.
    pub fn inputs(&self) -> usize {
        self.layers[0].wiring.inputs()
    }

    /// Values that come out.
    pub fn outputs(&self) -> usize {
        self.last().wiring.gates()
    }

    fn last(&self) -> &Layer {
        self.layers.last().expect("a circuit has a layer")
    }

    /// The wiring of each layer.
    pub fn wirings(&self) -> impl Iterator<Item = &Wiring> {
        self.layers.iter().map(|layer| &layer.wiring)
    }

    /// The widest of its inputs and layers.
    pub fn widest(&self) -> usize {
        self.layers.iter().map(|layer| layer.wiring.gates()).fold(self.inputs(), usize::max)
    }

    /// Each layer's logits, layer by layer. // each [KINDS, gates]
    pub fn logits<'a>(&self, logits: &'a [f32]) -> impl Iterator<Item = (&Wiring, &'a [f32])> {
        self.layers.iter().map(|layer| (&layer.wiring, &logits[layer.part(KINDS)]))
    }

    /// All gates handing on their first input, as sure of it as `certainty`.
    pub fn pass_through(&self, logits: &mut [f32], certainty: f32) {
        logits.fill(0.0);
        for layer in &self.layers {
            let gates = layer.wiring.gates();
            logits[layer.part(KINDS)][PASS_THROUGH * gates..(PASS_THROUGH + 1) * gates].fill(certainty);
        }
    }

    /// Works out the coefficients. // logits [KINDS * gates] -> coefs [4 * gates]
    pub fn mix(&self, logits: &[f32], coefs: &mut [f32]) {
        for layer in &self.layers {
            gates::mix(&logits[layer.part(KINDS)], &mut coefs[layer.part(4)]);
        }
    }

    /// The gradient at the logits, from that at the coefficients.
    pub fn unmix(&self, logits: &[f32], d_coefs: &[f32], d_logits: &mut [f32]) {
        for layer in &self.layers {
            let part = layer.part(KINDS);
            gates::unmix(&logits[part.clone()], &d_coefs[layer.part(4)], &mut d_logits[part]);
        }
    }

    /// Every gate's value. // x [inputs, TILE] -> values [gates, TILE], the last `outputs` rows being what comes out
    pub fn forward(&self, coefs: &[f32], x: &[f32], values: &mut [f32]) {
        let mut before = 0..0;
        for layer in &self.layers {
            let (given, rest) = values.split_at_mut(layer.rows().start);
            let input = if layer.first == 0 { x } else { &given[before] };
            let y = &mut rest[..layer.wiring.gates() * TILE];
            gates::forward(&layer.wiring, &coefs[layer.part(4)], input, y);
            before = layer.rows();
        }
    }

    /// What came out. // [outputs, TILE]
    pub fn results<'a>(&self, values: &'a [f32]) -> &'a [f32] {
        &values[self.last().rows()]
    }

    /// The way back of a tile. `ways` hold the gradient at what came out, in the first rows of the first; at the end, in
    /// the buffer that is returned, that at what went in. // ways each [widest, TILE]
    pub fn backward<'w>(
        &self,
        coefs: &[f32],
        x: &[f32],
        values: &[f32],
        d_coefs: &mut [f32],
        [mut dy, mut dx]: [&'w mut [f32]; 2],
    ) -> &'w mut [f32] {
        for (i, layer) in self.layers.iter().enumerate().rev() {
            let input = if i == 0 { x } else { &values[self.layers[i - 1].rows()] };
            let d_input = &mut dx[..input.len()];
            d_input.fill(0.0);
            let (part, dy_now) = (layer.part(4), &dy[..layer.wiring.gates() * TILE]);
            gates::backward(&layer.wiring, &coefs[part.clone()], input, dy_now, d_input, &mut d_coefs[part]);
            std::mem::swap(&mut dy, &mut dx);
        }
        &mut dy[..self.inputs() * TILE]
    }
}
