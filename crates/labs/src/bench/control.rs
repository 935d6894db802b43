//! Worlds of classic control alone, and the control lab as a whole.

use std::hint::black_box;

use learnery_kernels::rng::Stream;
use learnery_lab::{Entry, Session};
use learnery_worlds::control::{Actions, AnyWorlds, Kind};
use serde_json::{Value, json};

use super::measure::{Sample, measure_one};
use super::{Bench, Machine, Outcome};
use crate::control::Control;

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
    run: |machine| ppo(machine, &json!({"worlds": 2048, "horizon": 128, "epochs": 4, "minibatches": 4})),
};

/// Training as fast as still solves.
pub const PPO_FAST: Bench = Bench {
    name: "control/ppo-fast/cartpole",
    unit: STEPS,
    about: "PPO with the preset `fast`",
    run: |machine| ppo(machine, &preset("fast")),
};

/// From nothing to the goal.
pub const SOLVE: [Bench; 4] = [
    solve_bench("control/solve/cartpole", |machine| solve(machine, "sprint")),
    solve_bench("control/solve/mountaincar", |machine| solve(machine, "mountaincar")),
    solve_bench("control/solve/pendulum", |machine| solve(machine, "pendulum")),
    solve_bench("control/solve/acrobot", |machine| solve(machine, "acrobot")),
];

const fn solve_bench(name: &'static str, run: fn(&Machine) -> Outcome) -> Bench {
    Bench {
        name,
        unit: "s",
        about: "from a fresh agent to the goal, examinations included: median of ten seeds",
        run,
    }
}

fn raw(machine: &Machine, kind: Kind) -> Outcome {
    /// Worlds of a thread: a few hundred kilobytes of state, as in training.
    const WORLDS: u64 = 4096;
    /// Steps before the actions repeat.
    const STEPS: u64 = 64;
    let stream = Stream::new(0, 0);
    let draw = |world, step| match kind.about().actions {
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

fn solve(machine: &Machine, name: &str) -> Outcome {
    const SEEDS: u32 = 10;
    /// A run that takes so many seconds counts as that.
    const LONGEST: f64 = 60.0;
    let settings = preset(name);
    let seconds = (0..SEEDS).map(|seed| {
        let begin = (machine.clock)();
        let mut session = Session::start(Entry::of::<Control>(), &settings, seed)
            .expect("the settings are within their ranges");
        while session.solved_at().is_none() && (machine.clock)() - begin < LONGEST {
            machine.pool.run(|| session.advance_unit());
        }
        (machine.clock)() - begin
    });
    Outcome { sample: Sample::middle(seconds.collect()), limit: None, peer: None }
}

/// The settings of a preset.
fn preset(name: &str) -> Value {
    let presets = Entry::of::<Control>().about.presets;
    let preset = presets.iter().find(|preset| preset.name == name).expect("the preset is there");
    serde_json::from_str(preset.settings).expect("presets are tables")
}
