//! The judge: how many bits a byte text costs that was never learned from, or how many problems are answered exactly.
//!
//! A text goes by in windows that overlap, and of each but the first only the last part counts: so nearly all of the
//! context stands before every token that is judged. A greedy answer is right exactly where each of its tokens is the
//! likeliest after those that are right before it, so problems are judged without writing.

use learnery_nn::Trainer;
use learnery_nn::transformer::{IGNORE, Loss};
use learnery_worlds::text::Split;

use super::material::Material;
use super::network::Network;
use super::writer::line_break;

/// One of how many parts of a window counts: while a network learns, and where it is evaluated, which may take longer.
pub const QUICK: usize = 8;
pub const CLOSE: usize = 16;

/// Held-out bytes that gzip and the order-3 model are given.
const COMPARED: usize = 1 << 16;

/// What was found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verdict {
    /// Bits a byte.
    pub bits: Option<f64>,
    /// How much more that is than what they cost who knows all there is to know.
    pub excess: Option<f64>,
    /// Share of problems that were answered exactly.
    pub exact: Option<f64>,
}

/// A judge and what it judges by.
pub struct Judge {
    /// Held-out text in tokens.
    tokens: Vec<u16>,
    /// What it costs who knows all, in bits.
    least: Option<f64>,
    /// What gzip and the order-3 model need for a byte.
    baselines: Option<[f64; 2]>,
    /// One of so many parts of a window counts.
    part: usize,
    /// Windows or problems.
    rows: usize,
    done: usize,
    loss: Loss,
    bytes: usize,
    right: usize,
    inputs: Vec<u16>,
    targets: Vec<u16>,
    likeliest: Vec<u16>,
}

impl Judge {
    /// By so many bytes of text, in windows of which one of `part` parts counts, or by so many problems.
    pub fn new(network: &Network, material: &Material, size: usize, part: usize) -> Self {
        let length = network.net.shape().context;
        let (mut tokens, mut least, mut rows) = (Vec::new(), None, size);
        if let Some((text, cost)) = material.held_out(size) {
            // Something has to stand before the first token that is asked.
            tokens.push(line_break(network));
            network.tokenizer.encode(&text, &mut tokens);
            least = cost;
            let asked = tokens.len() - 1;
            rows = 1 + asked.saturating_sub(length).div_ceil((length / part).max(1));
        }
        Self {
            tokens,
            least,
            baselines: None,
            part,
            rows,
            done: 0,
            loss: Loss::default(),
            bytes: 0,
            right: 0,
            inputs: Vec::new(),
            targets: Vec::new(),
            likeliest: Vec::new(),
        }
    }

    /// What gzip and the order-3 model need for a byte of the held-out text; known from the first judgement on.
    pub fn baselines(&self) -> Option<[f64; 2]> {
        self.baselines
    }

    /// One wave; the verdict where it was the last.
    pub fn step(
        &mut self,
        network: &Network,
        trainer: &mut Trainer,
        material: &mut Material,
    ) -> Option<Verdict> {
        if self.done == 0 {
            if self.baselines.is_none() {
                self.baselines = material.held_out(COMPARED).and_then(|(text, _)| material.baselines(&text));
            }
            (self.loss, self.bytes, self.right) = (Loss::default(), 0, 0);
        }
        let length = network.net.shape().context;
        let rows = (trainer.micro_batch() / length).min(self.rows - self.done);
        self.inputs.resize(rows * length, 0);
        self.targets.resize(rows * length, IGNORE);
        match material {
            Material::Task(problems) => {
                let each = self.inputs.chunks_exact_mut(length).zip(self.targets.chunks_exact_mut(length));
                for (index, (inputs, targets)) in (self.done as u64..).zip(each) {
                    problems.row(&network.tokenizer, index, Split::HeldOut, inputs, targets);
                }
                self.likeliest.resize(rows * length, 0);
                trainer.likeliest(&network.net, &network.weights, &self.inputs, &mut self.likeliest);
                let each = self.targets.chunks_exact(length).zip(self.likeliest.chunks_exact(length));
                let is_right = |(targets, likeliest): &(&[u16], &[u16])| {
                    targets.iter().zip(*likeliest).all(|(target, it)| *target == IGNORE || target == it)
                };
                self.right += each.filter(is_right).count();
            }
            _ => {
                for row in 0..rows {
                    let span = row * length..(row + 1) * length;
                    let (inputs, targets) = (&mut self.inputs[span.clone()], &mut self.targets[span]);
                    let index = self.done + row;
                    self.bytes += window(network, &self.tokens, self.part, index, inputs, targets);
                }
                let loss = trainer.loss(&network.net, &network.weights, &self.inputs, &self.targets);
                self.loss.sum += loss.sum;
                self.loss.count += loss.count;
            }
        }
        self.done += rows;
        (self.done == self.rows).then(|| self.finish())
    }

    fn finish(&mut self) -> Verdict {
        self.done = 0;
        if self.tokens.is_empty() {
            let exact = self.right as f64 / self.rows as f64;
            return Verdict { exact: Some(exact), ..Verdict::default() };
        }
        let bits = self.loss.sum / std::f64::consts::LN_2;
        Verdict {
            bits: Some(bits / self.bytes.max(1) as f64),
            excess: self.least.map(|least| bits / least - 1.0),
            exact: None,
        }
    }

    /// Bytes that the last verdict is about.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Problems or windows it judges by.
    pub fn rows(&self) -> usize {
        self.rows
    }
}

/// Window `index` of a text: of the first, every token counts, of the others the last part. Gives the bytes that count.
fn window(
    network: &Network,
    tokens: &[u16],
    part: usize,
    index: usize,
    inputs: &mut [u16],
    targets: &mut [u16],
) -> usize {
    let length = inputs.len();
    let part = (length / part).max(1);
    let first = index * part;
    let asked = tokens.len() - 1;
    let have = length.min(asked - first);
    inputs.fill(tokens[0]);
    targets.fill(IGNORE);
    inputs[..have].copy_from_slice(&tokens[first..first + have]);
    let from = if index == 0 { 0 } else { length - part };
    if from < have {
        targets[from..have].copy_from_slice(&tokens[first + from + 1..=first + have]);
    }
    super::learner::bytes_of(network, targets)
}
