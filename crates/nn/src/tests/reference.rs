//! Reference networks in `f64`, computed one row and one neuron at a time. They look up their parameters by
//! the names that the layouts give them, such as `net/block0/qkv/weight`.

use learnery_kernels::attention::Heads;
use learnery_kernels::reference::{attention, gelu, rotary as apply_rotary};

use crate::Layout;

/// Parameters by name.
#[derive(Clone, Copy)]
pub struct Params<'a> {
    pub layout: &'a Layout,
    pub values: &'a [f64],
}

impl Params<'_> {
    /// The values of the tensor `name`, if there is one.
    fn tensor(&self, name: &str) -> Option<&[f64]> {
        self.layout.find(name).map(|range| &self.values[range])
    }

    fn dense(&self, name: &str, x: &[f64]) -> Vec<f64> {
        let (weight, bias) =
            (self.tensor(&format!("{name}/weight")).unwrap(), self.tensor(&format!("{name}/bias")).unwrap());
        assert_eq!(weight.len(), x.len() * bias.len());
        let neuron =
            |o: usize| bias[o] + (0..x.len()).map(|i| x[i] * weight[i * bias.len() + o]).sum::<f64>();
        (0..bias.len()).map(neuron).collect()
    }

    /// Layer norm; returns `x` unchanged if the layer has none.
    fn norm(&self, name: &str, x: Vec<f64>) -> Vec<f64> {
        let Some(gamma) = self.tensor(&format!("{name}/gamma")) else { return x };
        let beta = self.tensor(&format!("{name}/beta")).unwrap();
        let n = x.len() as f64;
        let mean = x.iter().sum::<f64>() / n;
        let variance = x.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n;
        let normed = |i: usize| gamma[i] * (x[i] - mean) / (variance + 1e-5).sqrt() + beta[i];
        (0..x.len()).map(normed).collect()
    }

    /// An MLP with all layers whose names begin with `name`. Hidden layers with norm have ReLU, those without
    /// have tanh.
    pub fn mlp(&self, name: &str, x: &[f64]) -> Vec<f64> {
        let mut row = x.to_vec();
        for i in 0.. {
            let layer = format!("{name}/{i}");
            row = self.dense(&layer, &row);
            if self.tensor(&format!("{name}/{}/bias", i + 1)).is_none() {
                break;
            }
            let with_norm = self.tensor(&format!("{layer}/gamma")).is_some();
            row = self.norm(&layer, row);
            row.iter_mut().for_each(|v| *v = if with_norm { v.max(0.0) } else { v.tanh() });
        }
        row
    }

    /// A dueling network: its first output is the value of the state, the others are the advantages of the
    /// actions.
    pub fn dueling(&self, name: &str, x: &[f64]) -> Vec<f64> {
        let streams = self.mlp(name, x);
        let a = &streams[1..];
        let mean = a.iter().sum::<f64>() / a.len() as f64;
        a.iter().map(|a| streams[0] + a - mean).collect()
    }

    /// The outputs of all heads, one after the other.
    pub fn resnet(&self, name: &str, heads: &[&str], x: &[f64]) -> Vec<f64> {
        let norm_relu = |layer: &str, x: &[f64]| -> Vec<f64> {
            self.norm(layer, x.to_vec()).into_iter().map(|v| v.max(0.0)).collect()
        };
        let entry = format!("{name}/entry");
        let mut stream = norm_relu(&entry, &self.dense(&entry, x));
        for i in 0.. {
            let (first, second) = (format!("{name}/block{i}/0"), format!("{name}/block{i}/1"));
            if self.tensor(&format!("{first}/bias")).is_none() {
                break;
            }
            let inner = self.dense(&first, &norm_relu(&first, &stream));
            let added = self.dense(&second, &norm_relu(&second, &inner));
            stream.iter_mut().zip(added).for_each(|(s, a)| *s += a);
        }
        let trunk = norm_relu(&format!("{name}/end"), &stream);
        heads.iter().flat_map(|head| self.mlp(&format!("{name}/{head}"), &trunk)).collect()
    }

    /// The logits of every token of a sequence.
    pub fn transformer(&self, name: &str, heads: usize, rotary: bool, tokens: &[u16]) -> Vec<Vec<f64>> {
        let mut stream = self.embedded(name, tokens);
        let layers =
            (0..).take_while(|i| self.tensor(&format!("{name}/block{i}/qkv/bias")).is_some()).count();
        (0..layers).for_each(|layer| self.block(name, heads, rotary, layer, &mut stream));
        let table = self.tensor(&format!("{name}/tokens")).unwrap();
        let logits = |row: Vec<f64>| -> Vec<f64> {
            let row = self.norm(&format!("{name}/end"), row);
            table.chunks(row.len()).map(|token| token.iter().zip(&row).map(|(t, y)| t * y).sum()).collect()
        };
        stream.into_iter().map(logits).collect()
    }

    /// The attention weights of head `head` in block `layer`.
    /// Shape: `[tokens, tokens]`.
    pub fn attention_weights(
        &self,
        name: &str,
        [heads, layer, head]: [usize; 3],
        rotary: bool,
        tokens: &[u16],
    ) -> Vec<f64> {
        let mut stream = self.embedded(name, tokens);
        (0..layer).for_each(|layer| self.block(name, heads, rotary, layer, &mut stream));
        let (_, weights) = self.attention(&format!("{name}/block{layer}"), heads, rotary, &stream);
        weights[head * tokens.len() * tokens.len()..][..tokens.len() * tokens.len()].to_vec()
    }

    /// The residual stream before the first block: token plus position embedding.
    fn embedded(&self, name: &str, tokens: &[u16]) -> Vec<Vec<f64>> {
        let (table, positions) = (
            self.tensor(&format!("{name}/tokens")).unwrap(),
            self.tensor(&format!("{name}/positions")).unwrap(),
        );
        let width = self.tensor(&format!("{name}/end/gamma")).unwrap().len();
        let row = |(i, token): (usize, &u16)| -> Vec<f64> {
            let (token, position) = (&table[usize::from(*token) * width..][..width], &positions[i * width..]);
            token.iter().zip(position).map(|(t, p)| t + p).collect()
        };
        tokens.iter().enumerate().map(row).collect()
    }

    /// The attention of block `block`: its output before the projection, and its weights.
    fn attention(
        &self,
        block: &str,
        heads: usize,
        rotary: bool,
        stream: &[Vec<f64>],
    ) -> (Vec<f64>, Vec<f64>) {
        let mut qkv: Vec<f64> = stream
            .iter()
            .flat_map(|row| {
                self.dense(&format!("{block}/qkv"), &self.norm(&format!("{block}/attention"), row.clone()))
            })
            .collect();
        let heads = Heads { count: heads, size: stream[0].len() / heads };
        if rotary {
            apply_rotary(&mut qkv, heads);
        }
        attention(&qkv, heads)
    }

    /// Adds the outputs of block `layer` to the residual stream.
    fn block(&self, name: &str, heads: usize, rotary: bool, layer: usize, stream: &mut [Vec<f64>]) {
        let block = format!("{name}/block{layer}");
        let (attended, _) = self.attention(&block, heads, rotary, stream);
        let width = stream[0].len();
        for (row, attended) in stream.iter_mut().zip(attended.chunks(width)) {
            let add =
                |row: &mut Vec<f64>, more: Vec<f64>| row.iter_mut().zip(more).for_each(|(r, m)| *r += m);
            // The output projection of attention.
            add(row, self.dense(&format!("{block}/mix"), attended));
            let up = self.dense(&format!("{block}/up"), &self.norm(&format!("{block}/mlp"), row.clone()));
            let inner: Vec<f64> = up.into_iter().map(gelu).collect();
            add(row, self.dense(&format!("{block}/down"), &inner));
        }
    }
}
