//! A GPU whose compiler is not ready in time with the rules of a user's own world: the run stays on the CPU,
//! where nothing of the attempt is left. The compiler is one that is never ready, so nobody waits and no
//! clock decides.

use learnery_gpu::testing::{modest_device, stall_compiler};
use learnery_gpu::{COMPILER_SECONDS, Gpu, Precision};
use learnery_lab::{Checkpoint, Entry, LabError, Session};
use serde_json::json;

use crate::Control;

const DOT: &str = "world \"Dot\"\nstate x = uniform(-1, 1)\naction go: off, on\nx' = 0.9 * x + go - 0.4\n\
                   reward -x'^2\nlimit 9 steps\nobserve x, 2 * x, x - 1\n";

fn run() -> Session {
    let settings = json!({
        "world": "own", "worlds": 8, "horizon": 8, "minibatches": 1, "eval_every": 2, "eval_episodes": 4,
    });
    Session::start(Entry::of::<Control>(), &settings, 5).expect("good settings")
}

fn give_world(run: &mut Session) -> Result<(), LabError> {
    run.apply(json!({"type": "world", "name": "dot.world", "text": DOT})).map(drop)
}

fn units(run: &mut Session, count: u64) {
    let last = run.units() + count;
    while run.units() < last {
        run.advance_unit();
        assert_eq!(run.failure(), None);
    }
}

/// The sentence with which a GPU is refused.
fn refusal(run: &mut Session, gpu: &Gpu) -> String {
    match run.use_gpu(gpu, Precision::F32) {
        Err(LabError::SlowDevice(sentence)) => sentence,
        other => panic!("{other:?}"),
    }
}

/// A file of the run, and the run that continues it.
fn continued(run: &mut Session) -> (Vec<u8>, Session) {
    let bytes = run.save().to_bytes();
    let read = Checkpoint::from_bytes(&bytes).expect("our own checkpoint");
    (bytes, Session::resume(Entry::of::<Control>(), &read).expect("our own checkpoint"))
}

#[test]
fn a_run_whose_rules_are_not_compiled_in_time_stays_on_the_cpu_with_its_bits() {
    let Some(gpu) = modest_device() else { return };
    let mut on_cpu = run();
    give_world(&mut on_cpu).expect("a good world");
    units(&mut on_cpu, 3);
    let (expected_file, mut on_cpu) = continued(&mut on_cpu);

    stall_compiler(&gpu, true);
    let mut refused = run();
    give_world(&mut refused).expect("a good world");
    let sentence = refusal(&mut refused, &gpu);
    let expected = format!(
        "the GPU's compiler takes longer than {COMPILER_SECONDS} seconds for the rules of this world"
    );
    assert_eq!(sentence, expected);
    // It has been said; neither an error nor a remark repeats it.
    units(&mut refused, 3);
    assert_eq!((refused.failure(), refused.remark()), (None, None));
    assert!(refused.devices().is_empty(), "{:?}", refused.devices());
    let (file, mut refused) = continued(&mut refused);
    assert!(file == expected_file, "the attempt is seen in a file");

    // The saved run goes on, also past another attempt between two units.
    units(&mut on_cpu, 2);
    units(&mut refused, 1);
    assert_eq!(refusal(&mut refused, &gpu), expected);
    units(&mut refused, 1);
    assert!(refused.save().to_bytes() == on_cpu.save().to_bytes(), "the attempt is seen in the bits");
}

#[test]
fn a_run_on_the_gpu_keeps_its_world_if_another_one_is_not_compiled_in_time() {
    let Some(gpu) = modest_device() else { return };
    let mut run = run();
    run.use_gpu(&gpu, Precision::F32).expect("a software adapter has as long as it needs");
    units(&mut run, 1);
    stall_compiler(&gpu, true);
    let error = give_world(&mut run).expect_err("it is not compiled");
    assert!(matches!(error, LabError::SlowDevice(_)), "{error:?}");
    units(&mut run, 1);
    assert!(run.changes().is_empty() && run.devices().len() == 1, "{:?}", run.changes());
    stall_compiler(&gpu, false);
    give_world(&mut run).expect("now it is compiled");
    units(&mut run, 1);
    assert_eq!((run.changes().len(), run.devices().len()), (1, 1));
}
