//! From statements to a world: names, types, limits and the graph of operations. [`check`] is called with the
//! parsed statements, and gives the graph and its outputs, from which `World::compile` makes vector code.
//!
//! The same names mean other numbers at other moments ([`scope`] explains these), so a text is gone through
//! several times: declarations, the state at the beginning of an episode, the rules of a step, the reward,
//! then ends and observations of the state after the step, at the beginning and in general, and last the
//! picture.

mod declarations;
mod expression;
mod functions;
mod never;
mod picture;
mod reached;
mod scope;
mod value;
mod warnings;

use std::collections::{BTreeSet, HashMap, HashSet};

use picture::Picture;
use scope::{Checker, Entity, Locals, Moment, StateVariable, Unavailable};
use value::Value;
use warnings::Rules;

use crate::diagnostics::{Problems, Span};
use crate::graph::{Binary, Graph, Id, Op};
use crate::limits::{MAX_OPERATIONS, MAX_STATE};
use crate::syntax::ast::{Expr, Kind, Statement};
use crate::world::{Programs, Site, SiteKind, Spec};

/// A checked world, before it gets its code.
pub(crate) struct Checked {
    pub spec: Spec,
    pub graph: Graph,
    /// The places in the text where a fault may happen, such as a division; nodes name them by their index.
    pub sites: Vec<Site>,
    pub programs: Programs,
}

/// Checks statements. Returns nothing if there is an error in `problems`. The number is the work that it took.
pub(crate) fn check<'a, 't>(
    statements: &[Statement<'a>],
    problems: Problems<'t>,
) -> (Option<Checked>, Problems<'t>, usize) {
    let mut checker = Checker {
        problems,
        graph: Graph::default(),
        sites: Vec::new(),
        known_sites: HashMap::new(),
        statements,
        names: HashMap::new(),
        states: Vec::new(),
        lets: Vec::new(),
        seconds_per_step: 0.05,
        moment: Moment::Constant,
        now: Vec::new(),
        next: Vec::new(),
        values: Vec::new(),
        reached: Vec::new(),
        locals: Locals::default(),
        lets_above: usize::MAX,
        conditions: BTreeSet::new(),
        draws: [0; 2],
        depth: 0,
        expansion: 0,
        work: 0,
        exhausted: false,
    };
    let checked = checker.check();
    checker.report_exhaustion();
    let work = checker.expansion + checker.graph.asked() + checker.work;
    let problems = checker.problems;
    (checked.filter(|_| !problems.has_errors()), problems, work)
}

impl<'a> Checker<'a, '_, '_> {
    fn check(&mut self) -> Option<Checked> {
        let mut spec = self.declarations();
        let begin = self.begin(&mut spec);
        self.step_rules();
        let (inputs, rules, draws) = (self.state_inputs(), std::mem::take(&mut self.values), self.draws);
        // The values of the `let`s in the state after the step, for ends, observations and `x'` in rewards.
        let now = self.known_next();
        self.enter(Moment::Reached, now.clone());
        self.values_of_lets();
        self.reached = std::mem::take(&mut self.values);
        let has_value: Vec<bool> = self.reached.iter().map(Result::is_ok).collect();
        (self.moment, self.now, self.values, self.draws) = (Moment::Reward, inputs, rules, draws);
        let reward = self.reward();
        self.enter(Moment::Reached, now.clone());
        self.values = std::mem::take(&mut self.reached);
        let reached = self.reached_state(Some(&mut spec));
        if self.problems.has_errors() || self.exhausted {
            // Pictures may have errors of their own.
            self.picture(&mut spec);
            return None;
        }
        // The same for the state at the beginning, and for any state.
        self.enter(Moment::Reached, begin.clone());
        self.values_of_lets();
        let begun = self.reached_state(None);
        let inputs = self.state_inputs();
        self.enter(Moment::Reached, inputs);
        self.values_of_lets();
        let any = self.reached_state(None);
        let picture = self.picture(&mut spec);
        if self.exhausted {
            return None;
        }
        let programs = Programs {
            begin: begin.iter().copied().chain(begun.observations).collect(),
            step: now
                .iter()
                .copied()
                .chain([reward, reached.failed, reached.succeeded])
                .chain(reached.observations.iter().copied())
                .collect(),
            state: [any.failed, any.succeeded].into_iter().chain(any.observations.iter().copied()).collect(),
            picture: picture.numbers,
            drawings: picture.drawings,
            camera: picture.camera.unwrap_or(crate::frame::Camera { at: [0.0, 0.0], height: 2.0 }),
        };
        self.check_operations(&programs);
        if !self.problems.has_errors() {
            let begins_ended = self.graph.binary(Binary::Or, begun.failed, begun.succeeded);
            let (reached, any) = (&reached, &any);
            let has_value = &has_value;
            let rules = Rules { begin: &begin, next: &now, reward, reached, any, begins_ended, has_value };
            self.work += self.warn(&spec, &rules);
        }
        let sites = std::mem::take(&mut self.sites);
        self.work += self.graph.asked();
        Some(Checked { spec, graph: std::mem::take(&mut self.graph), sites, programs })
    }

    /// Begins to look at expressions at a moment, with the numbers of the state at it.
    fn enter(&mut self, moment: Moment, now: Vec<Id>) {
        self.moment = moment;
        self.now = now;
        self.values = Vec::new();
        self.draws = [0; 2];
    }

    fn state_inputs(&mut self) -> Vec<Id> {
        let count = self.states.iter().map(|state| state.shape.length.unwrap_or(1)).sum::<usize>();
        (0..count).map(|i| self.graph.input(Op::State(i as u16))).collect()
    }

    /// The state at the beginning of an episode, in the order of the text.
    fn begin(&mut self, spec: &mut Spec) -> Vec<Id> {
        let statements = self.statements;
        self.enter(Moment::Begin, Vec::new());
        for statement in statements {
            match &statement.kind {
                Kind::Let { .. } => self.let_value_quietly(statement),
                Kind::State { name, begin } => {
                    let value = self.value(begin);
                    self.declare(name.text, name.span, Entity::State(self.states.len()));
                    // After an error the variable is a number, so that its other uses can be checked.
                    let mut value = value.unwrap_or_else(|| Value::number(self.graph.constant(0.0)));
                    let first = self.now.len();
                    if first + value.ids.len() > MAX_STATE {
                        let message = format!("the state has at most {MAX_STATE} numbers");
                        self.problems.error(statement.span, message);
                        value = Value::number(value.ids[0]);
                    }
                    self.states.push(StateVariable { name: name.text, first, shape: value.shape });
                    match value.shape.length {
                        None => spec.state.push(name.text.to_owned()),
                        Some(n) => spec.state.extend((0..n).map(|i| format!("{}[{i}]", name.text))),
                    }
                    self.now.extend(value.ids);
                }
                _ => {}
            }
        }
        if self.states.is_empty() && !self.problems.has_errors() {
            let end = statements.last().map_or(Span::default(), |last| last.span);
            let help = "write for example `state x = uniform(-1, 1)`";
            self.problems.error_with_help(end, "a world needs a state", help);
        }
        std::mem::take(&mut self.now)
    }

    /// The `let`s and the next state, in the order of the text.
    fn step_rules(&mut self) {
        let statements = self.statements;
        self.next = vec![None; self.states.len()];
        let with_next: HashSet<&str> = statements
            .iter()
            .filter_map(|statement| match &statement.kind {
                Kind::Next { name, .. } => Some(name.text),
                _ => None,
            })
            .collect();
        let inputs = self.state_inputs();
        self.enter(Moment::Step, inputs);
        // What no line changes stays as it is.
        for i in 0..self.states.len() {
            let StateVariable { name, first, shape } = self.states[i];
            if !with_next.contains(name) {
                self.next[i] = Some(self.now[first..first + shape.length.unwrap_or(1)].to_vec());
            }
        }
        for statement in statements {
            match &statement.kind {
                Kind::Let { parameters: None, value, .. } => {
                    let value = self.value(value).ok_or(None);
                    self.values.push(value);
                }
                Kind::Let { .. } => self.let_value_quietly(statement),
                Kind::Next { name, value } => self.next_value(name.text, name.span, value),
                _ => {}
            }
        }
    }

    /// The rule of a state variable: `name' = e`.
    fn next_value(&mut self, name: &str, span: Span, e: &Expr<'a>) {
        let value = self.value(e);
        let Some(&(Entity::State(i), _)) = self.names.get(name) else {
            if self.names.contains_key(name) {
                self.problems.error(span, format!("`{name}` is not part of the state"));
            } else {
                let help = format!("define it: `state {name} = 0`");
                self.problems.error_with_help(span, format!("there is no state `{name}`"), help);
            }
            return;
        };
        let StateVariable { first, shape, .. } = self.states[i];
        if self.next[i].is_some() {
            self.problems.error(span, format!("`{name}'` is calculated twice"));
            return;
        }
        let Some(value) = value else {
            // So that its other uses are not reported too.
            self.next[i] = Some(self.now[first..first + shape.length.unwrap_or(1)].to_vec());
            return;
        };
        // A number beside a vector is the value of all its elements.
        let is_spread = shape.length.is_some() && value.shape.length.is_none();
        if value.shape.is_truth != shape.is_truth || (value.shape.length != shape.length && !is_spread) {
            let message = format!("`{name}` is {}, but this is {}", shape.name(), value.shape.name());
            self.problems.error(e.span, message);
        }
        // After an error the value may be shorter than the state.
        let last = value.ids.len() - 1;
        self.next[i] = Some((0..shape.length.unwrap_or(1)).map(|k| value.element(k.min(last))).collect());
    }

    /// The numbers of the state after the step.
    fn known_next(&mut self) -> Vec<Id> {
        self.next.iter().flatten().flatten().copied().collect()
    }

    /// The values of all `let`s at this moment.
    fn values_of_lets(&mut self) {
        let statements = self.statements;
        for statement in statements {
            if let Kind::Let { .. } = statement.kind {
                self.let_value_quietly(statement);
            }
        }
    }

    /// Adds the value of a `let` that may have none at this moment. Its errors are reported where it is used.
    fn let_value_quietly(&mut self, statement: &Statement<'a>) {
        let Kind::Let { name, parameters, value } = &statement.kind else { return };
        let value: Result<Value, Unavailable> = if parameters.is_some() {
            let message = format!("it is a function, so write its arguments: `{}(...)`", name.text);
            Err(Some(message))
        } else {
            let was_silent = std::mem::replace(&mut self.problems.silent, true);
            self.problems.unlisted = None;
            let value = self.value(value);
            self.problems.silent = was_silent;
            value.ok_or_else(|| self.problems.unlisted.take())
        };
        self.values.push(value);
    }

    fn reward(&mut self) -> Id {
        let statements = self.statements;
        let mut reward = self.graph.constant(0.0);
        for statement in statements {
            if let Kind::Reward(e) = &statement.kind
                && let Some(id) = self.number(e)
            {
                reward = id;
            }
        }
        reward
    }

    fn picture(&mut self, spec: &mut Spec) -> Picture {
        let statements = self.statements;
        let inputs = self.state_inputs();
        self.enter(Moment::Picture, inputs);
        self.values_of_lets();
        let mut picture = Picture::default();
        for statement in statements {
            if let Kind::Camera { at, height } = &statement.kind {
                picture.camera = self.camera(at, height);
            }
            // An error has been reported; the next shape may have another one.
            let _ = self.draw(&mut picture, statement);
        }
        spec.shapes = picture.drawings.len();
        picture
    }

    /// Checks how many operations the programs take, and adds the sites of numbers out of range.
    fn check_operations(&mut self, programs: &Programs) {
        let all = [
            (&programs.step, "a step"),
            (&programs.begin, "the beginning of an episode"),
            (&programs.picture, "a picture"),
        ];
        for (outputs, what) in all {
            let live = self.graph.live(outputs.iter().copied());
            let count = live.iter().filter(|id| self.graph.op(**id).is_operation()).count();
            if count > MAX_OPERATIONS {
                let message = format!("{what} takes {count} operations; the limit is {MAX_OPERATIONS}");
                self.problems.error(Span::default(), message);
            }
        }
        // No node stands for the fault that a number grows beyond all bounds. These sites are added so that
        // its line can be named.
        let statements = self.statements;
        for statement in statements {
            if let Kind::Next { name, .. } = &statement.kind {
                self.site(statement.span, SiteKind::StateOutOfRange(name.text.to_owned()));
            }
        }
        for statement in statements {
            match statement.kind {
                Kind::Reward(_) => drop(self.site(statement.span, SiteKind::RewardOutOfRange)),
                Kind::Observe(_) => drop(self.site(statement.span, SiteKind::ObservationOutOfRange)),
                _ => {}
            }
        }
    }
}
