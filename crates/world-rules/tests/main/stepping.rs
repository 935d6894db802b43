//! Batches compared with the reference: bits, faults, random numbers, and episodes that are restored or begun
//! from outside.

use std::sync::Arc;

use learnery_kernels::rng::Stream;
use learnery_world_rules::{Moment, Outcome, SiteKind, Worlds};

use crate::support::{compare_with_reference, compile, example, with_every_isa};

/// A world with the statements of `rules`.
fn world(rules: &str) -> Arc<learnery_world_rules::World> {
    compile(&format!("world \"test\"\naction push: left, right\n{rules}\n"))
}

#[test]
fn batches_of_any_size_give_the_bits_of_the_reference() {
    with_every_isa(|_| {
        for name in ["cartpole", "mountain_car", "pendulum", "acrobot"] {
            for count in [1, 16, 33, 65, 200] {
                let world = example(name);
                compare_with_reference(&world, &world.parameters(), count, 40, 5);
            }
        }
    });
}

#[test]
fn parameters_change_a_running_world() {
    let world = example("cartpole");
    let mut batch = Worlds::new(world.clone(), &[9.8, 10.0], 0..1, Stream::new(1, 1));
    let mut expected = batch.clone();
    batch.step(&[1.0]);
    expected.set_parameters(&[9.8, 20.0]);
    expected.step(&[1.0]);
    let (mut a, mut b) = ([0.0; 4], [0.0; 4]);
    batch.state(0, &mut a);
    expected.state(0, &mut b);
    assert!(b[1] > 1.5 * a[1], "{a:?} {b:?}");
}

#[test]
fn a_fault_ends_the_episode_and_names_the_line() {
    let world = world("state x = 3\nx' = x - 1\nlet y = 1 / x\nreward y\nlimit 100");
    let mut batch = Worlds::new(world, &[], 0..3, Stream::new(1, 1));
    for _ in 0..3 {
        batch.step(&[0.0; 3]);
        assert!(batch.ended().is_empty());
    }
    batch.step(&[0.0; 3]);
    assert_eq!(batch.ended(), [0, 1, 2]);
    assert_eq!(batch.outcome(1), Outcome::Failed);
    let fault = batch.fault(1).expect("a fault");
    assert_eq!((fault.line, &fault.kind), (5, &SiteKind::DivisionByZero));
    assert_eq!(fault.to_string(), "line 5: a division by zero");
    // The world stays as it was before the step.
    assert_eq!((batch.final_state(1), batch.reward(1)), (&[0.0][..], 0.0));
}

#[test]
fn a_fault_counts_only_in_the_branch_that_is_taken() {
    let rules = "state x = 2\nx' = if x > 0 then x - 1 else 2\nlet y = 1 / x\n\
                 reward if x == 0 then 7 else y\nfail when x != 0 and 1 / x > 5\nlimit 100";
    let world = world(rules);
    let mut batch = Worlds::new(world.clone(), &[], 0..1, Stream::new(1, 1));
    let rewards: Vec<f32> = (0..6)
        .map(|_| {
            batch.step(&[0.0]);
            assert_eq!(batch.outcome(0), Outcome::Running);
            batch.reward(0)
        })
        .collect();
    assert_eq!(rewards, [0.5, 1.0, 7.0, 0.5, 1.0, 7.0]);
    compare_with_reference(&world, &[], 20, 20, 1);
}

#[test]
fn a_state_without_bounds_is_a_fault_of_its_line() {
    let world = world("state x = 1\nx' = x * 10000000\nreward 1");
    let mut batch = Worlds::new(world, &[], 0..1, Stream::new(1, 1));
    let mut steps = 0;
    while batch.ended().is_empty() {
        batch.step(&[0.0]);
        steps += 1;
    }
    assert_eq!(steps, 5);
    assert_eq!(batch.fault(0).expect("a fault").to_string(), "line 4: `x` beyond 1e30");
}

#[test]
fn an_episode_that_begins_with_a_fault_fails_in_its_first_step() {
    let world = world("state x = 1 / floor(uniform(0, 2))\nx' = x\nreward 1\nlimit 5");
    let mut batch = Worlds::new(world.clone(), &[], 0..100, Stream::new(1, 1));
    batch.step(&[0.0; 100]);
    let broken = batch.ended().len();
    assert!((30..70).contains(&broken), "{broken}");
    assert_eq!(batch.fault(0).expect("a fault").line, 3);
    compare_with_reference(&world, &[], 40, 30, 9);
}

#[test]
fn a_step_draws_its_random_numbers_from_world_episode_and_step() {
    let rules = "state x = normal(0, 1)\nstate luck = chance(0.3)\nx' = x + normal(0, 1) + uniform(-1, 1)\n\
                 luck' = chance(0.3)\nreward if luck' then 1 else 0\nlimit 7\n\
                 observe x, luck, [x * i for i in 1..6]";
    let world = world(rules);
    with_every_isa(|_| compare_with_reference(&world, &[], 150, 30, 2));
    // Independent of the size of the batch and of what the other worlds did.
    let stream = Stream::new(4, 4);
    let mut many = Worlds::new(world.clone(), &[], 10..80, stream);
    let mut one = Worlds::new(world.clone(), &[], 17..18, stream);
    let mut states = ([0.0; 2], [0.0; 2]);
    for _ in 0..30 {
        many.step(&[0.0; 70]);
        one.step(&[0.0]);
        many.state(7, &mut states.0);
        one.state(0, &mut states.1);
        assert_eq!(states.0, states.1);
    }
    let begun = world.begin(&[], Moment { stream, world: 17, episode: 0, step: 0 });
    // 128 is the first block of normal numbers (`draws.rs`); episode and step are 0.
    assert_eq!(begun.state[0], stream.normal4(17, 128 << 32)[0]);
}

#[test]
fn random_numbers_have_their_distributions() {
    let rules = "state x = 0\nstate y = 0\nstate z = 0\nx' = normal(2, 3)\ny' = uniform(4, 5)\n\
                 z' = if chance(0.25) then 1 else 0\nreward 1";
    let mut batch = Worlds::new(world(rules), &[], 0..2000, Stream::new(1, 1));
    let (mut sums, mut squares, mut state) = ([0.0; 3], [0.0; 3], [0.0; 3]);
    for _ in 0..20 {
        batch.step(&vec![0.0; 2000]);
        for i in 0..2000 {
            batch.state(i, &mut state);
            for k in 0..3 {
                sums[k] += f64::from(state[k]) / 40_000.0;
                squares[k] += f64::from(state[k]).powi(2) / 40_000.0;
            }
        }
    }
    let deviation = |k: usize| (squares[k] - sums[k] * sums[k]).sqrt();
    assert!((sums[0] - 2.0).abs() < 0.06 && (deviation(0) - 3.0).abs() < 0.06, "{sums:?}");
    assert!((sums[1] - 4.5).abs() < 0.01 && (deviation(1) - 1.0 / 12f64.sqrt()).abs() < 0.01, "{sums:?}");
    assert!((sums[2] - 0.25).abs() < 0.01, "{sums:?}");
}

#[test]
fn restore_continues_an_episode() {
    let world = example("cartpole");
    let parameters = world.parameters();
    let mut a = Worlds::new(world.clone(), &parameters, 0..1, Stream::new(1, 1));
    for t in 0..5 {
        a.step(&[(t % 2) as f32]);
    }
    let mut state = [0.0; 4];
    a.state(0, &mut state);
    let mut b = Worlds::new(world, &parameters, 0..1, Stream::new(1, 1));
    assert!(b.restore(0, &state, 5, 0));
    assert!(!b.restore(0, &[9.0, 0.0, 0.0, 0.0], 5, 0), "a failed state");
    assert!(!b.restore(0, &state, 500, 0), "beyond the limit");
    let mut others = [0.0; 4];
    while a.ended().is_empty() {
        a.step(&[1.0]);
        b.step(&[1.0]);
        a.state(0, &mut state);
        b.state(0, &mut others);
        assert_eq!(state, others);
    }
    assert_eq!(a.episode_lengths(), b.episode_lengths());
}

/// What is saved of a world continues with the same bits, also where an episode began in a state that would
/// have ended it, or with a fault, and where the next episode is asked for.
#[test]
fn restore_continues_every_beginning() {
    let rules = "state x = uniform(-1, 1)\nstate y = if x > 0.5 then sqrt(0.6 - x) else 1\n\
                 x' = x + 0.1\nfail when x > 0.3\nreward y\nlimit 30 steps\nobserve x, y";
    let world = world(rules);
    let stream = Stream::new(4, 4);
    let mut a = Worlds::new(world.clone(), &[], 0..100, stream);
    let mut b = Worlds::new(world.clone(), &[], 0..100, Stream::new(9, 9));
    b.reset(0, stream);
    let (mut state, mut broken, mut late) = ([0.0; 2], 0, 0);
    for _ in 0..40 {
        for i in 0..a.len() {
            a.state(i, &mut state);
            if a.is_broken(i) {
                broken += 1;
                assert!(b.restore_broken(i, a.episodes(i)));
            } else {
                late += u32::from(state[0] > 0.3);
                assert!(b.restore(i, &state, a.steps(i), a.episodes(i)), "{i} {state:?} {}", a.steps(i));
            }
        }
        a.step(&[0.0; 100]);
        b.step(&[0.0; 100]);
        assert_eq!(a.ended(), b.ended());
        let observed = |worlds: &Worlds| {
            let mut out = vec![0.0; 200];
            worlds.observe(&mut out);
            out
        };
        assert_eq!(observed(&a), observed(&b));
    }
    assert!(broken > 10 && late > 10, "{broken} {late}");
    a.start_episode(3, 3, 77);
    let begun = world.begin(&[], Moment { stream, world: 3, episode: 77, step: 0 });
    a.state(3, &mut state);
    assert_eq!((begun.state, a.episodes(3), a.steps(3)), (state.to_vec(), 77, 0));
}

/// A world whose episodes often end in their first step.
fn short_world() -> Arc<learnery_world_rules::World> {
    world("state x = uniform(0, 1)\nx' = x + uniform(0, 0.6)\nreward x\nsucceed when x > 1\nlimit 3")
}

#[test]
fn a_first_step_can_be_undone() {
    let world = short_world();
    let stream = Stream::new(3, 3);
    let mut batch = Worlds::new(world.clone(), &[], 5..45, stream);
    let (mut state, mut ended_again) = ([0.0], 0);
    for _ in 0..40 {
        batch.step(&[0.0; 40]);
        let undone = batch.ended().to_vec();
        let episodes: Vec<u32> = (0..40).map(|i| batch.episodes(i)).collect();
        batch.step(&[0.0; 40]);
        let before = batch.clone();
        batch.undo_first_step(&undone);
        for i in undone.iter().map(|i| *i as usize) {
            let moment = Moment { stream, world: 5 + i as u64, episode: episodes[i], step: 0 };
            batch.state(i, &mut state);
            assert_eq!(state[..], world.begin(&[], moment).state);
            assert_eq!((batch.steps(i), batch.episodes(i)), (0, episodes[i]));
            assert_eq!(batch.outcome(i), Outcome::Running);
            ended_again += usize::from(before.outcome(i) != Outcome::Running);
        }
        // What other worlds did stays.
        let kept: Vec<usize> =
            (0..before.ended().len()).filter(|k| !undone.contains(&before.ended()[*k])).collect();
        assert_eq!(batch.ended().len(), kept.len());
        for (k, old) in kept.into_iter().enumerate() {
            assert_eq!(batch.ended()[k], before.ended()[old]);
            assert_eq!(batch.episode_lengths()[k], before.episode_lengths()[old]);
            assert_eq!(batch.final_state(k), before.final_state(old));
            assert_eq!(batch.final_observation(k), before.final_observation(old));
        }
    }
    assert!(ended_again > 20, "{ended_again}");
}

#[test]
fn ends_are_restored() {
    let world = short_world();
    let mut batch = Worlds::new(world.clone(), &[], 0..40, Stream::new(3, 3));
    batch.step(&[0.0; 40]);
    assert!(!batch.ended().is_empty());
    let states: Vec<f32> = (0..batch.ended().len()).flat_map(|k| batch.final_state(k).to_vec()).collect();
    let mut other = Worlds::new(world, &[], 0..40, Stream::new(3, 3));
    other.restore_ended(batch.ended(), &states);
    assert_eq!(other.ended(), batch.ended());
    for k in 0..batch.ended().len() {
        assert_eq!(other.final_state(k), batch.final_state(k));
        assert_eq!(other.final_observation(k), batch.final_observation(k));
    }
}

#[test]
fn a_world_starts_the_episode_of_any_index() {
    let world = short_world();
    let stream = Stream::new(3, 3);
    let mut batch = Worlds::new(world.clone(), &[], 0..40, stream);
    batch.start_episode(17, u64::MAX - 2, 9);
    let mut state = [0.0];
    batch.state(17, &mut state);
    let moment = Moment { stream, world: u64::MAX - 2, episode: 9, step: 0 };
    assert_eq!(state[..], world.begin(&[], moment).state);
    assert_eq!((batch.index(17), batch.episodes(17), batch.steps(17)), (u64::MAX - 2, 9, 0));
}

#[test]
fn another_limit_truncates_earlier_or_later() {
    let world = Arc::new(learnery_world_rules::World::clone(&short_world()).with_limit(1));
    let mut batch = Worlds::new(world, &[], 0..40, Stream::new(3, 3));
    batch.step(&[0.0; 40]);
    assert_eq!(batch.ended().len(), 40);
    assert!((0..40).any(|i| batch.outcome(i) == Outcome::Truncated));
}
