//! Layers of soft gates (Petersen, Borgelt, Kuehne and Deussen, "Deep differentiable logic gate networks",
//! 2022): a gate's value is the mean of all sixteen kinds' values, weighted by the softmax of its logits.
//!
//! Every kind is a function `c0 + c1 a + c2 b + c3 a b` of its inputs, and so is a mixture of kinds. A gate
//! therefore has four coefficients, which are computed from its sixteen logits once per pass. This
//! parametrisation is [`Parameters::Kinds`]. With [`Parameters::Table`] a gate has four logits instead; their
//! sigmoids are the entries of its truth table, one for each line of the table (`LINES`).

use std::ops::Range;

use learnery_kernels::gates::{self, KINDS, LINES, Wiring};
use learnery_kernels::math;

use crate::circuit::GateKind;
use crate::config::Parameters;

/// The coefficients of a gate: `c0`, `c1`, `c2` and `c3`.
pub const COEFS_PER_GATE: usize = 4;

/// A logit so far above all others that the softmax gives the other kinds a probability of exactly zero.
const CERTAIN: f32 = 1000.0;

/// A circuit of layers of gates. Each layer reads the values of the layer before it.
///
/// Arrays over gates are concatenated layer by layer: kinds `[gates]`, logits `[16 or 4, gates of the
/// layer]`, coefficients `[4, gates of the layer]`. Kinds are stored as numbers (see [`GateKind`]), as
/// `learnery_kernels` writes them.
#[derive(Clone, Debug)]
pub struct GateLayers {
    layers: Vec<Layer>,
    gates: usize,
    pub(crate) parameters: Parameters,
}

#[derive(Clone, Debug)]
struct Layer {
    wiring: Wiring,
    /// The number of the layer's first gate; gates are numbered through all layers.
    first: usize,
}

impl Layer {
    /// The layer's range in an array with `per_gate` entries for every gate.
    fn range(&self, per_gate: usize) -> Range<usize> {
        per_gate * self.first..per_gate * (self.first + self.wiring.gates())
    }
}

impl GateLayers {
    pub fn new(wirings: Vec<Wiring>, parameters: Parameters) -> Self {
        assert!(!wirings.is_empty(), "a circuit needs a layer");
        let mut gates = 0;
        let layers = wirings.into_iter().map(|wiring| {
            let first = gates;
            gates += wiring.gates();
            Layer { wiring, first }
        });
        let layers: Vec<Layer> = layers.collect();
        for pair in layers.windows(2) {
            assert_eq!(pair[0].wiring.gates(), pair[1].wiring.inputs(), "consecutive layers fit");
        }
        Self { layers, gates, parameters }
    }

    /// The same layers with other wires, or `None` if a wire is out of range.
    ///
    /// Shapes: `wires [gates, 2]`.
    pub fn rewired(&self, wires: &[u32]) -> Option<Self> {
        let (mut pairs, _) = wires.as_chunks();
        let layers = self.layers.iter().map(|layer| {
            let (layer_pairs, rest) = pairs.split_at_checked(layer.wiring.gates())?;
            pairs = rest;
            let inputs = layer.wiring.inputs();
            let is_valid = layer_pairs.iter().flatten().all(|input| (*input as usize) < inputs);
            is_valid.then(|| Wiring::new(inputs, layer_pairs.to_vec()))
        });
        Some(Self::new(layers.collect::<Option<_>>()?, self.parameters))
    }

    pub fn gates(&self) -> usize {
        self.gates
    }

    fn logits_per_gate(&self) -> usize {
        match self.parameters {
            Parameters::Kinds => KINDS,
            Parameters::Table => LINES,
        }
    }

    /// Number of logits of all gates.
    pub fn logits(&self) -> usize {
        self.logits_per_gate() * self.gates
    }

    pub fn inputs(&self) -> usize {
        self.layers[0].wiring.inputs()
    }

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

    /// The largest number of values in a layer, where the inputs count as a layer.
    pub fn max_width(&self) -> usize {
        self.layers.iter().map(|layer| layer.wiring.gates()).fold(self.inputs(), usize::max)
    }

    /// Initialises every gate to favour the kind that passes an input through: its second input if
    /// `passes_second(layer, gate)`, or else its first. `certainty` is the logit of that kind.
    pub fn init_pass_through(
        &self,
        logits: &mut [f32],
        certainty: f32,
        passes_second: impl Fn(usize, usize) -> bool,
    ) {
        for (i, layer) in self.layers.iter().enumerate() {
            let layer_logits = &mut logits[layer.range(self.logits_per_gate())];
            for gate in 0..layer.wiring.gates() {
                let kind = if passes_second(i, gate) { GateKind::B } else { GateKind::A };
                self.set_kind(layer, layer_logits, gate, kind, certainty);
            }
        }
    }

    /// Sets the logits of a gate of a layer so that they favour one kind by `certainty`.
    fn set_kind(&self, layer: &Layer, layer_logits: &mut [f32], gate: usize, kind: GateKind, certainty: f32) {
        // A kind's number is its truth table: the most significant of its four bits is the first line.
        let kind = usize::from(kind.number());
        for (i, row) in layer_logits.chunks_exact_mut(layer.wiring.gates()).enumerate() {
            row[gate] = match self.parameters {
                Parameters::Kinds if i == kind => certainty,
                Parameters::Kinds => 0.0,
                Parameters::Table if kind >> (LINES - 1 - i) & 1 == 1 => certainty,
                Parameters::Table => -certainty,
            };
        }
    }

    /// Discretises the gates whose noise is below `fraction`: sets their logits so that `kinds` have a
    /// probability of one.
    ///
    /// Shapes: `noise, kinds [gates]`.
    pub fn discretise(&self, noise: &[f32], fraction: f32, kinds: &[u8], logits: &mut [f32]) {
        for layer in &self.layers {
            let layer_logits = &mut logits[layer.range(self.logits_per_gate())];
            let selected = (0..layer.wiring.gates()).filter(|g| noise[layer.first + g] < fraction);
            for g in selected {
                let kind = GateKind::from_number(kinds[layer.first + g]);
                self.set_kind(layer, layer_logits, g, kind, CERTAIN);
            }
        }
    }

    /// Changes a gate's most likely kind from `kinds[0]` to `kinds[1]`. With [`Parameters::Kinds`] it swaps
    /// the logits of the two; with [`Parameters::Table`] it negates the logits of the lines in which the two
    /// truth tables differ. A second call with the same arguments restores the old logits.
    pub fn swap_kinds(&self, gate: usize, kinds: [GateKind; 2], logits: &mut [f32]) {
        let contains_gate = |layer: &&Layer| layer.first <= gate && gate < layer.first + layer.wiring.gates();
        let Some(layer) = self.layers.iter().find(contains_gate) else { return };
        let (gates, gate) = (layer.wiring.gates(), gate - layer.first);
        let own = &mut logits[layer.range(self.logits_per_gate())];
        let [old, new] = kinds.map(|kind| usize::from(kind.number()));
        match self.parameters {
            Parameters::Kinds => own.swap(old * gates + gate, new * gates + gate),
            Parameters::Table => {
                for (line, row) in own.chunks_exact_mut(gates).enumerate() {
                    let differs = (old ^ new) >> (LINES - 1 - line) & 1 == 1;
                    row[gate] = if differs { -row[gate] } else { row[gate] };
                }
            }
        }
    }

    /// Marks the gates that an output depends on if all gates are of these kinds.
    ///
    /// Shapes: `kinds [gates] -> live [gates]`.
    pub fn mark_live(&self, kinds: &[u8], live: &mut [bool]) {
        live.fill(false);
        live[self.last().first..].fill(true);
        for pair in self.layers.windows(2).rev() {
            let [before, layer] = pair else { continue }; // every window has two layers
            for (gate, inputs) in layer.wiring.pairs().iter().enumerate() {
                let gate = layer.first + gate;
                for (input, depends) in inputs.iter().zip(GateKind::from_number(kinds[gate]).depends_on()) {
                    live[before.first + *input as usize] |= live[gate] && depends;
                }
            }
        }
    }

    /// Computes the gates' coefficients.
    ///
    /// Shapes: `logits [KINDS or LINES, gates] -> coefs [4, gates], both layer by layer`.
    pub fn coefficients(&self, logits: &[f32], coefs: &mut [f32]) {
        for layer in &self.layers {
            let (logits, coefs) =
                (&logits[layer.range(self.logits_per_gate())], &mut coefs[layer.range(COEFS_PER_GATE)]);
            match self.parameters {
                Parameters::Kinds => gates::mixture_coefficients(logits, coefs),
                Parameters::Table => gates::table_coefficients(logits, coefs),
            }
        }
    }

    /// Computes the gradient with respect to the logits from the gradient with respect to the coefficients.
    ///
    /// All slices are laid out layer by layer, `d_coefs` like the coefficients.
    pub fn logit_gradient(&self, logits: &[f32], d_coefs: &[f32], d_logits: &mut [f32]) {
        for layer in &self.layers {
            let range = layer.range(self.logits_per_gate());
            let (logits, d_logits) = (&logits[range.clone()], &mut d_logits[range]);
            match self.parameters {
                Parameters::Kinds => {
                    gates::mixture_backward(logits, &d_coefs[layer.range(COEFS_PER_GATE)], d_logits);
                }
                Parameters::Table => {
                    gates::table_backward(logits, &d_coefs[layer.range(COEFS_PER_GATE)], d_logits);
                }
            }
        }
    }

    /// Computes each gate's most likely kind (the first of equals), and optionally the kind's probability.
    ///
    /// Shape of the result: `each [gates]`.
    pub fn most_likely_kinds(&self, logits: &[f32], kinds: &mut [u8], mut probabilities: Option<&mut [f32]>) {
        for layer in &self.layers {
            let gates = layer.wiring.gates();
            let layer_logits = &logits[layer.range(self.logits_per_gate())];
            // The fast path, which gives the same kinds as the loop below.
            if self.parameters == Parameters::Kinds && probabilities.is_none() {
                gates::argmax_kinds(layer_logits, &mut kinds[layer.first..][..gates]);
                continue;
            }
            for g in 0..gates {
                let (kind, probability) = match self.parameters {
                    Parameters::Kinds => most_likely_kind(layer_logits, gates, g),
                    Parameters::Table => most_likely_table(layer_logits, gates, g),
                };
                kinds[layer.first + g] = kind;
                if let Some(probabilities) = &mut probabilities {
                    probabilities[layer.first + g] = probability;
                }
            }
        }
    }

    /// Computes every gate's value in `width` cells at once.
    ///
    /// Shapes: `x [inputs, width] -> values [gates, width]`.
    pub fn forward(&self, width: usize, coefs: &[f32], x: &[f32], values: &mut [f32]) {
        // The range of the layer before in `values`; empty for the first layer, which reads `x`.
        let mut before = 0..0;
        for layer in &self.layers {
            let (computed, rest) = values.split_at_mut(width * layer.first);
            let input = if layer.first == 0 { x } else { &computed[before] };
            let y = &mut rest[..layer.wiring.gates() * width];
            gates::forward(&layer.wiring, width, &coefs[layer.range(COEFS_PER_GATE)], input, y);
            before = layer.range(width);
        }
    }

    /// The values of the last layer, which are the outputs.
    ///
    /// Shapes: `values [gates, width] -> [outputs, width]`.
    pub fn outputs_of<'a>(&self, width: usize, values: &'a [f32]) -> &'a [f32] {
        &values[self.last().range(width)]
    }

    /// Backpropagates through all layers, given the `values` of the forward pass, and adds to `d_coefs`.
    ///
    /// The first buffer must hold the gradient with respect to the outputs in its first rows. Returns the
    /// gradient with respect to the inputs, which lies in one of the two buffers. Both gradients carry a
    /// small constant that keeps them out of the slow denormal range (see [`gates::add_gradient_bias`]).
    ///
    /// Shapes: `buffers each [max_width, width]`.
    pub fn backward<'w>(
        &self,
        width: usize,
        coefs: &[f32],
        x: &[f32],
        values: &[f32],
        d_coefs: &mut [f32],
        [mut dy, mut dx]: [&'w mut [f32]; 2],
    ) -> &'w mut [f32] {
        for (i, layer) in self.layers.iter().enumerate().rev() {
            let input = if i == 0 { x } else { &values[self.layers[i - 1].range(width)] };
            let d_input = &mut dx[..input.len()];
            let (range, d_outputs) = (layer.range(COEFS_PER_GATE), &dy[..layer.wiring.gates() * width]);
            let (coefs, d_coefs) = (&coefs[range.clone()], &mut d_coefs[range]);
            gates::backward(&layer.wiring, width, coefs, input, d_outputs, d_input, d_coefs);
            // The gradient at this layer's inputs is the gradient at the outputs of the layer before.
            std::mem::swap(&mut dy, &mut dx);
        }
        &mut dy[..self.inputs() * width]
    }
}

/// The kind with the largest logit of gate `g`, and its softmax probability.
///
/// Shapes: `logits [KINDS, gates]`.
fn most_likely_kind(logits: &[f32], gates: usize, g: usize) -> (u8, f32) {
    let logit = |kind: usize| logits[kind * gates + g];
    let best = (1..KINDS).fold(0, |best, kind| if logit(kind) > logit(best) { kind } else { best });
    let sum: f32 = (0..KINDS).map(|kind| math::exp(logit(kind) - logit(best))).sum();
    (best as u8, 1.0 / sum)
}

/// The kind whose truth table has the more likely answer in each line for gate `g`, and the product of the
/// four answers' probabilities.
///
/// Shapes: `logits [LINES, gates]`.
fn most_likely_table(logits: &[f32], gates: usize, g: usize) -> (u8, f32) {
    let lines = (0..LINES).map(|line| logits[line * gates + g]);
    lines.fold((0, 1.0), |(kind, probability), logit| {
        (kind << 1 | u8::from(logit > 0.0), probability / (1.0 + math::exp(-logit.abs())))
    })
}
