//! Stands in for `gpu.rs` in builds without the feature `gpu`: the same functions and signatures.

use anyhow::Result;
use learnery_lab::{Entry, Job, Precision, Session, Tool};
use serde_json::{Value, json};

use crate::args::{BenchArgs, Device};
use crate::failure::usage;

const NO_SUPPORT: &str =
    "this build cannot use GPUs; build it with the feature `gpu`, which is on by default";

const NO_PRECISION: &str = "--precision is for runs on a GPU, and this build cannot use GPUs; build it with \
     the feature `gpu`, which is on by default";

/// Leaves the session on the CPU, and returns no sentence about the device, because there is no choice.
/// Returns an error if a GPU is asked for, also where [`check`] was not called before. A precision is
/// ignored: only `check` refuses it.
pub fn choose(_: &mut Session, device: Device, _: Option<Precision>) -> Result<Option<String>> {
    refuse_gpu(device).map(|()| None)
}

/// Does nothing: no run is on a GPU.
pub fn leave_gpu(_: &mut Session) -> Result<()> {
    Ok(())
}

/// Returns an error if a GPU is asked for, or a precision, which only products on a GPU have. Commands call
/// it before they begin a session.
pub fn check(device: Device, precision: Option<Precision>, _: &Entry) -> Result<()> {
    refuse_gpu(device)?;
    if precision.is_some() { Err(usage(NO_PRECISION)) } else { Ok(()) }
}

/// Returns an error if a GPU is asked for.
fn refuse_gpu(device: Device) -> Result<()> {
    if device == Device::Gpu { Err(usage(NO_SUPPORT)) } else { Ok(()) }
}

/// What `learnery info` says about GPUs, as lines and as JSON.
pub fn describe_adapters() -> (Vec<String>, Value) {
    let reason = "this build cannot use GPUs (feature `gpu`)";
    (vec![reason.into()], json!({ "adapters": [], "reason": reason }))
}

/// Leaves a job of a lab's tool on the CPU, and returns no sentence about the device. Returns an error if a
/// GPU is asked for.
pub fn put_on_gpu<T: Tool>(_: &mut Job<T>, device: Device) -> Result<Option<String>> {
    refuse_gpu(device).map(|()| None)
}

/// `learnery bench --device gpu`.
pub fn bench(_: &BenchArgs) -> Result<()> {
    Err(usage(NO_SUPPORT))
}
