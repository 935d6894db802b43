//! Compares batches in every autoreset mode with a slow reference, which is written as Gymnasium's
//! `SyncVectorEnv`: one world after the other, from single steps.

use std::ops::Range;

use super::*;

const KINDS: [Kind; 4] = [Kind::CartPole, Kind::MountainCar, Kind::Pendulum, Kind::Acrobot];
const MODES: [Autoreset; 3] = [Autoreset::NextStep, Autoreset::SameStep, Autoreset::Disabled];
/// Not a multiple of sixteen, so that the last block is padded.
const WORLDS: usize = 37;

/// The results of a step of all worlds.
#[derive(Debug, Default, PartialEq)]
struct Arrays {
    observations: Vec<f32>,
    rewards: Vec<f32>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
}

impl Arrays {
    /// Arrays full of values that no step gives, so that a value that is not written is noticed.
    fn spoiled(kind: Kind) -> Self {
        Self {
            observations: vec![f32::MAX; WORLDS * kind.spec().observation.len()],
            rewards: vec![f32::MAX; WORLDS],
            terminated: vec![true; WORLDS],
            truncated: vec![true; WORLDS],
        }
    }

    fn results(&mut self) -> StepResults<'_> {
        let Self { observations, rewards, terminated, truncated } = self;
        StepResults { observations, rewards, terminated, truncated }
    }
}

/// The worlds with the indices `range`.
fn batch_of(kind: Kind, range: Range<u64>, mode: Autoreset, max_steps: u32) -> VectorWorlds {
    let worlds = kind.restartable_worlds(range, Stream::new(0, 0), max_steps);
    VectorWorlds::new(worlds, kind.spec().observation.len(), mode)
}

/// One world of the reference.
struct ReferenceWorld {
    max_steps: u32,
    index: u64,
    episode: u32,
    state: Vec<f32>,
    steps: u32,
    ended: bool,
}

impl ReferenceWorld {
    fn new(kind: Kind, index: u64, max_steps: u32) -> Self {
        let state = kind.start(Stream::new(0, 0), index, 0);
        Self { max_steps, index, episode: 0, state, steps: 0, ended: false }
    }

    fn next_episode(&mut self, kind: Kind) {
        self.episode += 1;
        (self.steps, self.ended) = (0, false);
        self.state = kind.start(Stream::new(0, 0), self.index, self.episode);
    }

    /// Steps the world and appends its results. Returns the last observation of an episode that ended.
    fn step(&mut self, kind: Kind, mode: Autoreset, action: f32, out: &mut Arrays) -> Option<Vec<f32>> {
        let mut observation = vec![0.0; kind.spec().observation.len()];
        let mut last = None;
        if mode == Autoreset::NextStep && self.ended {
            self.next_episode(kind);
            out.rewards.push(0.0);
            out.terminated.push(false);
            out.truncated.push(false);
        } else {
            let step = kind.step(&self.state, action);
            self.steps += 1;
            let truncated = !step.terminated && self.steps == self.max_steps;
            self.state = step.state;
            self.ended = step.terminated || truncated;
            out.rewards.push(step.reward);
            out.terminated.push(step.terminated);
            out.truncated.push(truncated);
            if self.ended {
                last = Some(step.observation);
                if mode == Autoreset::SameStep {
                    self.next_episode(kind);
                }
            }
        }
        kind.observe(&self.state, &mut observation);
        out.observations.extend(observation);
        last
    }
}

/// Pumps energy into every second world, so that some episodes reach their goals, and acts at random in the
/// others.
fn action(kind: Kind, state: &[f32], world: usize, step: u64) -> f32 {
    let random = action_of(kind.spec().actions, STREAM.uniform(world as u64, step));
    match kind {
        Kind::MountainCar if world.is_multiple_of(2) => {
            if state[1] < 0.0 {
                0.0
            } else {
                2.0
            }
        }
        Kind::Acrobot if world.is_multiple_of(2) => {
            if state[3] < 0.0 {
                0.0
            } else {
                2.0
            }
        }
        Kind::CartPole if world.is_multiple_of(2) => {
            let fall = 0.05 * state[0] + 0.1 * state[1] + state[2] + 0.3 * state[3];
            f32::from(u8::from(fall > 0.0))
        }
        _ => random,
    }
}

#[test]
fn batches_in_every_mode_agree_with_single_worlds() {
    for (kind, mode) in KINDS.into_iter().flat_map(|kind| MODES.map(|mode| (kind, mode))) {
        for max_steps in [kind.spec().max_steps, 1, 3] {
            check_batch(kind, mode, max_steps);
        }
    }
}

/// Steps a batch and the reference side by side with the same actions, and compares all that they show.
fn check_batch(kind: Kind, mode: Autoreset, max_steps: u32) {
    /// The index of the first world. The indices cross 2^32, so both words of an index are tried.
    const SEED: u64 = (1 << 32) - 5;
    let mut batch = batch_of(kind, SEED..SEED + WORLDS as u64, mode, max_steps);
    let new_world = |i| ReferenceWorld::new(kind, SEED + i, max_steps);
    let mut reference: Vec<_> = (0..WORLDS as u64).map(new_world).collect();
    let (mut terminations, mut truncations) = (0, 0);
    // More than twice the longest episode.
    for step in 0..1100 {
        if step % 7 == 0 {
            // Worlds with other indices continue what is saved.
            let saved: Vec<_> = (0..WORLDS).map(|i| batch.save(i, kind.spec().state_size)).collect();
            batch = batch_of(kind, 0..WORLDS as u64, mode, max_steps);
            assert!(batch.restore(&saved));
            let again: Vec<_> = (0..WORLDS).map(|i| batch.save(i, kind.spec().state_size)).collect();
            assert_eq!(saved, again);
        }
        let actions: Vec<f32> =
            reference.iter().enumerate().map(|(i, world)| action(kind, &world.state, i, step)).collect();
        let (mut ours, mut theirs) = (Arrays::spoiled(kind), Arrays::default());
        batch.step(&actions, &mut ours.results());
        let mut ends = Vec::new();
        for (i, world) in reference.iter_mut().enumerate() {
            let last = world.step(kind, mode, actions[i], &mut theirs);
            ends.extend(last.map(|last| (i as u32, last)));
        }
        assert_eq!(ours, theirs, "{kind:?} {mode:?} step {step}");
        let mut last = vec![0.0; kind.spec().observation.len()];
        assert_eq!(batch.ended().len(), ends.len());
        for (k, (i, observation)) in ends.iter().enumerate() {
            batch.final_observation(k, &mut last);
            assert_eq!((batch.ended()[k], &last), (*i, observation), "{kind:?} {mode:?} step {step}");
        }
        let mut state = vec![0.0; kind.spec().state_size];
        for (i, world) in reference.iter_mut().enumerate() {
            batch.state(i, &mut state);
            assert_eq!(state, world.state, "{kind:?} {mode:?} step {step} world {i}");
            if mode == Autoreset::Disabled && world.ended {
                world.next_episode(kind);
                batch.reset(i, None);
            }
        }
        assert!(mode == Autoreset::NextStep || batch.waiting().is_empty());
        terminations += theirs.terminated.iter().filter(|ended| **ended).count();
        truncations += theirs.truncated.iter().filter(|ended| **ended).count();
    }
    assert!(truncations > 10, "{kind:?} {mode:?}");
    let is_short = max_steps < kind.spec().max_steps;
    assert!(terminations > 10 || kind == Kind::Pendulum || is_short, "{kind:?} {mode:?}");
}

#[test]
fn states_of_no_running_episode_are_not_restored() {
    for kind in KINDS {
        let mut batch = batch_of(kind, 0..1, Autoreset::NextStep, 5);
        let mut saved = batch.save(0, kind.spec().state_size);
        saved.steps = 5;
        assert!(!batch.restore(std::slice::from_ref(&saved)));
        (saved.steps, saved.state[0]) = (1, f32::NAN);
        assert!(!batch.restore(&[saved]));
    }
}

#[test]
fn resets_start_the_episode_of_a_seed_or_the_next_one() {
    for kind in KINDS {
        let mut batch = batch_of(kind, 7..7 + WORLDS as u64, Autoreset::NextStep, kind.spec().max_steps);
        let state = |batch: &VectorWorlds, i| {
            let mut state = vec![0.0; kind.spec().state_size];
            batch.state(i, &mut state);
            state
        };
        let start = |world, episode| kind.start(Stream::new(0, 0), world, episode);
        assert_eq!(state(&batch, 3), start(10, 0));
        batch.reset(3, None);
        assert_eq!(state(&batch, 3), start(10, 1));
        batch.reset(3, Some(u64::MAX));
        assert_eq!((state(&batch, 3), state(&batch, 4)), (start(u64::MAX, 0), start(11, 0)));
        // A world that waits for its next episode has that one next, and not the one after it.
        let last = kind.spec().max_steps - 1;
        assert!(batch.set_state(5, &start(12, 9), last));
        assert!(!batch.set_state(5, &[f32::NAN; 4][..kind.spec().state_size], 0));
        let mut arrays = Arrays::spoiled(kind);
        batch.step(&[0.0; WORLDS], &mut arrays.results());
        assert!(arrays.truncated[5] && batch.waiting() == [5]);
        batch.reset(5, None);
        assert_eq!(state(&batch, 5), start(12, 1));
        assert!(batch.waiting().is_empty());
    }
}

/// The modes rely on it: a step that ignores its action is a step that is undone.
#[test]
fn first_steps_end_no_episode() {
    for kind in KINDS {
        let Actions::Discrete(actions) = kind.spec().actions else { continue };
        for (world, action) in (0..10_000).flat_map(|world| (0..actions).map(move |a| (world, a as f32))) {
            let step = kind.step(&kind.start(STREAM, world, 0), action);
            assert!(!step.terminated, "{kind:?} {world} {action}");
        }
    }
}
