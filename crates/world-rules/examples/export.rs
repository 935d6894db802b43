//! Writes the NumPy classes of the examples, and traces of the reference in both classes of bits, to a
//! folder: `cargo run -p learnery-world-rules --example export -- FOLDER`. The tests of the Python package
//! compare them.

use std::error::Error;
use std::fs;
use std::path::Path;

use learnery_kernels::isa::{self, Bits};
use learnery_kernels::rng::Stream;
use learnery_world_rules::{Actions, Moment, World, render};
use serde_json::{Value, json};

/// Worlds of a trace, and their steps.
const WORLDS: u64 = 3;
const STEPS: u32 = 510;
const SEED: u32 = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("expected a folder")?;
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    for entry in fs::read_dir(examples)? {
        let file = entry?.path();
        if file.extension().is_none_or(|extension| extension != "world") {
            continue;
        }
        let text = fs::read_to_string(&file)?;
        let world = World::compile(&text).map_err(|errors| render(&text, &errors))?;
        let mut traces = serde_json::Map::new();
        for bits in [Bits::Fused, Bits::Plain] {
            // A machine without fused multiply-adds has one class only.
            if isa::choose(bits).is_ok() && isa::bits() == bits {
                traces.insert(bits.name().into(), trace(&world));
            }
        }
        let out = Path::new(&folder).join(file.file_stem().ok_or("a file without a name")?);
        fs::write(out.with_extension("py"), world.numpy())?;
        fs::write(out.with_extension("json"), serde_json::to_string(&traces)?)?;
    }
    Ok(())
}

/// Episodes of some worlds with random actions. Every step has what the step of a batch returns.
fn trace(world: &World) -> Value {
    let parameters = world.parameters();
    let (stream, random) = (Stream::new(SEED, 1), Stream::new(SEED, 2));
    // The indices of the worlds cross 2^32, so both words of an index are tried.
    let first = (1 << 32) - 1;
    let moment = |i, episode, step| Moment { stream, world: first + i, episode, step };
    let mut worlds: Vec<_> = (0..WORLDS).map(|i| (world.begin(&parameters, moment(i, 0, 0)), 0, 0)).collect();
    let begun: Vec<_> = worlds.iter().map(|(begun, ..)| numbers(&begun.state)).collect();
    let mut steps = Vec::new();
    for t in 0..STEPS {
        let mut step = Vec::new();
        for (i, (now, episode, count)) in worlds.iter_mut().enumerate() {
            let i = i as u64;
            *count += 1;
            let action = action(&world.spec().actions, &random, i, u64::from(t));
            let at = moment(i, *episode, *count);
            let stepped = world.step(&parameters, &now.state, &now.observation, &action, at);
            let is_over = stepped.failed || stepped.succeeded;
            let truncated = !is_over && world.spec().limit == Some(*count);
            step.push(json!({
                "action": numbers(&action),
                "state": numbers(&stepped.state),
                "observation": numbers(&stepped.observation),
                "reward": numbers(&[stepped.reward]),
                "failed": stepped.failed,
                "succeeded": stepped.succeeded,
                "truncated": truncated,
                "fault": stepped.fault.is_some(),
            }));
            (now.state, now.observation) = (stepped.state, stepped.observation);
            if is_over || truncated {
                (*episode, *count) = (*episode + 1, 0);
                *now = world.begin(&parameters, moment(i, *episode, 0));
            }
        }
        steps.push(step);
    }
    json!({ "seed": SEED, "first": first, "begun": begun, "steps": steps })
}

/// Some actions are beyond their bounds.
fn action(actions: &Actions, random: &Stream, index: u64, sub: u64) -> Vec<f32> {
    match actions {
        Actions::Choice { choices, .. } => vec![random.below(index, sub, choices.len() as u32) as f32],
        Actions::Continuous(ranges) => {
            let numbers = random.uniform4(index, sub);
            ranges.iter().zip(numbers).map(|(r, u)| r.low + 1.2 * (r.high - r.low) * (u - 0.1)).collect()
        }
    }
}

/// The bits of numbers.
fn numbers(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|x| x.to_bits()).collect()
}
