//! What can go wrong with a GPU, each as one sentence.

/// An error of the GPU.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GpuError {
    #[error("there is no GPU that Learnery can use: {0}")]
    NoAdapter(String),
    #[error(
        "the only GPU here, {0}, is computed in software and slower than the CPU; `--device gpu` uses it all the same"
    )]
    SoftwareAdapter(String),
    #[error("the GPU could not be opened: {0}")]
    Open(String),
    #[error("the GPU was lost: {0}")]
    Lost(String),
    #[error("the GPU reported an error: {0}")]
    Failed(String),
    #[error("the GPU does not have enough memory for this run: {0}")]
    OutOfMemory(String),
    #[error("the GPU's limit is too small for this run: {0}")]
    Limit(String),
    #[error("the GPU {0} has no 16-bit floats, so it cannot multiply matrices in f16")]
    NoHalfPrecision(String),
    #[error("the GPU's compiler takes longer than {0} seconds for the rules of this world")]
    SlowCompiler(u64),
    /// Generated kernels are being compiled in the background. Whatever needs them must be tried again later.
    #[error("the GPU's compiler is at work")]
    Compiling,
    #[error("this cannot be computed on a GPU yet: {0}")]
    Unsupported(String),
}

impl From<learnery_nn::TensorError> for GpuError {
    fn from(error: learnery_nn::TensorError) -> Self {
        Self::Failed(error.to_string())
    }
}

/// A message of a driver in one line.
pub(crate) fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}
