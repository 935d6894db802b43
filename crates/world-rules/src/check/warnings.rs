//! Warnings: texts that are worlds, but probably not the ones that were meant. Each is a conclusion from the
//! graph that holds for all parameters, states and random numbers, so a text without such a slip gets none.
//! One part alone is tried instead, on some beginnings of episodes: that none of them is an end already.
//!
//! All of it together has a budget of [`MAX_JUDGED`] units of work. What is not found out by then is not warned
//! of.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::never::Never;
use super::reached::ReachedState;
use super::scope::{Checker, Entity};
use crate::diagnostics::Span;
use crate::graph::{Binary, Id, Judge, Op, Unary};
use crate::limits::{MAX_ERRORS, MAX_JUDGED, MAX_OBSERVATIONS};
use crate::reference::beginnings_with;
use crate::syntax::ast::{Expr, Kind, Name, Statement};
use crate::world::Spec;

/// Beginnings of episodes that are looked at before it is said that none is an end already.
const BEGINNINGS: u64 = 256;

/// What a world computes, as far as the warnings are about it.
pub(super) struct Rules<'r> {
    pub begin: &'r [Id],
    pub next: &'r [Id],
    pub reward: Id,
    /// The state after a step.
    pub reached: &'r ReachedState,
    /// Any state, whatever led to it.
    pub any: &'r ReachedState,
    /// Whether the state at the beginning of an episode is one in which an episode ends.
    pub begins_ended: Id,
    /// Whether each `let` has a value in the state after a step. One that uses the action has none.
    pub has_value: &'r [bool],
}

impl<'a> Checker<'a, '_, '_> {
    /// Adds the warnings. Returns the work that it took.
    pub(super) fn warn(&mut self, spec: &Spec, rules: &Rules<'_>) -> usize {
        // On a copy, because the nodes that are added here must not get into the programs.
        let mut judge = Judge::new(self.graph.clone(), MAX_JUDGED);
        // `None` says that the budget is used up. Then the other warnings are left out.
        let _ = self.warn_within(&mut judge, spec, rules);
        MAX_JUDGED - judge.left()
    }

    fn warn_within(&mut self, judge: &mut Judge, spec: &Spec, rules: &Rules<'_>) -> Option<()> {
        let constant = constant_states(judge, rules)?;
        let known = |op| match op {
            Op::State(i) => constant[usize::from(i)],
            _ => None,
        };
        let outputs = [rules.reward, rules.reached.failed, rules.reached.succeeded];
        let [reward, failed, succeeded] =
            judge.with_inputs(&outputs, known)?.try_into().unwrap_or_else(|_| unreachable!("three nodes"));
        let never = Never::find(judge, spec, rules);
        let title = self.span_of(|kind| matches!(kind, Kind::World(_))).unwrap_or_default();
        let reward_span = self.span_of(|kind| matches!(kind, Kind::Reward(_))).unwrap_or(title);
        let has_no_end = judge.graph.is(failed, 0.0) && judge.graph.is(succeeded, 0.0);
        if spec.limit.is_none() && (has_no_end || never.ends) {
            let message = "an episode of this world never ends";
            self.problems.warning(title, message, "write for example `limit 500 steps`");
        }
        let never_rewards = judge.graph.is(reward, 0.0) || never.rewards;
        if never_rewards {
            let message = "this world never rewards, so there is nothing to learn";
            self.problems.warning(reward_span, message, "write for example `reward 1`");
        }
        let is_used = self.warn_of_unused_actions(judge, rules)?;
        // While an action or the reward is missing, the rest follows from it.
        if is_used {
            self.warn_of_observations(judge, &constant, rules.any, &never, known)?;
        }
        if is_used && !never_rewards {
            self.warn_of_effects(judge, rules, known, reward_span)?;
        }
        self.warn_of_dead_ends(judge, spec, &never)?;
        // Last, because a text may have thousands of conditions.
        self.warn_of_conditions(judge, spec, rules)?;
        self.warn_of_successes(judge, rules.any, &never);
        Some(())
    }

    fn span_of(&self, is_kind: impl Fn(&Kind<'a>) -> bool) -> Option<Span> {
        self.statements.iter().find(|statement| is_kind(&statement.kind)).map(|statement| statement.span)
    }

    /// Conditions in the reward that look at the state before the step, where the episode would have ended.
    fn warn_of_conditions(&mut self, judge: &mut Judge, spec: &Spec, rules: &Rules<'_>) -> Option<()> {
        let ended = judge.graph.binary(Binary::Or, rules.any.failed, rules.any.succeeded);
        let reward_nodes = judge.live([rules.reward])?;
        let next_nodes = judge.live(rules.next.iter().copied())?;
        // A condition may stand for several nodes: in a loop, or in a function that is called twice.
        let mut places: BTreeMap<Span, Vec<Id>> = BTreeMap::new();
        for (span, id) in std::mem::take(&mut self.conditions) {
            places.entry(span).or_default().push(id);
        }
        let statements = self.statements;
        let mut found = Vec::new();
        for (span, ids) in places {
            if found.len() > MAX_ERRORS {
                break;
            }
            let Some(statement) = statement_with(statements, span) else { continue };
            let of_let = match &statement.kind {
                Kind::Reward(_) => None,
                Kind::Let { name, parameters: None, .. } => Some(*name),
                _ => continue,
            };
            // In a `let` that the rules use too, the condition may be a precaution.
            let is_only_rewarded = |id: &Id| {
                // An `if` whose condition is negated has exchanged its branches.
                let id = if let Op::Unary(Unary::Not, inner) = judge.graph.op(*id) { inner } else { *id };
                reward_nodes.binary_search(&id).is_ok() && next_nodes.binary_search(&id).is_err()
            };
            let is_about_reward = of_let.is_none() || ids.iter().all(is_only_rewarded);
            let is_constant = ids.iter().any(|id| judge.graph.value(*id).is_some());
            if !is_about_reward || is_constant || self.problems.source(span).contains('\'') {
                continue;
            }
            let never = ids.iter().all(|id| judge.implies(*id, ended));
            let always = ids.iter().all(|id| {
                let negated = judge.graph.not(*id);
                judge.implies(negated, ended)
            });
            if never || always {
                found.push((span, of_let, never));
            }
        }
        if found.is_empty() {
            return Some(());
        }
        // An episode may begin in a state in which it would end: then its first step is such a case.
        let parameters: Vec<f32> = spec.parameters.iter().map(|parameter| parameter.value).collect();
        let work = judge.live([rules.begins_ended])?.len();
        judge.spend(work * BEGINNINGS as usize)?;
        if beginnings_with(&judge.graph, rules.begins_ended, &parameters, BEGINNINGS) > 0 {
            return Some(());
        }
        for (span, of_let, never) in found {
            let source = self.problems.source(span);
            let (how, so) = if never { ("never", "so") } else { ("always", "otherwise") };
            let message = format!(
                "this {how} holds in `reward`: it looks at the state before the step, and an episode whose state \
                 is {so} has already ended"
            );
            let primed = match of_let {
                Some(Name { text, .. }) => {
                    self.with_primes(text, rules.has_value).map(|it| (it, " in `reward`"))
                }
                None => self.with_primes(source, rules.has_value).map(|it| (it, "")),
            };
            let help = match primed {
                Some((primed, place)) => {
                    format!("write `{primed}`{place}, which looks at the state after the step")
                }
                None => "write `x'` for a variable `x` of the state, its value after the step".into(),
            };
            self.problems.warning(span, message, help);
        }
        Some(())
    }

    /// A part of the reward, about the state after the step; `None` if it uses a `let` that has no value
    /// there.
    fn with_primes(&self, source: &str, has_value: &[bool]) -> Option<String> {
        let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
        let mut primed = String::new();
        for part in source.split_inclusive(|c| !is_of_name(c)) {
            let name = part.trim_end_matches(|c| !is_of_name(c));
            primed += name;
            let is_function = |i: &usize| {
                matches!(&self.statements[self.lets[*i]].kind, Kind::Let { parameters: Some(_), .. })
            };
            match self.names.get(name) {
                Some((Entity::State(_), _)) => primed.push('\''),
                Some((Entity::Let(i), _)) if !is_function(i) => {
                    if !has_value.get(*i).is_some_and(|has_value| *has_value) {
                        return None;
                    }
                    primed.push('\'');
                }
                _ => {}
            }
            primed += &part[name.len()..];
        }
        Some(primed)
    }

    /// Successes that are failures.
    fn warn_of_successes(&mut self, judge: &mut Judge, any: &ReachedState, never: &Never) {
        let statements = self.statements;
        // Of lines that say the same, the first one.
        let mut seen = HashSet::new();
        let failures: Vec<(&Expr<'a>, Id)> = any
            .ends
            .iter()
            .filter_map(|(k, failed)| match &statements[*k].kind {
                Kind::Fail(failure) if seen.insert(*failed) => Some((failure, *failed)),
                _ => None,
            })
            .collect();
        let mut covering: HashMap<Id, Option<&Expr<'a>>> = HashMap::new();
        for (i, succeeded) in &any.ends {
            let Kind::Succeed(success) = &statements[*i].kind else { continue };
            let is_known = judge.graph.value(*succeeded).is_some() || never.is_dead(*i);
            if is_known || !judge.implies(*succeeded, any.failed) {
                continue;
            }
            // Nobody reads more of them.
            if self.problems.is_full() {
                self.problems.leave_out(statements[*i].span);
                break;
            }
            let message =
                "this success never counts: wherever it holds, a `fail` holds too, and that comes first";
            let one = *covering.entry(*succeeded).or_insert_with(|| {
                let covers = |(_, failed): &&(&Expr<'a>, Id)| judge.implies(*succeeded, *failed);
                failures.iter().find(covers).map(|(failure, _)| *failure)
            });
            let success = self.problems.source(success.span);
            let help = match one {
                Some(failure) => {
                    let failure = self.problems.source(failure.span);
                    format!("write `fail when ({failure}) and not ({success})`")
                }
                None => format!("write `fail when (...) and not ({success})` in the lines with `fail`"),
            };
            self.problems.warning(statements[*i].span, message, help);
        }
    }

    /// Observations that are the same number in every state.
    fn warn_of_observations(
        &mut self,
        judge: &mut Judge,
        constant: &[Option<f32>],
        any: &ReachedState,
        never: &Never,
        known: impl Fn(Op) -> Option<f32>,
    ) -> Option<()> {
        let statements = self.statements;
        let seen = judge.with_inputs(&any.observations, known)?;
        let mut seen = seen.iter().enumerate();
        for (span, count) in &any.observed {
            let changes = |(i, id): &(usize, &Id)| {
                judge.graph.value(**id).is_none() && !never.changes.get(*i).is_some_and(|never| *never)
            };
            let is_constant = seen.by_ref().take(*count).filter(changes).count() == 0;
            if *count > 0 && is_constant {
                let message = "this never changes, so the agent learns nothing from it";
                self.problems.warning(*span, message, "leave it out, or write what changes it in a step");
            }
        }
        if !any.observed.is_empty() {
            return Some(());
        }
        // The agent sees the whole state.
        for variable in &self.states {
            // Of a long state it sees only the first numbers.
            if variable.first >= MAX_OBSERVATIONS {
                continue;
            }
            let count = variable.shape.length.unwrap_or(1);
            let mut numbers = variable.first..variable.first + count;
            let is_constant =
                numbers.all(|i| constant[i].is_some() || never.moves.get(i).is_some_and(|never| *never));
            let name = variable.name;
            let is_it =
                |kind: &Kind<'a>| matches!(kind, Kind::State { name: other, .. } if other.text == name);
            if let Some(statement) = statements.iter().find(|statement| is_it(&statement.kind))
                && is_constant
            {
                let message = format!("the agent sees `{name}`, which never changes");
                let help = format!("write what changes it, `{name}' = ...`, or `let` instead of `state`");
                self.problems.warning(statement.span, message, help);
            }
        }
        Some(())
    }

    /// Actions that no rule uses. Returns whether there is none.
    fn warn_of_unused_actions(&mut self, judge: &mut Judge, rules: &Rules<'_>) -> Option<bool> {
        let reached = rules.reached;
        let outputs = rules.next.iter().chain([&rules.reward, &reached.failed, &reached.succeeded]);
        let live = judge.live(outputs.chain(&reached.observations).copied())?;
        let mut all_used = true;
        for (span, name, action) in self.actions() {
            if live.iter().any(|id| judge.graph.op(*id) == action) {
                continue;
            }
            all_used = false;
            let message = format!("this world ignores its action `{name}`");
            let help = "use it where the next state or the reward is calculated";
            self.problems.warning(span, message, help);
        }
        Some(all_used)
    }

    /// Where each action is written, its name, and its node.
    fn actions(&self) -> Vec<(Span, &'a str, Op)> {
        let mut actions = Vec::new();
        for statement in self.statements {
            if let Kind::Choice { name, .. } | Kind::Continuous { name, .. } = &statement.kind
                && let Some((Entity::Action(i), _)) = self.names.get(name.text)
            {
                actions.push((statement.span, name.text, Op::Action(*i as u16)));
            }
        }
        actions
    }

    /// Actions whose use changes nothing that counts, and choices of which one does the same as another.
    fn warn_of_effects(
        &mut self,
        judge: &mut Judge,
        rules: &Rules<'_>,
        known: impl Fn(Op) -> Option<f32>,
        reward_span: Span,
    ) -> Option<()> {
        let outputs: Vec<Id> = rules.next.iter().copied().chain([rules.reward]).collect();
        let outputs = judge.with_inputs(&outputs, &known)?;
        let (reward, next) = outputs.split_last()?;
        let mut outcomes = judge.with_inputs(&[rules.any.failed, rules.any.succeeded], &known)?;
        outcomes.push(*reward);
        // A fault in the next state ends the episode too.
        let mut failing = Vec::new();
        for id in next {
            let live = judge.live([*id])?;
            if live.iter().any(|part| matches!(judge.graph.op(*part), Op::Check(..))) {
                failing.push(*id);
            }
        }
        outcomes.extend(&failing);
        let (affects_outcome, _) = influences(judge, &outcomes, next)?;
        let is_action = |id: &Id| matches!(judge.graph.op(*id), Op::Action(_));
        if !affects_outcome.iter().any(is_action) {
            let message =
                "no action changes the reward or the end of an episode, so there is nothing to learn";
            let help = "let the reward depend on what the action changes";
            self.problems.warning(reward_span, message, help);
            return Some(());
        }
        let mut noticed = outcomes;
        noticed.extend(judge.with_inputs(&rules.any.observations, &known)?);
        let (affects_noticed, states) = influences(judge, &noticed, next)?;
        for (span, name, action) in self.actions() {
            if affects_noticed.iter().any(|id| judge.graph.op(*id) == action) {
                continue;
            }
            let message =
                format!("`{name}` changes nothing that the agent is rewarded for or sees, not even later");
            let help = "use it where the reward, or what the reward depends on, is calculated";
            self.problems.warning(span, message, help);
        }
        let statements = self.statements;
        for statement in statements {
            let Kind::Choice { choices, .. } = &statement.kind else { continue };
            let states = states.iter().map(|i| next[*i]);
            let outputs: Vec<Id> = states.chain([*reward]).chain(failing.iter().copied()).collect();
            let results: Option<Vec<Vec<Id>>> = (0..choices.len())
                .map(|choice| {
                    // A world with choices has no other action.
                    let taken = |op| (op == Op::Action(0)).then_some(choice as f32);
                    judge.with_inputs(&outputs, taken)
                })
                .collect();
            let results = results?;
            for (i, choice) in choices.iter().enumerate() {
                let Some(same) = results[..i].iter().position(|other| *other == results[i]) else { continue };
                let (choice, same) = (choice, choices[same].text);
                let message = format!("`{}` does the same as `{same}` in every state", choice.text);
                let help = "use it in the rules or the reward, or leave it out";
                self.problems.warning(choice.span, message, help);
            }
        }
        Some(())
    }
}

/// The statement that a part of an expression belongs to. Statements are in the order of the text.
fn statement_with<'s, 'a>(statements: &'s [Statement<'a>], span: Span) -> Option<&'s Statement<'a>> {
    let after = statements.partition_point(|statement| statement.span.start <= span.start);
    let statement = &statements[after.checked_sub(1)?];
    (span.end <= statement.span.end).then_some(statement)
}

/// The numbers of the state that keep the value with which every episode begins. At first all that begin with
/// a constant are taken for such; whichever a step changes after all is dropped, until none is.
fn constant_states(judge: &mut Judge, rules: &Rules<'_>) -> Option<Vec<Option<f32>>> {
    let mut constant: Vec<Option<f32>> = rules.begin.iter().map(|id| judge.graph.value(*id)).collect();
    loop {
        let known = |op| match op {
            Op::State(i) => constant[usize::from(i)],
            _ => None,
        };
        let next = judge.with_inputs(rules.next, known)?;
        let mut is_stable = true;
        for (begin, next) in constant.iter_mut().zip(next) {
            if begin.is_some() && judge.graph.value(next).map(f32::to_bits) != begin.map(f32::to_bits) {
                *begin = None;
                is_stable = false;
            }
        }
        if is_stable {
            return Some(constant);
        }
    }
}

/// The nodes that `outputs` depend on, in this step or by the state in a later one; and the numbers of the
/// state among them.
fn influences(judge: &mut Judge, outputs: &[Id], next: &[Id]) -> Option<(Vec<Id>, Vec<usize>)> {
    let mut roots = outputs.to_vec();
    let mut states = Vec::new();
    loop {
        let live = judge.live(roots.iter().copied())?;
        let before = states.len();
        for id in &live {
            if let Op::State(i) = judge.graph.op(*id)
                && !states.contains(&usize::from(i))
            {
                states.push(usize::from(i));
                roots.push(next[usize::from(i)]);
            }
        }
        if states.len() == before {
            return Some((live, states));
        }
    }
}
