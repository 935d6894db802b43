//! `learnery bench`: speed figures, each beside what limits it.

use std::cell::RefCell;
use std::time::Instant;

use anyhow::Result;
use learnery_labs::bench::{BENCHES, Host, Line, choose, run};

use crate::args::BenchArgs;
use crate::display::numbers::si;
use crate::failure::usage;
use crate::out;

/// The command.
pub fn bench(args: &BenchArgs) -> Result<()> {
    let benches = choose(&args.names).map_err(|name| {
        let names: Vec<&str> = BENCHES.iter().map(|bench| bench.name).collect();
        usage(format!("no bench begins with `{name}`; the benches are {}", names.join(", ")))
    })?;
    let begin = Instant::now();
    let clock = move || begin.elapsed().as_secs_f64();
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let host = Host { clock: &clock, target: "native", threads };
    let widths = Widths {
        name: benches.iter().map(|bench| bench.name.len()).max().unwrap_or(0),
        unit: benches.iter().map(|bench| bench.unit.len()).max().unwrap_or(0),
    };
    if !args.json {
        out::say(&widths.heading())?;
    }
    // A line that cannot be written ends the run; the reason is kept until then.
    let written = RefCell::new(Ok(()));
    run(&host, &benches, args.threads.map(usize::from), &|| written.borrow().is_ok(), &mut |line| {
        let result = if args.json { out::json(&line) } else { out::say(&widths.row(&line)) };
        *written.borrow_mut() = result;
    });
    written.into_inner()?;
    if !args.json {
        out::say(&legend())?;
    }
    Ok(())
}

/// Lines are printed as they are measured, so the columns are laid out before.
struct Widths {
    name: usize,
    unit: usize,
}

impl Widths {
    fn heading(&self) -> String {
        let (name, unit) = (self.name, self.unit);
        format!("{:name$}  threads     value  {:unit$}  spread     limit   of it  best library\n", "", "")
    }

    fn row(&self, line: &Line) -> String {
        let (name, unit) = (self.name, self.unit);
        let limit = line.limit.map_or("–".into(), si);
        let fraction = line.fraction.map_or("–".into(), |f| format!("{:.0} %", 100.0 * f));
        let peer = match (line.peer, line.peer_value, line.ratio) {
            (Some(peer), Some(value), Some(ratio)) => {
                format!("{} by {peer}, ours {ratio:.2} times that", si(value))
            }
            _ => "–".into(),
        };
        format!(
            "{:name$}  {:>7}  {:>8}  {:unit$}  {:>4.1} %  {limit:>8}  {fraction:>6}  {peer}\n",
            line.name,
            line.threads,
            si(line.value),
            line.unit,
            100.0 * line.spread,
        )
    }
}

fn legend() -> String {
    let peers = if cfg!(feature = "peers") {
        ""
    } else {
        " Build with --features peers to measure the best libraries beside ours."
    };
    format!(
        "\nValues are medians a second, spread the distance between the quartiles. Limit and best library are \
         measured in turns with the value.{peers}\n"
    )
}
