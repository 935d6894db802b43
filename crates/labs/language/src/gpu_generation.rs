//! [`super::generation`] on a GPU: several texts at a time that continue the same prompt. Each has the random
//! numbers that it has on the CPU, so it differs from the CPU's text only where rounding decides between two
//! tokens. Native only: the page generates its texts on the CPU.

use learnery_gpu::transformer::{Generator, Prompt, Sampling};
use learnery_gpu::{Gpu, GpuError};
use learnery_kernels::rng::Stream;

use super::generation::{SamplingOptions, prompt_or_line_break};
use super::network::Network;

/// Texts being generated on a GPU.
#[derive(Debug)]
pub struct GpuTextGenerator {
    generator: Generator,
}

impl GpuTextGenerator {
    /// Starts the texts with these numbers, see [`super::TextGenerator::next_token`].
    pub fn new(
        gpu: &Gpu,
        network: &Network,
        prompt: &[u16],
        options: SamplingOptions,
        stream: Stream,
        texts: &[u32],
    ) -> Result<Self, GpuError> {
        let Network { tokenizer, net, weights, .. } = network;
        let mut generator = Generator::new(gpu, net, weights.flat(), texts.len(), tokenizer.len())?;
        let tokens = prompt_or_line_break(network, prompt);
        let prompts: Vec<Prompt> =
            texts.iter().map(|number| Prompt { tokens: &tokens, number: *number }).collect();
        let SamplingOptions { temperature, top_k } = options;
        generator.start(&prompts, Sampling { temperature, top_k, stream });
        Ok(Self { generator })
    }

    /// Generates the next tokens of every text and blocks until they are there.
    /// Shape: `[steps, texts]`.
    pub fn next_tokens(&mut self, steps: usize) -> Result<Vec<u16>, GpuError> {
        Ok(self.generator.generate(steps)?.into_iter().map(|generated| generated.token).collect())
    }
}
