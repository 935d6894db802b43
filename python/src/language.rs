//! `learnery._native.LanguageNetwork`: tokens and logits of a language checkpoint.

use std::sync::Arc;

use learnery_lab::{AnyJob, Job, Schema};
use learnery_labs::language::{Network, Sample, logits};
use numpy::prelude::*;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::Value;

use crate::ask::{Answer, answer};
use crate::checkpoint::Checkpoint;
use crate::errors::value_error;
use crate::json::parse_object;
use crate::threads::compute;

/// A transformer with its tokenizer. It never changes.
#[pyclass(frozen, module = "learnery._native")]
pub struct LanguageNetwork {
    network: Arc<Network>,
    /// The units of its run.
    units: u64,
}

#[pymethods]
impl LanguageNetwork {
    #[new]
    fn new(py: Python<'_>, checkpoint: &Checkpoint) -> PyResult<Self> {
        let network = Arc::new(checkpoint.read(py, Network::from_checkpoint)?);
        Ok(Self { network, units: checkpoint.saved.header.units })
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

    /// What the tool `sample` answers: the same as `ask`, which reads the network of its checkpoint anew with each
    /// question. That can take longer than a short text.
    fn sample(&self, py: Python<'_>, input: &str) -> PyResult<Answer> {
        let input = Value::Object(parse_object(input)?);
        let input = Schema::of_tool::<Sample>().complete(None, &input).map_err(value_error)?;
        let input = serde_json::from_value(Value::Object(input)).map_err(value_error)?;
        let (network, units) = (self.network.clone(), self.units);
        let begin = move || -> Result<Box<dyn AnyJob>, _> {
            Ok(Box::new(Job::of(Sample::with_network(network, input)?, units)))
        };
        answer(py, begin, None, None, None)?.map_err(value_error)
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
