//! Benchmarks: every speed figure of the project. Where possible, a rate is reported with an upper bound
//! (what the machine could do) and with the rate of the best library for the same task, the *peer*. The texts
//! of labs call a training iteration a unit; in this file, a unit is the unit of a measured value, such as
//! GFLOP/s.
//!
//! The code runs natively and in a browser, so the clock is a parameter. A rate is the 90th percentile of the
//! repetitions, because other programs only slow a repetition down. A time is the median. Both are measured
//! on one thread and on all threads. To add a benchmark, write a [`Bench`] and list it in [`BENCHES`].

mod backgammon;
mod comparison;
mod control;
mod cube;
mod cube_large;
#[cfg(feature = "gpu")]
mod gpu;
mod kernels;
mod language;
mod learned_life;
mod logic;
mod logic_hard;
mod machine;
mod measure;
mod networks;
mod own_worlds;
mod pool;
mod selfplay;
mod time_to_goal;

use serde::Serialize;

#[cfg(feature = "gpu")]
pub use gpu::{Comparison, GpuLine, check_products, gpu_groups, run_gpu};
pub use measure::Sample;
use pool::Pool;

/// All benchmarks, in the order of output. Those in arrays are listed one by one, because a constant cannot
/// spread an array.
pub const BENCHES: &[Bench] = &[
    machine::FMA,
    machine::BANDWIDTH,
    kernels::GEMM_SHARED,
    kernels::GEMM_LARGE,
    kernels::GEMM_BATCH,
    kernels::GEMM_SMALL,
    kernels::LINEAR,
    kernels::TANH,
    kernels::EXP,
    networks::FORWARD_16,
    networks::FORWARD_64,
    networks::FORWARD_256,
    networks::TRAIN,
    networks::SMALL_TRAIN,
    control::RAW[0],
    control::RAW[1],
    control::RAW[2],
    control::RAW[3],
    own_worlds::STEPS[0],
    own_worlds::STEPS[1],
    own_worlds::STEPS[2],
    own_worlds::STEPS[3],
    own_worlds::COMPILE,
    control::PPO,
    control::SPLIT[0],
    control::SPLIT[1],
    control::SPLIT[2],
    control::SPLIT[3],
    control::PPO_FAST,
    own_worlds::PPO_FAST,
    control::SOLVE[0],
    control::SOLVE[1],
    control::SOLVE[2],
    control::SOLVE[3],
    cube::FORWARD,
    cube::EPISODES,
    cube::SOLVE,
    cube_large::FORWARD,
    cube_large::BEAM,
    cube_large::SOLVE,
    backgammon::PLAYS,
    backgammon::STATIC,
    backgammon::TD,
    backgammon::ROLLOUT,
    backgammon::LOOKAHEAD,
    backgammon::ANALYSE,
    selfplay::GAMES,
    selfplay::EVALUATIONS,
    selfplay::SPLIT[0],
    selfplay::SPLIT[1],
    selfplay::SPLIT[2],
    logic::CHECKERBOARD,
    logic::LIFE,
    logic_hard::LIFE,
    logic_hard::CHECKERBOARD,
    language::TRAIN_A,
    language::TRAIN_B,
    language::GENERATE,
];

/// A benchmark.
#[derive(Clone, Copy)]
pub struct Bench {
    /// A path such as `kernels/gemm/64x64x64`. A prefix on the command line selects all benches below it.
    pub name: &'static str,
    /// The unit of the measured value, such as `GFLOP/s`.
    pub unit: &'static str,
    /// A description in one line.
    pub about: &'static str,
    run: fn(&BenchContext) -> Measurement,
}

/// The result of a bench.
struct Measurement {
    sample: Sample,
    /// The upper bound of the machine (for times: the lower bound), in the same unit; `None` if no bound is
    /// known.
    upper_bound: Option<f64>,
    /// The peer, the fastest library for the same task, and its sample; `None` if none is compiled in.
    peer: Option<(&'static str, Sample)>,
}

impl Measurement {
    /// A measurement of which neither an upper bound nor another library's rate is known.
    fn without_comparison(sample: Sample) -> Self {
        Self { sample, upper_bound: None, peer: None }
    }
}

/// A monotonic clock: returns seconds since a fixed moment.
pub type Clock<'a> = dyn Fn() -> f64 + Sync + 'a;

/// The clock, the build and the threads with which the benchmarks run.
pub struct Platform<'a> {
    pub clock: &'a Clock<'a>,
    /// `native`, `wasm-simd` or `wasm-threads`.
    pub target: &'static str,
    /// The number of available threads.
    pub threads: usize,
}

/// The environment of one bench: the clock, and a pool with the number of threads to use.
struct BenchContext<'a> {
    clock: &'a Clock<'a>,
    threads: usize,
    pool: &'a Pool,
}

/// A result as printed. The fields are the keys of the JSON output.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    pub name: &'static str,
    /// The 90th percentile of the rates of all repetitions, or the median of the times.
    pub value: f64,
    /// The unit of `value`, `limit` and `peer_value`.
    pub unit: &'static str,
    pub threads: usize,
    /// See [`Platform::target`].
    pub target: &'static str,
    /// How far the value and another percentile are apart: see [`Sample::spread`].
    pub spread: f64,
    /// The upper bound of the machine (for times: the lower bound), measured in turns with the value, so that
    /// disturbances affect both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
    /// `value / limit`. For times, the smaller the better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fraction: Option<f64>,
    /// The name of the fastest library for the same task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peer: Option<&'static str>,
    /// The peer's rate, measured in turns with ours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peer_value: Option<f64>,
    /// `value / peer_value`. For times, the smaller the better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
}

/// Returns the benchmarks whose names start with one of `names`, or all if `names` is empty. The error is a
/// name that selects none.
pub fn choose(names: &[String]) -> Result<Vec<&'static Bench>, &str> {
    let matches = |bench: &Bench, name: &str| bench.name.starts_with(name);
    if let Some(name) = names.iter().find(|name| !BENCHES.iter().any(|bench| matches(bench, name))) {
        return Err(name);
    }
    let is_chosen = |bench: &&Bench| names.is_empty() || names.iter().any(|name| matches(bench, name));
    Ok(BENCHES.iter().filter(is_chosen).collect())
}

/// Runs `benches`, each with `threads` threads; `None` means with one thread and with all threads. Passes
/// each result to `report`. Stops before the next benchmark when `is_running` returns false.
pub fn run(
    platform: &Platform,
    benches: &[&'static Bench],
    threads: Option<usize>,
    is_running: &dyn Fn() -> bool,
    report: &mut dyn FnMut(Line),
) {
    let thread_counts = match threads {
        Some(n) => vec![n],
        None if platform.threads > 1 => vec![1, platform.threads],
        None => vec![1],
    };
    let pools: Vec<(usize, Pool)> = thread_counts.into_iter().map(|n| (n, Pool::new(n))).collect();
    for bench in benches {
        for (threads, pool) in &pools {
            if !is_running() {
                return;
            }
            let context = BenchContext { clock: platform.clock, threads: *threads, pool };
            // The whole bench runs inside the pool. If every repetition entered the pool, the context
            // switch would be measured too, and it can take long on a busy machine.
            report(pool.run(|| bench.measure(&context, platform.target)));
        }
    }
}

impl Bench {
    /// Runs the bench and returns its result as printed.
    fn measure(&self, context: &BenchContext, target: &'static str) -> Line {
        let Measurement { sample, upper_bound: limit, peer } = (self.run)(context);
        let value = sample.rate;
        Line {
            name: self.name,
            value,
            unit: self.unit,
            threads: context.threads,
            target,
            spread: sample.spread,
            limit,
            fraction: limit.map(|limit| value / limit),
            peer: peer.as_ref().map(|(name, _)| *name),
            peer_value: peer.as_ref().map(|(_, sample)| sample.rate),
            ratio: peer.as_ref().map(|(_, sample)| value / sample.rate),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn choose_selects_benches_by_prefix() {
        let names = |wanted: &[&str]| -> Vec<&str> {
            let wanted: Vec<String> = wanted.iter().map(|s| (*s).to_owned()).collect();
            choose(&wanted).unwrap().iter().map(|bench| bench.name).collect()
        };
        assert_eq!(names(&[]).len(), BENCHES.len());
        assert_eq!(names(&["machine"]), ["machine/fma", "machine/bandwidth"]);
        assert_eq!(names(&["machine/b", "machine/fma"]), ["machine/fma", "machine/bandwidth"]);
        assert_eq!(choose(&["nothing".into()]).err(), Some("nothing"));
    }

    #[test]
    fn bench_names_are_unique() {
        for (i, bench) in BENCHES.iter().enumerate() {
            assert!(BENCHES[..i].iter().all(|other| other.name != bench.name), "{} twice", bench.name);
        }
    }

    /// A clock that jumps far ahead ends every repetition after one iteration. All benches run with two
    /// threads. Only cheap ones run with one and with all, because `run` does the same for each.
    #[test]
    fn benches_produce_a_line_for_each_number_of_threads() {
        let ticks = AtomicU32::new(0);
        let clock = || f64::from(ticks.fetch_add(100, Ordering::Relaxed));
        let platform = Platform { clock: &clock, target: "native", threads: 2 };
        let lines = |names: &[String], threads| {
            let mut lines = Vec::new();
            run(&platform, &choose(names).unwrap(), threads, &|| true, &mut |line| lines.push(line));
            lines
        };
        let all = lines(&[], Some(2));
        assert!(all.iter().map(|line| line.name).eq(BENCHES.iter().map(|bench| bench.name)));
        // With this clock all steps take equally long, so a part of an iteration that is a difference may be
        // zero.
        let is_plausible =
            |line: &Line| line.value.is_finite() && (line.value > 0.0 || line.name.contains("/split/"));
        assert!(all.iter().all(is_plausible), "{all:?}");
        assert!(all.iter().all(|line| line.threads == 2));
        let machine = lines(&["machine".into()], None);
        assert!(machine.iter().map(|line| line.threads).eq([1, 2, 1, 2]));
    }
}
