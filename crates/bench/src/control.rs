//! Classic control: environment steps alone, PPO training, and time to goal. A *world* is one of many
//! simulated copies of an environment. `Stream::new(seed, id)` is a stream of random numbers; which one is
//! arbitrary here.

use std::hint::black_box;

use learnery_kernels::rng::Stream;
use learnery_lab::{Context, Entry, Lab, Session, Status};
use learnery_worlds::control::{Actions, AnyWorlds, Kind};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::measure::{Sample, measure_one};
use super::time_to_goal::time_to_goal;
use super::{Bench, BenchContext, Measurement};
use learnery_control::{Control, ControlConfig, Phase};

const STEPS: &str = "world steps/s";

pub const RAW: [Bench; 4] = [
    raw_bench("control/raw/cartpole", |context| raw(context, Kind::CartPole)),
    raw_bench("control/raw/mountaincar", |context| raw(context, Kind::MountainCar)),
    raw_bench("control/raw/pendulum", |context| raw(context, Kind::Pendulum)),
    raw_bench("control/raw/acrobot", |context| raw(context, Kind::Acrobot)),
];

const fn raw_bench(name: &'static str, run: fn(&BenchContext) -> Measurement) -> Bench {
    let about = "the rules alone, 4,096 worlds on each thread with automatic reset, random actions prepared in advance";
    Bench { name, unit: STEPS, about, run }
}

/// Training with the settings with which other implementations were measured.
pub const PPO: Bench = Bench {
    name: "control/ppo/cartpole",
    unit: STEPS,
    about: "PPO: 2,048 worlds of 128 steps, 4 epochs of 4 minibatches, two 64x64 tanh networks",
    run: |context| ppo(context, &reference_settings()),
};

/// The parts of a training iteration.
pub const SPLIT: [Bench; 4] = [
    split_bench("control/split/worlds", "stepping the worlds", |context| {
        split(context, |parts| parts.worlds)
    }),
    split_bench(
        "control/split/forward",
        "forward passes of both networks, and sampling of actions",
        |context| split(context, |parts| parts.forward),
    ),
    split_bench("control/split/advantages", "advantages and returns", |context| {
        split(context, |parts| parts.advantages)
    }),
    split_bench("control/split/update", "forward, loss, backward and Adam, 4 epochs", |context| {
        split(context, |parts| parts.update)
    }),
];

const fn split_bench(
    name: &'static str,
    about: &'static str,
    run: fn(&BenchContext) -> Measurement,
) -> Bench {
    Bench { name, unit: "ns/step", about, run }
}

/// Training with the fastest settings that still solve the task.
pub const PPO_FAST: Bench = Bench {
    name: "control/ppo-fast/cartpole",
    unit: STEPS,
    about: "PPO with the preset `fast`",
    run: |context| ppo(context, &preset("fast")),
};

pub const SOLVE: [Bench; 4] = [
    solve_bench("control/solve/cartpole", |context| control_solve(context, "sprint")),
    solve_bench("control/solve/mountaincar", |context| control_solve(context, "mountaincar")),
    solve_bench("control/solve/pendulum", |context| control_solve(context, "pendulum")),
    solve_bench("control/solve/acrobot", |context| control_solve(context, "acrobot")),
];

const fn solve_bench(name: &'static str, run: fn(&BenchContext) -> Measurement) -> Bench {
    Bench {
        name,
        unit: "s",
        about: "training from new weights to the goal, evaluations included: median of ten seeds",
        run,
    }
}

/// Measures steps of the worlds alone, in world steps per second.
fn raw(context: &BenchContext, kind: Kind) -> Measurement {
    /// Worlds on each thread: a few hundred kilobytes of state, as in training.
    const WORLDS: u64 = 4096;
    /// Steps before the actions repeat: few enough that the actions stay in the cache.
    const STEPS: u64 = 16;
    let stream = Stream::new(0, 0);
    let random_action = |world, step| match kind.spec().actions {
        Actions::Discrete(n) => stream.below(world, step, n as u32) as f32,
        Actions::Continuous { low, high } => low + stream.uniform(world, step) * (high - low),
    };
    let actions: Vec<Vec<f32>> =
        (0..STEPS).map(|step| (0..WORLDS).map(|world| random_action(world, step)).collect()).collect();
    let mut states: Vec<Box<dyn AnyWorlds>> = (0..context.threads as u64)
        .map(|thread| kind.worlds(thread * WORLDS..(thread + 1) * WORLDS, stream))
        .collect();
    let sample = measure_one(context.clock, &mut |iterations| {
        context.pool.for_each_state(&mut states, |worlds| {
            for actions in actions.iter().cycle().take(iterations as usize) {
                worlds.step(black_box(actions));
                black_box((worlds.rewards(), worlds.ended()));
            }
        });
    });
    Measurement {
        sample: sample.scaled(WORLDS as f64 * context.threads as f64),
        upper_bound: None,
        peer: None,
    }
}

/// Measures training with these settings, in world steps per second. Evaluations are off.
fn ppo(context: &BenchContext, settings: &Value) -> Measurement {
    let mut settings = settings.clone();
    settings["eval_every"] = json!(0);
    let seed = 0;
    let mut session = Session::start(Entry::of::<Control>(), &settings, seed)
        .expect("the settings are within their ranges");
    context.pool.run(|| session.advance_unit());
    // World steps of a unit (training iteration).
    let per_unit = session.work() as f64;
    let sample = measure_one(context.clock, &mut |iterations| {
        context.pool.run(|| {
            for _ in 0..iterations {
                session.advance_unit();
            }
        });
    });
    Measurement { sample: sample.scaled(per_unit), upper_bound: None, peer: None }
}

/// The settings with which other implementations were measured.
fn reference_settings() -> Value {
    json!({"worlds": 2048, "horizon": 128, "epochs": 4, "minibatches": 4, "eval_every": 0})
}

/// Seconds of the parts of an iteration.
#[derive(Clone, Copy, Default)]
struct Parts {
    worlds: f64,
    forward: f64,
    advantages: f64,
    update: f64,
}

/// Nanoseconds of a part of a training iteration, for each world step. The reported bound is the sum of all
/// parts.
fn split(context: &BenchContext, part: fn(&Parts) -> f64) -> Measurement {
    const ITERATIONS: usize = 5;
    /// After this many seconds, no further iteration starts.
    const TIMEOUT: f64 = 10.0;
    let config: ControlConfig =
        serde_json::from_value(with_defaults(reference_settings())).expect("valid settings");
    let steps = f64::from(config.worlds) * f64::from(config.horizon);
    let worlds = worlds_alone(context, &config);
    let mut cx = Context { config: &config, seed: 0, unit: 0 };
    let mut lab = Control::new(cx).expect("valid settings");
    // Warm-up.
    iteration(context, &mut lab, cx, worlds);
    let begin = (context.clock)();
    let mut iterations = Vec::with_capacity(ITERATIONS);
    while iterations.is_empty() || (iterations.len() < ITERATIONS && (context.clock)() - begin < TIMEOUT) {
        cx.unit += 1;
        iterations.push(iteration(context, &mut lab, cx, worlds));
    }
    let median = |f: &dyn Fn(&Parts) -> f64| Sample::from_values(iterations.iter().map(f).collect());
    let all = median(&|p| p.worlds + p.forward + p.advantages + p.update);
    // From seconds per iteration to nanoseconds per world step.
    let nanoseconds = 1e9 / steps;
    let sample = median(&|p| part(p)).scaled(nanoseconds);
    Measurement { sample, upper_bound: Some(all.scaled(nanoseconds).rate), peer: None }
}

/// Seconds of a step of all worlds without the networks, in chunks of the same size as in training.
fn worlds_alone(context: &BenchContext, config: &ControlConfig) -> f64 {
    const CHUNK: u64 = 32;
    let mut chunks: Vec<Box<dyn AnyWorlds>> = (0..u64::from(config.worlds) / CHUNK)
        .map(|i| Kind::CartPole.worlds(i * CHUNK..(i + 1) * CHUNK, Stream::new(0, 0)))
        .collect();
    let actions: Vec<f32> = (0..CHUNK).map(|i| (i % 2) as f32).collect();
    let sample = measure_one(context.clock, &mut |iterations| {
        context.pool.run(|| {
            for _ in 0..iterations {
                chunks.par_iter_mut().for_each(|worlds| worlds.step(black_box(&actions)));
            }
        });
    });
    1.0 / sample.rate
}

/// Runs one training iteration and times its parts.
///
/// A step of collecting is one step of all worlds with its forward passes. The time of the worlds is measured
/// separately (`worlds_step` seconds per step) and subtracted. The last step of collecting also computes the
/// advantages, so the difference between its time and that of a mean step is the time of the advantages.
fn iteration(
    context: &BenchContext,
    lab: &mut Control,
    cx: Context<ControlConfig>,
    worlds_step: f64,
) -> Parts {
    let (mut collecting, mut update) = (Vec::new(), 0.0);
    loop {
        let learning = lab.phase() == Phase::Learning;
        let begin = (context.clock)();
        let status = context.pool.run(|| lab.step(cx));
        let seconds = (context.clock)() - begin;
        if learning {
            update += seconds;
        } else {
            collecting.push(seconds);
        }
        if status == Status::UnitFinished {
            break;
        }
    }
    let last = collecting.pop().unwrap_or(0.0);
    let others: f64 = collecting.iter().sum();
    let mean = others / collecting.len().max(1) as f64;
    let worlds = worlds_step * (collecting.len() + 1) as f64;
    Parts { worlds, forward: (others + mean - worlds).max(0.0), advantages: (last - mean).max(0.0), update }
}

/// Settings completed by the defaults.
fn with_defaults(settings: Value) -> Value {
    let mut whole = serde_json::to_value(ControlConfig::default()).expect("settings are a table");
    for (name, value) in settings.as_object().into_iter().flatten() {
        whole[name] = value.clone();
    }
    whole
}

/// Measures the seconds until the preset `name` reaches its goal.
fn control_solve(context: &BenchContext, name: &str) -> Measurement {
    const SEEDS: u32 = 10;
    /// Seconds after which a run is stopped.
    const TIMEOUT: f64 = 60.0;
    time_to_goal(context, Entry::of::<Control>(), name, SEEDS, TIMEOUT)
}

/// The settings of a preset.
fn preset(name: &str) -> Value {
    let presets = Entry::of::<Control>().about.presets;
    let preset = presets.iter().find(|preset| preset.name == name).expect("the preset is there");
    serde_json::from_str(preset.settings).expect("presets are tables")
}
