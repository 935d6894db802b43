//! `learnery._native.Checkpoint`: a saved run, or a network alone.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use learnery_lab::{Checkpoint as Saved, Entry, EvalRequest, Kind, LabError, Named, Report, ToolEntry};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::{Map, Value};

use crate::ask::finish;
use crate::errors::{file_error, value_error};
use crate::json::parse_object;
use crate::threads::{Watch, watched};

/// A checkpoint of any lab. It never changes.
#[pyclass(frozen, module = "learnery._native")]
pub struct Checkpoint {
    pub entry: &'static Entry,
    pub saved: Arc<Saved>,
    /// What errors call it: the path of its file.
    name: String,
}

/// A tensor: name, NumPy's name of its type, shape, little-endian bytes.
type NamedTensor<'py> = (String, &'static str, Vec<usize>, Bound<'py, PyBytes>);

/// A statistic of an evaluation: name, value, unit of the value.
type Metric = (&'static str, f64, &'static str);

impl Checkpoint {
    pub fn new(entry: &'static Entry, saved: Saved, name: &str) -> Self {
        Self { entry, saved: Arc::new(saved), name: name.to_owned() }
    }

    /// Calls `read`, without the GIL.
    pub fn read<R: Send>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&Saved) -> Result<R, LabError> + Send,
    ) -> PyResult<R> {
        py.detach(|| read(&self.saved)).map_err(|e| self.error(&e))
    }

    /// An error about its content.
    pub fn error(&self, error: &LabError) -> PyErr {
        file_error(&self.name, error)
    }
}

#[pymethods]
impl Checkpoint {
    /// Decodes the content of a file. `name` is what errors call it.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8], name: &str) -> PyResult<Self> {
        py.detach(|| {
            let saved = Saved::from_bytes(bytes)?;
            Ok(Self::new(learnery_labs::find(&saved.header.lab)?, saved, name))
        })
        .map_err(|e: LabError| file_error(name, &e))
    }

    #[getter]
    fn lab(&self) -> &'static str {
        self.entry.about.id
    }

    /// Encodes it as the content of a file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| self.saved.to_bytes()))
    }

    /// A copy with the network alone.
    fn network_only(&self) -> Self {
        Self::new(self.entry, self.saved.network_only(), &self.name)
    }

    /// The header, as JSON, with all settings.
    fn header(&self) -> PyResult<String> {
        let mut header = self.saved.header.clone();
        // A file leaves out settings that came later and have their defaults.
        let config = Value::Object(std::mem::take(&mut header.config));
        header.config = (self.entry.schema)().complete(None, &config).map_err(|e| self.error(&e))?;
        serde_json::to_string(&header).map_err(value_error)
    }

    /// The fingerprint of the run: equal for runs that continue with the same bits.
    fn fingerprint(&self, py: Python<'_>) -> String {
        py.detach(|| self.saved.fingerprint())
    }

    /// The tensors of the network.
    fn tensors<'py>(&self, py: Python<'py>) -> Vec<NamedTensor<'py>> {
        let network = self.saved.network();
        let tensors = network.iter().map(|(name, tensor)| {
            let shape = tensor.shape().to_vec();
            (name.to_owned(), numpy_type_name(&tensor.type_name()), shape, PyBytes::new(py, tensor.bytes()))
        });
        tensors.collect()
    }

    /// The networks as ONNX files, by their names.
    fn onnx<'py>(&self, py: Python<'py>) -> PyResult<Vec<(String, Bound<'py, PyBytes>)>> {
        let files = py.detach(|| self.entry.onnx(&self.saved)).map_err(|e| self.error(&e))?;
        Ok(files.into_iter().map(|(name, file)| (name, PyBytes::new(py, &file))).collect())
    }

    /// The plural noun for what a tool counts, such as games.
    fn counts(&self, tool: &str) -> PyResult<&'static str> {
        Ok(ToolEntry::find(self.entry.tools, tool).map_err(value_error)?.about.counts)
    }

    /// Measures the strength of the network: a sentence, statistics, and whether Ctrl-C ended it early.
    /// `options` is JSON. `show` is that of [`watched`].
    #[pyo3(signature = (options, seed, show))]
    fn evaluate(
        &self,
        py: Python<'_>,
        options: &str,
        seed: u32,
        show: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(String, Vec<Metric>, bool)> {
        let request = read_request(self.entry, parse_object(options)?, seed)?;
        let (entry, saved) = (self.entry, self.saved.clone());
        let evaluate = move |watch: Watch| -> Result<(Report, bool), LabError> {
            let mut job = entry.begin_evaluation(&saved, &request)?;
            job.interrupt_by(watch.interrupt());
            let (output, is_partial) = finish(&mut *job, &mut |_| {}, &|amount| watch.goes_on(amount))?;
            let nothing = || LabError::Evaluation("nothing is known yet".into());
            Ok((Report::of(output.ok_or_else(nothing)?)?, is_partial))
        };
        let (report, was_stopped) = watched(py, show, || Ok(()), evaluate)?;
        let (report, is_partial) = report.map_err(|e| self.error(&e))?;
        let metrics = report.figures.into_iter().map(|figure| (figure.name, figure.value, figure.unit));
        Ok((report.summary, metrics.collect(), is_partial && was_stopped))
    }
}

/// NumPy's name of a number type that safetensors calls `F32`, for example.
fn numpy_type_name(name: &str) -> &'static str {
    match name {
        "F32" => "<f4",
        "F64" => "<f8",
        "U8" => "<u1",
        "U32" => "<u4",
        "U64" => "<u8",
        // The network has been read, and no lab has tensors of another type.
        other => unreachable!("a tensor of {other}"),
    }
}

/// The request for an evaluation with these options. Reads the files and the checkpoints that they name.
fn read_request(entry: &Entry, options: Map<String, Value>, seed: u32) -> PyResult<EvalRequest> {
    let schema = entry.eval_options().map_err(value_error)?;
    let mut request = EvalRequest { seed, ..EvalRequest::default() };
    for (name, value) in &options {
        let field = schema.field(name).map_err(|e| match e {
            LabError::Setting { problem, .. } => {
                value_error(format!("`{name}` is not an option of the lab `{}`: {problem}", entry.about.id))
            }
            other => value_error(other),
        })?;
        // Only texts can name files.
        let Some(path) = value.as_str() else { continue };
        // An opponent that is neither known to the lab nor the name of a file stays as it is: the lab rejects it.
        if field.kind.names_a_file(path) && (field.kind == Kind::File || Path::new(path).exists()) {
            request.named = Some(Named::File(fs::read(path)?));
        }
    }
    request.options = options;
    Ok(request)
}
