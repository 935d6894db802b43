//! Worlds apart from training: single steps for the tests, and the rate of steps for the benchmark.

use crate::gpu::ppo::SOURCES;
use learnery_gpu::Gpu;
use learnery_gpu::GpuError;
use learnery_gpu::bench::min_seconds;
use learnery_gpu::shader::Constant;
use learnery_gpu::{Plan, PlanBuilder};
use learnery_kernels::product;

use super::World;

/// The workgroup size of the kernel `world_steps`.
const WORLDS_PER_WORKGROUP: usize = 64;
/// Words of a block of random numbers.
const WORDS_PER_BLOCK: usize = 4;

/// The result of a step of one world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stepped {
    pub state: [f32; 4],
    pub reward: f32,
    pub terminated: bool,
}

/// Steps each state with its action.
pub fn step_worlds(
    gpu: &Gpu,
    world: World,
    states: &[[f32; 4]],
    actions: &[f32],
) -> Result<Vec<Stepped>, GpuError> {
    let count = states.len();
    let buffers = [gpu.buffer(4 * count)?, gpu.buffer(2 * count)?, gpu.buffer(count)?];
    let [state, counter, result] = &buffers;
    gpu.write(state, 0, states.as_flattened());
    gpu.write(result, 0, actions);
    // Without random actions, the kernel needs `PER_WORD` only to compile.
    build_plan(gpu, world, [("RANDOM", 0), ("PER_WORD", 1)], count, 0, &buffers)?.submit_all();
    let states: Vec<[f32; 4]> = gpu.read(state, 0, 4 * count)?;
    let flags: Vec<[u32; 2]> = gpu.read(counter, 0, 2 * count)?;
    let rewards: Vec<f32> = gpu.read(result, 0, count)?;
    let rows = states.into_iter().zip(flags).zip(rewards);
    Ok(rows.map(|((state, [flag, _]), reward)| Stepped { state, reward, terminated: flag == 1 }).collect())
}

/// Steps per second of `worlds` worlds with random actions and automatic reset. A launch makes `steps` steps,
/// rounded up to whole blocks of random words.
pub fn step_rate(gpu: &Gpu, world: World, worlds: usize, steps: usize) -> Result<f64, GpuError> {
    // CartPole's two actions take one bit of a random word of 32 bits, the actions of other worlds eight.
    let actions_per_word = if world == World::CartPole { 32 } else { 4 };
    let blocks = steps.div_ceil(WORDS_PER_BLOCK * actions_per_word);
    let buffers = [gpu.buffer(4 * worlds)?, gpu.buffer(2 * worlds)?, gpu.buffer(worlds)?];
    let constants = [("RANDOM", 1), ("PER_WORD", actions_per_word as u32)];
    let plan = build_plan(gpu, world, constants, worlds, blocks, &buffers)?;
    Ok(product([worlds, blocks, WORDS_PER_BLOCK, actions_per_word]) / min_seconds(gpu, &plan))
}

fn build_plan(
    gpu: &Gpu,
    world: World,
    [random, actions_per_word]: [Constant; 2],
    worlds: usize,
    blocks: usize,
    buffers: &[learnery_gpu::Buffer; 3],
) -> Result<Plan, GpuError> {
    let mut plan = PlanBuilder::with_sources(gpu, SOURCES);
    let [states, counters, results] = buffers;
    let constants = [("WORLD", world.number()), random, actions_per_word];
    plan.dispatch_elements(
        "world_steps",
        &constants,
        &[worlds.into(), blocks.into()],
        &[states, counters, results],
        worlds,
        WORLDS_PER_WORKGROUP,
    );
    plan.build()
}
