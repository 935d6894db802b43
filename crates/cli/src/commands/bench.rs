//! `learnery bench`: measures speed. Each row shows a rate, its fraction of the upper bound that the hardware
//! sets (peak arithmetic or memory bandwidth), and its ratio to the fastest other library for the same task.

use std::cell::RefCell;
use std::time::Instant;

use anyhow::Result;
use learnery_bench::{BENCHES, Line, Platform, choose, run};

use crate::args::{BenchArgs, Device};
use crate::device;
use crate::failure::usage;
use crate::terminal::numbers::si;
use crate::terminal::{stdout, table};

pub fn bench(args: &BenchArgs) -> Result<()> {
    if args.device == Device::Gpu {
        return device::bench(args);
    }
    let benches = choose(&args.names).map_err(|name| {
        let names: Vec<&str> = BENCHES.iter().map(|bench| bench.name).collect();
        usage(format!("no bench begins with `{name}`; the benches are {}", names.join(", ")))
    })?;
    let begin = Instant::now();
    let clock = move || begin.elapsed().as_secs_f64();
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let platform = Platform { clock: &clock, target: "native", threads: cores };
    let widths = Widths {
        name: benches.iter().map(|bench| bench.name.len()).max().unwrap_or(0),
        unit: benches.iter().map(|bench| bench.unit.len()).max().unwrap_or(0),
    };
    if !args.json {
        stdout::write(&widths.heading())?;
    }
    // The callback that prints a line cannot return an error. Its error is stored here, and the next check
    // ends the bench.
    let print_result = RefCell::new(Ok(()));
    // `None` measures with one thread and with all.
    let threads = args.threads.map(usize::from);
    let may_go_on = || print_result.borrow().is_ok();
    run(&platform, &benches, threads, &may_go_on, &mut |line| {
        let result = if args.json { stdout::write_json(&line) } else { stdout::write(&widths.row(&line)) };
        *print_result.borrow_mut() = result;
    });
    print_result.into_inner()?;
    if !args.json {
        stdout::write(&legend())?;
    }
    Ok(())
}

/// Widths of the columns of names and units in characters. Rows are printed as soon as they are measured, so
/// the widths are computed beforehand from the names and units of all benches.
struct Widths {
    name: usize,
    unit: usize,
}

/// Whether this program is built with the other libraries ("baselines") to compare with. Without them their
/// column is left out.
const HAS_BASELINES: bool = cfg!(feature = "baselines");

impl Widths {
    fn heading(&self) -> String {
        let (name, unit) = (self.name, self.unit);
        let baseline = if HAS_BASELINES { "  best library" } else { "" };
        format!("{:name$}  thr  {:>8} {:unit$}  spread  {:>12}{baseline}\n", "", "value", "", "of limit")
    }

    fn row(&self, line: &Line) -> String {
        // Widths, by which the format below pads.
        let (name, unit) = (self.name, self.unit);
        let limit = match (line.fraction, line.limit) {
            (Some(fraction), Some(limit)) => format!("{:.0} % of {}", 100.0 * fraction, si(limit)),
            _ => String::new(),
        };
        let baseline = match (line.ratio, line.peer) {
            (Some(ratio), Some(peer)) => format!("  {ratio:.2} × {peer}"),
            _ => String::new(),
        };
        let row = format!(
            "{:name$}  {:>3}  {:>8} {:unit$}  {:>4.1} %  {limit:>12}{baseline}",
            line.name,
            line.threads,
            si(line.value),
            line.unit,
            100.0 * line.spread,
        );
        row.trim_end().to_owned() + "\n"
    }
}

/// The explanation of the columns, below the table.
fn legend() -> String {
    let columns = if HAS_BASELINES {
        " Limit and best library are measured in turns with the value."
    } else {
        " The limit is measured in turns with the value. Build with the feature `baselines` to measure the best \
         libraries beside ours."
    };
    let text = format!(
        "Values are the rates that one repetition in ten exceeded, spread is how far the median lies below: what else \
         the machine was doing.{columns}"
    );
    format!("\n{}\n", table::wrap(&text, table::width(&std::io::stdout())).join("\n"))
}
