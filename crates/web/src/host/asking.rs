//! Questions of the page to the lab's tools: they wait for the end of the unit like a save, and then work beside
//! training.

use learnery_lab::{AnyOutput, LabError};

use super::{Host, no_run};
use crate::pending::{BetweenUnits, WaitingRequest};
use crate::questions::{Question, TOOL_SHARE};

impl Host {
    /// Gives a tool the network of the run, which is between two units and has been fetched from the GPU.
    pub(super) fn begin_question(&mut self, question: Question) -> Result<(), LabError> {
        let answerer = self.questions.answerer()?;
        match &mut self.session {
            Some(session) => answerer.begin(session, question),
            None => answerer.refuse(question.id, no_run()),
        }
        Ok(())
    }

    /// Ends a question, also one that still waits for the end of the unit.
    pub(super) fn cancel(&mut self, id: u32) -> Result<(), LabError> {
        let answerer = self.questions.answerer()?;
        let is_it =
            |request: &WaitingRequest| request.id == id && matches!(request.work, BetweenUnits::Ask(_));
        if self.pending.waiting.iter().any(is_it) {
            self.pending.waiting.retain(|request| !is_it(request));
            answerer.cancel_waiting(id);
        } else {
            answerer.cancel(id);
        }
        Ok(())
    }

    /// Works on a question for the tools' share of a slice of so many milliseconds, or for all of it if the run
    /// has no work.
    pub(super) fn advance_questions(&mut self, milliseconds: f64, begin: f64, now: &mut dyn FnMut() -> f64) {
        let share = if self.trains() { TOOL_SHARE } else { 1.0 };
        if let Ok(answerer) = self.questions.answerer() {
            answerer.advance(begin, &mut || now() - begin >= share * milliseconds);
        }
    }

    /// Returns the next part of an answer of a tool that is due, if any: a [`crate::protocol::Answer`]. Its type
    /// is erased, so that bundles without tools do not contain it.
    pub fn take_answer(&mut self) -> Option<AnyOutput> {
        self.questions.take()
    }
}
