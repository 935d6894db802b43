//! CartPole alone, and the control lab as a whole.

use std::hint::black_box;

use learnery_kernels::rng::Stream;
use learnery_lab::{Entry, Session};
use learnery_worlds::control::CartPoles;
use serde_json::json;

use super::measure::measure_one;
use super::{Bench, Machine, Outcome};
use crate::control::Control;

/// The rules without a learner.
pub const RAW: Bench = Bench {
    name: "control/raw/cartpole",
    unit: "world steps/s",
    about: "the rules alone, 4,096 worlds on each thread, actions drawn before",
    run: raw,
};

/// Training as it is shown and run.
pub const PPO: Bench = Bench {
    name: "control/ppo/cartpole",
    unit: "world steps/s",
    about: "PPO with the standard settings, examinations left out",
    run: ppo,
};

fn raw(machine: &Machine) -> Outcome {
    /// Worlds of a thread: a few hundred kilobytes of state, as in training.
    const WORLDS: u64 = 4096;
    /// Steps before the actions repeat.
    const STEPS: u64 = 64;
    let stream = Stream::new(0, 0);
    let draw = |step| (0..WORLDS).map(|world| stream.below(world, step, 2) as u8).collect();
    let actions: Vec<Vec<u8>> = (0..STEPS).map(draw).collect();
    let mut states: Vec<CartPoles> = (0..machine.threads as u64)
        .map(|thread| CartPoles::new(thread * WORLDS..(thread + 1) * WORLDS, stream))
        .collect();
    let sample = measure_one(machine.clock, &mut |turns| {
        machine.pool.on_each(&mut states, |worlds| {
            for actions in actions.iter().cycle().take(turns as usize) {
                worlds.step(black_box(actions), |_, length| {
                    black_box(length);
                });
            }
        });
    });
    Outcome { sample: sample.scaled(WORLDS as f64 * machine.threads as f64), limit: None, peer: None }
}

fn ppo(machine: &Machine) -> Outcome {
    let settings = json!({ "eval_every": 0 });
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
