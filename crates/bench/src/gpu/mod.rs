//! Benchmarks on a GPU: first its peak rates, then our kernels for comparison; one file for each lab.

mod backgammon;
mod check;
mod control;
mod cube;
mod language;
mod logic;

use learnery_gpu::bench::{Peaks, cooperative_matmuls, measure_peaks, square_matmuls, submission_latency};
use learnery_gpu::{Gpu, GpuError};

pub use check::{Comparison, check};
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
type Line<'a> = dyn FnMut(String, f64, &'static str, Option<f64>) + 'a;

/// Figures that belong together, with their name.
type Group = (&'static str, fn(&Gpu, Peaks, &mut Line) -> Result<(), GpuError>);

/// All groups but the device's own figures, in the order of output.
const GROUPS: [Group; 6] = [
    ("matmul", matmul),
    ("backgammon", backgammon::run),
    ("control", control::run),
    ("cube", cube::run),
    ("language", language::run),
    ("logic", |gpu, _, line| logic::run(gpu, line)),
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
    if !gpu.info().software {
        gpu.tune();
    }
    let peaks = measure_peaks(gpu)?;
    let mut line = |name: String, value: f64, unit, share| print(GpuLine { name, value, unit, share });
    line("gpu/fma".into(), peaks.flops_per_second, "FLOP/s", None);
    line("gpu/bandwidth".into(), peaks.bytes_per_second, "B/s", None);
    line("gpu/submission".into(), submission_latency(gpu)?, "s", None);
    for (name, run) in GROUPS {
        if is_chosen(name) {
            run(gpu, peaks, &mut line)?;
        }
    }
    Ok(())
}

/// Products of square matrices with every tiling.
fn matmul(gpu: &Gpu, peaks: Peaks, line: &mut Line) -> Result<(), GpuError> {
    // A software adapter would take minutes for the large ones.
    let sizes: &[usize] = if gpu.info().software { &[64, 256] } else { &[256, 1024, 2048, 4096] };
    for n in sizes {
        for (tiling, rate) in square_matmuls(gpu, *n)? {
            let name = format!("gpu/matmul/{n}/{}x{}", 16 * tiling.rows, 16 * tiling.cols);
            line(name, rate, "FLOP/s", Some(rate / peaks.flops_per_second));
        }
    }
    // By cooperative matrices; a share of the peak of multiply-adds would mean nothing.
    for n in [1024, 2048, 4096] {
        for (half, memory) in [(true, "f16"), (false, "f32")] {
            for (tiling, rate) in cooperative_matmuls(gpu, n, half)? {
                let name = format!("gpu/matmul-f16/{n}/in {memory}/{}", tiling.name());
                line(name, rate, "FLOP/s", None);
            }
        }
    }
    Ok(())
}
