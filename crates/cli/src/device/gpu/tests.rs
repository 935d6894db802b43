//! A run that is not moved to a GPU says so, or ends the command. The GPU is a software adapter whose
//! compiler is never ready, so nobody waits and no clock decides; where no GPU is needed, there is none.

use std::path::Path;

use anyhow::Error;
use learnery_gpu::testing::{modest_device, stall_compiler};
use learnery_gpu::{COMPILER_SECONDS, Gpu, GpuError};
use learnery_lab::{LabError, Limits, Recipe, Session};
use serde_json::{Value, json};

use super::{NotMoved, choose_by, move_run};
use crate::args::Device;
use crate::failure::UsageError;
use crate::run::{messages, recipe};

/// What a terminal prints of a GPU whose compiler takes too long.
const SLOW: &str = "the GPU's compiler takes longer than 10 seconds for the rules of this world";

const TEXT: &str = "world \"Dot\"\nstate x = uniform(-1, 1)\naction go: off, on\nx' = 0.9 * x + go - 0.4\n\
                    reward -x'^2\nlimit 9 steps\n";

/// A recipe whose run gets a world before the first unit (training iteration), and another one before the
/// third.
fn recipe_of_worlds() -> Recipe {
    let world = |text: String| json!({"type": "world", "name": "dot.world", "text": text});
    let recipe = json!({
        "recipe": 1, "lab": "control", "seed": 5,
        "settings": {
            "world": "own", "worlds": 8, "horizon": 8, "minibatches": 1, "hidden": 8, "eval_every": 0,
        },
        "changes": [
            {"unit": 0, "data": world(TEXT.into())},
            {"unit": 2, "data": world(TEXT.replace("0.9", "0.8"))},
        ],
    });
    Recipe::from_json(&recipe.to_string(), learnery_labs::LABS).expect("a good recipe")
}

fn start(recipe: &Recipe) -> Session {
    recipe.start(learnery_labs::find(&recipe.lab).expect("a lab")).expect("good settings")
}

/// `--device gpu` with this GPU.
fn choose_gpu(session: &mut Session, gpu: &Gpu) -> String {
    let open = |_, _| Ok((gpu.clone(), String::new()));
    let chosen = choose_by(session, Device::Gpu, None, |session, wish| move_run(session, wish, open));
    chosen.expect("no mistake of the user's").expect("a GPU was asked for")
}

/// Makes the changes that are due and trains a unit. Returns what the terminal prints about the device.
fn advance(recipe: &Recipe, session: &mut Session) -> Option<String> {
    let told = recipe::apply_changes(recipe, session, Device::Gpu, None).expect("good changes");
    session.advance_unit();
    assert_eq!(session.failure(), None);
    told
}

fn units_on_gpu(session: &Session) -> Vec<(u64, bool)> {
    session.devices().iter().map(|device| (device.unit, !device.is_cpu())).collect()
}

#[test]
fn only_a_slow_compiler_lets_a_run_stay_on_the_cpu_that_was_asked_onto_a_gpu() {
    let slow =
        || NotMoved { reason: GpuError::SlowCompiler(COMPILER_SECONDS).to_string(), stays_on_cpu: true };
    let broken = || NotMoved { reason: "it is broken".into(), stays_on_cpu: false };
    let mut session = start(&recipe_of_worlds());
    let told = choose_by(&mut session, Device::Gpu, None, |_, _| Err(slow())).expect("it trains on the CPU");
    assert_eq!(told, Some(format!("Trains on the CPU: {SLOW}.")));
    let refused: Error =
        choose_by(&mut session, Device::Gpu, None, |_, _| Err(broken())).expect_err("no GPU");
    assert!(refused.is::<UsageError>() && refused.to_string() == "it is broken", "{refused}");
    // Nobody has asked for a GPU.
    for device in [Device::Cpu, Device::Auto] {
        let told = choose_by(&mut session, device, None, |_, _| panic!("it is not moved")).expect("the CPU");
        assert_eq!(told, None);
    }
    let settings = json!({"worlds": 8192, "horizon": 128, "minibatches": 1});
    let mut large = Session::start(*session.entry(), &settings, 0).expect("good settings");
    let told = choose_by(&mut large, Device::Auto, None, |_, wish| {
        assert!(wish.compares);
        Err(broken())
    });
    assert_eq!(told.expect("the CPU").as_deref(), Some("Trains on the CPU: it is broken."));
}

#[test]
fn a_terminal_tells_that_the_rules_of_a_world_are_not_compiled_in_time() {
    let Some(gpu) = modest_device() else { return };
    stall_compiler(&gpu, true);
    let recipe = recipe_of_worlds();
    let mut session = start(&recipe);
    let told = choose_gpu(&mut session, &gpu);
    assert_eq!(told, format!("Trains on the CPU: {SLOW}."));
    let limits = Limits::new(&session, Some(1), None, false);
    let printed = messages::start(&session, Path::new("run"), false, Some(&told), &limits);
    assert_eq!(printed.iter().filter(|paragraph| paragraph.contains(SLOW)).count(), 1, "{printed:?}");
    // It is told once, and the run is that of a CPU.
    let mut on_cpu = start(&recipe);
    for _ in 0..3 {
        assert_eq!(advance(&recipe, &mut session), None);
        advance(&recipe, &mut on_cpu);
    }
    assert!(session.save().to_bytes() == on_cpu.save().to_bytes());
}

#[test]
fn a_run_on_a_gpu_leaves_it_for_a_world_that_is_not_compiled_in_time() {
    let Some(gpu) = modest_device() else { return };
    let recipe = recipe_of_worlds();
    // Before the first unit: nothing of the GPU is left.
    let (mut session, mut on_cpu) = (start(&recipe), start(&recipe));
    assert!(choose_gpu(&mut session, &gpu).starts_with("Trains on the GPU "));
    stall_compiler(&gpu, true);
    assert_eq!(advance(&recipe, &mut session), Some(format!("Trains on the CPU: {SLOW}.")));
    advance(&recipe, &mut on_cpu);
    assert!(session.save().to_bytes() == on_cpu.save().to_bytes());

    // In the middle of the run, whose bits then are those of a run that was saved and continued on the CPU.
    stall_compiler(&gpu, false);
    let mut session = start(&recipe);
    choose_gpu(&mut session, &gpu);
    assert_eq!([advance(&recipe, &mut session), advance(&recipe, &mut session)], [None, None]);
    let saved = session.try_save().expect("the GPU works");
    let mut resumed = Session::resume(*session.entry(), &saved).expect("our own checkpoint");
    stall_compiler(&gpu, true);
    let told = Some(format!("Trains on the CPU from iteration 3 on: {SLOW}."));
    assert_eq!(advance(&recipe, &mut session), told);
    assert_eq!(units_on_gpu(&session), [(0, true), (2, false)]);
    assert_eq!(advance(&recipe, &mut session), None);
    let texts = session.changes().iter().filter(|change| change.data.is_some());
    assert_eq!(texts.map(|change| change.unit).collect::<Vec<_>>(), [0, 2]);
    advance(&recipe, &mut resumed);
    advance(&recipe, &mut resumed);
    assert!(session.save().to_bytes() == resumed.save().to_bytes());

    // Other errors end the run: this world has other actions.
    let mut other = recipe_of_worlds();
    let text: Value = TEXT.replace("off, on", "off, on, back").into();
    other.changes[1].data.as_mut().expect("a world")["text"] = text;
    let mut session = start(&other);
    (0..2).for_each(|_| drop(advance(&other, &mut session)));
    let error = recipe::apply_changes(&other, &mut session, Device::Gpu, None).expect_err("other actions");
    assert!(matches!(error.downcast_ref(), Some(LabError::Command(_))), "{error}");
}
