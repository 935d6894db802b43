//! `learnery._native.LanguageNetwork`: tokens and logits of a language checkpoint.

use std::sync::Arc;

use learnery_labs::language::{Network, logits};
use numpy::prelude::*;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::checkpoint::Checkpoint;
use crate::errors::value_error;
use crate::threads::compute;

/// A transformer with its tokenizer. It never changes.
#[pyclass(frozen, module = "learnery._native")]
pub struct LanguageNetwork {
    network: Arc<Network>,
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
