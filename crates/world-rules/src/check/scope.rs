//! The checker's state: what names stand for, and at which moment of a step an expression is evaluated.
//!
//! An expression means something else at each moment. In the rules of a step, `x` is the value before it and
//! `x'` the value after it. Ends, observations and pictures look at a state that has been reached, so there
//! `x` is the value in that state. A `let` is a formula: it is evaluated anew at each moment that uses it.

use std::collections::{BTreeSet, HashMap};

use super::value::{Type, Value};
use crate::diagnostics::{Problems, Span, nearest};
use crate::graph::{Graph, Id, Op};
use crate::limits::{MAX_ASKED, MAX_EXPANSION, MAX_NODES};
use crate::syntax::CONSTANTS;
use crate::syntax::ast::Statement;
use crate::world::{Site, SiteKind};

/// A moment of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// Numbers of the text, such as bounds: no names but those of constants.
    Constant,
    /// The beginning of an episode.
    Begin,
    /// The rules of a step.
    Step,
    /// The rewards of a step, when all of its next state is known.
    Reward,
    /// A state that has been reached.
    Reached,
    /// A picture of a state, and of the action that led to it.
    Picture,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Entity {
    Parameter(usize),
    State(usize),
    Action(usize),
    /// An action that is chosen by its name.
    Choice(usize),
    /// By its number among the `let`s.
    Let(usize),
}

pub(super) struct StateVariable<'a> {
    pub name: &'a str,
    /// The index of its first number.
    pub first: usize,
    pub shape: Type,
}

/// Why a `let` has no value at a moment: `None`, if the reason has been reported.
pub(super) type Unavailable = Option<String>;

/// Arguments of functions and variables of loops. Only those of the present function are seen.
#[derive(Default)]
pub(super) struct Locals<'a> {
    /// The innermost last.
    all: Vec<(&'a str, Value)>,
    /// Where each name stands in `all`. A function may have thousands of arguments.
    places: HashMap<&'a str, Vec<usize>>,
    /// Where those of the present function begin.
    frame: usize,
}

impl<'a> Locals<'a> {
    pub fn push(&mut self, name: &'a str, value: Value) {
        self.places.entry(name).or_default().push(self.all.len());
        self.all.push((name, value));
    }

    pub fn pop(&mut self) {
        if let Some((name, _)) = self.all.pop()
            && let Some(places) = self.places.get_mut(name)
        {
            places.pop();
        }
    }

    pub fn get(&self, name: &str) -> Option<&Value> {
        let place = *self.places.get(name)?.last()?;
        (place >= self.frame).then(|| &self.all[place].1)
    }

    fn names(&self) -> impl Iterator<Item = &'a str> {
        self.all[self.frame..].iter().map(|(name, _)| *name)
    }

    /// Enters a function with these arguments. Returns what [`Self::leave`] needs.
    pub fn enter(&mut self, arguments: impl Iterator<Item = (&'a str, Value)>) -> usize {
        let outer = std::mem::replace(&mut self.frame, self.all.len());
        arguments.for_each(|(name, value)| self.push(name, value));
        outer
    }

    /// Leaves the present function.
    pub fn leave(&mut self, outer: usize) {
        while self.all.len() > self.frame {
            self.pop();
        }
        self.frame = outer;
    }
}

/// What the check of a text knows so far. `'a` is the text of names, `'t` that of the problems, `'s` the list
/// of statements.
pub(super) struct Checker<'a, 't, 's> {
    pub problems: Problems<'t>,
    pub graph: Graph,
    /// The places in the text where a fault may happen, and their indices.
    pub sites: Vec<Site>,
    pub known_sites: HashMap<(Span, SiteKind), usize>,
    /// The statements, in order.
    pub statements: &'s [Statement<'a>],
    /// What each name stands for, and where it is declared.
    pub names: HashMap<&'a str, (Entity, Span)>,
    pub states: Vec<StateVariable<'a>>,
    /// The indices of the `let` statements.
    pub lets: Vec<usize>,
    pub seconds_per_step: f32,

    pub moment: Moment,
    /// The graph's nodes for the numbers of the state at this moment; at the beginning of an episode, those
    /// known so far.
    pub now: Vec<Id>,
    /// The state after the step, variable by variable, as far as it is known.
    pub next: Vec<Option<Vec<Id>>>,
    /// The values of the `let`s at this moment; those below the present statement have none yet.
    pub values: Vec<Result<Value, Unavailable>>,
    /// The values of the `let`s in the state after the step.
    pub reached: Vec<Result<Value, Unavailable>>,
    /// Arguments of functions and variables of loops.
    pub locals: Locals<'a>,
    /// In a function, the number of `let`s above it: it knows no others.
    pub lets_above: usize,
    /// The conditions of `if`s in the rules and the reward, with where they are written.
    pub conditions: BTreeSet<(Span, Id)>,
    /// Random numbers drawn at this moment so far: uniform, normal.
    pub draws: [usize; 2],
    /// How deep the present expression lies in others.
    pub depth: usize,
    /// Parts of expressions looked at so far.
    pub expansion: usize,
    /// Other work so far: names that were compared with an unknown one, nodes that the warnings have looked at,
    /// and operations that were asked of the finished graph.
    pub work: usize,
    /// Whether the text has grown too large to go on.
    pub exhausted: bool,
}

impl<'a> Checker<'a, '_, '_> {
    /// Gives a name a meaning; a name has one meaning in the whole text.
    pub fn declare(&mut self, name: &'a str, span: Span, entity: Entity) {
        if super::functions::is_function(name) {
            let message = format!("`{name}` is a function of the language and cannot be another name");
            self.problems.error_with_help(span, message, format!("write for example `{name}_`"));
            return;
        }
        if self.names.contains_key(name) {
            let message = format!("there is already something called `{name}`");
            self.problems.error_with_help(span, message, "a name has one meaning in the whole text");
            return;
        }
        self.names.insert(name, (entity, span));
    }

    /// Counts one part of an expression. False if the text has grown too large to go on.
    pub fn spend(&mut self) -> bool {
        self.expansion += 1;
        if self.expansion > MAX_EXPANSION || self.graph.is_full() || self.graph.asked() > MAX_ASKED {
            self.exhausted = true;
        }
        !self.exhausted
    }

    /// Reports that the text has grown too large.
    pub fn report_exhaustion(&mut self) {
        if self.exhausted {
            // The statement in which the text grew too large may have been read silently.
            self.problems.silent = false;
            let counted = if self.graph.asked() > MAX_ASKED {
                format!("more than {MAX_ASKED} operations, repeated ones included")
            } else {
                format!("more than {MAX_EXPANSION} parts or {MAX_NODES} operations")
            };
            let message =
                format!("the text is too large when loops and functions are written out: {counted}");
            self.problems.error_with_help(Span::default(), message, "make the loops shorter");
        }
    }

    /// The number of the site of a possible fault.
    pub fn site(&mut self, span: Span, kind: SiteKind) -> u16 {
        let next = self.sites.len();
        let site = *self.known_sites.entry((span, kind.clone())).or_insert(next);
        if site == next {
            self.sites.push(Site { span, kind, line: 0 });
        }
        // A text with more sites than 16 bits can number is too large.
        u16::try_from(site).unwrap_or_else(|_| {
            self.exhausted = true;
            0
        })
    }

    /// `value`, which is a fault where `bad` holds.
    pub fn checked(&mut self, value: Id, bad: Id, span: Span, kind: SiteKind) -> Option<Id> {
        // Elsewhere the state may be known, as at the beginning, so that a fault is certain in a branch that
        // is never taken. That is no error.
        let is_rule = matches!(self.moment, Moment::Constant | Moment::Step | Moment::Reward);
        if is_rule && self.graph.is(bad, 1.0) {
            self.problems.error(span, format!("this is always {}", kind.name()));
            return None;
        }
        if self.graph.is(bad, 0.0) {
            return Some(value);
        }
        let site = self.site(span, kind);
        Some(self.graph.check(value, bad, site))
    }

    /// The value of a name.
    pub fn name(&mut self, name: &str, span: Span) -> Option<Value> {
        if let Some(value) = self.locals.get(name) {
            return Some(value.clone());
        }
        let constant = match name {
            "pi" => Some(std::f32::consts::PI),
            "degree" => Some((std::f64::consts::PI / 180.0) as f32),
            "dt" => Some(self.seconds_per_step),
            _ => None,
        };
        if let Some(x) = constant {
            return Some(Value::number(self.graph.constant(x)));
        }
        let Some(&(entity, _)) = self.names.get(name) else {
            if self.moment == Moment::Constant {
                self.not_constant(name, span);
            } else {
                self.unknown(name, span);
            }
            return None;
        };
        match entity {
            Entity::Choice(i) => Some(Value::number(self.graph.constant(i as f32))),
            _ if self.moment == Moment::Constant => {
                self.not_constant(name, span);
                None
            }
            Entity::Parameter(i) => Some(Value::number(self.graph.input(Op::Parameter(i as u16)))),
            Entity::State(i) => self.state(i, span),
            Entity::Action(i) => match self.moment {
                Moment::Step | Moment::Reward | Moment::Picture => {
                    Some(Value::number(self.graph.input(Op::Action(i as u16))))
                }
                _ => {
                    let message = format!("the action `{name}` is not known here, only the state is");
                    let help = format!("keep it in a state variable, for example `last' = {name}`");
                    self.problems.error_with_help(span, message, help);
                    None
                }
            },
            Entity::Let(i) => {
                // Taken out for a moment, because `let_value` borrows all of `self`.
                let values = std::mem::take(&mut self.values);
                let known = values.len().min(self.lets_above);
                let value = self.let_value(&values[..known], i, name, span);
                self.values = values;
                value
            }
        }
    }

    fn not_constant(&mut self, name: &str, span: Span) {
        let message = format!("expected a number that never changes, found `{name}`");
        self.problems.error_with_help(span, message, "write the number itself");
    }

    fn state(&mut self, i: usize, span: Span) -> Option<Value> {
        let variable = &self.states[i];
        let (first, count) = (variable.first, variable.shape.length.unwrap_or(1));
        if first + count > self.now.len() {
            let message = format!("`{}` begins below this line", variable.name);
            self.problems.error_with_help(span, message, "move this line below it");
            return None;
        }
        Some(Value { ids: self.now[first..first + count].to_vec(), shape: variable.shape })
    }

    fn let_value(
        &mut self,
        values: &[Result<Value, Unavailable>],
        i: usize,
        name: &str,
        span: Span,
    ) -> Option<Value> {
        match values.get(i) {
            Some(Ok(value)) => return Some(value.clone()),
            Some(Err(Some(reason))) => {
                self.problems.error(span, format!("`{name}` has no value here: {reason}"));
            }
            Some(Err(None)) => {}
            None => {
                let message = format!("`{name}` is defined below this line");
                self.problems.error_with_help(span, message, "move its `let` above this line");
            }
        }
        None
    }

    /// `name'`
    pub fn primed(&mut self, name: &str, span: Span) -> Option<Value> {
        let Some(&(entity, _)) = self.names.get(name) else {
            if self.locals.get(name).is_some() || CONSTANTS.contains(&name) {
                self.not_in_state(name, span);
            } else {
                self.unknown(name, span);
            }
            return None;
        };
        if !matches!(self.moment, Moment::Step | Moment::Reward) {
            let message = format!("there is no step here, so `{name}'` has no meaning");
            let is_reached = matches!(self.moment, Moment::Reached | Moment::Picture);
            let which =
                if is_reached { ", which is the value in the state that has been reached" } else { "" };
            self.problems.error_with_help(span, message, format!("write `{name}`{which}"));
            return None;
        }
        match entity {
            Entity::State(i) => {
                let shape = self.states[i].shape;
                if let Some(ids) = &self.next[i] {
                    return Some(Value { ids: ids.clone(), shape });
                }
                let message = format!("`{name}'` is calculated below this line");
                self.problems.error_with_help(span, message, "move this line below it");
                None
            }
            Entity::Let(i) if self.moment == Moment::Reward => {
                let values = std::mem::take(&mut self.reached);
                let value = self.let_value(&values, i, name, span);
                self.reached = values;
                value
            }
            Entity::Let(_) => {
                let message = format!("`{name}'` can be used in `reward` only");
                self.problems.error(span, message);
                None
            }
            _ => {
                self.not_in_state(name, span);
                None
            }
        }
    }

    fn not_in_state(&mut self, name: &str, span: Span) {
        self.problems.error(span, format!("`{name}` is not part of the state, so there is no `{name}'`"));
    }

    /// Reports a name that stands for nothing.
    pub fn unknown(&mut self, name: &str, span: Span) {
        // Nobody reads another error, so a similar name is not looked for.
        if self.problems.is_closed(span) {
            self.problems.error(span, format!("there is nothing called `{name}`"));
            return;
        }
        let known = self.names.keys().copied().chain(self.locals.names());
        let mut known: Vec<&str> = known.collect();
        for name in super::functions::names().chain(CONSTANTS.iter().copied()) {
            known.push(name);
        }
        self.work += known.len();
        known.sort_unstable();
        let message = format!("there is nothing called `{name}`");
        match nearest(name, known.into_iter()) {
            Some(near) => self.problems.error_with_help(span, message, format!("did you mean `{near}`?")),
            None => self.problems.error_with_help(
                span,
                message,
                format!("define it above this line: `let {name} = ...`"),
            ),
        }
    }
}
