//! Samples that a GPU generates: how, and when they end.

use learnery_kernels::rng::Stream;

use super::{SAMPLING_OPTIONS, SampleHistory, TEXT_NUMBER};
use crate::generation::{SamplingOptions, prompt_or_line_break};
use crate::network::Network;

impl SampleHistory {
    /// Appends tokens that were generated elsewhere, such as on a GPU, to those of the sample that is due.
    /// Returns whether the sample is complete; tokens after its end are dropped.
    pub fn extend(&self, network: &Network, generated: &mut Vec<u16>, more: &[u16]) -> bool {
        more.iter().any(|token| {
            generated.push(*token);
            self.is_complete(network, generated)
        })
    }

    /// The tokens that every sample begins with.
    pub fn prompt(&self, network: &Network) -> Vec<u16> {
        prompt_or_line_break(network, &self.prompt)
    }

    /// How samples are generated: options, stream and the number of the text, which selects its random
    /// numbers.
    pub fn sampling(&self) -> (SamplingOptions, Stream, u64) {
        (SAMPLING_OPTIONS, self.stream, TEXT_NUMBER)
    }
}
