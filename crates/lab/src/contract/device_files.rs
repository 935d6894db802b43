//! What a device does with the state of a hostile file that the loader accepts. The loader runs on the CPU;
//! files that it rejects are tested there alone.

use super::bad_files::{FILLS, Fill};
use super::{Case, Uninterrupted, expect_rejection, finish_unit_within};
use crate::{Checkpoint, Session};

/// A unit of a changed file may take this many steps. A tiny run takes far fewer, and only an endless unit
/// takes as many.
const MAX_STEPS: u64 = 100_000;

/// The files whose tensors hold hostile values: with each fill, all tensors of the network, and all others.
/// The loader rejects some tensors, which keep their values. The next unit ends, and the run can be saved.
pub(super) fn unit_ends_with_hostile_tensors(case: &Case, run: &Uninterrupted) {
    let checkpoint = run.after(2);
    for (fill, byte_at) in FILLS {
        for of_network in [true, false] {
            let names: Vec<&str> = checkpoint.tensors.iter().map(|(name, _)| name).collect();
            let names = names.into_iter().filter(|name| name.starts_with("network/") == of_network);
            let is_accepted = |changed: &Checkpoint| Session::resume(case.entry, changed).is_ok();
            let mut changed = checkpoint.clone();
            for name in names {
                let next = filled(&changed, name, byte_at);
                if is_accepted(&next) {
                    changed = next;
                }
            }
            let what = format!("tensors filled with {fill}, of the network: {of_network}");
            match case.resume(&changed) {
                Err(error) => drop(expect_rejection::<()>(Err(error), &what)),
                Ok(mut session) => {
                    finish_unit_within(&mut session, MAX_STEPS, &what);
                    session.save();
                }
            }
        }
    }
}

/// The checkpoint with other bytes in a tensor.
fn filled(checkpoint: &Checkpoint, name: &str, byte_at: Fill) -> Checkpoint {
    let mut changed = checkpoint.clone();
    let (_, tensor) =
        checkpoint.tensors.iter().find(|(known, _)| *known == name).expect("a tensor of the file");
    changed.tensors.insert_bytes(name, tensor, (0..tensor.bytes().len()).map(byte_at).collect());
    changed
}
