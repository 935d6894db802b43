//! The messages of a fleet as they travel over NATS: links, names of actors, subjects, and messages cut into
//! pieces. Nothing here does I/O, so tabs use it as well.

mod link;
mod name;
mod pieces;

pub use link::{Link, Role, read_address};
pub use name::{ActorName, Token};
pub use pieces::{
    Assembler, MAX_DOWN_BYTES, MAX_PIECE_BYTES, MAX_UP_BYTES, UpPiece, cut_down, cut_up, read_down, read_up,
};

/// The subjects of one fleet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subjects {
    prefix: String,
}

impl Subjects {
    /// The subjects of the fleet with this id (see [`Link::fleet`]).
    pub fn new(fleet: &str) -> Self {
        Self { prefix: format!("learnery.{fleet}") }
    }

    /// From an actor to the host: all messages but results.
    pub fn up(&self, actor: &str) -> String {
        format!("{}.up.{actor}", self.prefix)
    }

    /// From an actor to the host: results. A stream of the server keeps them while the host is away.
    pub fn result(&self, actor: &str) -> String {
        format!("{}.result.{actor}", self.prefix)
    }

    /// From the host to an actor.
    pub fn down(&self, actor: &str) -> String {
        format!("{}.down.{actor}", self.prefix)
    }

    /// From the host to all actors.
    pub fn down_all(&self) -> String {
        self.down("all")
    }

    /// From the host to all who watch: the status of the fleet, as JSON.
    pub fn status(&self) -> String {
        format!("{}.status", self.prefix)
    }
}
