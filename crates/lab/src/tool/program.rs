//! Another program that a tool asks, such as an opponent.

use std::fmt;
use std::sync::Arc;

/// Answers one line of text with another, or with a sentence about what went wrong. The lab defines the
/// protocol.
type Respond = dyn Fn(&str) -> Result<String, String> + Send + Sync;

/// Another program, such as GNU Backgammon as an opponent. It is sent one line for each question, such as
/// which move to play, and answers with one line.
#[derive(Clone)]
pub struct Program {
    respond: Arc<Respond>,
}

impl Program {
    /// A program that `respond` sends lines to.
    pub fn new(respond: impl Fn(&str) -> Result<String, String> + Send + Sync + 'static) -> Self {
        Self { respond: Arc::new(respond) }
    }

    /// Sends one line and returns the answer.
    pub fn request(&self, line: &str) -> Result<String, String> {
        (self.respond)(line)
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Program")
    }
}
