//! A run of a sweep as far as it is computed. The thread that computes it shares this with the thread that
//! ends the program, which may come in the middle of a step.

use std::sync::Arc;

use learnery_lab::fleet::{JobId, JobResult};
use learnery_lab::{About, Checkpoint};

use super::order::{Delivery, MAX_CHECKPOINT_BYTES};

/// A run under way, or one whose result the host has not confirmed yet.
#[derive(Clone)]
pub struct RunSoFar {
    pub id: JobId,
    pub about: &'static About,
    pub seed: u32,
    /// The number of completed units (training iterations) when it was begun here.
    pub first_unit: u64,
    /// The number of completed units.
    pub completed: u64,
    /// The number of completed units in the newest checkpoint that the host is known to have; 0 for none.
    pub host_unit: u64,
    kept: Option<Kept>,
}

/// The newest checkpoint in memory.
#[derive(Clone)]
struct Kept {
    checkpoint: Arc<Checkpoint>,
    /// The checkpoint file of the unit in which the goal was reached, if the host had not confirmed it.
    solved: Option<Arc<Vec<u8>>>,
}

impl RunSoFar {
    /// A run that the host has up to this unit.
    pub(super) fn new(id: JobId, about: &'static About, seed: u32, unit: u64) -> Self {
        Self { id, about, seed, first_unit: unit, completed: unit, host_unit: unit, kept: None }
    }

    pub(super) fn keep(&mut self, checkpoint: Checkpoint, solved: Option<Arc<Vec<u8>>>) {
        self.kept = Some(Kept { checkpoint: Arc::new(checkpoint), solved });
    }

    /// The number of completed units in the checkpoint in memory; `None` if there is none.
    pub(super) fn unit_in_memory(&self) -> Option<u64> {
        self.kept.as_ref().map(|kept| kept.checkpoint.header.units)
    }

    /// The number of completed units in the newest checkpoint, in memory or at the host.
    pub fn kept_unit(&self) -> u64 {
        self.unit_in_memory().unwrap_or(0).max(self.host_unit)
    }

    /// The checkpoint in memory, as the message to the host; `None` if there is none.
    pub(super) fn delivery(&self) -> Option<Vec<u8>> {
        let Kept { checkpoint, solved } = self.kept.as_ref()?;
        let file = checkpoint.to_bytes();
        let has_room = |file: &&[u8]| file.len() <= MAX_CHECKPOINT_BYTES;
        // An empty file tells the host that the checkpoint is too long.
        let last = Some(&file[..]).filter(has_room).unwrap_or_default();
        let solved = solved.as_ref().map(|solved| &solved[..]).filter(has_room);
        Some(JobResult { id: self.id, body: &Delivery { last, solved }.to_bytes() }.to_bytes())
    }

    /// [`Self::delivery`], unless the host has it.
    pub fn unconfirmed_delivery(&self) -> Option<Vec<u8>> {
        if self.kept_unit() > self.host_unit { self.delivery() } else { None }
    }
}
