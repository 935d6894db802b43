//! From statements to a world: names, types, limits and the graph.

mod expression;
mod functions;
mod picture;
mod scope;
mod value;
mod warnings;

use std::collections::HashMap;

use picture::Picture;
use scope::{Checker, Entity, Moment, StateVariable, Unavailable};
use value::Value;

use crate::diagnostics::{Problems, Span};
use crate::graph::{Binary, Graph, Id, Op};
use crate::limits::*;
use crate::syntax::ast::{Expr, Kind, Observed, Statement};
use crate::world::{ActionRange, Actions, Observation, Parameter, Programs, Site, SiteKind, Spec};

/// A checked world, before it gets its code.
pub(crate) struct Checked {
    pub spec: Spec,
    pub graph: Graph,
    pub sites: Vec<Site>,
    pub programs: Programs,
}

/// Checks statements. Returns nothing if there is an error in `problems`.
pub(crate) fn check<'a, 't>(
    statements: &[Statement<'a>],
    problems: Problems<'t>,
) -> (Option<Checked>, Problems<'t>) {
    let mut checker = Checker {
        problems,
        graph: Graph::default(),
        sites: Vec::new(),
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
        locals: Vec::new(),
        frame: 0,
        draws: [0; 2],
        depth: 0,
        expansion: 0,
        exhausted: false,
    };
    let checked = checker.check();
    checker.report_exhaustion();
    let problems = checker.problems;
    (checked.filter(|_| !problems.has_errors()), problems)
}

/// What a world computes about a state that has been reached.
struct ReachedState {
    failed: Id,
    succeeded: Id,
    observations: Vec<Id>,
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
        self.warn(&now, &reached, reward);
        let programs = Programs {
            begin: begin.into_iter().chain(begun.observations).collect(),
            step: now
                .into_iter()
                .chain([reward, reached.failed, reached.succeeded])
                .chain(reached.observations)
                .collect(),
            state: [any.failed, any.succeeded].into_iter().chain(any.observations).collect(),
            picture: picture.numbers,
            drawings: picture.drawings,
            camera: picture.camera.unwrap_or(crate::frame::Camera { at: [0.0, 0.0], height: 2.0 }),
        };
        self.check_operations(&programs);
        let sites = std::mem::take(&mut self.sites);
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

    /// Reads everything but formulas: title, parameters, actions, and the names of all the rest.
    fn declarations(&mut self) -> Spec {
        let statements = self.statements;
        let mut spec = Spec::default();
        let mut seen: Vec<(&str, Span)> = Vec::new();
        for (i, statement) in statements.iter().enumerate() {
            let span = statement.span;
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

    /// The state at the beginning of an episode, in the order of the text.
    fn begin(&mut self, spec: &mut Spec) -> Vec<Id> {
        let statements = self.statements;
        self.enter(Moment::Begin, Vec::new());
        for statement in statements {
            match &statement.kind {
                Kind::Let { .. } => self.let_value_quietly(statement),
                Kind::State { name, begin } => {
                    self.declare(name.text, name.span, Entity::State(self.states.len()));
                    let value = self.value(begin);
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
        let has_next = |name: &str| {
            statements.iter().any(|s| matches!(&s.kind, Kind::Next { name: other, .. } if other.text == name))
        };
        let inputs = self.state_inputs();
        self.enter(Moment::Step, inputs);
        // What no line changes stays as it is.
        for i in 0..self.states.len() {
            let StateVariable { name, first, shape } = self.states[i];
            if !has_next(name) {
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
        let is_spread = shape.length.is_some() && value.shape.length.is_none();
        if value.shape.is_truth != shape.is_truth || (value.shape.length != shape.length && !is_spread) {
            let message = format!("`{name}` is {}, but this is {}", shape.name(), value.shape.name());
            self.problems.error(e.span, message);
        }
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

    /// Ends and observations. With a specification, describes the observations in it.
    fn reached_state(&mut self, mut spec: Option<&mut Spec>) -> ReachedState {
        let statements = self.statements;
        let never = self.graph.truth(false);
        let mut reached = ReachedState { failed: never, succeeded: never, observations: Vec::new() };
        let mut has_observations = false;
        for statement in statements {
            match &statement.kind {
                Kind::Fail(e) => {
                    if let Some(id) = self.truth(e) {
                        reached.failed = self.graph.binary(Binary::Or, reached.failed, id);
                    }
                }
                Kind::Succeed(e) => {
                    if let Some(id) = self.truth(e) {
                        reached.succeeded = self.graph.binary(Binary::Or, reached.succeeded, id);
                    }
                }
                Kind::Observe(observed) => {
                    has_observations = true;
                    for one in observed {
                        self.observation(one, &mut reached.observations, spec.as_deref_mut());
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
        // Where a number grows beyond all bounds, its line is named.
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
