//! Warnings: texts that are worlds, but probably not the ones that were meant.

use super::reached::ReachedState;
use super::scope::{Checker, Entity};
use crate::diagnostics::Span;
use crate::graph::{Id, Op};
use crate::syntax::ast::Kind;

impl Checker<'_, '_, '_> {
    pub(super) fn warn(&mut self, now: &[Id], reached: &ReachedState, reward: Id) {
        let statements = self.statements;
        let title = statements.iter().find(|s| matches!(s.kind, Kind::World(_)));
        let title = title.map_or(Span::default(), |s| s.span);
        let has_limit = statements.iter().any(|s| matches!(s.kind, Kind::Limit(_)));
        let never = |checker: &Self, id: Id| checker.graph.is(id, 0.0);
        if !has_limit && never(self, reached.failed) && never(self, reached.succeeded) {
            let message = "an episode of this world never ends";
            self.problems.warning(title, message, "write for example `limit 500 steps`");
        }
        let rewarded = statements.iter().find(|s| matches!(s.kind, Kind::Reward(_)));
        if never(self, reward) {
            let span = rewarded.map_or(title, |s| s.span);
            let message = "this world never rewards, so there is nothing to learn";
            self.problems.warning(span, message, "write for example `reward 1`");
        }
        let outputs = now.iter().chain([&reward, &reached.failed, &reached.succeeded]);
        let live = self.graph.live(outputs.chain(&reached.observations).copied());
        for statement in statements {
            let (Kind::Choice { name, .. } | Kind::Continuous { name, .. }) = &statement.kind else {
                continue;
            };
            let Some((Entity::Action(i), _)) = self.names.get(name.text) else { continue };
            let action = Op::Action(*i as u16);
            if !live.iter().any(|id| self.graph.op(*id) == action) {
                let message = format!("this world ignores its action `{}`", name.text);
                let help = "use it where the next state or the reward is calculated";
                self.problems.warning(statement.span, message, help);
            }
        }
    }
}
