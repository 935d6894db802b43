//! What a build without the feature `gpu` answers where a GPU is asked for.

use std::convert::Infallible;
use std::ops::Range;

use anyhow::Result;
use learnery_kernels::rng::Stream;
use learnery_lab::{Entry, Precision, Session};
use learnery_labs::cube::large::{self, AnytimeSearch};
use learnery_labs::language::{self, SamplingOptions};
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

/// A scorer on a GPU. None can exist in this build, which the type `Infallible` proves to the compiler.
pub struct Scorer(Infallible);

impl Scorer {
    pub fn new(_: &large::Network, device: Device) -> Result<Option<Self>> {
        refuse_gpu(device).map(|()| None)
    }

    pub fn step(&mut self, _: &mut AnytimeSearch) -> Result<()> {
        match self.0 {}
    }
}

/// Texts from a GPU. None can exist in this build.
pub struct Texts(Infallible);

impl Texts {
    pub fn new(
        device: Device,
        _: &language::Network,
        _: &[u16],
        _: SamplingOptions,
        _: Stream,
        _: Range<u32>,
    ) -> Result<Option<Self>> {
        refuse_gpu(device).map(|()| None)
    }

    pub fn next_tokens(&mut self, _: usize) -> Result<Vec<u16>> {
        match self.0 {}
    }

    pub fn device(&self) -> &str {
        match self.0 {}
    }
}

pub fn bench(_: &BenchArgs) -> Result<()> {
    Err(usage(NO_SUPPORT))
}
