//! What a text says beside its formulas: title, limits, parameters, actions.

use super::scope::{Checker, Entity};
use crate::diagnostics::Span;
use crate::limits::{MAX_CHOICES, MAX_CONTINUOUS_ACTIONS, MAX_PARAMETERS, MAX_STEPS};
use crate::syntax::ast::{Expr, Kind, Statement};
use crate::world::{ActionRange, Actions, Parameter, Spec};

impl<'a> Checker<'a, '_, '_> {
    /// Reads everything but formulas: title, parameters, actions, and the names of all the rest.
    pub(super) fn declarations(&mut self) -> Spec {
        let statements = self.statements;
        let mut spec = Spec::default();
        let mut seen: Vec<(&str, Span)> = Vec::new();
        for (i, statement) in statements.iter().enumerate() {
            let span = statement.span;
            // The statements of which a text may have one only.
            let word = match &statement.kind {
                Kind::World(_) => "world",
                Kind::About(_) => "about",
                Kind::Limit(_) => "limit",
                Kind::StepSeconds(_) => "step",
                Kind::Solved(_) => "solved",
                Kind::Camera { .. } => "camera",
                Kind::Reward(_) => "reward",
                _ => "",
            };
            if !word.is_empty() && seen.iter().any(|(known, _)| *known == word) {
                self.problems.error(span, format!("a world has one `{word}`, and this is the second one"));
            }
            seen.push((word, span));
            match &statement.kind {
                Kind::World(title) => spec.title = title.text.to_owned(),
                Kind::About(about) => spec.about = about.text.to_owned(),
                Kind::Limit(e) => spec.limit = self.whole(e, MAX_STEPS),
                Kind::StepSeconds(e) => {
                    if let Some(seconds) = self.constant(e) {
                        if seconds > 0.0 && seconds <= 1000.0 {
                            self.seconds_per_step = seconds;
                        } else {
                            self.problems.error(e.span, "a step lasts more than 0 and at most 1000 seconds");
                        }
                    }
                }
                Kind::Succeed(_) => spec.has_success = true,
                Kind::Solved(e) => spec.solved = self.constant(e),
                Kind::Let { name, .. } => {
                    self.declare(name.text, name.span, Entity::Let(self.lets.len()));
                    self.lets.push(i);
                }
                Kind::Parameter { name, value, low, high } => {
                    self.parameter(&mut spec, name.text, [value, low, high]);
                    self.declare(name.text, name.span, Entity::Parameter(spec.parameters.len() - 1));
                }
                Kind::Choice { .. } | Kind::Continuous { .. } => self.action(&mut spec, statement),
                _ => {}
            }
        }
        spec.seconds_per_step = self.seconds_per_step;
        let end = statements.last().map_or(Span::default(), |last| last.span);
        // What is missing may be a line with an error.
        if self.problems.has_errors() {
            return spec;
        }
        if spec.title.is_empty() && !seen.iter().any(|(word, _)| *word == "world") {
            let help = "begin with a line such as `world \"My world\"`";
            self.problems.error_with_help(Span::default(), "a world needs a title", help);
        }
        if spec.actions.count() == 0 {
            let help = "write for example `action push: left, right`";
            self.problems.error_with_help(end, "a world needs an action", help);
        }
        spec
    }

    /// A whole number from 1 to `most`.
    fn whole(&mut self, e: &Expr<'a>, most: u32) -> Option<u32> {
        let x = self.constant(e)?;
        if x.fract() != 0.0 || x < 1.0 || x > most as f32 {
            self.problems.error(e.span, format!("expected a whole number from 1 to {most}"));
            return None;
        }
        Some(x as u32)
    }

    fn parameter(&mut self, spec: &mut Spec, name: &str, [value, low, high]: [&Expr<'a>; 3]) {
        let numbers = [self.constant(value), self.constant(low), self.constant(high)];
        let [x, min, max] = numbers.map(|x| x.unwrap_or(0.0));
        let is_known = numbers.iter().all(Option::is_some);
        if is_known && !(min < max && min <= x && x <= max) {
            let message = "the value of a parameter lies between its bounds, and the first bound is smaller";
            self.problems.error(value.span.to(high.span), message);
        }
        if spec.parameters.len() == MAX_PARAMETERS {
            let message = format!("a world has at most {MAX_PARAMETERS} parameters");
            self.problems.error(value.span, message);
        }
        spec.parameters.push(Parameter { name: name.to_owned(), value: x, low: min, high: max });
    }

    fn action(&mut self, spec: &mut Spec, statement: &Statement<'a>) {
        match &statement.kind {
            Kind::Choice { name, choices } => {
                if spec.actions.count() > 0 {
                    let message = "a world has one action with choices, or actions that are numbers";
                    self.problems.error(statement.span, message);
                }
                if choices.len() < 2 || choices.len() > MAX_CHOICES {
                    let message = format!("an action has 2 to {MAX_CHOICES} choices");
                    self.problems.error(statement.span, message);
                }
                self.declare(name.text, name.span, Entity::Action(0));
                for (i, choice) in choices.iter().enumerate() {
                    self.declare(choice.text, choice.span, Entity::Choice(i));
                }
                let choices = choices.iter().map(|choice| choice.text.to_owned()).collect();
                spec.actions = Actions::Choice { name: name.text.to_owned(), choices };
            }
            Kind::Continuous { name, low, high } => {
                let (min, max) = (self.constant(low), self.constant(high));
                if let (Some(min), Some(max)) = (min, max)
                    && min >= max
                {
                    let message = "the first bound of an action is smaller than the second one";
                    self.problems.error(low.span.to(high.span), message);
                }
                let range = ActionRange {
                    name: name.text.to_owned(),
                    low: min.unwrap_or(0.0),
                    high: max.unwrap_or(1.0),
                };
                let index = spec.actions.count();
                match &mut spec.actions {
                    Actions::Choice { choices, .. } if !choices.is_empty() => {
                        let message = "a world has one action with choices, or actions that are numbers";
                        self.problems.error(statement.span, message);
                    }
                    Actions::Continuous(ranges) if ranges.len() == MAX_CONTINUOUS_ACTIONS => {
                        let message = format!("a world has at most {MAX_CONTINUOUS_ACTIONS} actions");
                        self.problems.error(statement.span, message);
                    }
                    Actions::Continuous(ranges) => ranges.push(range),
                    other => *other = Actions::Continuous(vec![range]),
                }
                self.declare(name.text, name.span, Entity::Action(index));
            }
            _ => {}
        }
    }
}
