//! What several tests need.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use learnery_kernels::rng::Stream;
use learnery_kernels::simd::{Isa, force_isa};
use learnery_world_rules::{Episode, Moment, Outcome, World, Worlds, render};

/// A file of this crate.
pub fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Files of a folder with this extension, sorted.
pub fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(path(folder)).expect("the folder can be listed");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == extension));
    files.sort();
    assert!(!files.is_empty(), "{folder} has no .{extension}");
    files
}

pub fn compile(text: &str) -> Arc<World> {
    match World::compile(text) {
        Ok(world) => Arc::new(world),
        Err(errors) => panic!("{}\n{text}", render(text, &errors)),
    }
}

/// A world of the folder `examples`.
pub fn example(name: &str) -> Arc<World> {
    let text = fs::read_to_string(path("examples").join(name).with_extension("world"));
    compile(&text.expect("an example can be read"))
}

/// Runs `f` with every instruction set of this machine, so in both classes of bits.
pub fn with_every_isa(mut f: impl FnMut(Isa)) {
    for isa in Isa::available() {
        force_isa(Some(isa));
        f(isa);
        force_isa(None);
    }
}

/// Whether both have the same bits; all that is no number is the same.
pub fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

pub fn assert_same(a: &[f32], b: &[f32], what: &str) {
    assert!(a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(*a, *b)), "{what}: {a:?} and {b:?}");
}

/// Steps `count` worlds by vector code and by the reference, side by side, with random actions.
pub fn compare_with_reference(world: &Arc<World>, parameters: &[f32], count: u64, steps: u32, seed: u32) {
    let (stream, random) = (Stream::new(seed, 1), Stream::new(seed, 2));
    // The high word of an index is not zero.
    let first = 1 << 33;
    let mut batch = Worlds::new(world.clone(), parameters, first..first + count, stream);
    let numbers = world.spec().actions.count();
    let width = world.spec().observations.len();
    let begin = |i: u64, episode| {
        Episode::begin(world, parameters, Moment { stream, world: first + i, episode, step: 0 })
    };
    let mut singles: Vec<_> = (0..count).map(|i| (begin(i, 0), 0)).collect();
    let mut seen = vec![0.0; count as usize * width];
    let mut state = vec![0.0; world.spec().state.len()];
    for t in 0..steps {
        batch.observe(&mut seen);
        for (i, (single, _)) in singles.iter().enumerate() {
            batch.state(i, &mut state);
            assert_same(&state, &single.last().state, "state");
            assert_same(&seen[i * width..(i + 1) * width], &single.last().observation, "observation");
        }
        let actions: Vec<f32> =
            (0..count).flat_map(|i| world.spec().actions.random(&random, i, u64::from(t))).collect();
        batch.step(&actions);
        let mut ended = batch.ended().iter().enumerate();
        for (i, (single, episode)) in singles.iter_mut().enumerate() {
            let stepped = single.step(actions[i * numbers..(i + 1) * numbers].to_vec());
            let (reward, fault) = (stepped.reward, &stepped.fault);
            assert!(same(batch.reward(i), reward), "{} {reward}", batch.reward(i));
            assert_eq!(batch.outcome(i), stepped.outcome, "world {i}, step {t}, fault {fault:?}");
            if stepped.outcome == Outcome::Running {
                continue;
            }
            let (k, index) = ended.next().expect("an ended world");
            assert_eq!(*index as usize, i);
            assert_eq!(batch.episode_lengths()[k], stepped.number);
            assert_same(batch.final_state(k), &stepped.state, "final state");
            assert_same(batch.final_observation(k), &stepped.observation, "final observation");
            assert_eq!(batch.fault(k), *fault);
            *episode += 1;
            *single = begin(i as u64, *episode);
        }
        assert!(ended.next().is_none(), "more worlds ended than in the reference");
    }
}
