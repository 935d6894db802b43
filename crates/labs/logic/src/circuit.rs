//! A stack of layers of gates: where their logits and coefficients lie, and both passes over a tile of cells.

use std::ops::Range;

use learnery_kernels::gates::{self, KINDS, LINES, Wiring};

use super::config::Parameters;

/// The kind of gate that hands on its first input.
pub const PASS_THROUGH: usize = 3;
/// The kind that hands on its second.
const PASS_SECOND: usize = 5;

/// So far from all others a logit leaves them exactly nothing.
const CERTAIN: f32 = 1000.0;

/// Whether the value of a gate of a kind depends on its first input, and on its second.
fn heeds(kind: u8) -> [bool; 2] {
    // The lines of a truth table, the first input counting for two.
    let [far, near] = [kind >> 2, kind & 3];
    let [of_zero, of_one] = [kind >> 1 & 5, kind & 5];
    [far != near, of_zero != of_one]
}

/// Layers, each reading what the one before it gave.
#[derive(Clone, Debug)]
pub struct Circuit {
    layers: Vec<Layer>,
    gates: usize,
    parameters: Parameters,
}

#[derive(Clone, Debug)]
struct Layer {
    wiring: Wiring,
    /// Gates of the circuit before this layer's.
    first: usize,
}

impl Layer {
    /// Its part of something that has `each` numbers for a gate.
    fn part(&self, each: usize) -> Range<usize> {
        each * self.first..each * (self.first + self.wiring.gates())
    }
}

impl Circuit {
    /// A circuit of these layers, whose gates are described so.
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
            assert_eq!(pair[0].wiring.gates(), pair[1].wiring.inputs(), "layers do not fit");
        }
        Self { layers, gates, parameters }
    }

    /// The same gates reading other values; nothing where a wire would come from nowhere. // wires [gates, 2]
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

    /// Number of gates.
    pub fn gates(&self) -> usize {
        self.gates
    }

    /// Logits of a gate.
    fn each(&self) -> usize {
        match self.parameters {
            Parameters::Kinds => KINDS,
            Parameters::Table => LINES,
        }
    }

    /// Number of logits.
    pub fn logits(&self) -> usize {
        self.each() * self.gates
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

    /// All gates handing on their first input, or their second where `second` says so of a layer's gate, as sure of it as
    /// `certainty`.
    pub fn pass_through(&self, logits: &mut [f32], certainty: f32, second: impl Fn(usize, usize) -> bool) {
        for (i, layer) in self.layers.iter().enumerate() {
            let own = &mut logits[layer.part(self.each())];
            for gate in 0..layer.wiring.gates() {
                let kind = if second(i, gate) { PASS_SECOND } else { PASS_THROUGH };
                self.lean(layer, own, gate, kind, certainty);
            }
        }
    }

    /// Has a gate of a layer lean towards a kind and no other. // own: the layer's logits
    fn lean(&self, layer: &Layer, own: &mut [f32], gate: usize, kind: usize, certainty: f32) {
        for (i, row) in own.chunks_exact_mut(layer.wiring.gates()).enumerate() {
            row[gate] = match self.parameters {
                Parameters::Kinds if i == kind => certainty,
                Parameters::Kinds => 0.0,
                Parameters::Table if kind >> (LINES - 1 - i) & 1 == 1 => certainty,
                Parameters::Table => -certainty,
            };
        }
    }

    /// Makes those gates certain of their kinds whose number is below `share`. // numbers, kinds [gates]
    pub fn settle(&self, numbers: &[f32], share: f32, kinds: &[u8], logits: &mut [f32]) {
        for layer in &self.layers {
            let own = &mut logits[layer.part(self.each())];
            let settled = (0..layer.wiring.gates()).filter(|g| numbers[layer.first + g] < share);
            for g in settled {
                self.lean(layer, own, g, usize::from(kinds[layer.first + g]), CERTAIN);
            }
        }
    }

    /// Exchanges what speaks for two kinds of a gate.
    pub fn exchange(&self, gate: usize, [old, new]: [usize; 2], logits: &mut [f32]) {
        let holds = |layer: &&Layer| layer.first <= gate && gate < layer.first + layer.wiring.gates();
        let Some(layer) = self.layers.iter().find(holds) else { return };
        let (gates, gate) = (layer.wiring.gates(), gate - layer.first);
        let own = &mut logits[layer.part(self.each())];
        match self.parameters {
            Parameters::Kinds => own.swap(old * gates + gate, new * gates + gate),
            Parameters::Table => {
                for (line, row) in own.chunks_exact_mut(gates).enumerate() {
                    let is_other = (old ^ new) >> (LINES - 1 - line) & 1 == 1;
                    row[gate] = if is_other { -row[gate] } else { row[gate] };
                }
            }
        }
    }

    /// Which gates what comes out depends on, as far as their kinds alone tell. // kinds [gates] -> needed [gates]
    pub fn needed(&self, kinds: &[u8], needed: &mut [bool]) {
        needed.fill(false);
        needed[self.last().first..].fill(true);
        for pair in self.layers.windows(2).rev() {
            let [before, layer] = pair else { continue };
            for (gate, inputs) in layer.wiring.pairs().iter().enumerate() {
                let gate = layer.first + gate;
                for (input, heeded) in inputs.iter().zip(heeds(kinds[gate])) {
                    needed[before.first + *input as usize] |= needed[gate] && heeded;
                }
            }
        }
    }

    /// Works out the coefficients. // logits [KINDS or LINES, gates], layer by layer -> coefs [4, gates], layer by layer
    pub fn mix(&self, logits: &[f32], coefs: &mut [f32]) {
        for layer in &self.layers {
            let (logits, coefs) = (&logits[layer.part(self.each())], &mut coefs[layer.part(4)]);
            match self.parameters {
                Parameters::Kinds => gates::mixture_coefficients(logits, coefs),
                Parameters::Table => gates::table_coefficients(logits, coefs),
            }
        }
    }

    /// The gradient at the logits, from that at the coefficients. // d_coefs [gates, 4]
    pub fn unmix(&self, logits: &[f32], d_coefs: &[f32], d_logits: &mut [f32]) {
        for layer in &self.layers {
            let part = layer.part(self.each());
            let (logits, d_logits) = (&logits[part.clone()], &mut d_logits[part]);
            match self.parameters {
                Parameters::Kinds => gates::mixture_backward(logits, &d_coefs[layer.part(4)], d_logits),
                Parameters::Table => gates::table_backward(logits, &d_coefs[layer.part(4)], d_logits),
            }
        }
    }

    /// The likeliest kind of each gate, of equals the first; and how likely it is. // -> kinds [gates], sure [gates]
    pub fn decide(&self, logits: &[f32], kinds: &mut [u8], mut sure: Option<&mut [f32]>) {
        for layer in &self.layers {
            let gates = layer.wiring.gates();
            let own = &logits[layer.part(self.each())];
            if self.parameters == Parameters::Kinds && sure.is_none() {
                gates::argmax_kinds(own, &mut kinds[layer.first..][..gates]);
                continue;
            }
            for g in 0..gates {
                let (kind, share) = match self.parameters {
                    Parameters::Kinds => likeliest(own, gates, g),
                    Parameters::Table => of_table(own, gates, g),
                };
                kinds[layer.first + g] = kind;
                if let Some(sure) = &mut sure {
                    sure[layer.first + g] = share;
                }
            }
        }
    }

    /// Every gate's value. // x [inputs, width] -> values [gates, width], the last `outputs` rows being what comes out
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

    /// What came out. // [outputs, width]
    pub fn results<'a>(&self, width: usize, values: &'a [f32]) -> &'a [f32] {
        &values[self.last().part(width)]
    }

    /// The way back of a tile. `ways` hold the gradient at what came out, in the first rows of the first; at the end, in
    /// the buffer that is returned, that at what went in; both lifted. // ways each [widest, width], d_coefs [gates, 4]
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

/// The kind with the largest logit, and its share of the mixture.
fn likeliest(logits: &[f32], gates: usize, g: usize) -> (u8, f32) {
    let at = |kind: usize| logits[kind * gates + g];
    let best = (1..KINDS).fold(0, |best, kind| if at(kind) > at(best) { kind } else { best });
    let sum: f32 = (0..KINDS).map(|kind| (at(kind) - at(best)).exp()).sum();
    (best as u8, 1.0 / sum)
}

/// The kind with the likelier answer in each line, and how likely all four are.
fn of_table(logits: &[f32], gates: usize, g: usize) -> (u8, f32) {
    let lines = (0..LINES).map(|line| logits[line * gates + g]);
    lines.fold((0, 1.0), |(kind, share), x| (kind << 1 | u8::from(x > 0.0), share / (1.0 + (-x.abs()).exp())))
}
