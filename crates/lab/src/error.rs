//! Errors that a user can cause and correct, each shown as one clear sentence.

use learnery_nn::TensorError;
use thiserror::Error;

/// An error that a user can cause and correct.
#[derive(Debug, Error)]
pub enum LabError {
    /// A setting is unknown, has the wrong type, or is out of range.
    #[error("setting `{field}`: {problem}")]
    Setting {
        field: String,
        /// What is wrong, with the allowed range.
        problem: String,
    },
    /// A field of a tool's input is unknown, has the wrong type, is out of range, or cannot be read.
    #[error("input `{field}`: {problem}")]
    Input {
        field: String,
        /// What is wrong, with the place or the allowed range.
        problem: String,
    },
    /// A tool cannot do what it is asked.
    #[error("{0}")]
    Tool(String),
    /// The settings as a whole are not a table of names and values.
    #[error("{0}")]
    Settings(String),
    /// A checkpoint cannot be used.
    #[error("the checkpoint cannot be used: {0}")]
    Checkpoint(
        /// What is wrong with it, such as "the file is empty".
        String,
    ),
    /// A recipe cannot be used.
    #[error("the recipe cannot be used: {0}")]
    Recipe(
        /// What is wrong with it, such as "its changes are not in the order of their units".
        String,
    ),
    /// What a visitor did in the picture, such as a click, cannot be done.
    #[error("{0}")]
    Command(String),
    /// No lab has this name.
    #[error("there is no lab `{name}`; the labs are {known}")]
    UnknownLab {
        name: String,
        /// The ids of all labs, separated by commas.
        known: String,
    },
    /// The run cannot compute on the requested device.
    #[error("{0}")]
    Device(String),
    /// The device could compute the run, but would not be ready in time, so the run stays on the CPU.
    #[error("{0}")]
    SlowDevice(String),
    /// The device is still compiling what the run needs. Try again later; until then the run is where it was.
    #[error("the GPU's compiler is at work")]
    Compiling,
    /// The run cannot be shared with a fleet, or an actor cannot work for it.
    #[error("{0}")]
    Fleet(String),
    /// A file holds nothing that can be written in the requested format.
    #[error("{0}")]
    Export(String),
    /// The lab cannot run the requested evaluation.
    #[error("{0}")]
    Evaluation(String),
}

impl LabError {
    /// An error about the setting `field`.
    pub fn setting(field: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Setting { field: field.into(), problem: problem.into() }
    }

    /// An error about the field `field` of a tool's input.
    pub fn input(field: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Input { field: field.into(), problem: problem.into() }
    }

    /// A checkpoint from which training cannot go on, because it holds only the network.
    pub fn only_network() -> Self {
        Self::Checkpoint("it holds only the network; it can be evaluated, not continued".into())
    }

    /// Settings that passed their schema and still cannot be read.
    pub fn unreadable_settings(error: &serde_json::Error) -> Self {
        Self::Settings(format!("the settings cannot be read: {error}"))
    }
}

impl From<TensorError> for LabError {
    fn from(error: TensorError) -> Self {
        // Tensors come from outside in checkpoints only.
        Self::Checkpoint(error.to_string())
    }
}

#[cfg(feature = "gpu")]
impl From<learnery_gpu::GpuError> for LabError {
    fn from(error: learnery_gpu::GpuError) -> Self {
        match error {
            learnery_gpu::GpuError::SlowCompiler(_) => Self::SlowDevice(error.to_string()),
            learnery_gpu::GpuError::Compiling => Self::Compiling,
            _ => Self::Device(error.to_string()),
        }
    }
}
