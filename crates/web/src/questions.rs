//! The questions that the page has asked the lab's tools, and how far their answers are. Tools work in slices
//! beside training, whether or not a picture is drawn and whether or not the run is paused.

use std::collections::VecDeque;

use learnery_lab::{AnyJob, AnyOutput, Budget, Checkpoint, LabError, Session, ToolEntry, ToolStatus};
use serde_json::{Map, Value};

use crate::host::reason;
use crate::labs;
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
    /// Questions with the largest one have all slices, and share them in turns.
    pub priority: i8,
}

/// Answers questions. It is a trait so that only bundles whose lab has tools in a tab contain the code, see
/// [`labs::register_answerer`].
pub trait Answerer {
    /// Begins to answer a question with the network of a run, of which the tool keeps a copy. The run is
    /// between two units and has been fetched from the GPU.
    fn begin(&mut self, session: &mut Session, question: Question);
    /// Answers that a question cannot be answered.
    fn refuse(&mut self, id: u32, error: LabError);
    /// Ends a question. Its answer is what is known by now, and marked as partial. A question that has been
    /// answered already stays so.
    fn cancel(&mut self, id: u32);
    /// Ends a question that still waits for the end of a unit.
    fn cancel_waiting(&mut self, id: u32);
    /// Whether a question is under way.
    fn has_work(&self) -> bool;
    /// Works on the most urgent question, of several on the one whose turn it is, for at least one step and
    /// until `is_over` returns true. It ends earlier if the answer is complete or a device is busy. `now` is
    /// in milliseconds.
    fn advance(&mut self, now: f64, is_over: &mut dyn FnMut() -> bool);
    /// The next answer to send, an [`Answer`].
    fn take(&mut self) -> Option<AnyOutput>;
}

/// The questions of a worker. Without an answerer it refuses them all.
pub struct Questions {
    answerer: Option<Box<dyn Answerer>>,
}

impl Default for Questions {
    fn default() -> Self {
        Self { answerer: labs::new_answerer() }
    }
}

impl Questions {
    /// The answerer, or an error if the bundle has none.
    pub fn answerer(&mut self) -> Result<&mut dyn Answerer, LabError> {
        match &mut self.answerer {
            Some(answerer) => Ok(answerer.as_mut()),
            None => Err(LabError::Tool("this lab has no tools in a tab".into())),
        }
    }

    /// Whether a question is under way.
    pub fn has_work(&self) -> bool {
        self.answerer.as_ref().is_some_and(|answerer| answerer.has_work())
    }

    /// The next answer to send, an [`Answer`].
    pub fn take(&mut self) -> Option<AnyOutput> {
        self.answerer.as_mut()?.take()
    }
}

/// A question under way.
struct OpenQuestion {
    id: u32,
    priority: i8,
    job: Box<dyn AnyJob>,
    /// When its progress was last sent.
    sent_at_ms: f64,
}

/// Answers questions by the lab's tools.
#[derive(Default)]
pub struct ByTools {
    /// The first one of those with the largest priority has the next slice.
    open: VecDeque<OpenQuestion>,
    /// Answers that have not been sent yet.
    answers: VecDeque<Answer>,
}

/// An answerer that asks the lab's tools.
pub fn by_tools() -> Box<dyn Answerer> {
    Box::<ByTools>::default()
}

impl ByTools {
    /// Begins to answer a question with the network of a checkpoint, of which the tool keeps a copy.
    pub fn begin_with(&mut self, tools: &'static [ToolEntry], network: &Checkpoint, question: Question) {
        let Question { id, tool, input, bytes, priority } = question;
        let begun =
            ToolEntry::find(tools, &tool).and_then(|tool| tool.begin(network, &Value::Object(input), bytes));
        match begun {
            Ok(job) => {
                self.push(id, AnswerPart::Begun { units: job.units() });
                self.open.push_back(OpenQuestion { id, priority, job, sent_at_ms: f64::NEG_INFINITY });
            }
            Err(error) => self.refuse(id, error),
        }
    }

    /// Takes out the question that has the next slice.
    fn take_most_urgent(&mut self) -> Option<OpenQuestion> {
        // Of equal ones `max_by_key` returns the last, here the one that has waited longest.
        let at = (0..self.open.len()).rev().max_by_key(|at| self.open[*at].priority)?;
        self.open.remove(at)
    }

    fn push(&mut self, id: u32, part: AnswerPart) {
        self.answers.push_back(Answer { id, part });
    }
}

impl Answerer for ByTools {
    fn begin(&mut self, session: &mut Session, question: Question) {
        match session.try_network() {
            Ok(network) => self.begin_with(session.entry().tools, &network, question),
            Err(error) => self.refuse(question.id, error),
        }
    }

    fn refuse(&mut self, id: u32, error: LabError) {
        let field = match &error {
            LabError::Input { field, .. } => Some(field.clone()),
            _ => None,
        };
        self.push(id, AnswerPart::Refused { field, message: reason(error) });
    }

    fn cancel(&mut self, id: u32) {
        let Some(at) = self.open.iter().position(|open| open.id == id) else { return };
        if let Some(open) = self.open.remove(at) {
            self.push(id, AnswerPart::Output { output: open.job.partial(), partial: true });
        }
    }

    fn cancel_waiting(&mut self, id: u32) {
        self.push(id, AnswerPart::Output { output: None, partial: true });
    }

    fn has_work(&self) -> bool {
        !self.open.is_empty()
    }

    fn advance(&mut self, now: f64, is_over: &mut dyn FnMut() -> bool) {
        let Some(mut open) = self.take_most_urgent() else { return };
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

    fn take(&mut self) -> Option<AnyOutput> {
        self.answers.pop_front().map(|answer| Box::new(answer) as AnyOutput)
    }
}
