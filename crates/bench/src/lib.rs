//! Every speed figure of the project, each beside what limits it.
//!
//! The code here runs natively and in a browser alike: it is given a clock and knows no other. A figure is
//! the rate of the least disturbed repetitions, measured on one thread and on all. A new one is a file with a
//! `Bench` and one line in [`BENCHES`].

mod backgammon;
mod control;
mod cube;
mod kernels;
mod language;
mod learned_life;
mod logic;
mod logic_hard;
mod machine;
mod measure;
mod networks;
mod pool;
mod race;
mod selfplay;
mod solve;

use serde::Serialize;

pub use measure::Sample;
use pool::Pool;

/// Every bench there is, in the order of their lines.
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
    control::PPO,
    control::SPLIT[0],
    control::SPLIT[1],
    control::SPLIT[2],
    control::SPLIT[3],
    control::PPO_FAST,
    control::SOLVE[0],
    control::SOLVE[1],
    control::SOLVE[2],
    control::SOLVE[3],
    cube::FORWARD,
    cube::EPISODES,
    cube::SOLVE,
    backgammon::PLAYS,
    backgammon::STATIC,
    backgammon::TD,
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

/// One speed figure.
#[derive(Clone, Copy)]
pub struct Bench {
    /// Its name, from the general to the particular, by which it is chosen.
    pub name: &'static str,
    /// What is counted, a second.
    pub unit: &'static str,
    /// What is measured, in one line.
    pub about: &'static str,
    run: fn(&Machine) -> Outcome,
}

/// What a bench found.
struct Outcome {
    /// How much a second.
    sample: Sample,
    /// The most that the machine allows, in the same unit.
    limit: Option<f64>,
    /// The best library for the same task, where one is built in.
    peer: Option<(&'static str, Sample)>,
}

/// Seconds since any fixed moment.
pub type Clock<'a> = dyn Fn() -> f64 + Sync + 'a;

/// Where benches run.
pub struct Host<'a> {
    /// Seconds since any fixed moment.
    pub clock: &'a Clock<'a>,
    /// `native`, `wasm-simd` or `wasm-threads`.
    pub target: &'static str,
    /// All threads there are.
    pub threads: usize,
}

/// A host seen with a number of threads.
struct Machine<'a> {
    clock: &'a Clock<'a>,
    threads: usize,
    pool: &'a Pool,
}

/// A speed figure as it is printed. JSON takes the fields as they are.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// Which bench.
    pub name: &'static str,
    /// The rate of the least disturbed repetitions.
    pub value: f64,
    /// Unit of value, limit and peer value.
    pub unit: &'static str,
    /// Threads in use.
    pub threads: usize,
    /// Where it ran.
    pub target: &'static str,
    /// How far the median repetition lies below that, as a share of it.
    pub spread: f64,
    /// What the machine allows, measured in turns with the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
    /// Value over limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fraction: Option<f64>,
    /// The best library for the same task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peer: Option<&'static str>,
    /// Its figure, measured in turns with ours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peer_value: Option<f64>,
    /// Value over the peer's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
}

/// The benches whose name begins with one of `names`; all where there is none. A name that nothing begins
/// with comes back as the error.
pub fn choose(names: &[String]) -> Result<Vec<&'static Bench>, &str> {
    let begins = |bench: &Bench, name: &str| bench.name.starts_with(name);
    if let Some(name) = names.iter().find(|name| !BENCHES.iter().any(|bench| begins(bench, name))) {
        return Err(name);
    }
    let chosen = |bench: &&Bench| names.is_empty() || names.iter().any(|name| begins(bench, name));
    Ok(BENCHES.iter().filter(chosen).collect())
}

/// Measures `benches`, each on `threads`, or on one and on all; hands over each line as it is known.
/// `go_on` is asked before each.
pub fn run(
    host: &Host,
    benches: &[&'static Bench],
    threads: Option<usize>,
    go_on: &dyn Fn() -> bool,
    each: &mut dyn FnMut(Line),
) {
    let counts = match threads {
        Some(n) => vec![n],
        None if host.threads > 1 => vec![1, host.threads],
        None => vec![1],
    };
    let pools: Vec<(usize, Pool)> = counts.into_iter().map(|n| (n, Pool::of(n))).collect();
    for bench in benches {
        for (threads, pool) in &pools {
            if !go_on() {
                return;
            }
            let machine = Machine { clock: host.clock, threads: *threads, pool };
            // All of it inside the pool: to hand every repetition to another thread would be measured too, and takes
            // as long as it likes on a busy machine.
            each(pool.run(|| bench.line(&machine, host.target)));
        }
    }
}

impl Bench {
    fn line(&self, machine: &Machine, target: &'static str) -> Line {
        let Outcome { sample, limit, peer } = (self.run)(machine);
        let value = sample.rate;
        Line {
            name: self.name,
            value,
            unit: self.unit,
            threads: machine.threads,
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
    fn names_are_chosen_by_their_beginning() {
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
    fn every_name_is_there_once() {
        for (i, bench) in BENCHES.iter().enumerate() {
            assert!(BENCHES[..i].iter().all(|other| other.name != bench.name), "{} twice", bench.name);
        }
    }

    /// A clock that jumps far ahead ends every repetition after one turn, so each bench runs once here.
    #[test]
    fn every_bench_gives_a_line_on_one_thread_and_on_two() {
        let ticks = AtomicU32::new(0);
        let clock = || f64::from(ticks.fetch_add(100, Ordering::Relaxed));
        let host = Host { clock: &clock, target: "native", threads: 2 };
        let mut lines = Vec::new();
        run(&host, &choose(&[]).unwrap(), None, &|| true, &mut |line| lines.push(line));
        assert_eq!(lines.len(), 2 * BENCHES.len());
        // By such a clock every step of an iteration takes as long, so that a part of it may take no time at all.
        let fine =
            |line: &Line| line.value.is_finite() && (line.value > 0.0 || line.name.contains("/split/"));
        assert!(lines.iter().all(fine), "{lines:?}");
        assert!(lines.iter().zip([1, 2].into_iter().cycle()).all(|(line, n)| line.threads == n));
    }
}
