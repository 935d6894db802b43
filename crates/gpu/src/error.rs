//! What can go wrong with a graphics processor, each as one sentence.

/// An error of the graphics processor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GpuError {
    #[error("there is no graphics processor that Learnery can use: {0}")]
    NoAdapter(String),
    #[error(
        "the only graphics processor here, {0}, is computed in software and slower than the processor; `--device gpu` uses it all the same"
    )]
    SoftwareAdapter(String),
    #[error("the graphics processor could not be opened: {0}")]
    Open(String),
    #[error("the graphics processor was lost: {0}")]
    Lost(String),
    #[error("the graphics processor reported an error: {0}")]
    Failed(String),
    #[error("the graphics processor does not have enough memory for this run: {0}")]
    OutOfMemory(String),
    #[error("the graphics processor's limit is too small for this run: {0}")]
    Limit(String),
    #[error("this cannot be computed on a graphics processor yet: {0}")]
    Unsupported(String),
}
