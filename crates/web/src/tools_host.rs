//! The host of a bundle that has the tools of a lab and no session. Its worker answers questions about the
//! networks of checkpoints, so neither training nor the picture waits for it, and it may end at any time.

use learnery_lab::{AnyOutput, Checkpoint, LabError};

use crate::labs;
use crate::protocol::ToolsRequest;
use crate::questions::{Answerer, ByTools, Question};

/// Carries out the page's requests, see [`ToolsRequest`].
pub struct ToolsHost {
    /// The checkpoint that questions are about, or why it cannot be read.
    source: Result<Checkpoint, String>,
    answerer: ByTools,
}

impl Default for ToolsHost {
    fn default() -> Self {
        Self { source: Err("no network was given".into()), answerer: ByTools::default() }
    }
}

impl ToolsHost {
    /// Carries out a request. Its answers are taken with [`Self::take_answer`].
    pub fn handle(&mut self, request: ToolsRequest) {
        match request {
            ToolsRequest::Source { bytes } => {
                self.source = Checkpoint::from_bytes(&bytes).map_err(|error| error.to_string());
            }
            ToolsRequest::Ask { id, tool, input, bytes, priority } => match &self.source {
                Ok(source) => {
                    let bytes = bytes.map(serde_bytes::ByteBuf::into_vec);
                    let question = Question { id, tool, input, bytes, priority };
                    self.answerer.begin_with(labs::tools_alone(), source, question);
                }
                Err(problem) => self.answerer.refuse(id, LabError::Tool(problem.clone())),
            },
            ToolsRequest::Cancel { id } => self.answerer.cancel(id),
        }
    }

    /// Whether a question is under way.
    pub fn has_work(&self) -> bool {
        self.answerer.has_work()
    }

    /// Works on a question for about `milliseconds`. `now` returns the time in milliseconds.
    pub fn slice(&mut self, milliseconds: f64, now: &mut dyn FnMut() -> f64) {
        let begin = now();
        self.answerer.advance(begin, &mut || now() - begin >= milliseconds);
    }

    /// The next part of an answer that is due, a [`crate::protocol::Answer`].
    pub fn take_answer(&mut self) -> Option<AnyOutput> {
        self.answerer.take()
    }
}
