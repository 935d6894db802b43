//! The device that a run computes on: the options `--device` of `learnery train` and `learnery language
//! sample` and `--precision` of the first, and what `learnery info` says about GPUs.

/// GPUs, or what a build without the feature `gpu` answers where one is asked for.
#[cfg_attr(not(feature = "gpu"), path = "device/without_gpu.rs")]
mod gpu;

use learnery_kernels::isa;
use learnery_lab::{DeviceUse, Precision, Session};

pub use gpu::*;

/// Whether the run computes its next unit on a GPU.
pub fn is_on_gpu(session: &Session) -> bool {
    session.devices().last().is_some_and(|device| !device.is_cpu())
}

/// The class of bits that the last of these devices computes: `fused`, `plain` or `gpu`.
pub fn bits_class(devices: &[DeviceUse]) -> &'static str {
    match devices.last() {
        Some(device) if !device.is_cpu() => "gpu",
        _ => isa::bits().name(),
    }
}

/// The class of bits that the last of these devices computes, for people; see
/// [`learnery_lab::Session::devices`].
pub fn bits(devices: &[DeviceUse]) -> String {
    match devices.last() {
        Some(device) if !device.is_cpu() => match device.precision {
            Precision::F32 => format!("bits of {}", device.adapter),
            precision => format!("bits of {}, products in {}", device.adapter, precision.name()),
        },
        _ => format!("{} bits", bits_class(devices)),
    }
}
