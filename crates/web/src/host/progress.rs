//! What the page hears of training without asking: progress with rows of metrics, reached goals, applied changes
//! and failures of the GPU.

use learnery_lab::{Advance, Session, Status};

use super::Host;
use crate::protocol::{Columns, Progress, Reply, ReplyTo};

/// Whether there is progress to send, and how urgent it is. Later variants are more urgent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unsent {
    #[default]
    Nothing,
    /// Ordinary progress, sent every [`PROGRESS_INTERVAL_MS`].
    Progress,
    /// An event, such as a reached goal, sent at once.
    Event,
}

/// Milliseconds between two messages of ordinary progress: twenty a second.
const PROGRESS_INTERVAL_MS: f64 = 50.0;

impl Host {
    /// Records the result of some steps: decides whether progress must be sent, and saves if a request waits
    /// for the end of the unit.
    pub(super) fn record(&mut self, advance: Advance) {
        let unsent = match advance {
            Advance { just_solved: true, .. } => Unsent::Event,
            Advance { steps: 0, .. } => Unsent::Nothing,
            _ => Unsent::Progress,
        };
        self.unsent = self.unsent.max(unsent);
        if advance.status == Status::UnitFinished {
            self.add_row();
            for save in std::mem::take(&mut self.saves_at_unit_end) {
                self.retry_between_units(save);
            }
        }
        if advance.status == Status::Failed {
            self.is_running = false;
            let message = self.session.as_ref().and_then(Session::failure);
            let failed = Reply::Device { gpu: None, message, failed: true };
            self.queued_replies.push_back(ReplyTo::unasked(failed));
            self.unsent = Unsent::Event;
        }
    }

    /// Adds the metrics of the last completed unit to the unsent rows, and queues the changes that waited for
    /// its end.
    fn add_row(&mut self) {
        if self.session.as_ref().is_some_and(|session| session.changes() != self.sent_changes) {
            // It fails only without a run, and one is open here.
            let reply = self.configured().ok();
            self.queued_replies.extend(reply.map(ReplyTo::unasked));
        }
        let Some(session) = &self.session else { return };
        self.unsent_rows.units.push(session.units());
        for (column, value) in self.unsent_rows.values.iter_mut().zip(session.row().values()) {
            column.push(*value);
        }
    }

    /// Returns the next message that is due without a new request, if any: a queued one, or progress.
    /// Progress is due every [`PROGRESS_INTERVAL_MS`], or at once after an event. The progress that answers
    /// [`Request::Step`] is sent when the step is finished, and none before it.
    pub fn take_message(&mut self, now: f64) -> Option<ReplyTo> {
        if let Some(reply) = self.queued_replies.pop_front() {
            return Some(reply);
        }
        if let Some(id) = self.pending.ended_steps.pop_front() {
            self.sent_at_ms = now;
            return Some(ReplyTo::request(id, self.take_progress()));
        }
        let is_due = match self.unsent {
            Unsent::Nothing => false,
            Unsent::Progress => self.pending.step.is_none() && now - self.sent_at_ms >= PROGRESS_INTERVAL_MS,
            Unsent::Event => true,
        };
        is_due.then(|| {
            self.sent_at_ms = now;
            ReplyTo::unasked(self.take_progress())
        })
    }

    /// Returns the progress with all unsent rows, and marks them as sent.
    pub fn take_progress(&mut self) -> Reply {
        let empty = self.session.as_ref().map(empty_columns).unwrap_or_default();
        let metrics = std::mem::replace(&mut self.unsent_rows, empty);
        self.unsent = Unsent::Nothing;
        Reply::Progress { progress: self.current_progress(), metrics }
    }

    pub(super) fn current_progress(&self) -> Progress {
        let session = self.session.as_ref();
        let (units_per_second, work_per_second) = self.pace.per_second();
        Progress {
            units: session.map_or(0, Session::units),
            work: session.map_or(0, Session::work),
            work_per_second,
            units_per_second,
            running: self.is_running,
            steps_per_second: self.slow_motion.steps_per_second,
            solved_at: session.and_then(Session::solved_at),
            solved_work: session.and_then(Session::solved_work),
            units_work: session.map_or(0, Session::units_work),
        }
    }
}

/// An empty column for each metric of the lab.
pub(super) fn empty_columns(session: &Session) -> Columns {
    Columns { units: Vec::new(), values: vec![Vec::new(); session.history().columns().len()] }
}
