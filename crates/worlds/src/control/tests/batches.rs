//! Tests of batches: independence of worlds, automatic reset, time limits, initial states and restoring.

use super::*;

/// Sub-indices of random numbers from here on are for actions. Those of initial states (numbers of episodes)
/// are far below.
const ACTIONS: u64 = 1 << 40;

fn random_actions(spec: &WorldSpec, step: u64, worlds: std::ops::Range<u64>) -> Vec<f32> {
    worlds.map(|world| action_of(spec.actions, STREAM.uniform(world, ACTIONS | step))).collect()
}

/// Checks the properties that all kinds of world have.
fn check_batch<R: Rules<N>, const N: usize>() {
    worlds_are_independent_of_their_batch::<R, N>();
    ended_worlds_are_reset::<R, N>();
    restored_worlds_continue_bit_identically::<R, N>();
}

fn worlds_are_independent_of_their_batch<R: Rules<N>, const N: usize>() {
    let mut all = Worlds::<R, N>::new(0..50, STREAM);
    let mut part = Worlds::<R, N>::new(17..50, STREAM);
    // More steps than any time limit.
    for step in 0..600 {
        let actions = random_actions(all.spec(), step, 0..50);
        all.step(&actions);
        part.step(&actions[17..]);
        for i in 0..33 {
            assert_eq!(all.fields(17 + i), part.fields(i), "{} {i}", R::SPEC.id);
            assert_eq!(all.outcome(17 + i), part.outcome(i));
            assert_eq!(all.rewards()[17 + i], part.rewards()[i]);
        }
    }
}

/// Every ended episode is listed with its length and final fields, and truncation happens exactly at the step
/// limit.
fn ended_worlds_are_reset<R: Rules<N>, const N: usize>() {
    /// The indices cross 2^32, so that the second word of the random counter changes.
    const FIRST: u64 = (1 << 32) - 20;
    let spec = R::SPEC;
    let mut worlds = Worlds::<R, N>::new(FIRST..FIRST + 37, STREAM);
    let (mut steps, mut episodes) = (vec![0; worlds.len()], vec![0; worlds.len()]);
    let mut ended_count = 0;
    for step in 0..u64::from(spec.max_steps) + 20 {
        let actions = random_actions(&spec, step, 0..37);
        let before: Vec<_> = (0..37).map(|i| worlds.fields(i)).collect();
        worlds.step(&actions);
        let mut ended = Vec::new();
        for i in 0..37 {
            steps[i] += 1;
            let alone = step_one::<R, N>(before[i], actions[i]);
            let expected = match (alone.terminated, steps[i] == spec.max_steps) {
                (true, _) => Outcome::Terminated,
                (_, true) => Outcome::Truncated,
                _ => Outcome::Running,
            };
            assert_eq!(worlds.outcome(i), expected, "{} {i}", spec.id);
            assert_eq!(worlds.rewards()[i], alone.reward);
            if expected == Outcome::Running {
                assert_eq!(worlds.fields(i), alone.fields);
            } else {
                ended.push((i as u32, steps[i], alone.fields));
                (steps[i], episodes[i]) = (0, episodes[i] + 1);
                assert_eq!(worlds.fields(i), Worlds::<R, N>::start(STREAM, FIRST + i as u64, episodes[i]));
            }
            assert_eq!((worlds.steps(i), worlds.episodes(i)), (steps[i], episodes[i]));
        }
        ended_count += ended.len();
        let listed = worlds.ended().iter().zip(worlds.episode_lengths()).zip(worlds.final_fields());
        assert!(listed.map(|((i, length), fields)| (*i, *length, *fields)).eq(ended));
    }
    assert!(ended_count >= 37, "{ended_count} episodes ended");
}

fn restored_worlds_continue_bit_identically<R: Rules<N>, const N: usize>() {
    let mut worlds = Worlds::<R, N>::new(0..20, STREAM);
    (0..30).for_each(|step| worlds.step(&random_actions(&R::SPEC, step, 0..20)));
    let mut restored = Worlds::<R, N>::new(0..20, STREAM);
    for i in 0..20 {
        let state = &worlds.fields(i)[..R::SPEC.state_size];
        assert!(R::is_valid_state(state), "{} {state:?}", R::SPEC.id);
        restored.restore(i, state, worlds.steps(i), worlds.episodes(i));
        assert_eq!(restored.fields(i), worlds.fields(i));
    }
    for step in 30..700 {
        let actions = random_actions(&R::SPEC, step, 0..20);
        worlds.step(&actions);
        restored.step(&actions);
        assert_eq!(
            (0..20).map(|i| worlds.fields(i)).collect::<Vec<_>>(),
            (0..20).map(|i| restored.fields(i)).collect::<Vec<_>>()
        );
        assert_eq!(worlds.ended(), restored.ended());
    }
}

#[test]
fn batches_of_all_kinds_have_the_shared_properties() {
    check_batch::<CartPole, 4>();
    check_batch::<MountainCar, 2>();
    check_batch::<Pendulum, 4>();
    check_batch::<Acrobot, 8>();
}

#[test]
fn initial_states_are_uniform_and_differ() {
    fn check<R: Rules<N>, const N: usize>(ranges: &[(f32, f32)]) {
        let starts: Vec<_> = (0..10_000).map(|w| Worlds::<R, N>::start(STREAM, w, 0)).collect();
        for (k, &(low, high)) in ranges.iter().enumerate() {
            let values = || starts.iter().map(|s| s[k]);
            assert!(values().all(|v| (low..=high).contains(&v)), "{} {k}", R::SPEC.id);
            let mean = values().sum::<f32>() / 1e4;
            let variance = values().map(|v| (v - mean).powi(2)).sum::<f32>() / 1e4;
            // The standard error of the mean of 10,000 uniform numbers is 0.003 widths; their variance is
            // width^2 / 12.
            let width = high - low;
            assert!((mean - (low + high) / 2.0).abs() <= 0.02 * width, "{} {k}", R::SPEC.id);
            assert!((variance - width * width / 12.0).abs() <= 0.01 * width * width, "{} {k}", R::SPEC.id);
        }
        assert_ne!(Worlds::<R, N>::start(STREAM, 0, 0), Worlds::<R, N>::start(STREAM, 0, 1));
    }
    const PI: f32 = std::f32::consts::PI;
    check::<CartPole, 4>(&[(-0.05, 0.05); 4]);
    check::<MountainCar, 2>(&[(-0.6, -0.4), (0.0, 0.0)]);
    check::<Pendulum, 4>(&[(-PI, PI), (-1.0, 1.0)]);
    check::<Acrobot, 8>(&[(-0.1, 0.1); 4]);
}

#[test]
fn cartpole_bounds_are_strict() {
    assert!(!CartPole::is_over([CartPole::TRACK, 0.0, CartPole::ANGLE, 0.0]));
    assert!(CartPole::is_over([CartPole::TRACK.next_up(), 0.0, 0.0, 0.0]));
    let still = |x: f32, angle: f32| CartPole::push([x, 0.0, angle, 0.0], 0.0).terminated;
    assert!(!still(CartPole::TRACK, 0.0) && still(-CartPole::TRACK.next_up(), 0.0));
    assert!(!still(0.0, -CartPole::ANGLE) && still(0.0, CartPole::ANGLE.next_up()));
    assert!(still(f32::NAN, 0.0) && still(0.0, f32::NAN));
}

/// A hand-written controller survives to the step limit, so its episodes are truncated and not terminated.
#[test]
fn episodes_at_the_step_limit_are_truncated() {
    let mut worlds = Worlds::<CartPole, 4>::new(0..64, STREAM);
    for step in 1..=500 {
        // Pushes in the direction of the fall, with weights found by trial.
        let balance = |[x, x_dot, th, th_dot]: [f32; 4]| 0.05 * x + 0.1 * x_dot + th + 0.3 * th_dot > 0.0;
        let actions: Vec<f32> = (0..64).map(|i| if balance(worlds.fields(i)) { 1.0 } else { 0.0 }).collect();
        worlds.step(&actions);
        assert_eq!(worlds.ended().len(), if step == 500 { 64 } else { 0 });
    }
    assert!((0..64).all(|i| worlds.outcome(i) == Outcome::Truncated && worlds.steps(i) == 0));
}

#[test]
fn invalid_states_are_recognised() {
    assert!(
        !CartPole::is_valid_state(&[9.0, 0.0, 0.0, 0.0])
            && !CartPole::is_valid_state(&[0.0, f32::NAN, 0.0, 0.0])
    );
    assert!(!MountainCar::is_valid_state(&[0.55, 0.01]) && MountainCar::is_valid_state(&[0.55, -0.01]));
    assert!(!Pendulum::is_valid_state(&[0.0, 8.5]) && !Pendulum::is_valid_state(&[f32::INFINITY, 0.0]));
    assert!(
        !Acrobot::is_valid_state(&[3.1, 0.0, 0.0, 0.0])
            && !Acrobot::is_valid_state(&[0.0, f32::NAN, 0.0, 0.0])
    );
}
