//! What an expression stands for while it is compiled: nodes of the graph, and their type.

use crate::graph::Id;

/// What an expression stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Value {
    /// One node, or one for each element of a vector.
    pub ids: Vec<Id>,
    pub shape: Type,
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Type {
    pub is_truth: bool,
    /// The length, if it is a vector.
    pub length: Option<usize>,
}

impl Value {
    pub fn number(id: Id) -> Self {
        Self { ids: vec![id], shape: Type { is_truth: false, length: None } }
    }

    pub fn truth(id: Id) -> Self {
        Self { ids: vec![id], shape: Type { is_truth: true, length: None } }
    }

    pub fn vector(ids: Vec<Id>, is_truth: bool) -> Self {
        Self { shape: Type { is_truth, length: Some(ids.len()) }, ids }
    }

    /// Element `i`, or the number itself if it is no vector.
    pub fn element(&self, i: usize) -> Id {
        if self.shape.length.is_some() { self.ids[i] } else { self.ids[0] }
    }
}

impl Type {
    /// With its article, as a part of a message.
    pub fn name(self) -> String {
        match (self.is_truth, self.length) {
            (false, None) => "a number".into(),
            (true, None) => "a truth value".into(),
            (false, Some(n)) => format!("a vector of {n} numbers"),
            (true, Some(n)) => format!("a vector of {n} truth values"),
        }
    }
}
