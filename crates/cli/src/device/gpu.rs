//! Runs, samples, searches and benches on a GPU.

mod bench;
mod comparison;
#[cfg(test)]
mod tests;

use anyhow::Result;
use comparison::{cpu_peak, reason_for_cpu};
use learnery_gpu::{Gpu, GpuError};
use learnery_lab::{Entry, GpuUse, Job, LabError, Precision, Session, Tool};
use serde_json::{Value, json};

use super::is_on_gpu;
use crate::args::Device;
use crate::failure::usage;
pub use bench::bench;

/// Moves the run to a GPU, after [`check`], if `device` asks for it, or, with `auto`, if the run is large and
/// there is a hardware GPU that is likely to be faster than the CPU, or on which it was last. Without
/// `precision`, matrices are multiplied as on the last GPU of the run. Returns a sentence about the device,
/// or `None` if neither a GPU nor a precision was considered.
pub fn choose(session: &mut Session, device: Device, precision: Option<Precision>) -> Result<Option<String>> {
    choose_by(session, device, precision, |session, wish| move_run(session, wish, open_gpu))
}

/// The work of [`choose`]. `move_run` moves the run to a GPU and returns a sentence about it.
fn choose_by(
    session: &mut Session,
    device: Device,
    precision: Option<Precision>,
    move_run: impl FnOnce(&mut Session, Wish) -> Result<String, NotMoved>,
) -> Result<Option<String>> {
    let entry = *session.entry();
    let is_gpu_wanted = match device {
        Device::Cpu => false,
        Device::Gpu => true,
        Device::Auto => entry.gpu != GpuUse::Nowhere && session.prefers_gpu(),
    };
    let earlier_precision = session.gpu_precision();
    if !is_gpu_wanted {
        let sentence = match (precision, earlier_precision) {
            (Some(_), _) => "Trains on the CPU, in f32: --precision is for runs on a GPU (--device gpu).",
            (None, Precision::F16) => "Trains on the CPU, in f32; on the GPU, products were in f16.",
            (None, Precision::F32) => return Ok(None),
        };
        return Ok(Some(sentence.into()));
    }
    // A run stays on its GPU, because measurements beside other programs differ and its bits would change.
    let compares = device == Device::Auto && !is_on_gpu(session);
    match move_run(session, Wish { device, precision, compares }) {
        Ok(sentence) => Ok(Some(sentence)),
        Err(NotMoved { reason, stays_on_cpu }) if stays_on_cpu || device == Device::Auto => {
            Ok(Some(format!("Trains on the CPU: {reason}.")))
        }
        Err(NotMoved { reason, .. }) => Err(usage(reason)),
    }
}

/// How a run is to be moved to a GPU.
struct Wish {
    device: Device,
    /// As on the last GPU of the run without it.
    precision: Option<Precision>,
    /// Whether the run stays on the CPU if the GPU is not likely to be faster.
    compares: bool,
}

/// Moves the run to the GPU that `open` opens. Returns a sentence about it.
fn move_run(
    session: &mut Session,
    Wish { device, precision, compares }: Wish,
    open: impl FnOnce(Device, bool) -> Result<(Gpu, String), String>,
) -> Result<String, NotMoved> {
    let earlier_precision = session.gpu_precision();
    let chosen_precision = precision.unwrap_or(earlier_precision);
    let refused = |e: &dyn std::fmt::Display| NotMoved { reason: e.to_string(), stays_on_cpu: false };
    let (gpu, comparison) = open(device, compares).map_err(|e| refused(&e))?;
    if !gpu.info().software {
        gpu.tune();
    }
    gpu.check_precision(chosen_precision).map_err(|e| match precision {
        Some(_) => refused(&e),
        None => refused(&format!("{e} as this run did so far; --precision f32 goes on without them")),
    })?;
    session
        .use_gpu(&gpu, chosen_precision)
        .map_err(|e| NotMoved { stays_on_cpu: matches!(e, LabError::SlowDevice(_)), ..refused(&e) })?;
    let (info, megabytes) = (gpu.info(), gpu.peak_bytes().div_ceil(1_000_000));
    // f32 is mentioned only if it is a change.
    let products = match (chosen_precision, earlier_precision) {
        (Precision::F32, Precision::F32) => String::new(),
        (Precision::F16, _) if gpu.has_cooperative_matrices() => ", products in f16 by tensor cores".into(),
        _ => format!(", products in {}", chosen_precision.name()),
    };
    Ok(format!(
        "Trains on the GPU {} ({}){products}, in {megabytes} MB of its memory{comparison}.",
        info.name, info.driver
    ))
}

/// Why a run was not moved to a GPU.
struct NotMoved {
    reason: String,
    /// Whether it goes on on the CPU even if a GPU was asked for.
    stays_on_cpu: bool,
}

/// Moves the run from its GPU to the CPU, between two units. A run that is continued computes on the CPU.
pub fn leave_gpu(session: &mut Session) -> Result<()> {
    let mut saved = session.try_save()?;
    // A device that has computed no unit leaves no trace.
    saved.header.devices.retain(|device| device.unit < session.units());
    *session = Session::resume(*session.entry(), &saved)?;
    Ok(())
}

/// Opens a GPU if `device` asks for it, or, with `auto`, if `prefers_gpu` says that the work suits one, and
/// there is a hardware GPU that is likely to be faster than the CPU.
fn open(device: Device, prefers_gpu: bool) -> Result<Option<Gpu>> {
    if device == Device::Cpu || (device == Device::Auto && !prefers_gpu) {
        return Ok(None);
    }
    match open_gpu(device, device == Device::Auto) {
        Ok((gpu, _)) => Ok(Some(gpu)),
        Err(_) if device == Device::Auto => Ok(None),
        Err(reason) => Err(usage(reason)),
    }
}

/// Opens a GPU and measures its speed, by which it sizes its submissions. If `compares`, fails with the
/// reason if it is not likely to be faster than the CPU; otherwise returns both peaks too, as the end of a
/// sentence.
fn open_gpu(device: Device, compares: bool) -> Result<(Gpu, String), String> {
    // Software adapters are slower than the CPU itself, so they are used only if they are asked for.
    let allow_software = device == Device::Gpu;
    let gpu = learnery_gpu::block_on(Gpu::open(allow_software)).map_err(|e| e.to_string())?;
    if gpu.info().software {
        return Ok((gpu, String::new()));
    }
    let peak = learnery_gpu::bench::measure_speed(&gpu).map_err(|e| e.to_string())?;
    if !compares {
        return Ok((gpu, String::new()));
    }
    let cpu = cpu_peak();
    match reason_for_cpu(gpu.info(), peak, cpu) {
        Some(reason) => Err(reason),
        None => Ok((gpu, format!("; its peak is {}", comparison::peaks(peak, cpu)))),
    }
}

/// Returns an error if a GPU is asked for that the lab cannot use, or a precision without a GPU.
pub fn check(device: Device, precision: Option<Precision>, entry: &Entry) -> Result<()> {
    if precision.is_some() && device == Device::Cpu {
        return Err(usage("--precision is for runs on a GPU; the CPU computes in f32"));
    }
    if precision.is_some() && entry.gpu == GpuUse::Nowhere {
        return Err(usage(format!(
            "the lab `{}` cannot train on a GPU yet; leave out --precision to train on the CPU",
            entry.about.id
        )));
    }
    if device == Device::Gpu && entry.gpu == GpuUse::Nowhere {
        return Err(usage(format!(
            "the lab `{}` cannot train on a GPU yet; leave out --device gpu to train on the CPU",
            entry.about.id
        )));
    }
    Ok(())
}

/// What `learnery info` says about GPUs: one line for each, and the same as JSON. Each is opened and
/// measured, which takes a second.
pub fn describe_adapters() -> (Vec<String>, Value) {
    let opened = learnery_gpu::block_on(Gpu::open_all());
    if opened.is_empty() {
        return (vec!["none was found".into()], json!({ "adapters": [], "reason": "none was found" }));
    }
    let (lines, adapters): (_, Vec<Value>) =
        opened.iter().map(|(adapter, gpu)| describe_adapter(adapter, gpu.as_ref())).unzip();
    (lines, json!({ "adapters": adapters }))
}

/// The line about one adapter, and the same as JSON.
fn describe_adapter(adapter: &learnery_gpu::AdapterInfo, gpu: Result<&Gpu, &GpuError>) -> (String, Value) {
    let peaks = match gpu {
        Ok(gpu) => learnery_gpu::bench::measure_peaks(gpu).map_err(|e| e.to_string()),
        Err(reason) => Err(reason.to_string()),
    };
    let hardware_peaks = peaks.as_ref().ok().filter(|_| !adapter.software);
    let slow = hardware_peaks.and_then(|peaks| reason_for_cpu(adapter, peaks.flops_per_second, cpu_peak()));
    let usage_text = match (gpu, adapter.software) {
        (Err(reason), _) => format!("not used: {reason}"),
        (Ok(_), true) => {
            "not used by itself, because it is an implementation on the CPU; --device gpu uses it".into()
        }
        (Ok(_), false) => match slow {
            Some(reason) => format!("not used by itself: {reason}"),
            None => "used by labs that can".into(),
        },
    };
    let speed = match &peaks {
        Ok(peaks) => format!(
            " {:.3} TFLOP/s of multiply-adds and {:.0} GB/s measured,",
            peaks.flops_per_second / 1e12,
            peaks.bytes_per_second / 1e9
        ),
        Err(reason) if gpu.is_ok() => format!(" speed not measured ({reason}),"),
        Err(_) => String::new(),
    };
    let features = [(adapter.timestamps, "timestamps"), (adapter.half_precision, "16-bit floats")];
    let features: Vec<&str> =
        features.into_iter().filter_map(|(has_feature, name)| has_feature.then_some(name)).collect();
    let features = if features.is_empty() { "no optional features".into() } else { features.join(", ") };
    let line = format!(
        "{} ({}, {}),{speed} buffers up to {} MB, {features}; {usage_text}",
        adapter.name,
        adapter.backend,
        adapter.driver,
        adapter.largest_binding / 1_000_000,
    );
    let value = json!({
        "name": adapter.name,
        "driver": adapter.driver,
        "backend": adapter.backend,
        "software": adapter.software,
        "largestBuffer": adapter.largest_binding,
        "timestamps": adapter.timestamps,
        "halfPrecision": adapter.half_precision,
        "operationsPerSecond": peaks.as_ref().ok().map(|peaks| peaks.flops_per_second),
        "bytesPerSecond": peaks.as_ref().ok().map(|peaks| peaks.bytes_per_second),
        "reason": peaks.as_ref().err(),
    });
    (line, value)
}

/// Lets a tool compute on a GPU, if `device` asks for one, or if one is likely to be faster. Returns the
/// GPU's name; `None` if the tool computes on the CPU.
pub fn put_on_gpu<T: Tool>(job: &mut Job<T>, device: Device) -> Result<Option<String>> {
    let Some(gpu) = open(device, job.prefers_gpu())? else { return Ok(None) };
    match job.use_gpu(&gpu) {
        Ok(()) => Ok(Some(gpu.info().name.clone())),
        // The work may be too large for the GPU: then the CPU does it.
        Err(_) if device == Device::Auto => Ok(None),
        Err(reason) => Err(usage(reason)),
    }
}
