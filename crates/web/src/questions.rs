//! The questions that the page has asked the lab's tools, and how far their answers are. Tools work in slices
//! beside training, whether or not a picture is drawn and whether or not the run is paused.

use std::collections::VecDeque;

use learnery_lab::{AnyJob, Budget, Checkpoint, LabError, ToolEntry, ToolStatus};
use serde_json::{Map, Value};

use crate::host::reason;
use crate::protocol::{Answer, AnswerPart};

/// The share of a slice that tools have while something else has work to do too. All open questions together
/// have it.
pub const TOOL_SHARE: f64 = 0.5;

/// Milliseconds between two messages about the progress of a question.
const PROGRESS_INTERVAL_MS: f64 = 50.0;

/// A question as the page asks it.
#[derive(Clone, Debug)]
pub struct Question {
    pub id: u32,
    pub tool: String,
    pub input: Map<String, Value>,
    /// The content of the file that the input names.
    pub bytes: Option<Vec<u8>>,
}

/// A question under way.
struct Open {
    id: u32,
    job: Box<dyn AnyJob>,
    /// When its progress was last sent.
    sent_at_ms: f64,
}

/// All questions of a worker.
#[derive(Default)]
pub struct Questions {
    /// The first one has the next slice.
    open: VecDeque<Open>,
    /// Answers that have not been sent yet.
    answers: VecDeque<Answer>,
}

impl Questions {
    /// Begins to answer a question with a network, of which the tool keeps a copy.
    pub fn begin(&mut self, tools: &'static [ToolEntry], network: &Checkpoint, question: Question) {
        let Question { id, tool, input, bytes } = question;
        let begun = match ToolEntry::find(tools, &tool) {
            Ok(tool) => tool.begin(network, &Value::Object(input), bytes),
            Err(error) => Err(error),
        };
        match begun {
            Ok(job) => {
                self.push(id, AnswerPart::Begun { units: job.units() });
                self.open.push_back(Open { id, job, sent_at_ms: f64::NEG_INFINITY });
            }
            Err(error) => self.refuse(id, error),
        }
    }

    /// Answers that a question cannot be answered.
    pub fn refuse(&mut self, id: u32, error: LabError) {
        let field = match &error {
            LabError::Input { field, .. } => Some(field.clone()),
            _ => None,
        };
        self.push(id, AnswerPart::Refused { field, message: reason(error) });
    }

    /// Ends a question. Its answer is what is known by now, and marked as partial. A question that has been
    /// answered already stays so.
    pub fn cancel(&mut self, id: u32) {
        let Some(at) = self.open.iter().position(|open| open.id == id) else { return };
        if let Some(open) = self.open.remove(at) {
            self.push(id, AnswerPart::Output { output: open.job.partial(), partial: true });
        }
    }

    /// Ends a question that has not begun.
    pub fn cancel_unbegun(&mut self, id: u32) {
        self.push(id, AnswerPart::Output { output: None, partial: true });
    }

    fn push(&mut self, id: u32, part: AnswerPart) {
        self.answers.push_back(Answer { id, part });
    }

    /// Whether a question is under way.
    pub fn has_work(&self) -> bool {
        !self.open.is_empty()
    }

    /// Works on the question whose turn it is, for at least one step and until `is_over` returns true.
    pub fn advance(&mut self, now: f64, is_over: &mut dyn FnMut() -> bool) {
        let Some(mut open) = self.open.pop_front() else { return };
        let id = open.id;
        let mut report = |event| self.answers.push_back(Answer { id, part: AnswerPart::Event { event } });
        match open.job.advance(&mut Budget::until(u64::MAX, is_over), &mut report) {
            Ok(ToolStatus::Done(output)) => {
                self.push(id, AnswerPart::Output { output: Some(output), partial: false });
            }
            Ok(ToolStatus::Ready | ToolStatus::Waiting) => {
                if now - open.sent_at_ms >= PROGRESS_INTERVAL_MS {
                    open.sent_at_ms = now;
                    self.push(id, AnswerPart::Progress { progress: open.job.progress() });
                }
                self.open.push_back(open);
            }
            Err(error) => self.refuse(id, error),
        }
    }

    /// The next answer to send.
    pub fn take(&mut self) -> Option<Answer> {
        self.answers.pop_front()
    }
}
