//! Drawing the next token from its logits: temperature, and the choice held to the likeliest few (Fan, Lewis and Dauphin,
//! "Hierarchical neural story generation", 2018).

use learnery_kernels::rng::Stream;

/// What drawing works in.
#[derive(Clone, Debug)]
pub struct Sampler {
    /// Logits in no order, to find the least of the likeliest.
    sorted: Vec<f32>,
}

impl Sampler {
    /// For `vocabulary` tokens.
    pub fn new(vocabulary: usize) -> Self {
        Self { sorted: Vec::with_capacity(vocabulary) }
    }

    /// A token drawn from `softmax(logits / temperature)` over the `top_k` likeliest (all of them where that is zero);
    /// the likeliest itself where the temperature is zero. What is drawn is a function of logits, stream and `index`.
    /// A number that is none is never drawn, unless there is nothing else.
    pub fn draw(
        &mut self,
        logits: &[f32],
        temperature: f32,
        top_k: usize,
        stream: Stream,
        index: u64,
    ) -> u16 {
        let known = |logit: &f32| if logit.is_nan() { f32::NEG_INFINITY } else { *logit };
        let best = (0..logits.len()).rev().max_by(|a, b| known(&logits[*a]).total_cmp(&known(&logits[*b])));
        let best = best.expect("a token to draw");
        let most = known(&logits[best]);
        if temperature <= 0.0 || !most.is_finite() {
            return best as u16;
        }
        let least = if (1..logits.len()).contains(&top_k) {
            self.sorted.clear();
            self.sorted.extend(logits.iter().map(known));
            *self.sorted.select_nth_unstable_by(top_k - 1, |a, b| b.total_cmp(a)).1
        } else {
            f32::NEG_INFINITY
        };
        let weight = |logit: &f32| {
            let logit = known(logit);
            if logit < least { 0.0 } else { f64::from((logit - most) / temperature).exp() }
        };
        let all: f64 = logits.iter().map(weight).sum();
        let mut left = all * f64::from(stream.uniform(index, 0));
        for (token, logit) in logits.iter().enumerate() {
            let weight = weight(logit);
            if left < weight {
                return token as u16;
            }
            left -= weight;
        }
        // Rounding may leave a little.
        best as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_come_as_often_as_they_should() {
        let logits = [1.0f32, 3.0, f32::NAN, 2.0, f32::NEG_INFINITY, 0.0];
        let mut sampler = Sampler::new(logits.len());
        for (temperature, top_k) in
            [(1.0f32, 0), (0.5, 0), (2.0, 3), (1.0, 2), (1.0, 1), (1.0, 100), (0.0, 3)]
        {
            const DRAWS: u64 = 20_000;
            let mut counts = [0; 6];
            for i in 0..DRAWS {
                let token = sampler.draw(&logits, temperature, top_k, Stream::new(3, 7), i);
                counts[usize::from(token)] += 1;
            }
            let likeliest = [1, 3, 0, 5];
            let some = if temperature == 0.0 {
                1
            } else if top_k == 0 {
                4
            } else {
                top_k.min(4)
            };
            let weight = |token: usize| match likeliest[..some].contains(&token) {
                true if temperature == 0.0 => 1.0,
                true => f64::from(logits[token] / temperature).exp(),
                false => 0.0,
            };
            let all: f64 = (0..6).map(weight).sum();
            for (token, count) in counts.into_iter().enumerate() {
                let expected = weight(token) / all;
                let share = f64::from(count) / DRAWS as f64;
                assert!((share - expected).abs() < 0.015, "{token} at {temperature}, {top_k}: {share}");
                assert!(expected > 0.0 || count == 0, "{token} at {temperature}, {top_k}");
            }
        }
    }

    #[test]
    fn anything_at_all_gives_a_token() {
        let mut sampler = Sampler::new(3);
        for logits in [[f32::NAN; 3], [f32::NEG_INFINITY; 3], [f32::INFINITY; 3], [f32::MAX, f32::MIN, 0.0]] {
            for temperature in [0.0, 1e-30, 1.0, f32::INFINITY, f32::NAN] {
                let token = sampler.draw(&logits, temperature, 2, Stream::new(0, 0), 0);
                assert!(usize::from(token) < logits.len());
            }
        }
    }
}
