//! Measures how long it takes to check the texts that are made to take as long as they can, and to take a step
//! of those that are worlds: `cargo run --release -p learnery-world-rules --example hostile [NAME...]`. Names,
//! or parts of them, choose among the texts. Times are processor time, in milliseconds.
#![expect(clippy::print_stdout, reason = "it is a program of the terminal")]

use std::fs;
use std::time::Instant;

use learnery_kernels::rng::Stream;
use learnery_world_rules::{Moment, World};

#[path = "../tests/main/adversarial.rs"]
mod adversarial;

/// Steps of a world that are measured together.
const STEPS: u32 = 100;

/// What was measured of a text.
struct Row {
    /// Milliseconds.
    check: f64,
    /// Milliseconds; `None` if the text is no world.
    step: Option<f64>,
    /// What the checker counts: operations, comparisons, nodes.
    work: usize,
    bytes: usize,
    name: &'static str,
    result: String,
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let mut rows = Vec::new();
    for adversarial::Adversary { name, text } in adversarial::texts() {
        if wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str())) {
            rows.push(measured(name, &text));
        }
    }
    rows.sort_by(|a, b| b.check.total_cmp(&a.check));
    println!("    check     step       work  bytes  text");
    for Row { check, step, work, bytes, name, result } in &rows {
        let step = step.map_or("-".into(), |step| format!("{step:.2}"));
        println!("{check:9.1} {step:>8} {work:10} {bytes:6}  {name}: {result:.80}");
    }
    let slowest = rows.iter().filter_map(|row| row.step).fold(0.0, f64::max);
    println!("{} texts; the slowest step with its picture: {slowest:.2} ms", rows.len());
    if let Some(memory) = peak_memory() {
        println!("peak memory: {memory}");
    }
}

fn measured(name: &'static str, text: &str) -> Row {
    let start = milliseconds();
    let (compiled, work) = World::compile_counted(text);
    let check = milliseconds() - start;
    let (step, result) = match &compiled {
        Ok(world) => {
            let (operations, warnings) = (world.operations(), world.warnings().len());
            (Some(step(world)), format!("a world, {operations} operations, {warnings} warnings"))
        }
        Err(problems) => (None, problems[0].message.clone()),
    };
    Row { check, step, work, bytes: text.len(), name, result }
}

/// The mean time of a first step and its picture, by the interpreter, as the page's editor takes them.
fn step(world: &World) -> f64 {
    let parameters = world.parameters();
    let moment = Moment { stream: Stream::new(0, 0), world: 0, episode: 0, step: 0 };
    let begun = world.begin(&parameters, moment);
    let action = vec![0.0; world.spec().actions.count()];
    let start = milliseconds();
    for step in 1..=STEPS {
        let next =
            world.step(&parameters, &begun.state, &begun.observation, &action, Moment { step, ..moment });
        std::hint::black_box(world.picture(&parameters, &next.state, &action));
    }
    (milliseconds() - start) / f64::from(STEPS)
}

/// Milliseconds of processor time of this thread; elsewhere than on Linux, of the clock.
fn milliseconds() -> f64 {
    thread_local!(static START: Instant = Instant::now());
    let on_processor = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = on_processor.and_then(|line| line.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.with(|start| start.elapsed().as_secs_f64() * 1e3), |ns| ns / 1e6)
}

/// The most memory that this program has had; `None` elsewhere than on Linux.
fn peak_memory() -> Option<String> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    Some(status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().to_owned())
}
