//! Layers of soft gates (Petersen, Borgelt, Kuehne and Deussen, "Deep differentiable logic gate networks", 2022): a gate's
//! value is the mean of all sixteen kinds' values, weighted by the softmax of its logits.
//!
//! For inputs from 0 to 1 every kind is bilinear, so a gate comes down to four coefficients, which are computed from its
//! logits once per pass. With [`Parameters::Table`] a gate has four logits instead, the sigmoids of which are the
//! entries of its truth table.

use std::ops::Range;

use learnery_kernels::gates::{self, KINDS, LINES, Wiring};

use crate::circuit::GateKind;
use crate::config::Parameters;

/// A gap between logits at which the softmax gives the other kinds exactly zero.
const CERTAIN: f32 = 1000.0;

/// Layers of gates, each of which reads the values of the layer before it.
///
/// Arrays over gates are concatenated layer by layer: kinds `[gates]`, logits `[16 or 4, gates of the layer]`, coefficients
/// `[4, gates of the layer]`. Kinds are stored as numbers (see [`GateKind`]), as the kernels write them.
#[derive(Clone, Debug)]
pub struct GateLayers {
    layers: Vec<Layer>,
    gates: usize,
    parameters: Parameters,
}

#[derive(Clone, Debug)]
struct Layer {
    wiring: Wiring,
    /// Number of gates in the layers before.
    first: usize,
}

impl Layer {
    /// The layer's part of an array with `per_gate` entries for every gate.
    fn part(&self, per_gate: usize) -> Range<usize> {
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

    /// The same layers with other wires, or `None` if a wire is out of range. // wires [gates, 2]
    pub fn rewired(&self, wires: &[u32]) -> Option<Self> {
        let (mut pairs, _) = wires.as_chunks();
        let layers = self.layers.iter().map(|layer| {
            let (own, rest) = pairs.split_at_checked(layer.wiring.gates())?;
            pairs = rest;
            let inputs = layer.wiring.inputs();
            let fits = own.iter().flatten().all(|row| (*row as usize) < inputs);
            fits.then(|| Wiring::new(inputs, own.to_vec()))
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

    /// The width of the widest layer, the inputs included.
    pub fn max_width(&self) -> usize {
        self.layers.iter().map(|layer| layer.wiring.gates()).fold(self.inputs(), usize::max)
    }

    /// Initialises every gate to favour passing through its first input, or its second where `second(layer, gate)` says so,
    /// by a logit of `certainty`.
    pub fn init_pass_through(
        &self,
        logits: &mut [f32],
        certainty: f32,
        second: impl Fn(usize, usize) -> bool,
    ) {
        for (i, layer) in self.layers.iter().enumerate() {
            let own = &mut logits[layer.part(self.logits_per_gate())];
            for gate in 0..layer.wiring.gates() {
                let kind = if second(i, gate) { GateKind::B } else { GateKind::A };
                self.favour(layer, own, gate, kind, certainty);
            }
        }
    }

    /// Sets a gate's logits so that they favour one kind. // own: the layer's logits
    fn favour(&self, layer: &Layer, own: &mut [f32], gate: usize, kind: GateKind, certainty: f32) {
        let kind = usize::from(kind.number());
        for (i, row) in own.chunks_exact_mut(layer.wiring.gates()).enumerate() {
            row[gate] = match self.parameters {
                Parameters::Kinds if i == kind => certainty,
                Parameters::Kinds => 0.0,
                Parameters::Table if kind >> (LINES - 1 - i) & 1 == 1 => certainty,
                Parameters::Table => -certainty,
            };
        }
    }

    /// Makes those gates certain of their kinds whose noise is below `fraction`. // noise, kinds [gates]
    pub fn harden(&self, noise: &[f32], fraction: f32, kinds: &[u8], logits: &mut [f32]) {
        for layer in &self.layers {
            let own = &mut logits[layer.part(self.logits_per_gate())];
            let hardened = (0..layer.wiring.gates()).filter(|g| noise[layer.first + g] < fraction);
            for g in hardened {
                self.favour(layer, own, g, GateKind::from_number(kinds[layer.first + g]), CERTAIN);
            }
        }
    }

    /// Swaps the logits of two kinds of a gate. Doing it again restores the old logits.
    pub fn swap_kinds(&self, gate: usize, kinds: [GateKind; 2], logits: &mut [f32]) {
        let holds = |layer: &&Layer| layer.first <= gate && gate < layer.first + layer.wiring.gates();
        let Some(layer) = self.layers.iter().find(holds) else { return };
        let (gates, gate) = (layer.wiring.gates(), gate - layer.first);
        let own = &mut logits[layer.part(self.logits_per_gate())];
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

    /// Marks the gates that an output depends on, given their kinds. // kinds [gates] -> live [gates]
    pub fn mark_live(&self, kinds: &[u8], live: &mut [bool]) {
        live.fill(false);
        live[self.last().first..].fill(true);
        for pair in self.layers.windows(2).rev() {
            let [before, layer] = pair else { continue };
            for (gate, inputs) in layer.wiring.pairs().iter().enumerate() {
                let gate = layer.first + gate;
                for (input, depends) in inputs.iter().zip(GateKind::from_number(kinds[gate]).depends_on()) {
                    live[before.first + *input as usize] |= live[gate] && depends;
                }
            }
        }
    }

    /// The gates' coefficients. // logits [KINDS or LINES, gates] -> coefs [4, gates], both layer by layer
    pub fn coefficients(&self, logits: &[f32], coefs: &mut [f32]) {
        for layer in &self.layers {
            let (logits, coefs) = (&logits[layer.part(self.logits_per_gate())], &mut coefs[layer.part(4)]);
            match self.parameters {
                Parameters::Kinds => gates::mixture_coefficients(logits, coefs),
                Parameters::Table => gates::table_coefficients(logits, coefs),
            }
        }
    }

    /// The gradient with respect to the logits, from that with respect to the coefficients. // d_coefs [gates, 4]
    pub fn logit_gradient(&self, logits: &[f32], d_coefs: &[f32], d_logits: &mut [f32]) {
        for layer in &self.layers {
            let part = layer.part(self.logits_per_gate());
            let (logits, d_logits) = (&logits[part.clone()], &mut d_logits[part]);
            match self.parameters {
                Parameters::Kinds => gates::mixture_backward(logits, &d_coefs[layer.part(4)], d_logits),
                Parameters::Table => gates::table_backward(logits, &d_coefs[layer.part(4)], d_logits),
            }
        }
    }

    /// The most likely kind of each gate (the first of equals), and optionally its probability. // -> each [gates]
    pub fn decide(&self, logits: &[f32], kinds: &mut [u8], mut probabilities: Option<&mut [f32]>) {
        for layer in &self.layers {
            let gates = layer.wiring.gates();
            let own = &logits[layer.part(self.logits_per_gate())];
            if self.parameters == Parameters::Kinds && probabilities.is_none() {
                gates::argmax_kinds(own, &mut kinds[layer.first..][..gates]);
                continue;
            }
            for g in 0..gates {
                let (kind, probability) = match self.parameters {
                    Parameters::Kinds => most_likely_kind(own, gates, g),
                    Parameters::Table => most_likely_table(own, gates, g),
                };
                kinds[layer.first + g] = kind;
                if let Some(probabilities) = &mut probabilities {
                    probabilities[layer.first + g] = probability;
                }
            }
        }
    }

    /// Every gate's value. // x [inputs, width] -> values [gates, width]
    pub fn forward(&self, width: usize, coefs: &[f32], x: &[f32], values: &mut [f32]) {
        let mut before = 0..0;
        for layer in &self.layers {
            let (given, rest) = values.split_at_mut(width * layer.first);
            let input = if layer.first == 0 { x } else { &given[before] };
            let y = &mut rest[..layer.wiring.gates() * width];
            gates::forward(&layer.wiring, width, &coefs[layer.part(4)], input, y);
            before = layer.part(width);
        }
    }

    /// The output rows of `values`, which are those of the last layer. // [outputs, width]
    pub fn outputs_of<'a>(&self, width: usize, values: &'a [f32]) -> &'a [f32] {
        &values[self.last().part(width)]
    }

    /// Backpropagation through all layers, for the `values` of the forward pass. The first rows of the first buffer hold the
    /// gradient with respect to the outputs. Returns the buffer that holds the gradient with respect to the inputs. Both carry
    /// the bias of [`gates::add_gradient_bias`]. Adds to `d_coefs`. // buffers each [max_width, width], d_coefs [gates, 4]
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
            let input = if i == 0 { x } else { &values[self.layers[i - 1].part(width)] };
            let d_input = &mut dx[..input.len()];
            let (part, dy_now) = (layer.part(4), &dy[..layer.wiring.gates() * width]);
            let (coefs, d_coefs) = (&coefs[part.clone()], &mut d_coefs[part]);
            gates::backward(&layer.wiring, width, coefs, input, dy_now, d_input, d_coefs);
            std::mem::swap(&mut dy, &mut dx);
        }
        &mut dy[..self.inputs() * width]
    }
}

/// The kind with the largest logit, and its softmax probability.
fn most_likely_kind(logits: &[f32], gates: usize, g: usize) -> (u8, f32) {
    let at = |kind: usize| logits[kind * gates + g];
    let best = (1..KINDS).fold(0, |best, kind| if at(kind) > at(best) { kind } else { best });
    let sum: f32 = (0..KINDS).map(|kind| (at(kind) - at(best)).exp()).sum();
    (best as u8, 1.0 / sum)
}

/// The kind with the more likely answer in each line of the truth table, and the probability of all four together.
fn most_likely_table(logits: &[f32], gates: usize, g: usize) -> (u8, f32) {
    let lines = (0..LINES).map(|line| logits[line * gates + g]);
    lines.fold((0, 1.0), |(kind, share), x| (kind << 1 | u8::from(x > 0.0), share / (1.0 + (-x.abs()).exp())))
}
