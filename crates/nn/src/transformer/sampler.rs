//! Sampling of the next token from logits, with temperature and top-k (Fan, Lewis and Dauphin, "Hierarchical
//! neural story generation", 2018).

use learnery_kernels::math::double;
use learnery_kernels::rng::Stream;

/// Samples tokens; holds scratch memory only.
#[derive(Clone, Debug)]
pub struct Sampler {
    /// A copy of the logits, in which the k-th largest is selected.
    selection: Vec<f32>,
}

impl Sampler {
    /// A sampler for `vocabulary` tokens.
    pub fn new(vocabulary: usize) -> Self {
        Self { selection: Vec::with_capacity(vocabulary) }
    }

    /// Samples from `softmax(logits / temperature)` over the `top_k` most likely tokens (0 for all). A
    /// temperature of 0 gives the most likely token. The random number is number `index` of `stream`, so
    /// equal arguments give equal results. A token with a NaN logit is never sampled, unless all logits are
    /// NaN.
    pub fn draw(
        &mut self,
        logits: &[f32],
        temperature: f32,
        top_k: usize,
        stream: Stream,
        index: u64,
    ) -> u16 {
        // NaN counts as minus infinity.
        let ranked = |logit: &f32| if logit.is_nan() { f32::NEG_INFINITY } else { *logit };
        // Reversed, because `max_by` returns the last of equal elements and the first is wanted.
        let best = (0..logits.len()).rev().max_by(|a, b| ranked(&logits[*a]).total_cmp(&ranked(&logits[*b])));
        let best = best.expect("an empty vocabulary");
        let highest = ranked(&logits[best]);
        if temperature <= 0.0 || !highest.is_finite() {
            return best as u16;
        }
        let threshold = if (1..logits.len()).contains(&top_k) {
            self.selection.clear();
            self.selection.extend(logits.iter().map(ranked));
            *self.selection.select_nth_unstable_by(top_k - 1, |a, b| b.total_cmp(a)).1
        } else {
            f32::NEG_INFINITY
        };
        let weight_of = |logit: &f32| {
            let logit = ranked(logit);
            if logit < threshold { 0.0 } else { double::exp(f64::from((logit - highest) / temperature)) }
        };
        let total: f64 = logits.iter().map(weight_of).sum();
        let mut remaining = total * f64::from(stream.uniform(index, 0));
        for (token, logit) in logits.iter().enumerate() {
            let weight = weight_of(logit);
            if remaining < weight {
                return token as u16;
            }
            remaining -= weight;
        }
        // Because of rounding, `remaining` may exceed the sum of all weights a little.
        best as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sampler_samples_tokens_with_the_expected_frequencies() {
        let logits = [1.0f32, 3.0, f32::NAN, 2.0, f32::NEG_INFINITY, 0.0];
        let mut sampler = Sampler::new(logits.len());
        for (temperature, top_k) in
            [(1.0f32, 0), (0.5, 0), (2.0, 3), (1.0, 2), (1.0, 1), (1.0, 100), (0.0, 3)]
        {
            const SAMPLES: u64 = 20_000;
            let mut counts = [0; 6];
            for i in 0..SAMPLES {
                let token = sampler.draw(&logits, temperature, top_k, Stream::new(3, 7), i);
                counts[usize::from(token)] += 1;
            }
            // The tokens with finite logits, most likely first.
            let likeliest = [1, 3, 0, 5];
            let candidates = if temperature == 0.0 {
                1
            } else if top_k == 0 {
                4
            } else {
                top_k.min(4)
            };
            let weight = |token: usize| match likeliest[..candidates].contains(&token) {
                true if temperature == 0.0 => 1.0,
                true => f64::from(logits[token] / temperature).exp(),
                false => 0.0,
            };
            let total: f64 = (0..6).map(weight).sum();
            for (token, count) in counts.into_iter().enumerate() {
                let expected = weight(token) / total;
                let frequency = f64::from(count) / SAMPLES as f64;
                assert!(
                    (frequency - expected).abs() < 0.015,
                    "token {token}, temperature {temperature}, top {top_k}: {frequency}"
                );
                assert!(
                    expected > 0.0 || count == 0,
                    "token {token}, temperature {temperature}, top {top_k}"
                );
            }
        }
    }

    #[test]
    fn sampler_accepts_nan_and_infinite_logits_and_temperatures() {
        let mut sampler = Sampler::new(3);
        for logits in [[f32::NAN; 3], [f32::NEG_INFINITY; 3], [f32::INFINITY; 3], [f32::MAX, f32::MIN, 0.0]] {
            for temperature in [0.0, 1e-30, 1.0, f32::INFINITY, f32::NAN] {
                let token = sampler.draw(&logits, temperature, 2, Stream::new(0, 0), 0);
                assert!(usize::from(token) < logits.len());
            }
        }
    }
}
