//! `learnery._native.LanguageNetwork`: text and logits of a language checkpoint.

use std::sync::Arc;

use learnery_labs::language::{
    Network, SamplingOptions, TextGenerator, Utf8Decoder, logits, sampling_stream, with_spinning_threads,
};
use numpy::prelude::*;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::checkpoint::Checkpoint;
use crate::errors::value_error;
use crate::threads::{Stop, compute};

/// A transformer with its tokenizer. It never changes.
#[pyclass(frozen, module = "learnery._native")]
pub struct LanguageNetwork {
    network: Arc<Network>,
}

/// What to generate.
#[derive(Clone, Copy)]
struct Request {
    tokens: u32,
    options: SamplingOptions,
    seed: u32,
    /// The number of the text among the texts of the same seed.
    number: u32,
}

#[pymethods]
impl LanguageNetwork {
    #[new]
    fn new(py: Python<'_>, checkpoint: &Checkpoint) -> PyResult<Self> {
        Ok(Self { network: Arc::new(checkpoint.read(py, Network::from_checkpoint)?) })
    }

    /// The number of tokens that there are.
    #[getter]
    fn vocabulary(&self) -> usize {
        self.network.tokenizer.len()
    }

    /// The number of tokens that the network sees at once.
    #[getter]
    fn context(&self) -> usize {
        self.network.net.shape().context
    }

    fn encode<'py>(&self, py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyArray1<u16>>> {
        Ok(PyArray1::from_vec(py, self.network.encode(text).map_err(value_error)?))
    }

    fn decode<'py>(&self, py: Python<'py>, tokens: Vec<u16>) -> PyResult<Bound<'py, PyBytes>> {
        self.check(&tokens)?;
        Ok(PyBytes::new(py, &self.network.tokenizer.decode(&tokens)))
    }

    /// The logits of the token after each of these.
    ///
    /// Shape: `[tokens, vocabulary]`.
    fn logits<'py>(&self, py: Python<'py>, tokens: Vec<u16>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        self.check(&tokens)?;
        let (count, context) = (tokens.len(), self.context());
        if count > context {
            return Err(value_error(format!("there are {count} tokens; the network sees at most {context}")));
        }
        let network = self.network.clone();
        let computed = compute(py, move |_| logits(&network, &tokens))?;
        PyArray1::from_vec(py, computed).reshape([count, self.vocabulary()])
    }

    /// Continues a prompt. Returns the new text.
    fn generate(
        &self,
        py: Python<'_>,
        prompt: &str,
        tokens: u32,
        temperature: f32,
        top_k: usize,
        seed: u32,
        number: u32,
    ) -> PyResult<String> {
        let prompt = self.network.encode(prompt).map_err(value_error)?;
        let request = Request { tokens, options: SamplingOptions { temperature, top_k }, seed, number };
        let network = self.network.clone();
        // The threads compute each token together, in products so short that waking a thread would take
        // longer.
        compute(py, move |stop| with_spinning_threads(|| generate(&network, &prompt, request, stop)))
    }
}

impl LanguageNetwork {
    /// Refuses numbers that are no tokens.
    fn check(&self, tokens: &[u16]) -> PyResult<()> {
        let count = self.vocabulary();
        match tokens.iter().find(|token| usize::from(**token) >= count) {
            Some(token) => Err(value_error(format!("there is no token {token}; there are {count}"))),
            None => Ok(()),
        }
    }
}

/// Generates a text token by token, up to the end of an answer.
fn generate(network: &Network, prompt: &[u16], request: Request, stop: &Stop) -> String {
    let Request { tokens, options, seed, number } = request;
    let mut generator = TextGenerator::new(network);
    generator.start(network, prompt);
    let mut decoder = Utf8Decoder::default();
    let mut text = String::new();
    for _ in 0..tokens {
        let token = generator.next_token(network, options, sampling_stream(seed), u64::from(number));
        if Some(token) == network.end_of_answer() || stop.is_requested() {
            break;
        }
        text.push_str(&decoder.push(network.tokenizer.piece(token)));
    }
    text.push_str(decoder.finish());
    text
}
