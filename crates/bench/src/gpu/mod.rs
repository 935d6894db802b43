//! Benchmarks on a GPU: first its peak rates, then our kernels for comparison; one file for each lab.

mod backgammon;
mod check;
mod control;
mod cube;
mod language;
mod logic;

pub use check::{Comparison, check_products};
use learnery_gpu::bench::{Peaks, cooperative_matmuls, measure_peaks, square_matmuls, submission_latency};
use learnery_gpu::{Gpu, GpuError};
use serde::Serialize;

/// A figure of a GPU.
#[derive(Clone, Debug, Serialize)]
pub struct GpuLine {
    pub name: String,
    pub value: f64,
    pub unit: &'static str,
    /// The share of the device's peak of multiply-adds, measured just before.
    pub share: Option<f64>,
}

/// Where benchmarks write their figures: name, value, unit, share of the peak.
type Report<'a> = dyn FnMut(String, f64, &'static str, Option<f64>) + 'a;

/// The name of a group of figures, and the function that measures and reports them.
type Group = (&'static str, fn(&Gpu, Peaks, &mut Report) -> Result<(), GpuError>);

/// All groups in the order of output. The device's own figures come first and belong to no group.
const GROUPS: [Group; 6] = [
    ("matmul", matmul),
    ("backgammon", backgammon::run),
    ("control", control::run),
    ("cube", cube::run),
    ("language", language::run),
    ("logic", |gpu, _, report| logic::run(gpu, report)),
];

/// The names of the groups.
pub fn gpu_groups() -> impl Iterator<Item = &'static str> {
    GROUPS.iter().map(|(name, _)| *name)
}

/// Measures the device, then the groups whose names `is_chosen` accepts, and calls `print` with each figure.
pub fn run_gpu(
    gpu: &Gpu,
    is_chosen: &dyn Fn(&str) -> bool,
    print: &mut dyn FnMut(GpuLine),
) -> Result<(), GpuError> {
    // On a software adapter, tuning takes longer than it saves.
    if !gpu.info().software {
        gpu.tune();
    }
    let peaks = measure_peaks(gpu)?;
    let mut report = |name: String, value: f64, unit, share| print(GpuLine { name, value, unit, share });
    report("gpu/fma".into(), peaks.flops_per_second, "FLOP/s", None);
    report("gpu/bandwidth".into(), peaks.bytes_per_second, "B/s", None);
    report("gpu/submission".into(), submission_latency(gpu)?, "s", None);
    for (name, run) in GROUPS {
        if is_chosen(name) {
            run(gpu, peaks, &mut report)?;
        }
    }
    Ok(())
}

/// Products of square matrices with every tiling.
fn matmul(gpu: &Gpu, peaks: Peaks, report: &mut Report) -> Result<(), GpuError> {
    // A software adapter would take minutes for the large ones.
    let sizes: &[usize] = if gpu.info().software { &[64, 256] } else { &[256, 1024, 2048, 4096] };
    for n in sizes {
        for (tiling, rate) in square_matmuls(gpu, *n)? {
            // A workgroup has 16 x 16 invocations, and `tiling` says how many rows and columns each computes.
            let name = format!("gpu/matmul/{n}/{}x{}", 16 * tiling.rows, 16 * tiling.cols);
            report(name, rate, "FLOP/s", Some(rate / peaks.flops_per_second));
        }
    }
    // By cooperative matrices, if the device has any. Tensor cores exceed the peak of ordinary multiply-adds,
    // so a share of it would mean nothing.
    for n in [1024, 2048, 4096] {
        for (half, memory) in [(true, "f16"), (false, "f32")] {
            for (tiling, rate) in cooperative_matmuls(gpu, n, half)? {
                let name = format!("gpu/matmul-f16/{n}/in {memory}/{}", tiling.name());
                report(name, rate, "FLOP/s", None);
            }
        }
    }
    Ok(())
}
