//! What can go wrong between a lab and its user, each as one clear sentence.

use learnery_nn::TensorError;
use thiserror::Error;

/// An error a user can cause and mend.
#[derive(Debug, Error)]
pub enum LabError {
    /// A setting is unknown, of the wrong kind, or out of its range.
    #[error("setting `{field}`: {problem}")]
    Setting {
        /// The setting's name.
        field: String,
        /// What is wrong, with the range where there is one.
        problem: String,
    },
    /// The settings are not a table of names and values at all.
    #[error("settings: {0}")]
    Settings(String),
    /// A file is not a checkpoint that can be used here.
    #[error("checkpoint: {0}")]
    Checkpoint(String),
    /// A command cannot be carried out.
    #[error("command: {0}")]
    Command(String),
    /// No lab has this name.
    #[error("there is no lab `{name}`; the labs are {known}")]
    UnknownLab {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// An evaluation was asked for that the lab does not offer.
    #[error("evaluation: {0}")]
    Evaluation(String),
}

impl LabError {
    /// A wrong setting.
    pub fn setting(field: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Setting { field: field.into(), problem: problem.into() }
    }
}

impl From<TensorError> for LabError {
    fn from(error: TensorError) -> Self {
        Self::Checkpoint(error.to_string())
    }
}
