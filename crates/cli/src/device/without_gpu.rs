//! What a build without the feature `gpu` answers where a GPU is asked for.

use anyhow::Result;
use learnery_lab::{Entry, Job, Precision, Session, Tool};
use serde_json::{Value, json};

use crate::args::{BenchArgs, Device};
use crate::failure::usage;

/// What a build without the feature `gpu` answers where one is asked for.
const NO_SUPPORT: &str =
    "this build cannot use GPUs; build it with the feature `gpu`, which is on by default";

/// Without support for GPUs, only the CPU can be chosen.
pub fn choose(_: &mut Session, _: Device, _: Option<Precision>) -> Result<Option<String>> {
    Ok(None)
}

/// Returns an error if a GPU is asked for, or a precision of one, which this build cannot use.
pub fn check(device: Device, precision: Option<Precision>, _: &Entry) -> Result<()> {
    if precision.is_some() { Err(usage(NO_SUPPORT)) } else { refuse_gpu(device) }
}

/// Returns an error if a GPU is asked for.
fn refuse_gpu(device: Device) -> Result<()> {
    if device == Device::Gpu { Err(usage(NO_SUPPORT)) } else { Ok(()) }
}

pub fn describe_adapters() -> (Vec<String>, Value) {
    let reason = "this build cannot use GPUs (feature `gpu`)";
    (vec![reason.into()], json!({ "adapters": [], "reason": reason }))
}

/// Returns an error if a GPU is asked for.
pub fn put_on_gpu<T: Tool>(_: &mut Job<T>, device: Device) -> Result<Option<String>> {
    refuse_gpu(device).map(|()| None)
}

pub fn bench(_: &BenchArgs) -> Result<()> {
    Err(usage(NO_SUPPORT))
}
