//! Runs on the GPU: cases of the contract there, and checks with which the tests of labs compare runs with
//! those of the CPU.

use std::sync::Arc;

use learnery_gpu::testing::modest_device;
use learnery_gpu::{Gpu, Precision};
use serde_json::Value;

use super::{Case, metric_history, run_until};
use crate::{Checkpoint, Entry, Session};

impl Case {
    /// The same case with all runs on this GPU.
    #[must_use]
    pub fn on_gpu(self, gpu: &Gpu) -> Self {
        let gpu = gpu.clone();
        let place = move |session: &mut Session| session.use_gpu(&gpu, Precision::F32);
        Self { place_on_device: Some(Arc::new(place)), ..self }
    }
}

/// The seed of these runs.
const SEED: u32 = 3;

/// Starts a run on this GPU, or on the CPU.
pub fn start_on(gpu: Option<&Gpu>, lab: Entry, settings: &Value) -> Session {
    let mut session = Session::start(lab, settings, SEED).expect("the settings are valid");
    if let Some(gpu) = gpu {
        move_to(gpu, &mut session);
    }
    session
}

/// Continues a saved run on this GPU.
pub fn resume_on(gpu: &Gpu, lab: Entry, checkpoint: &Checkpoint) -> Session {
    let mut session = Session::resume(lab, checkpoint).expect("our own checkpoint");
    move_to(gpu, &mut session);
    session
}

fn move_to(gpu: &Gpu, session: &mut Session) {
    session.use_gpu(gpu, Precision::F32).expect("the device can be used");
}

/// Starts a run on this GPU and one on the CPU, and runs both until this many units are done. Returns them in
/// this order, after a check that they have done the same work.
pub fn run_on_both(gpu: &Gpu, lab: Entry, settings: &Value, units: u64) -> [Session; 2] {
    let [mut on_device, mut on_processor] =
        [start_on(Some(gpu), lab, settings), start_on(None, lab, settings)];
    run_until(&mut on_processor, units);
    run_until(&mut on_device, units);
    assert_eq!(on_processor.work(), on_device.work(), "{settings}");
    [on_device, on_processor]
}

/// Moves a run from the CPU to this GPU after `to_gpu` units, back after `to_cpu`, by a checkpoint, and runs
/// it until `units` are done. Returns this run and one that the CPU computed alone, after a check that they
/// have done the same work, and that the run knows its devices.
pub fn run_there_and_back(
    gpu: &Gpu,
    lab: Entry,
    settings: &Value,
    [to_gpu, to_cpu, units]: [u64; 3],
) -> [Session; 2] {
    let mut session = start_on(None, lab, settings);
    run_until(&mut session, to_gpu);
    move_to(gpu, &mut session);
    run_until(&mut session, to_cpu);
    let checkpoint = session.save();
    let mut back = Session::resume(lab, &checkpoint).expect("the checkpoint is that of a run on the CPU");
    run_until(&mut back, units);
    assert_eq!(back.units(), units);
    assert_eq!(device_history(&back), [(0, "cpu"), (to_gpu, "gpu"), (to_cpu, "cpu")]);
    let mut whole = start_on(None, lab, settings);
    run_until(&mut whole, units);
    assert_eq!(back.work(), whole.work(), "{settings}");
    [back, whole]
}

/// The devices that have computed a run, each after the number of units that were done before it.
pub fn device_history(session: &Session) -> Vec<(u64, &str)> {
    session.devices().iter().map(|device| (device.unit, device.device.as_str())).collect()
}

/// Checks a metric of the first run beside that of the second, unit by unit. `is_close` gets the values in
/// this order.
///
/// # Panics
/// If two values are not close.
pub fn check_metric(settings: &Value, name: &str, runs: [&Session; 2], is_close: impl Fn(f64, f64) -> bool) {
    let [found, expected] = runs.map(|run| metric_history(run, name));
    assert_eq!(found.len(), expected.len(), "{settings}: {name} has other units");
    for (unit, (found, expected)) in found.into_iter().zip(expected).enumerate() {
        assert!(is_close(found, expected), "{settings}: {name} of unit {unit} is {found}, not {expected}");
    }
}

/// Checks that a run on this GPU has the same bits when it is saved after each of these numbers of units and
/// continued there until `units` are done.
///
/// # Panics
/// If the bits differ.
pub fn check_saves(gpu: &Gpu, lab: Entry, settings: &Value, saved_after: &[u64], units: u64) {
    let mut whole = start_on(Some(gpu), lab, settings);
    run_until(&mut whole, units);
    let expected = whole.fingerprint();
    for saved_after in saved_after {
        let mut saved = start_on(Some(gpu), lab, settings);
        run_until(&mut saved, *saved_after);
        let mut continued = resume_on(gpu, lab, &saved.save());
        run_until(&mut continued, units);
        assert_eq!(
            continued.fingerprint(),
            expected,
            "{settings}: the run that was saved after {saved_after} units has other bits"
        );
    }
}

/// Checks that the checkpoint of a run on the GPU is read back to the same bits.
///
/// # Panics
/// If the bits differ.
pub fn check_read_back(session: &mut Session) {
    let fingerprint = session.fingerprint();
    let checkpoint = session.save();
    let again = Session::resume(*session.entry(), &checkpoint).expect("our own checkpoint").fingerprint();
    assert_eq!(fingerprint, again, "a checkpoint of the device is read back to the same bits");
}

/// Checks that a run which only the CPU has computed cannot be moved to this GPU, and that the error has this
/// reason. Afterwards the run is still one of the CPU.
///
/// # Panics
/// If the run is moved, or the error has another reason.
pub fn check_refusal(gpu: &Gpu, session: &mut Session, precision: Precision, reason: &str) {
    let error = session.use_gpu(gpu, precision).expect_err("it is refused").to_string();
    assert!(error.contains(reason), "{error}");
    assert!(session.devices().is_empty(), "{:?}", session.devices());
}

/// Checks the lab on a GPU with no more than every GPU with WebGPU has, as on phones and older cards: a run
/// with each of these settings, which must be small, does a unit there. Each of these presets, and each for
/// which a GPU is recommended, fits, or is refused in one sentence.
///
/// # Panics
/// If a run fails, or is refused in another way.
pub fn check_on_modest_gpu(lab: Entry, small: &[Value], presets: &[&str]) {
    for settings in small {
        let Some(gpu) = modest_device() else { return };
        run_until(&mut start_on(Some(&gpu), lab, settings), 1);
    }
    let unknown = |name: &&str| lab.about.presets.iter().all(|preset| preset.name != *name);
    assert_eq!(presets.iter().copied().find(unknown), None, "the lab has no such preset");
    for preset in lab.about.presets {
        let settings = lab.preset(preset.name).expect("a preset of the lab");
        let mut session = start_on(None, lab, &settings);
        if !session.prefers_gpu() && !presets.contains(&preset.name) {
            continue;
        }
        let Some(gpu) = modest_device() else { return };
        match session.use_gpu(&gpu, Precision::F32) {
            // The device reports now what it could not make.
            Ok(()) => assert_eq!(gpu.in_flight().err(), None, "preset {}", preset.name),
            Err(error) => {
                let error = error.to_string();
                assert!(
                    error.contains("the GPU's limit is too small for this run"),
                    "{}: {error}",
                    preset.name
                );
                assert!(!error.contains('\n'), "{}: {error}", preset.name);
            }
        }
    }
}
