//! What follows from a state that has been reached: ends and observations.

use super::scope::Checker;
use crate::diagnostics::Span;
use crate::graph::{Binary, Id};
use crate::limits::MAX_OBSERVATIONS;
use crate::syntax::ast::{Kind, Observed};
use crate::world::{Observation, Spec};

/// What a world computes about a state that has been reached.
pub(super) struct ReachedState {
    pub failed: Id,
    pub succeeded: Id,
    pub observations: Vec<Id>,
    /// The conditions of the lines with `fail` and `succeed`, by the indices of their statements.
    pub ends: Vec<(usize, Id)>,
    /// Where each observation is written, and how many numbers it has; nothing without a line `observe`.
    pub observed: Vec<(Span, usize)>,
}

impl<'a> Checker<'a, '_, '_> {
    /// Ends and observations. With a specification, describes the observations in it.
    pub(super) fn reached_state(&mut self, mut spec: Option<&mut Spec>) -> ReachedState {
        let statements = self.statements;
        let never = self.graph.truth(false);
        let mut reached = ReachedState {
            failed: never,
            succeeded: never,
            observations: Vec::new(),
            ends: Vec::new(),
            observed: Vec::new(),
        };
        let mut has_observations = false;
        for (i, statement) in statements.iter().enumerate() {
            match &statement.kind {
                Kind::Fail(e) => {
                    if let Some(id) = self.truth(e) {
                        reached.failed = self.graph.binary(Binary::Or, reached.failed, id);
                        reached.ends.push((i, id));
                    }
                }
                Kind::Succeed(e) => {
                    if let Some(id) = self.truth(e) {
                        reached.succeeded = self.graph.binary(Binary::Or, reached.succeeded, id);
                        reached.ends.push((i, id));
                    }
                }
                Kind::Observe(observed) => {
                    has_observations = true;
                    for one in observed {
                        let before = reached.observations.len();
                        self.observation(one, &mut reached.observations, spec.as_deref_mut());
                        reached.observed.push((one.value.span, reached.observations.len() - before));
                    }
                    if reached.observations.len() > MAX_OBSERVATIONS {
                        let message = format!("the agent observes at most {MAX_OBSERVATIONS} numbers");
                        self.problems.error(statement.span, message);
                        reached.observations.truncate(MAX_OBSERVATIONS);
                    }
                }
                _ => {}
            }
        }
        if !has_observations {
            // Without a word about it, the agent sees the whole state.
            reached.observations = self.now.iter().take(MAX_OBSERVATIONS).copied().collect();
            if let Some(spec) = spec {
                spec.observations = spec
                    .state
                    .iter()
                    .take(MAX_OBSERVATIONS)
                    .map(|name| Observation { name: name.clone(), scale: 1.0 })
                    .collect();
            }
        }
        reached
    }

    fn observation(&mut self, one: &Observed<'a>, ids: &mut Vec<Id>, spec: Option<&mut Spec>) {
        let scale = one.scale.as_ref().map(|e| (e.span, self.constant(e)));
        let Some(value) = self.value(&one.value) else { return };
        let mut factor = 1.0;
        if let Some((span, Some(scale))) = scale {
            if scale <= 0.0 {
                self.problems.error(span, "a scale is above 0");
            } else {
                factor = 1.0 / scale;
            }
        }
        let factor_id = self.graph.constant(factor);
        for id in &value.ids {
            ids.push(self.graph.binary(Binary::Mul, *id, factor_id));
        }
        if let Some(spec) = spec {
            let name = match &one.name {
                Some(name) => name.text.to_owned(),
                None => self.problems.source(one.value.span).chars().take(40).collect(),
            };
            for i in 0..value.ids.len() {
                let name = if value.shape.length.is_some() { format!("{name}[{i}]") } else { name.clone() };
                spec.observations.push(Observation { name, scale: 1.0 / factor });
            }
        }
    }
}
