//! Runs in a small environment that the tests step, with both ways to begin the next episode: at once, or in
//! a step of its own.

use std::sync::{Arc, Mutex};

use learnery_kernels::math::tanh;
use learnery_lab::{Checkpoint, Entry, EvalRequest, LabError, Recipe, Session};
use learnery_worlds::control::Outcome;
use serde_json::{Map, Value, json};

use super::{Environments, ExternalActions, ExternalRun, ExternalSpaces, Results};
use crate::trained::TrainedNetwork;
use crate::training::Control;

const COUNT: usize = 8;
/// Steps of an episode that nothing else ends.
const LIMIT: u32 = 20;

/// A position from -1 to 1. Choice 1 moves it up, choice 0 down; the reward is the position. An episode is
/// truncated after [`LIMIT`] steps, and terminates below -0.9.
struct Line {
    positions: [f32; COUNT],
    steps: [u32; COUNT],
    has_ended: [bool; COUNT],
    /// Whether the next episode begins in a step of its own.
    next_step: bool,
}

impl Line {
    fn new(next_step: bool) -> Box<Self> {
        Box::new(Self { positions: [0.0; COUNT], steps: [0; COUNT], has_ended: [false; COUNT], next_step })
    }
}

impl Environments for Line {
    fn start(&mut self, observations: &mut [f32]) {
        observations.fill(0.0);
    }

    fn step(&mut self, actions: &[f32], results: &mut Results) {
        for (i, action) in actions.iter().enumerate() {
            results.only_began[i] = self.has_ended[i];
            results.outcomes[i] = Outcome::Running;
            results.rewards[i] = 0.0;
            if self.has_ended[i] {
                (self.positions[i], self.steps[i], self.has_ended[i]) = (0.0, 0, false);
            } else {
                let by = if *action == 1.0 { 0.1 } else { -0.1 };
                self.positions[i] = (self.positions[i] + by).min(1.0);
                self.steps[i] += 1;
                results.rewards[i] = self.positions[i];
                if self.positions[i] < -0.9 {
                    results.outcomes[i] = Outcome::Terminated;
                } else if self.steps[i] == LIMIT {
                    results.outcomes[i] = Outcome::Truncated;
                }
                if results.outcomes[i] != Outcome::Running {
                    results.last_observations[i] = self.positions[i];
                    if self.next_step {
                        self.has_ended[i] = true;
                    } else {
                        (self.positions[i], self.steps[i]) = (0.0, 0);
                    }
                }
            }
            results.observations[i] = self.positions[i];
        }
    }
}

fn spaces() -> ExternalSpaces {
    ExternalSpaces { name: "Line".into(), inputs: 1, actions: ExternalActions::Choice(2) }
}

fn settings() -> Map<String, Value> {
    let settings = json!({ "horizon": 32, "hidden": 16, "minibatches": 4, "learning_rate": 0.01 });
    settings.as_object().cloned().unwrap_or_default()
}

fn started(next_step: bool, from: Option<&Checkpoint>) -> ExternalRun {
    ExternalRun::new(spaces(), Line::new(next_step), COUNT, &settings(), 1, from).expect("good settings")
}

fn finish_unit(run: &mut ExternalRun) {
    while !run.step() {}
}

#[test]
fn run_learns_whichever_way_the_next_episode_begins() {
    for next_step in [false, true] {
        let mut run = started(next_step, None);
        finish_unit(&mut run);
        let first = run.row().get("return");
        (0..20).for_each(|_| finish_unit(&mut run));
        // Always up gives 1 / 10 + 2 / 10 + ... + 10 / 10 + 10 = 15.5.
        let last = run.row().get("return");
        assert!(first < 8.0 && last > 14.0, "{next_step}: from {first} to {last}");
        assert_eq!(run.work(), 21 * 32 * COUNT as u64);
    }
}

#[test]
fn steps_that_only_begin_an_episode_are_left_out() {
    let mut run = started(true, None);
    finish_unit(&mut run);
    let left_out: Vec<u32> = run.collector.left_out().collect();
    // 32 steps hold at least one end for each environment, after at most 20 steps.
    assert!(left_out.len() >= COUNT && left_out.is_sorted());
    for i in left_out {
        // A step has the samples of all environments, one after the other.
        assert!(i as usize >= 9 * COUNT, "an episode has at least 9 steps before the next one begins: {i}");
    }
    assert_eq!(started(false, None).collector.left_out().count(), 0);
}

#[test]
fn network_and_optimiser_go_on_and_everything_else_is_refused() {
    let mut run = started(true, None);
    (0..3).for_each(|_| finish_unit(&mut run));
    let saved = Checkpoint::from_bytes(&run.save().to_bytes()).expect("its own file");
    let mut next = started(true, Some(&saved));
    assert_eq!((next.units(), next.work()), (3, 3 * 32 * COUNT as u64));
    assert_eq!(next.save().tensors, saved.tensors);
    finish_unit(&mut next);
    assert_eq!(next.units(), 4);

    let network = TrainedNetwork::from_checkpoint(&saved).expect("a network");
    assert_eq!((network.task().title(), network.inputs(), network.outputs()), ("Line", 1, 2));
    let entry = Entry::of::<Control>();
    let says = |error: LabError, reason: &str| {
        let sentence = error.to_string();
        assert!(sentence.contains(reason) && !sentence.contains('\n'), "{sentence}");
    };
    let error = entry.evaluate(&saved, &EvalRequest::default()).expect_err("nobody steps it");
    says(error, "only Python can use it");
    // What `learnery train --resume` says, and `learnery export` for a recipe or a link.
    let error = Session::resume(entry, &saved).err().expect("nobody steps it");
    says(error, "only Python can use it");
    let error = Recipe::of_checkpoint(&entry, &saved, None).expect_err("nothing repeats its environments");
    says(error, "holds only a network");
    assert_eq!(entry.onnx(&saved).expect("graphs").len(), 2);

    // The settings fit, the spaces do not.
    let other = ExternalSpaces { inputs: 2, ..spaces() };
    let fitting = settings();
    assert!(ExternalRun::new(other, Line::new(false), COUNT, &fitting, 1, Some(&saved)).is_err());
}

#[test]
fn impossible_spaces_and_settings_are_refused_in_a_sentence() {
    let numbers = |low: f32, high: f32| ExternalActions::Numbers { low: vec![low], high: vec![high] };
    let bad = [
        (0, ExternalActions::Choice(2), "observations of 0 numbers"),
        (1 << 20, ExternalActions::Choice(2), "observations of 1048576 numbers"),
        (1, ExternalActions::Choice(1), "1 actions to choose from"),
        (1, ExternalActions::Choice(usize::MAX), "not 2 to"),
        (1, ExternalActions::Numbers { low: Vec::new(), high: Vec::new() }, "actions of 0 numbers"),
        (1, numbers(1.0, 1.0), "not below"),
        (1, numbers(f32::NAN, 1.0), "not below"),
    ];
    for (inputs, actions, expected) in bad {
        let error = ExternalSpaces { name: String::new(), inputs, actions }.check().expect_err(expected);
        assert!(error.to_string().contains(expected), "{error}");
    }
    for name in ["world", "worlds", "eval_every"] {
        let mut settings = settings();
        settings.insert(name.into(), 1.into());
        let run = ExternalRun::new(spaces(), Line::new(false), COUNT, &settings, 1, None);
        assert!(matches!(run.err(), Some(LabError::Setting { field, .. }) if field == name));
    }
}

#[test]
fn unit_that_is_dropped_begins_anew() {
    let mut run = started(true, None);
    finish_unit(&mut run);
    (0..5).for_each(|_| assert!(!run.step()));
    assert!(run.is_mid_unit());
    run.drop_unit();
    assert!(!run.is_mid_unit());
    // 32 steps, then ten epochs of four minibatches. The last of these calls has the number 71, counted from
    // 0.
    assert_eq!((0..).find(|_| run.step()), Some(31 + 10 * 4), "a whole rollout, then ten epochs");
    assert_eq!(run.units(), 2);
}

#[test]
fn live_settings_change_with_the_next_unit() {
    let mut run = started(false, None);
    run.step();
    run.configure(&json!({ "learning_rate": 0.05 })).expect("a live setting");
    assert_eq!(run.settings()["learning_rate"], 0.05);
    finish_unit(&mut run);
    assert_eq!(run.save().header.config["learning_rate"], 0.05);
    assert!(run.configure(&json!({ "hidden": 8 })).is_err());
    assert!(run.configure(&json!({ "eval_every": 3 })).is_err());
}

#[test]
fn numbers_are_scaled_to_their_bounds() {
    let (low, high) = (vec![-2.0, 0.0, f32::NEG_INFINITY], vec![2.0, 10.0, 1.0]);
    let spaces =
        ExternalSpaces { name: String::new(), inputs: 1, actions: ExternalActions::Numbers { low, high } };
    let mut actions = [-1.0, 0.0, 0.5, 5.0, -9.0, 7.0];
    spaces.scale_actions(&mut actions);
    assert_eq!(actions, [-2.0, 5.0, 0.5, 2.0, 0.0, 1.0]);
}

/// Environments with three numbers as action, which keep the actions of every step.
struct Recorder(Arc<Mutex<Vec<f32>>>);

impl Environments for Recorder {
    fn start(&mut self, observations: &mut [f32]) {
        observations.fill(0.5);
    }

    fn step(&mut self, actions: &[f32], results: &mut Results) {
        self.0.lock().expect("one thread").extend_from_slice(actions);
        results.rewards.fill(1.0);
    }
}

/// Whether clipped or squashed, environments get actions within their bounds. Squashed ones are the tanh of
/// what the policy has drawn, except for a number without two finite bounds. A file has the setting, and a
/// run that goes on from it too.
#[test]
fn environments_get_actions_within_their_bounds() {
    const LOW: [f32; 3] = [-3.0, 0.0, f32::NEG_INFINITY];
    const HIGH: [f32; 3] = [1.0, 10.0, 1.0];
    let spaces = ExternalSpaces {
        name: "Recorder".into(),
        inputs: 1,
        actions: ExternalActions::Numbers { low: LOW.to_vec(), high: HIGH.to_vec() },
    };
    let mut settings = settings();
    settings.insert("horizon".into(), 1.into());
    settings.insert("initial_spread".into(), 2.0.into());
    // Nothing is learned, so the numbers stay as small as they are at first.
    settings.insert("learning_rate".into(), 0.into());
    let start = |settings: &Map<String, Value>, from: Option<&Checkpoint>| {
        let taken = Arc::new(Mutex::new(Vec::new()));
        let run =
            ExternalRun::new(spaces.clone(), Box::new(Recorder(taken.clone())), COUNT, settings, 1, from);
        (run.expect("good settings"), taken)
    };
    let mut at_bound = [0, 0];
    for (is_squashed, bounds) in [(false, "clipped"), (true, "squashed")] {
        settings.insert("action_bounds".into(), bounds.into());
        let (mut run, taken) = start(&settings, None);
        for _ in 0..20 {
            taken.lock().expect("one thread").clear();
            run.step();
            let taken = taken.lock().expect("one thread").clone();
            for (i, actions) in taken.chunks(3).enumerate() {
                let numbers = &run.collector.records().get(i)[1..4];
                for k in 0..3 {
                    let x = numbers[k];
                    let expected = match k {
                        2 => x.min(1.0),
                        _ => {
                            let x = if is_squashed { tanh(x) } else { x.clamp(-1.0, 1.0) };
                            0.5 * LOW[k] + 0.5 * HIGH[k] + (0.5 * HIGH[k] - 0.5 * LOW[k]) * x
                        }
                    };
                    assert!((actions[k] - expected).abs() < 1e-5, "{bounds} {k}: {} for {x}", actions[k]);
                    assert!((LOW[k]..=HIGH[k]).contains(&actions[k]), "{bounds} {k}: {}", actions[k]);
                    at_bound[usize::from(is_squashed)] +=
                        usize::from(k < 2 && [LOW[k], HIGH[k]].contains(&actions[k]));
                }
            }
            while run.is_mid_unit() {
                run.step();
            }
        }
        let saved = run.save();
        assert_eq!(saved.header.config.get("action_bounds"), is_squashed.then_some(&json!("squashed")));
        let (goes_on, _) = start(&Map::new(), Some(&saved));
        assert_eq!(goes_on.settings()["action_bounds"], bounds);
    }
    assert!(at_bound[0] > 100 && at_bound[1] == 0, "{at_bound:?} numbers are at a bound");
}
