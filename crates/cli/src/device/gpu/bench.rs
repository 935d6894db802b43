//! `learnery bench --device gpu`: measures the GPU, and our kernels on it.

use std::cell::RefCell;

use anyhow::{Result, ensure};
use learnery_bench::{Comparison, GpuLine, check_products, gpu_groups, run_gpu};
use learnery_gpu::{Gpu, Precision, block_on};

use crate::args::BenchArgs;
use crate::failure::usage;
use crate::terminal::numbers::si;
use crate::terminal::stdout;

/// The width of the names in characters.
const NAME_WIDTH: usize = 52;

/// Prints a figure per line as it is measured. With `--report` it prints a row for the table in docs/gpu.md.
pub fn bench(args: &BenchArgs) -> Result<()> {
    if let Some(name) = args.names.iter().find(|name| gpu_groups().all(|group| group != name.as_str())) {
        let groups: Vec<&str> = gpu_groups().collect();
        return Err(usage(format!(
            "no group of GPU benches is called `{name}`; expected {}",
            groups.join(", ")
        )));
    }
    let is_chosen = |group: &str| args.names.is_empty() || args.names.iter().any(|name| name == group);
    let allow_software = true;
    let gpu = block_on(Gpu::open(allow_software)).map_err(usage)?;
    let info = gpu.info();
    if args.check {
        return check(args, &gpu);
    }
    if !args.json && !args.report {
        stdout::write(&format!("{} ({}, {})\n\n", info.name, info.backend, info.driver))?;
    }
    // The callback that prints a line cannot return an error, so the first is kept here.
    let print_result = RefCell::new(Ok(()));
    let mut lines: Vec<GpuLine> = Vec::new();
    run_gpu(&gpu, &is_chosen, &mut |line| {
        let result = if args.json {
            stdout::write_json(&line)
        } else if args.report {
            // The row is printed at the end.
            Ok(())
        } else {
            stdout::write(&row(&line))
        };
        let mut print_result = print_result.borrow_mut();
        if print_result.is_ok() {
            *print_result = result;
        }
        lines.push(line);
    })?;
    print_result.into_inner()?;
    if args.report {
        stdout::write(&report(&gpu, &lines))?;
    } else if !args.json {
        stdout::write(
            "\n\"% of peak\" is relative to the peak rate of multiply-adds measured in this run (gpu/fma).\n",
        )?;
    }
    Ok(())
}

/// Compares products by cooperative matrices with those of another kernel, and prints a line for each.
fn check(args: &BenchArgs, gpu: &Gpu) -> Result<()> {
    let info = gpu.info();
    gpu.check_precision(Precision::F16).map_err(usage)?;
    if !args.json {
        let subject = if gpu.has_cooperative_matrices() {
            "products by tensor cores, compared with those of another kernel"
        } else {
            "this adapter offers no tensor cores; the kernel for them is compared as ordinary arithmetic computes it"
        };
        stdout::write(&format!("{} ({}, {}): {subject}\n\n", info.name, info.backend, info.driver))?;
    }
    let print_result = RefCell::new(Ok(()));
    let (mut all, mut wrong) = (0, 0);
    check_products(gpu, &mut |comparison| {
        all += 1;
        wrong += usize::from(!comparison.is_right());
        let result = if args.json {
            stdout::write_json(&comparison)
        } else {
            stdout::write(&comparison_row(&comparison))
        };
        let mut print_result = print_result.borrow_mut();
        if print_result.is_ok() {
            *print_result = result;
        }
    })?;
    print_result.into_inner()?;
    ensure!(wrong == 0, "{wrong} of {all} products are wrong on {}", info.name);
    if !args.json {
        stdout::write(&format!(
            "\nAll {all} products are right: every error is below 2^-9 of the sum of the absolute values of all terms, \
             and every tiling gives the same bits. Numbers are shares of the tolerated error.\n"
        ))?;
    }
    Ok(())
}

fn comparison_row(comparison: &Comparison) -> String {
    let verdict = match (comparison.is_right(), comparison.same_bits) {
        (true, _) => "",
        (false, true) => "  WRONG",
        (false, false) => "  WRONG: tilings give other bits",
    };
    format!("{:>8.1e}  {}{verdict}\n", comparison.error, comparison.name)
}

fn row(line: &GpuLine) -> String {
    let share = line.share.map_or(String::new(), |share| format!("{:.0} % of peak", 100.0 * share));
    format!("{:NAME_WIDTH$}  {:>12}  {share}", line.name, with_unit(line)).trim_end().to_owned() + "\n"
}

fn with_unit(line: &GpuLine) -> String {
    let value = line.value;
    match line.unit {
        "s" if value < 1e-3 => format!("{:.1} µs", 1e6 * value),
        "s" if value < 1.0 => format!("{:.2} ms", 1e3 * value),
        unit => {
            // A number with a prefix ends with the prefix: 12.3 k.
            let number = si(value);
            let space = if number.ends_with(|c: char| c.is_ascii_digit()) { " " } else { "" };
            format!("{number}{space}{unit}")
        }
    }
}

/// A row of the table in docs/gpu.md: name and driver, peak FLOP/s and bandwidth, the fastest tiling of
/// matrix products at two sizes, language training, text generation, the control lab and the cube lab.
fn report(gpu: &Gpu, lines: &[GpuLine]) -> String {
    let value = |name: &str| {
        lines.iter().find(|line| line.name == name).map_or_else(
            || "–".into(),
            |line| {
                let share = line.share.map_or(String::new(), |share| format!(" ({share:.2})"));
                with_unit(line) + &share
            },
        )
    };
    let best = |prefix: &str| {
        let matmuls = lines.iter().filter(|line| line.name.starts_with(prefix));
        let best = matmuls.max_by(|a, b| a.value.total_cmp(&b.value));
        best.map_or_else(|| "–".into(), |line| value(&line.name))
    };
    let info = gpu.info();
    let cells = [
        format!("{} ({}, {})", info.name, info.backend, info.driver),
        value("gpu/fma"),
        value("gpu/bandwidth"),
        best("gpu/matmul/1024/"),
        best("gpu/matmul/4096/"),
        value("gpu/language/a"),
        value("gpu/language/b"),
        value("gpu/language/gpu"),
        value("gpu/generate/gpu/1"),
        value("gpu/generate/gpu/64"),
        value("gpu/control/raw/cartpole"),
        value("gpu/control/rollout/cartpole"),
        value("gpu/control/ppo/cartpole"),
        value("gpu/cube/learn/3x3x3"),
        value("gpu/cube/learn/2x2x2"),
        value("gpu/cube/score"),
    ];
    format!("| {} |\n", cells.join(" | "))
}
