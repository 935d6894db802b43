//! Worlds of classic control alone, and the control lab as a whole.

use std::hint::black_box;

use learnery_kernels::rng::Stream;
use learnery_lab::{Context, Entry, Lab, Session, Status};
use learnery_worlds::control::{Actions, AnyWorlds, Kind};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::measure::{Sample, measure_one};
use super::solve::solve;
use super::{Bench, Machine, Outcome};
use learnery_control::{Control, ControlConfig, Phase};

const STEPS: &str = "world steps/s";

/// The rules without a learner.
pub const RAW: [Bench; 4] = [
    raw_bench("control/raw/cartpole", |machine| raw(machine, Kind::CartPole)),
    raw_bench("control/raw/mountaincar", |machine| raw(machine, Kind::MountainCar)),
    raw_bench("control/raw/pendulum", |machine| raw(machine, Kind::Pendulum)),
    raw_bench("control/raw/acrobot", |machine| raw(machine, Kind::Acrobot)),
];

const fn raw_bench(name: &'static str, run: fn(&Machine) -> Outcome) -> Bench {
    let about =
        "the rules alone, 4,096 worlds on each thread, starting anew as they end, actions drawn before";
    Bench { name, unit: STEPS, about, run }
}

/// Training in the shape that others are measured in.
pub const PPO: Bench = Bench {
    name: "control/ppo/cartpole",
    unit: STEPS,
    about: "PPO: 2,048 worlds of 128 steps, 4 epochs of 4 minibatches, two 64x64 tanh networks",
    run: |machine| ppo(machine, &usual()),
};

/// What a training step of that is made of.
pub const SPLIT: [Bench; 4] = [
    split_bench("control/split/worlds", "moving the worlds", |machine| split(machine, |parts| parts.worlds)),
    split_bench("control/split/forward", "both networks, and drawing actions", |machine| {
        split(machine, |parts| parts.forward)
    }),
    split_bench("control/split/advantages", "advantages and returns", |machine| {
        split(machine, |parts| parts.advantages)
    }),
    split_bench("control/split/update", "forward, loss, backward and Adam, 4 epochs", |machine| {
        split(machine, |parts| parts.update)
    }),
];

const fn split_bench(name: &'static str, about: &'static str, run: fn(&Machine) -> Outcome) -> Bench {
    Bench { name, unit: "ns/step", about, run }
}

/// Training as fast as still solves.
pub const PPO_FAST: Bench = Bench {
    name: "control/ppo-fast/cartpole",
    unit: STEPS,
    about: "PPO with the preset `fast`",
    run: |machine| ppo(machine, &preset("fast")),
};

/// From nothing to the goal.
pub const SOLVE: [Bench; 4] = [
    solve_bench("control/solve/cartpole", |machine| control_solve(machine, "sprint")),
    solve_bench("control/solve/mountaincar", |machine| control_solve(machine, "mountaincar")),
    solve_bench("control/solve/pendulum", |machine| control_solve(machine, "pendulum")),
    solve_bench("control/solve/acrobot", |machine| control_solve(machine, "acrobot")),
];

const fn solve_bench(name: &'static str, run: fn(&Machine) -> Outcome) -> Bench {
    Bench {
        name,
        unit: "s",
        about: "from an untrained network to the goal, evaluations included: median of ten seeds",
        run,
    }
}

fn raw(machine: &Machine, kind: Kind) -> Outcome {
    /// Worlds of a thread: a few hundred kilobytes of state, as in training.
    const WORLDS: u64 = 4096;
    /// Steps before the actions repeat: few, because reading them is not what is measured.
    const STEPS: u64 = 16;
    let stream = Stream::new(0, 0);
    let draw = |world, step| match kind.spec().actions {
        Actions::Discrete(n) => stream.below(world, step, n as u32) as f32,
        Actions::Continuous { low, high } => low + stream.uniform(world, step) * (high - low),
    };
    let actions: Vec<Vec<f32>> =
        (0..STEPS).map(|step| (0..WORLDS).map(|world| draw(world, step)).collect()).collect();
    let mut states: Vec<Box<dyn AnyWorlds>> = (0..machine.threads as u64)
        .map(|thread| kind.worlds(thread * WORLDS..(thread + 1) * WORLDS, stream))
        .collect();
    let sample = measure_one(machine.clock, &mut |turns| {
        machine.pool.on_each(&mut states, |worlds| {
            for actions in actions.iter().cycle().take(turns as usize) {
                worlds.step(black_box(actions));
                black_box((worlds.rewards(), worlds.ended()));
            }
        });
    });
    Outcome { sample: sample.scaled(WORLDS as f64 * machine.threads as f64), limit: None, peer: None }
}

fn ppo(machine: &Machine, settings: &Value) -> Outcome {
    let mut settings = settings.clone();
    settings["eval_every"] = json!(0);
    let mut session =
        Session::start(Entry::of::<Control>(), &settings, 0).expect("the settings are within their ranges");
    machine.pool.run(|| session.advance_unit());
    let per_unit = session.work() as f64;
    let sample = measure_one(machine.clock, &mut |turns| {
        machine.pool.run(|| {
            for _ in 0..turns {
                session.advance_unit();
            }
        });
    });
    Outcome { sample: sample.scaled(per_unit), limit: None, peer: None }
}

/// The settings that others are measured with.
fn usual() -> Value {
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

/// Nanoseconds that a part takes for each world step; the limit is what all of them take.
fn split(machine: &Machine, part: fn(&Parts) -> f64) -> Outcome {
    const ITERATIONS: usize = 5;
    /// On a slow machine fewer have to do.
    const LONGEST: f64 = 10.0;
    let config: ControlConfig = serde_json::from_value(with_defaults(usual())).expect("good settings");
    let steps = f64::from(config.worlds) * f64::from(config.horizon);
    let worlds = worlds_alone(machine, &config);
    let mut cx = Context { config: &config, seed: 0, unit: 0 };
    let mut lab = Control::new(cx).expect("good settings");
    // To warm up.
    iteration(machine, &mut lab, cx, worlds);
    let begin = (machine.clock)();
    let mut iterations = Vec::with_capacity(ITERATIONS);
    while iterations.is_empty() || (iterations.len() < ITERATIONS && (machine.clock)() - begin < LONGEST) {
        cx.unit += 1;
        iterations.push(iteration(machine, &mut lab, cx, worlds));
    }
    let middle = |f: &dyn Fn(&Parts) -> f64| Sample::middle(iterations.iter().map(f).collect());
    let all = middle(&|p| p.worlds + p.forward + p.advantages + p.update);
    let nanoseconds = 1e9 / steps;
    let sample = middle(&|p| part(p)).scaled(nanoseconds);
    Outcome { sample, limit: Some(all.scaled(nanoseconds).rate), peer: None }
}

/// Seconds in which all worlds take a step, by themselves and in the chunks in which they are learned from.
fn worlds_alone(machine: &Machine, config: &ControlConfig) -> f64 {
    const CHUNK: u64 = 32;
    let mut chunks: Vec<Box<dyn AnyWorlds>> = (0..u64::from(config.worlds) / CHUNK)
        .map(|i| Kind::CartPole.worlds(i * CHUNK..(i + 1) * CHUNK, Stream::new(0, 0)))
        .collect();
    let actions: Vec<f32> = (0..CHUNK).map(|i| (i % 2) as f32).collect();
    let sample = measure_one(machine.clock, &mut |turns| {
        machine.pool.run(|| {
            for _ in 0..turns {
                chunks.par_iter_mut().for_each(|worlds| worlds.step(black_box(&actions)));
            }
        });
    });
    1.0 / sample.rate
}

/// An iteration, timed step by step.
fn iteration(machine: &Machine, lab: &mut Control, cx: Context<ControlConfig>, worlds_step: f64) -> Parts {
    let (mut acting, mut update) = (Vec::new(), 0.0);
    loop {
        let learning = lab.phase() == Phase::Learning;
        let begin = (machine.clock)();
        let status = machine.pool.run(|| lab.step(cx));
        let seconds = (machine.clock)() - begin;
        if learning {
            update += seconds;
        } else {
            acting.push(seconds);
        }
        if status == Status::Unit {
            break;
        }
    }
    // The last step of acting computes the advantages of the whole rollout too.
    let last = acting.pop().unwrap_or(0.0);
    let all: f64 = acting.iter().sum();
    let usual = all / acting.len().max(1) as f64;
    let worlds = worlds_step * (acting.len() + 1) as f64;
    Parts { worlds, forward: (all + usual - worlds).max(0.0), advantages: (last - usual).max(0.0), update }
}

/// Settings with everything that they do not say.
fn with_defaults(settings: Value) -> Value {
    let mut whole = serde_json::to_value(ControlConfig::default()).expect("settings are a table");
    for (name, value) in settings.as_object().into_iter().flatten() {
        whole[name] = value.clone();
    }
    whole
}

fn control_solve(machine: &Machine, name: &str) -> Outcome {
    solve(machine, Entry::of::<Control>(), name, 10, 60.0)
}

/// The settings of a preset.
fn preset(name: &str) -> Value {
    let presets = Entry::of::<Control>().about.presets;
    let preset = presets.iter().find(|preset| preset.name == name).expect("the preset is there");
    serde_json::from_str(preset.settings).expect("presets are tables")
}
