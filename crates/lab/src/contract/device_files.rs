//! What training on a GPU does with the state of a hostile file that the loader accepts. The loader runs on
//! the CPU, so files that it rejects are tested in `bad_files.rs` only.

use super::bad_files::{FILLS, Fill};
use super::{Case, Uninterrupted, expect_rejection, finish_unit_within};
use crate::{Checkpoint, Session};

/// A unit of a changed file may take this many steps. A tiny run takes far fewer, and only an endless unit
/// takes as many.
const MAX_STEPS: u64 = 100_000;

/// With each fill, overwrites all tensors of the network, and in another file all other tensors. A tensor
/// that the loader would reject stays as it was. Either the GPU refuses the file in one sentence, or the next
/// unit ends and the run can be saved.
pub(super) fn unit_ends_with_hostile_tensors(case: &Case, run: &Uninterrupted) {
    let checkpoint = run.after(2);
    for (fill, byte_at) in FILLS {
        for is_network in [true, false] {
            let names: Vec<&str> = checkpoint.tensors.iter().map(|(name, _)| name).collect();
            let names = names.into_iter().filter(|name| name.starts_with("network/") == is_network);
            // Resumes on the CPU; `case.resume` below moves the run to the GPU too.
            let is_accepted = |changed: &Checkpoint| Session::resume(case.entry, changed).is_ok();
            let mut changed = checkpoint.clone();
            for name in names {
                let next = filled(&changed, name, byte_at);
                if is_accepted(&next) {
                    changed = next;
                }
            }
            let tensors = if is_network { "network" } else { "other" };
            let what = format!("{tensors} tensors filled with {fill}");
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
