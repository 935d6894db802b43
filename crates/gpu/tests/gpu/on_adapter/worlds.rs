//! The generated shaders of worlds that users write as a text (`World::wgsl`), against the slow reference in
//! Rust.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use learnery_gpu::shader::Shader;
use learnery_gpu::{Gpu, Kernel, PlanBuilder, Word};
use learnery_kernels::rng::Stream;
use learnery_world_rules::{Actions, Fault, Moment, SiteKind, Stepped, World, render};

use crate::device;

/// States from which a text of classic control is stepped.
const STATES: usize = 20_000;
/// The most steps of an episode that is followed.
const MOST_STEPS: u32 = 100;
/// Seed and stream id of the random numbers of the worlds; any will do.
const SEED: u32 = 3;
const STREAM: u32 = 1;
/// The index of the first world of a batch. It has 64 bits, and the low word overflows after five worlds,
/// which tests the carry in the shader.
const FIRST: u64 = (1 << 32) - 5;

fn compile(text: &str) -> World {
    World::compile(text).unwrap_or_else(|errors| panic!("{}\n{text}", render(text, &errors)))
}

fn example(name: &str) -> World {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../world-rules/examples");
    let text = fs::read_to_string(folder.join(name).with_extension("world"));
    compile(&text.expect("an example can be read"))
}

/// What an entry point leaves in the buffers, see `crates/world-rules/src/export/wgsl/batch.wgsl`.
struct Batch {
    states: Vec<f32>,
    rewards: Vec<f32>,
    observations: Vec<f32>,
    ends: Vec<u32>,
}

/// Runs an entry point of a world's shader: `main` steps worlds, `begin` begins episodes. `end` is what the
/// worlds have in `ends` before: 0 if their episodes go on, 1 if these are over.
fn run(gpu: &Gpu, world: &World, entry: &str, states: &[f32], actions: &[f32], end: u32) -> Batch {
    let spec = world.spec();
    let [state, seen] = [spec.state.len(), spec.observations.len()];
    let count = states.len() / state;
    // A kernel runs its entry point `main`.
    let text = world.wgsl().replace("fn main(", "fn unused(").replace(&format!("fn {entry}("), "fn main(");
    let text = if entry == "main" { world.wgsl() } else { text };
    let kernel = Arc::new(Kernel::of_shader("world", Shader::of_text(text)));
    let sizes =
        [spec.parameters.len().max(1), states.len(), 2 * count, actions.len(), count, seen * count, count];
    let buffers = sizes.map(|words| gpu.buffer(words).expect("a small buffer"));
    let [parameters, states_buffer, counters, actions_buffer, rewards, observations, ends] = &buffers;
    if !spec.parameters.is_empty() {
        gpu.write(parameters, 0, &world.parameters());
    }
    gpu.write(states_buffer, 0, states);
    // Counters of a world: steps of the episode, and episodes that have begun. A step needs one.
    let episodes = u32::from(entry == "main");
    gpu.write(counters, 0, &[0, episodes].repeat(count));
    gpu.write(actions_buffer, 0, actions);
    gpu.write(ends, 0, &vec![end; count]);
    let mut plan = PlanBuilder::new(gpu);
    let words = [SEED, STREAM, FIRST as u32, (FIRST >> 32) as u32, count as u32].map(Word::Integer);
    plan.dispatch_kernel(kernel, &words, &buffers.each_ref(), [count.div_ceil(64), 1, 1], 1e6);
    plan.build().expect("a plan").submit_all();
    let read = |buffer, words| gpu.read(buffer, 0, words).expect("the device answers");
    Batch {
        states: read(states_buffer, states.len()),
        rewards: read(rewards, count),
        observations: read(observations, seen * count),
        ends: gpu.read(ends, 0, count).expect("the device answers"),
    }
}

/// The bits that a shader writes about the end of a step: failed, succeeded, and from bit 4 on the fault.
fn expected_end(stepped: &Stepped) -> u32 {
    u32::from(stepped.failed) | u32::from(stepped.succeeded) << 1 | code(stepped.fault.as_ref()) << 4
}

/// The number of a fault in shaders.
fn code(fault: Option<&Fault>) -> u32 {
    match fault.map(|fault| &fault.kind) {
        None => 0,
        Some(SiteKind::StateOutOfRange(_)) => 2,
        Some(SiteKind::RewardOutOfRange) => 3,
        Some(SiteKind::ObservationOutOfRange) => 4,
        Some(_) => 1,
    }
}

/// How far two numbers are apart, relative to numbers above 1.
fn distance(a: f32, b: f32) -> f32 {
    if a == b { 0.0 } else { (a - b).abs() / a.abs().max(b.abs()).max(1.0) }
}

/// Compares one step from each of these states. Returns the share of steps with the same bits, the largest
/// distance, and the number of steps that end otherwise.
fn compare(gpu: &Gpu, world: &World, states: &[Vec<f32>], actions: &[Vec<f32>]) -> (f64, f32, usize) {
    let batch = run(gpu, world, "main", &states.concat(), &actions.concat(), 0);
    let (n, width) = (world.spec().state.len(), world.spec().observations.len());
    let (mut same, mut furthest, mut other_ends) = (0, 0.0, 0);
    for (i, (state, action)) in states.iter().zip(actions).enumerate() {
        let moment =
            Moment { stream: Stream::new(SEED, STREAM), world: FIRST + i as u64, episode: 0, step: 1 };
        let expected = world.step(&world.parameters(), state, &vec![0.0; width], action, moment);
        other_ends += usize::from(expected_end(&expected) != batch.ends[i]);
        let found = batch.states[i * n..][..n].iter().chain([&batch.rewards[i]]);
        let found = found.chain(&batch.observations[i * width..][..width]);
        let wanted = expected.state.iter().chain([&expected.reward]).chain(&expected.observation);
        same += usize::from(found.clone().zip(wanted.clone()).all(|(a, b)| a == b));
        furthest = found.zip(wanted).map(|(a, b)| distance(*a, *b)).fold(furthest, f32::max);
    }
    (same as f64 / states.len() as f64, furthest, other_ends)
}

/// States in which an episode can be, each with a random action. The numbers of a state lie between plus and
/// minus `scales`.
fn random_states(world: &World, scales: &[f32]) -> (Vec<Vec<f32>>, Vec<Vec<f32>>) {
    let random = Stream::new(1, 7);
    let (mut states, mut actions) = (Vec::new(), Vec::new());
    let mut block = 0;
    while states.len() < STATES {
        block += 1;
        let numbers = random.uniform4(block, 0);
        let state: Vec<f32> = scales.iter().zip(numbers).map(|(s, u)| s * (2.0 * u - 1.0)).collect();
        let looked = world.look(&world.parameters(), &state);
        if looked.failed || looked.succeeded {
            continue;
        }
        states.push(state);
        actions.push(match &world.spec().actions {
            Actions::Choice { choices, .. } => vec![random.below(block, 1, choices.len() as u32) as f32],
            Actions::Continuous(ranges) => {
                // Some are beyond the bounds.
                let u = random.uniform(block, 1);
                ranges.iter().map(|range| 1.2 * (range.low + (range.high - range.low) * u)).collect()
            }
        });
    }
    (states, actions)
}

/// The first `count` states that random actions reach, each with the action that was taken there.
fn reached_states(world: &World, count: usize) -> (Vec<Vec<f32>>, Vec<Vec<f32>>) {
    let (random, parameters) = (Stream::new(1, 8), world.parameters());
    let (mut states, mut actions) = (Vec::new(), Vec::new());
    let moment = |episode, step| Moment {
        stream: Stream::new(SEED, STREAM),
        world: u64::from(episode),
        episode,
        step,
    };
    for episode in 0.. {
        let mut now = world.begin(&parameters, moment(episode, 0));
        for step in 1..=MOST_STEPS {
            if states.len() == count {
                return (states, actions);
            }
            let at = u64::from(episode * MOST_STEPS + step);
            let action = match &world.spec().actions {
                Actions::Choice { choices, .. } => vec![random.below(at, 0, choices.len() as u32) as f32],
                Actions::Continuous(ranges) => {
                    let numbers = random.uniform4(at, 0);
                    ranges.iter().zip(numbers).map(|(r, u)| r.low + (r.high - r.low) * u).collect()
                }
            };
            let stepped =
                world.step(&parameters, &now.state, &now.observation, &action, moment(episode, step));
            states.push(std::mem::replace(&mut now.state, stepped.state));
            actions.push(action);
            now.observation = stepped.observation;
            if stepped.failed || stepped.succeeded {
                break;
            }
        }
    }
    unreachable!("episodes have steps")
}

#[test]
fn examples_step_as_the_reference() {
    let Some(gpu) = device() else { return };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../world-rules/examples");
    let files = fs::read_dir(folder).expect("the folder of the examples");
    let files = files.map(|entry| entry.expect("a file").path());
    let mut names: Vec<String> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "world"))
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert!(names.len() >= 16, "{names:?}");
    for name in names {
        let world = example(&name);
        let (states, actions) = reached_states(&world, 2000);
        let (same, furthest, other_ends) = compare(gpu, &world, &states, &actions);
        println!("{name}: {:.1} % have the same bits, others differ by at most {furthest:e}", 100.0 * same);
        assert!(furthest <= 1e-5, "{name}: {furthest}");
        // Rounding may decide about a state that lies on a bound.
        assert!(other_ends <= 1, "{name}: {other_ends} steps end otherwise");
    }
}

#[test]
fn texts_of_classic_control_step_as_the_reference() {
    use std::f32::consts::PI;
    let Some(gpu) = device() else { return };
    for (name, scales, tolerance) in [
        ("cartpole", &[2.4, 3.0, 0.21, 3.0][..], 1e-6),
        ("mountain_car", &[1.2, 0.07], 1e-6),
        ("pendulum", &[90.0, 8.0], 1e-5),
        // The four stages of the Runge-Kutta method amplify rounding errors where the rods turn fast.
        ("acrobot", &[PI, PI, 10.0, 10.0], 1e-4),
    ] {
        let world = example(name);
        let (states, actions) = random_states(&world, scales);
        let (same, furthest, other_ends) = compare(gpu, &world, &states, &actions);
        println!(
            "{name}: {:.1} % of steps have the same bits, others differ by at most {furthest:e}",
            100.0 * same
        );
        assert!(furthest <= tolerance, "{name}: {furthest}");
        // Rounding may decide about a state that lies on a bound.
        assert!(other_ends <= 2, "{name}: {other_ends} steps end otherwise");
    }
}

#[test]
fn functions_agree_for_all_arguments() {
    let Some(gpu) = device() else { return };
    let world = compile(
        "world \"Functions\"\naction push: left, right\nstate x = 0\nstate y = 0\nx' = x\nreward 1\nlimit 9\n\
         observe sin(x), cos(x), wrap(x), tanh(y), exp(y), ln(abs(x) + 1e-30), floor(y), round(y), y % 2.5, \
         atan2(y, x), [3, 1, 4, 1, 5][min(abs(y), 4.5)], abs(y)^1.7, max(x, y), sign(y)",
    );
    let random = Stream::new(2, 2);
    let mut states = Vec::new();
    for i in 0..2000 {
        let [u, v, size, _] = random.uniform4(i, 0);
        // From small angles to those that need all bits of 2 / pi, but below those for which the reference's
        // own reduction in double precision loses digits.
        let largest = [10.0, 8000.0, 9000.0, 1e6, 1e8][(5.0 * size) as usize];
        states.push(vec![largest * (2.0 * u - 1.0), 8.0 * v - 4.0]);
    }
    let (same, furthest, other_ends) = compare(gpu, &world, &states, &vec![vec![1.0]; states.len()]);
    println!("{:.1} % have the same bits, others differ by at most {furthest:e}", 100.0 * same);
    assert!(furthest <= 2e-6, "{furthest}");
    assert_eq!(other_ends, 0);
}

#[test]
fn faults_are_found_by_bits() {
    let Some(gpu) = device() else { return };
    let world = compile(
        "world \"Faults\"\naction push: left, right\nstate x = 0\nstate y = 0\n\
         x' = if push == right then 1 / x else exp(x)\ny' = sqrt(y) + tanh(x)\nreward if y > 3 then ln(x) else x * x\n\
         limit 9\nobserve x, if y > 2 then 1e25 * x else y",
    );
    let (mut states, mut actions) = (Vec::new(), Vec::new());
    for x in [0.0, -1.0, 1.0, 60.0, 100.0, 1e20, 1e29] {
        for y in [-1.0, 0.0, 2.5, 4.0, 9.0, 1e30] {
            for action in [0.0, 1.0] {
                states.push(vec![x, y]);
                actions.push(vec![action]);
            }
        }
    }
    let faults = |code_wanted| {
        let is_wanted = |(state, action): &(&Vec<f32>, &Vec<f32>)| {
            let moment = Moment { stream: Stream::new(0, 0), world: 0, episode: 0, step: 1 };
            code(world.step(&[], state, &[0.0; 2], action, moment).fault.as_ref()) == code_wanted
        };
        states.iter().zip(&actions).filter(is_wanted).count()
    };
    for code in 0..=4 {
        assert!(faults(code) > 0, "no state has the fault {code}");
    }
    let (_, furthest, other_ends) = compare(gpu, &world, &states, &actions);
    assert_eq!(other_ends, 0);
    assert!(furthest <= 1e-6, "{furthest}");
}

#[test]
fn episodes_begin_as_in_the_reference() {
    let Some(gpu) = device() else { return };
    for name in ["cartpole", "thermostat", "stock", "windy_grid"] {
        let world = example(name);
        let count = 200;
        let n = world.spec().state.len();
        let actions = vec![0.0; count * world.spec().actions.count()];
        let batch = run(gpu, &world, "begin", &vec![7.0; count * n], &actions, 1);
        assert!(batch.ends.iter().all(|end| *end == 0), "{name}");
        for (i, state) in batch.states.chunks(n).enumerate() {
            let moment =
                Moment { stream: Stream::new(SEED, STREAM), world: FIRST + i as u64, episode: 0, step: 0 };
            let begun = world.begin(&world.parameters(), moment);
            let seen = &batch.observations[i * begun.observation.len()..][..begun.observation.len()];
            let pairs = state.iter().zip(&begun.state).chain(seen.iter().zip(&begun.observation));
            let furthest = pairs.map(|(a, b)| distance(*a, *b)).fold(0.0, f32::max);
            assert!(furthest <= 1e-5, "{name}: {state:?} instead of {:?}", begun.state);
        }
    }
}
