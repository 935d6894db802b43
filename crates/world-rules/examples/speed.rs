//! Measures steps per second of the four worlds of classic control, as texts and as built-in worlds, on one
//! thread: `cargo run --release -p learnery-world-rules --example speed`.

use std::sync::Arc;
use std::time::Instant;

use learnery_kernels::rng::Stream;
use learnery_world_rules::{World, Worlds};
use learnery_worlds::control::Kind;

const COUNT: usize = 1024;

/// Steps of a run.
const ROUNDS: usize = 200;

/// Random actions of this many steps are used in turn.
const ACTIONS: usize = 64;

/// The most steps per second of some runs.
fn measure(mut step: impl FnMut(usize)) -> f64 {
    let mut best: f64 = 0.0;
    for _ in 0..15 {
        let start = Instant::now();
        for round in 0..ROUNDS {
            step(round % ACTIONS);
        }
        best = best.max(ROUNDS as f64 * COUNT as f64 / start.elapsed().as_secs_f64());
    }
    best / 1e6
}

#[allow(clippy::print_stdout)] // It prints what it measures.
fn main() {
    let stream = Stream::new(1, 1);
    let texts = [
        ("CartPole", Kind::CartPole, include_str!("cartpole.world")),
        ("MountainCar", Kind::MountainCar, include_str!("mountain_car.world")),
        ("Pendulum", Kind::Pendulum, include_str!("pendulum.world")),
        ("Acrobot", Kind::Acrobot, include_str!("acrobot.world")),
    ];
    println!("million steps/s, {}", learnery_kernels::isa::name());
    for (name, kind, text) in texts {
        let action = |i: usize, step: u64| stream.below(i as u64, step, 2) as f32;
        let actions: Vec<Vec<f32>> =
            (0..ACTIONS as u64).map(|step| (0..COUNT).map(|i| action(i, step)).collect()).collect();
        let mut fixed = kind.worlds(0..COUNT as u64, stream);
        let fixed = measure(|i| fixed.step(&actions[i]));
        let start = Instant::now();
        let mut compiled = None;
        for _ in 0..20 {
            compiled = World::compile(text).ok();
        }
        let milliseconds = start.elapsed().as_secs_f64() * 1e3 / 20.0;
        let world = Arc::new(compiled.expect("the example compiles"));
        let mut ours = Worlds::new(world.clone(), &world.parameters(), 0..COUNT as u64, stream);
        let ours = measure(|i| ours.step(&actions[i]));
        println!(
            "{name:12} built-in {fixed:6.0}, text {ours:6.0} ({:.2}); {} operations, {} instructions, \
             compiled in {milliseconds:.2} ms",
            ours / fixed,
            world.operations(),
            world.instructions()
        );
    }
}
