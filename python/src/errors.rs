//! Errors of labs as Python's exceptions. Their messages are the sentences of the labs.

use std::fmt::Display;

use learnery_lab::LabError;
use pyo3::PyErr;
use pyo3::exceptions::PyValueError;

/// A `ValueError` with this sentence.
pub fn value_error(sentence: impl Display) -> PyErr {
    PyValueError::new_err(sentence.to_string())
}

/// A `ValueError` about the content of a file.
pub fn file_error(name: &str, error: &LabError) -> PyErr {
    match error {
        LabError::Checkpoint(problem) => value_error(format!("{name}: {problem}")),
        // What is wrong is not the file, but what it is asked for.
        LabError::Evaluation(problem) => value_error(problem),
        other => value_error(format!("{name}: {other}")),
    }
}
