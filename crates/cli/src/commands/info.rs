//! `learnery info`: prints the hardware of this machine and which parts of it Learnery uses.

use anyhow::{Context, Result};
use learnery_kernels::isa;
use serde_json::json;
use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

use crate::args::InfoArgs;
use crate::device;
use crate::terminal::numbers::count_of;
use crate::terminal::table::LEFT;
use crate::terminal::{stdout, table};

/// Prints the version, the CPU with its instruction sets, the memory and the GPUs, as a table or as JSON.
pub fn info(args: &InfoArgs) -> Result<()> {
    // Only what is printed is queried.
    let queried = RefreshKind::nothing()
        .with_cpu(CpuRefreshKind::nothing())
        .with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(queried)
        .context("the operating system reports nothing about its hardware")?;
    let version = env!("CARGO_PKG_VERSION");
    let brand = system.cpus().first().map_or("unknown", |cpu| cpu.brand().trim()).to_owned();
    let cores = System::physical_core_count().ok();
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let instruction_set = isa::name();
    let bits = isa::bits().name();
    let features = detect_features();
    let (gpu_lines, gpu_json) = device::describe_adapters();
    let (total, available) = (system.total_memory(), system.available_memory());
    let platform = format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    if args.json {
        return stdout::write_json(&json!({
            "version": version,
            "platform": platform,
            "cpu": { "name": brand, "cores": cores, "threads": threads, "isa": instruction_set, "bits": bits, "features": features },
            "memory": { "total": total, "available": available },
            "gpu": gpu_json,
        }));
    }
    let gib = |bytes: u64| format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30));
    let count = |n: usize, unit: &str| count_of(n as u64, unit);
    let cores = cores.map_or(String::new(), |n| format!("{}, ", count(n, "core")));
    let supported = if features.is_empty() { "none that Learnery uses".into() } else { features.join(", ") };
    let rows: Vec<Vec<String>> = [
        ("version", format!("{version}, {platform}")),
        ("processor", brand),
        ("threads", format!("{cores}{}", count(threads, "thread"))),
        (
            "instructions",
            format!("{instruction_set} in use, which computes {bits} bits; supported: {supported}"),
        ),
        ("memory", format!("{}, {} available", gib(total), gib(available))),
    ]
    .into_iter()
    .chain(gpu_lines.into_iter().map(|line| ("GPU", line)))
    .map(|(name, text)| vec![name.to_owned(), text])
    .collect();
    stdout::write(&table::render(&["", ""], &[LEFT; 2], &rows, table::width(&std::io::stdout())))
}

/// The vector instruction sets of this CPU that our kernels (the inner loops of the arithmetic) use or could
/// use.
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn detect_features() -> Vec<&'static str> {
    macro_rules! found {
        ($($name:tt),*) => {
            [$(($name, std::arch::is_x86_feature_detected!($name))),*]
        };
    }
    let all = found!("sse4.2", "avx", "fma", "avx2", "avx512f", "avx512bf16", "avx512vnni");
    all.into_iter().filter_map(|(name, found)| found.then_some(name)).collect()
}

/// The vector instruction sets of this CPU that our kernels (the inner loops of the arithmetic) use or could
/// use.
#[cfg(target_arch = "aarch64")]
fn detect_features() -> Vec<&'static str> {
    macro_rules! found {
        ($($name:tt),*) => {
            [$(($name, std::arch::is_aarch64_feature_detected!($name))),*]
        };
    }
    let all = found!("neon", "dotprod", "fp16", "bf16", "sve");
    all.into_iter().filter_map(|(name, found)| found.then_some(name)).collect()
}

/// The vector instruction sets of this CPU that our kernels (the inner loops of the arithmetic) use or could
/// use.
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
fn detect_features() -> Vec<&'static str> {
    Vec::new()
}
