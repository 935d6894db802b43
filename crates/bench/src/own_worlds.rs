//! Worlds that are written as a text. Steps alone and training are measured in turns with the same world in
//! Rust (the peer). The time from a text to vector code is measured alone.

use std::hint::black_box;
use std::sync::Arc;

use learnery_control::Control;
use learnery_kernels::rng::Stream;
use learnery_lab::{Entry, Session};
use learnery_world_rules::{World, Worlds};
use learnery_worlds::control::{AnyWorlds, Kind};
use serde_json::{Value, json};

use super::control::{STEPS_PER_SECOND, WORLDS_OF_A_THREAD, random_actions};
use super::measure::{Sample, measure, measure_one};
use super::{Bench, BenchContext, Measurement};

/// The text of a world of classic control, from the examples of `learnery_world_rules`.
macro_rules! example {
    ($name:literal) => {
        include_str!(concat!("../../world-rules/examples/", $name, ".world"))
    };
}

/// The name of the peer in reports.
const BUILT_IN: &str = "the world in Rust";

pub const STEPS: [Bench; 4] = [
    steps_bench("control/text/cartpole", |context| steps(context, Kind::CartPole, example!("cartpole"))),
    steps_bench("control/text/mountaincar", |context| {
        steps(context, Kind::MountainCar, example!("mountain_car"))
    }),
    steps_bench("control/text/pendulum", |context| steps(context, Kind::Pendulum, example!("pendulum"))),
    steps_bench("control/text/acrobot", |context| steps(context, Kind::Acrobot, example!("acrobot"))),
];

const fn steps_bench(name: &'static str, run: fn(&BenchContext) -> Measurement) -> Bench {
    let about = "the rules of a text alone, as control/raw measures them; the peer is the world in Rust";
    Bench { name, unit: STEPS_PER_SECOND, about, run }
}

/// Training on a text with the fastest settings.
pub const PPO_FAST: Bench = Bench {
    name: "control/ppo-fast/cartpole-text",
    unit: STEPS_PER_SECOND,
    about: "PPO with the preset `fast` on the text of CartPole; the peer is CartPole in Rust",
    run: training,
};

/// The text that takes longest to compile of the four.
pub const COMPILE: Bench = Bench {
    name: "control/compile/acrobot",
    unit: "texts/s",
    about: "from the text of Acrobot to vector code: parser, checker, simplified graph, registers",
    run: |context| {
        let sample = measure_one(context.clock, &mut |iterations| {
            for _ in 0..iterations {
                let world = World::compile(black_box(example!("acrobot")));
                black_box(world).expect("the example is a world");
            }
        });
        Measurement::without_comparison(sample)
    },
};

/// Measures steps of the text and of the built-in world, with the same numbers of worlds and the same kind of
/// actions.
fn steps(context: &BenchContext, kind: Kind, text: &str) -> Measurement {
    let stream = Stream::new(0, 0);
    let actions = random_actions(kind, stream);
    let ranges = (0..context.threads as u64).map(|i| i * WORLDS_OF_A_THREAD..(i + 1) * WORLDS_OF_A_THREAD);
    let mut built_in: Vec<Box<dyn AnyWorlds>> =
        ranges.clone().map(|range| kind.worlds(range, stream)).collect();
    let world = Arc::new(World::compile(text).expect("the example is a world"));
    let mut texts: Vec<Worlds> =
        ranges.map(|range| Worlds::new(world.clone(), &world.parameters(), range, stream)).collect();

    let mut step_texts = |iterations: u64| {
        context.pool.for_each_state(&mut texts, |worlds| {
            for actions in actions.iter().cycle().take(iterations as usize) {
                worlds.step(black_box(actions));
                black_box(worlds.ended());
            }
        });
    };
    let mut step_built_in = |iterations: u64| {
        context.pool.for_each_state(&mut built_in, |worlds| {
            for actions in actions.iter().cycle().take(iterations as usize) {
                worlds.step(black_box(actions));
                black_box((worlds.rewards(), worlds.ended()));
            }
        });
    };
    let samples = measure(context.clock, &mut [&mut step_texts, &mut step_built_in]);
    let steps = WORLDS_OF_A_THREAD as f64 * context.threads as f64;
    beside_built_in(samples[0].scaled(steps), samples[1].scaled(steps))
}

/// Measures training on the text of CartPole and on CartPole in Rust, without evaluations.
fn training(context: &BenchContext) -> Measurement {
    let mut settings = Entry::of::<Control>().preset("fast").expect("the preset is there");
    settings["eval_every"] = json!(0);
    let mut built_in = start(context, &settings, None);
    settings["world"] = json!("own");
    let command = json!({ "type": "world", "name": "cartpole.world", "text": example!("cartpole") });
    let mut text = start(context, &settings, Some(command));
    // Both have as many worlds and steps in an iteration.
    let steps_per_unit = text.work() as f64;

    let advance = |session: &mut Session, iterations| {
        context.pool.run(|| {
            for _ in 0..iterations {
                session.advance_unit();
            }
        });
    };
    let mut train_text = |iterations: u64| advance(&mut text, iterations);
    let mut train_built_in = |iterations: u64| advance(&mut built_in, iterations);
    let samples = measure(context.clock, &mut [&mut train_text, &mut train_built_in]);
    beside_built_in(samples[0].scaled(steps_per_unit), samples[1].scaled(steps_per_unit))
}

/// Starts a run with a world of its own, if there is a command for it, and trains its first iteration, the
/// warm-up.
fn start(context: &BenchContext, settings: &Value, command: Option<Value>) -> Session {
    let seed = 0;
    let mut session =
        Session::start(Entry::of::<Control>(), settings, seed).expect("the settings are within their ranges");
    if let Some(command) = command {
        session.apply(command).expect("the example is a world");
    }
    context.pool.run(|| session.advance_unit());
    session
}

/// The rate of a text, with that of the world in Rust as its peer.
fn beside_built_in(text: Sample, built_in: Sample) -> Measurement {
    Measurement { sample: text, upper_bound: None, peer: Some((BUILT_IN, built_in)) }
}
