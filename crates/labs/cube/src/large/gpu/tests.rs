//! The guide on the GPU beside the network on the CPU. Without an adapter the tests are skipped, with a
//! visible line, except where the environment variable `CI` is set.

use learnery_gpu::GpuError;
use learnery_gpu::testing::device;
use learnery_kernels::rng::Stream;

use super::*;
use crate::beam::{Beam, Guide as _, Limits, Outcome, Packed, RemoteGuide as _};
use crate::config::{CubeConfig, Method, PuzzleName, TurnMetric};
use crate::large::stage::Stage;
use crate::large::{AnytimeSearch, Variant, puzzle};
use crate::view::CubeCommand;

/// Networks with each kind of outputs, in both metrics, with large random weights, so that every input
/// matters.
fn networks() -> Vec<Network> {
    let config = |learner, metric| CubeConfig {
        puzzle: PuzzleName::Three,
        learner,
        metric,
        hidden_1: 24,
        hidden_2: 16,
        ..CubeConfig::default()
    };
    let mut networks = Vec::new();
    for (learner, metric) in [
        (Method::Cayleypy, TurnMetric::Quarter),
        (Method::Davi, TurnMetric::Half),
        (Method::Efficientcube, TurnMetric::Half),
    ] {
        let mut network = Network::new(&config(learner, metric), puzzle(), Stream::new(3, 1));
        network.weights.update(|weights| weights.iter_mut().for_each(|weight| *weight *= 3.0));
        networks.push(network);
    }
    let distilled = config(Method::Cayleypy, TurnMetric::Quarter);
    let mut network = networks[0].with_distances_after_turns(&distilled);
    let noise = Stream::new(4, 4);
    network.weights.update(|weights| {
        (0..).zip(weights).for_each(|(i, weight)| *weight += 0.1 * (noise.uniform(i, 0) - 0.5));
    });
    networks.push(network);
    networks
}

fn ask(guide: &mut DeviceGuide, states: &[Packed]) -> Vec<f32> {
    guide.submit(states);
    guide.wait();
    loop {
        if let Some(scores) = guide.poll().expect("the device answers") {
            return scores;
        }
    }
}

#[test]
fn scores_are_those_of_the_cpu_whatever_the_batch() {
    let Some(gpu) = device() else { return };
    let states: Vec<State> = (0..200).map(|i| puzzle().random_state(Stream::new(8, 8), i)).collect();
    let packed: Vec<Packed> = states.iter().map(Packed::new).collect();
    for network in networks() {
        let mut guide = DeviceGuide::new(gpu, &network).expect("the network fits");
        let mut expected = vec![0.0; states.len() * network.turns()];
        network.score(&states, &mut network.scratch(), &mut expected);
        let found = ask(&mut guide, &packed);
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-4, "{:?}: {found}, not {expected}", network.outputs());
        }
        // Batches of 150 and 50 states. The second one takes the plan for at most 64 states. The bits are the
        // same.
        let parts = packed.chunks(150).flat_map(|part| ask(&mut guide, part)).collect::<Vec<_>>();
        assert!(parts == found, "{:?}: the bits depend on the batch", network.outputs());
    }
}

/// Searches keep as many states at each depth, with the same scores up to rounding, and find the same
/// solutions.
#[test]
fn searches_are_those_of_the_cpu() {
    let Some(gpu) = device() else { return };
    for network in networks() {
        let mut guide = DeviceGuide::new(gpu, &network).expect("the network fits");
        let mut solved = 0;
        for (index, length) in [(0, 2), (1, 4), (2, 30)] {
            let mut start = puzzle().solved();
            puzzle().walk(network.turns(), Stream::new(5, 5), index, length, |_, state| start = *state);
            let limits = Limits { turns: network.turns(), width: 40, max_depth: 8 };
            let mut on_cpu = Beam::new(puzzle(), &start, limits);
            on_cpu.run(&network);
            let mut on_device: Beam<()> = Beam::new(puzzle(), &start, limits);
            while *on_device.outcome() == Outcome::Searching {
                if !on_device.step_remotely(&mut guide).expect("the device answers") {
                    guide.wait();
                }
            }
            assert_eq!(on_device.outcome(), on_cpu.outcome(), "{:?}", network.outputs());
            solved += usize::from(matches!(on_cpu.outcome(), Outcome::Solved(_)));
            assert_eq!(on_device.layers().count(), on_cpu.layers().count());
            for (found, expected) in on_device.layers().zip(on_cpu.layers()).skip(1) {
                assert_eq!(found.states, expected.states);
                for (found, expected) in [(found.best, expected.best), (found.worst, expected.worst)] {
                    let is_same = found == expected || (found - expected).abs() < 1e-3;
                    assert!(is_same, "{:?}: {found}, not {expected}", network.outputs());
                }
            }
        }
        assert!(solved >= 1, "{:?}: nothing was solved", network.outputs());
    }
}

/// Several searches in a row, until the widest beam.
#[test]
fn searches_for_shorter_solutions_are_those_of_the_cpu() -> Result<(), GpuError> {
    let Some(gpu) = device() else { return Ok(()) };
    // The distilled one.
    let network = &networks()[3];
    let mut guide = DeviceGuide::new(gpu, network)?;
    let mut start = puzzle().solved();
    puzzle().walk(12, Stream::new(5, 6), 1, 4, |_, state| start = *state);
    let variants: Vec<Variant> = AnytimeSearch::all_variants(puzzle())[..3].to_vec();
    let new = || AnytimeSearch::new(network, &start, [4, 256], variants.clone(), TurnMetric::Quarter);
    let [mut on_cpu, mut on_device] = [new(), new()];
    while !on_cpu.is_done() {
        on_cpu.step(network);
    }
    while !on_device.is_done() {
        if !on_device.step_remotely(&mut guide)? {
            guide.wait();
        }
    }
    assert!(on_cpu.best().is_some());
    assert_eq!(on_device.best(), on_cpu.best());
    assert_eq!(on_device.searches(), on_cpu.searches());
    assert_eq!(on_device.expanded(), on_cpu.expanded());
    Ok(())
}

/// The stage finds a solution of a short scramble with the first search, which goes on with the network that
/// it began with.
#[test]
fn stage_solves_a_scramble_with_scores_of_the_device() {
    let Some(gpu) = device() else { return };
    let mut network = networks().remove(0);
    let mut stage = Stage::new(&network, TurnMetric::Quarter, Stream::new(7, 7));
    let make_guide = DeviceGuide::maker(gpu);
    for scramble in ["R U", "F D"] {
        let scrambled = puzzle().parse(scramble).expect("valid notation");
        let start = puzzle().after_all(&puzzle().solved(), &scrambled);
        let place = CubeCommand::Place { stickers: puzzle().to_text(&start) };
        stage.apply(&network, &place).expect("a reachable state");
        stage.apply(&network, &CubeCommand::Solve).expect("it begins to search");
        while stage.view(puzzle()).solution.is_empty() {
            stage.animate_on(&make_guide, &network).expect("the device answers");
            gpu.wait();
        }
        let view = stage.view(puzzle());
        assert!(view.searching, "it looks for shorter solutions");
        let turns = puzzle().parse(&view.solution.join(" ")).expect("valid notation");
        assert_eq!(turns.len(), scrambled.len());
        assert_eq!(puzzle().after_all(&start, &turns), puzzle().solved());
        // Another network for the next search.
        network.weights.update(|weights| weights.iter_mut().for_each(|weight| *weight *= -1.0));
    }
    stage.stop();
    assert!(!stage.view(puzzle()).searching);

    // A search that began on the CPU goes on there.
    let network = networks().remove(0);
    let mut stage = Stage::new(&network, TurnMetric::Quarter, Stream::new(7, 7));
    stage.apply(&network, &CubeCommand::Solve).expect("it begins to search");
    stage.animate(&network);
    let progress = |stage: &Stage| {
        let view = stage.view(puzzle());
        (view.searches, view.beam_states.0.len())
    };
    let before = progress(&stage);
    for _ in 0..20 {
        stage.animate_on(&make_guide, &network).expect("the device answers");
        gpu.wait();
    }
    assert!(progress(&stage) > before, "{before:?} is all that is done");
}
