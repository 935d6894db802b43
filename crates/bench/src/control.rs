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

/// The unit of the rates.
pub const STEPS_PER_SECOND: &str = "world steps/s";

pub const RAW: [Bench; 4] = [
    raw_bench("control/raw/cartpole", |context| measure_worlds(context, Kind::CartPole)),
    raw_bench("control/raw/mountaincar", |context| measure_worlds(context, Kind::MountainCar)),
    raw_bench("control/raw/pendulum", |context| measure_worlds(context, Kind::Pendulum)),
    raw_bench("control/raw/acrobot", |context| measure_worlds(context, Kind::Acrobot)),
];

const fn raw_bench(name: &'static str, run: fn(&BenchContext) -> Measurement) -> Bench {
    let about = "the rules alone, 4,096 worlds on each thread with automatic reset, random actions prepared in advance";
    Bench { name, unit: STEPS_PER_SECOND, about, run }
}

/// Training with the settings with which other implementations were measured.
pub const PPO: Bench = Bench {
    name: "control/ppo/cartpole",
    unit: STEPS_PER_SECOND,
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
    unit: STEPS_PER_SECOND,
    about: "PPO with the preset `fast`",
    run: |context| ppo(context, &Entry::of::<Control>().preset("fast").expect("the preset is there")),
};

pub const SOLVE: [Bench; 4] = [
    solve_bench("control/solve/cartpole", |context| time_to_solve(context, "sprint")),
    solve_bench("control/solve/mountaincar", |context| time_to_solve(context, "mountaincar")),
    solve_bench("control/solve/pendulum", |context| time_to_solve(context, "pendulum")),
    solve_bench("control/solve/acrobot", |context| time_to_solve(context, "acrobot")),
];

const fn solve_bench(name: &'static str, run: fn(&BenchContext) -> Measurement) -> Bench {
    Bench {
        name,
        unit: "s",
        about: "training from new weights to the goal, evaluations included: median of ten seeds",
        run,
    }
}

/// Worlds on each thread: a few hundred kilobytes of state, as in training.
pub const WORLDS_OF_A_THREAD: u64 = 4096;

/// Random actions of some steps for the worlds of a thread.
pub fn random_actions(kind: Kind, stream: Stream) -> Vec<Vec<f32>> {
    /// Steps before the actions repeat: few enough that the actions stay in the cache.
    const DISTINCT_STEPS: u64 = 16;
    let random_action = |world, step| match kind.spec().actions {
        // Worlds take the number of a discrete action as a float.
        Actions::Discrete(n) => stream.below(world, step, n as u32) as f32,
        Actions::Continuous { low, high } => low + stream.uniform(world, step) * (high - low),
    };
    (0..DISTINCT_STEPS)
        .map(|step| (0..WORLDS_OF_A_THREAD).map(|world| random_action(world, step)).collect())
        .collect()
}

/// Measures steps of the worlds alone, in world steps per second.
fn measure_worlds(context: &BenchContext, kind: Kind) -> Measurement {
    let stream = Stream::new(0, 0);
    let actions = random_actions(kind, stream);
    let mut worlds_of_threads: Vec<Box<dyn AnyWorlds>> = (0..context.threads as u64)
        .map(|thread| kind.worlds(thread * WORLDS_OF_A_THREAD..(thread + 1) * WORLDS_OF_A_THREAD, stream))
        .collect();
    let sample = measure_one(context.clock, &mut |iterations| {
        context.pool.for_each_state(&mut worlds_of_threads, |worlds| {
            for actions in actions.iter().cycle().take(iterations as usize) {
                worlds.step(black_box(actions));
                black_box((worlds.rewards(), worlds.ended()));
            }
        });
    });
    Measurement::without_comparison(sample.scaled(WORLDS_OF_A_THREAD as f64 * context.threads as f64))
}

/// Measures training with these settings, in world steps per second. Evaluations are off.
fn ppo(context: &BenchContext, settings: &Value) -> Measurement {
    let mut settings = settings.clone();
    settings["eval_every"] = json!(0);
    let seed = 0;
    let mut session = Session::start(Entry::of::<Control>(), &settings, seed)
        .expect("the settings are within their ranges");
    context.pool.run(|| session.advance_unit());
    // The first unit is the warm-up. It also shows how many world steps a unit (training iteration) has.
    let steps_per_unit = session.work() as f64;
    let sample = measure_one(context.clock, &mut |iterations| {
        context.pool.run(|| {
            for _ in 0..iterations {
                session.advance_unit();
            }
        });
    });
    Measurement::without_comparison(sample.scaled(steps_per_unit))
}

/// The settings with which other implementations were measured. Tests of the benches, which measure nothing,
/// train with a sixteenth of the steps.
fn reference_settings() -> Value {
    let horizon = if cfg!(test) { 8 } else { 128 };
    json!({"worlds": 2048, "horizon": horizon, "epochs": 4, "minibatches": 4, "eval_every": 0})
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
    const TIMEOUT_SECONDS: f64 = 10.0;
    let config: ControlConfig =
        serde_json::from_value(with_defaults(reference_settings())).expect("valid settings");
    let steps = f64::from(config.worlds) * f64::from(config.horizon);
    let worlds_step = seconds_of_worlds_step(context, &config);
    let mut cx = Context { config: &config, seed: 0, unit: 0 };
    let mut lab = Control::new(cx).expect("valid settings");
    // Warm-up.
    time_iteration(context, &mut lab, cx, worlds_step);
    let begin = (context.clock)();
    let mut iterations = Vec::with_capacity(ITERATIONS);
    while iterations.is_empty()
        || (iterations.len() < ITERATIONS && (context.clock)() - begin < TIMEOUT_SECONDS)
    {
        cx.unit += 1;
        iterations.push(time_iteration(context, &mut lab, cx, worlds_step));
    }
    let median_of =
        |seconds: &dyn Fn(&Parts) -> f64| Sample::from_values(iterations.iter().map(seconds).collect());
    let all = median_of(&|p| p.worlds + p.forward + p.advantages + p.update);
    // The factor from seconds per iteration to nanoseconds per world step.
    let to_nanoseconds_per_step = 1e9 / steps;
    let sample = median_of(&|p| part(p)).scaled(to_nanoseconds_per_step);
    Measurement { sample, upper_bound: Some(all.scaled(to_nanoseconds_per_step).rate), peer: None }
}

/// Seconds of a step of all worlds without the networks, in chunks of the same size as in training.
fn seconds_of_worlds_step(context: &BenchContext, config: &ControlConfig) -> f64 {
    /// Worlds in a chunk.
    const CHUNK: u64 = 32;
    let mut chunks: Vec<Box<dyn AnyWorlds>> = (0..u64::from(config.worlds) / CHUNK)
        .map(|i| Kind::CartPole.worlds(i * CHUNK..(i + 1) * CHUNK, Stream::new(0, 0)))
        .collect();
    // CartPole's two actions in turn.
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
/// A step of collecting is one step of all worlds with its forward passes. The time of the worlds alone was
/// measured before (`worlds_step`, in seconds) and is subtracted. The last step of collecting also computes
/// the advantages: they take what the last step takes beyond the mean of the others.
fn time_iteration(
    context: &BenchContext,
    lab: &mut Control,
    cx: Context<ControlConfig>,
    worlds_step: f64,
) -> Parts {
    let (mut collecting_steps, mut update) = (Vec::new(), 0.0);
    loop {
        let is_learning = lab.phase() == Phase::Learning;
        let begin = (context.clock)();
        let status = context.pool.run(|| lab.step(cx));
        let seconds = (context.clock)() - begin;
        if is_learning {
            update += seconds;
        } else {
            collecting_steps.push(seconds);
        }
        if status == Status::UnitFinished {
            break;
        }
    }
    let last = collecting_steps.pop().unwrap_or(0.0);
    let others: f64 = collecting_steps.iter().sum();
    let mean = others / collecting_steps.len().max(1) as f64;
    // The last step was popped.
    let worlds = worlds_step * (collecting_steps.len() + 1) as f64;
    // In place of the last step, a mean one without the advantages. Disturbances can make differences
    // negative.
    Parts { worlds, forward: (others + mean - worlds).max(0.0), advantages: (last - mean).max(0.0), update }
}

/// Completes settings with the defaults.
fn with_defaults(settings: Value) -> Value {
    let mut completed = serde_json::to_value(ControlConfig::default()).expect("settings are a table");
    for (name, value) in settings.as_object().into_iter().flatten() {
        completed[name] = value.clone();
    }
    completed
}

/// Measures the seconds until the preset `name` reaches its goal.
fn time_to_solve(context: &BenchContext, name: &str) -> Measurement {
    const SEEDS: u32 = 10;
    /// Seconds after which a run is stopped.
    const TIMEOUT_SECONDS: f64 = 60.0;
    time_to_goal(context, Entry::of::<Control>(), name, SEEDS, TIMEOUT_SECONDS)
}
