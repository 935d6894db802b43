//! A world of one's own: a checked text, its graph and its code.

use crate::check::check;
use crate::code::Code;
use crate::diagnostics::{Diagnostic, Problems, Span};
use crate::frame::{Camera, Role};
use crate::graph::{Graph, Id, without_faults};
use crate::limits::MAX_TEXT_BYTES;
use crate::syntax::parse;

/// What a text says about its world, beside the formulas.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spec {
    pub title: String,
    /// One sentence.
    pub about: String,
    pub parameters: Vec<Parameter>,
    /// The names of the numbers of the state, such as `speed` and `heat[3]`.
    pub state: Vec<String>,
    pub actions: Actions,
    pub observations: Vec<Observation>,
    /// Whether the text says when an episode ends as a success.
    pub has_success: bool,
    /// An episode is truncated after this many steps.
    pub limit: Option<u32>,
    /// The mean return from which on the world counts as solved.
    pub solved: Option<f32>,
    /// Simulated seconds of a step.
    pub seconds_per_step: f32,
    /// The number of shapes that are drawn; 0 if the text says nothing about it.
    pub shapes: usize,
}

/// A number that the user may change while the world runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub name: String,
    /// The usual value.
    pub value: f32,
    pub low: f32,
    pub high: f32,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Actions {
    /// A choice among several; the action is its number.
    Choice { name: String, choices: Vec<String> },
    /// One to four numbers.
    Continuous(Vec<ActionRange>),
}

/// A continuous action. Numbers beyond the bounds are clipped to them.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionRange {
    pub name: String,
    pub low: f32,
    pub high: f32,
}

impl Default for Actions {
    fn default() -> Self {
        Self::Continuous(Vec::new())
    }
}

impl Actions {
    /// Numbers of an action.
    pub fn count(&self) -> usize {
        match self {
            Self::Choice { choices, .. } => usize::from(!choices.is_empty()),
            Self::Continuous(ranges) => ranges.len(),
        }
    }

    /// The bounds of number `i` of an action.
    pub fn bounds(&self, i: usize) -> (f32, f32) {
        match self {
            Self::Choice { choices, .. } => (0.0, choices.len().saturating_sub(1) as f32),
            Self::Continuous(ranges) => (ranges[i].low, ranges[i].high),
        }
    }
}

/// A number that the agent sees.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    pub name: String,
    /// What the number was divided by.
    pub scale: f32,
}

/// A place in the text where a fault may happen.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Site {
    pub span: Span,
    pub kind: SiteKind,
    pub line: usize,
}

/// What may go wrong during a step. It ends the episode as a failure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SiteKind {
    DivisionByZero,
    RootOfNegative,
    LogarithmOfNotPositive,
    PowerOfNegative,
    /// An index outside of a vector of this length.
    IndexOutside(usize),
    /// This variable is beyond 1e30 or not a number.
    StateOutOfRange(String),
    RewardOutOfRange,
    ObservationOutOfRange,
}

impl SiteKind {
    /// As a part of a sentence.
    pub fn name(&self) -> String {
        match self {
            Self::DivisionByZero => "a division by zero".into(),
            Self::RootOfNegative => "the square root of a negative number".into(),
            Self::LogarithmOfNotPositive => "the logarithm of a number that is not positive".into(),
            Self::PowerOfNegative => "a power of a negative number, or of zero".into(),
            Self::IndexOutside(length) => format!("an element outside of a vector of {length}"),
            Self::StateOutOfRange(name) => format!("`{name}` beyond 1e30"),
            Self::RewardOutOfRange => "a reward beyond 1e30".into(),
            Self::ObservationOutOfRange => "an observation beyond 1e30".into(),
        }
    }
}

/// Why a step failed by itself, without a `fail` of the text: something could not be computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: SiteKind,
    /// The line of the text, from 1 on; 0 if no line is to blame.
    pub line: usize,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            0 => f.write_str(&self.kind.name()),
            line => write!(f, "line {line}: {}", self.kind.name()),
        }
    }
}

/// The outputs of what a world computes, as nodes of one graph.
#[derive(Clone, Debug)]
pub(crate) struct Programs {
    /// State, observations.
    pub begin: Vec<Id>,
    /// Next state, reward, failed, succeeded, observations.
    pub step: Vec<Id>,
    /// Failed, succeeded, observations.
    pub state: Vec<Id>,
    /// The numbers of the drawings.
    pub picture: Vec<Id>,
    pub drawings: Vec<Drawing>,
    pub camera: Camera,
}

/// A shape before its numbers are known.
#[derive(Clone, Debug)]
pub(crate) struct Drawing {
    pub role: Role,
    pub form: FormKind,
    /// The count of its numbers; a width and a condition follow.
    pub numbers: usize,
    pub has_width: bool,
    pub has_condition: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum FormKind {
    Line,
    Circle,
    Rectangle,
    Polygon,
    Polyline,
    Text { text: String, has_value: bool },
    Trail { length: usize, trail: usize },
}

/// A world that can be stepped. It never changes; parameters and states are outside of it.
#[derive(Clone, Debug)]
pub struct World {
    spec: Spec,
    warnings: Vec<Diagnostic>,
    pub(crate) graph: Graph,
    pub(crate) sites: Vec<Site>,
    pub(crate) programs: Programs,
    pub(crate) begin: Code,
    pub(crate) step: Code,
}

impl World {
    /// Makes a world from its text, or returns what is wrong with it: at most [`MAX_ERRORS`] problems, and a
    /// note if there are more.
    ///
    /// [`MAX_ERRORS`]: crate::limits::MAX_ERRORS
    pub fn compile(text: &str) -> Result<Self, Vec<Diagnostic>> {
        Self::compile_counted(text).0
    }

    /// [`Self::compile`], and the work that it took: parts of expressions, operations asked for, nodes and
    /// names looked at. The time is proportional to it and to the length of the text, but the work is the
    /// same on every machine.
    pub fn compile_counted(text: &str) -> (Result<Self, Vec<Diagnostic>>, usize) {
        let mut problems = Problems::new(text);
        if text.len() > MAX_TEXT_BYTES {
            let message = format!("the text has {} bytes; the limit is {MAX_TEXT_BYTES}", text.len());
            problems.error(Span::default(), message);
            return (Err(problems.into_sorted()), 0);
        }
        let statements = parse(text, &mut problems);
        let (checked, problems, work) = check(&statements, problems);
        let problems = problems.into_sorted();
        let Some(mut checked) = checked else { return (Err(problems), work) };
        let line_ends: Vec<u32> = text.match_indices('\n').map(|(end, _)| end as u32).collect();
        for site in &mut checked.sites {
            site.line = line_ends.partition_point(|end| *end < site.span.start) + 1;
        }
        let programs = checked.programs;
        let begin = Code::compile(&without_faults(&checked.graph, &programs.begin), &checked.spec);
        let step = Code::compile(&without_faults(&checked.graph, &programs.step), &checked.spec);
        let world = Self {
            spec: checked.spec,
            warnings: problems,
            graph: checked.graph,
            sites: checked.sites,
            programs,
            begin,
            step,
        };
        (Ok(world), work)
    }

    /// The same world with episodes that are truncated after this many steps.
    pub fn with_limit(mut self, limit: u32) -> Self {
        self.spec.limit = Some(limit);
        self
    }

    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The warnings about the text.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// The usual values of the parameters, in the order of the text.
    pub fn parameters(&self) -> Vec<f32> {
        self.spec.parameters.iter().map(|parameter| parameter.value).collect()
    }

    /// The number of operations of a step.
    pub fn operations(&self) -> usize {
        let live = self.graph.live(self.programs.step.iter().copied());
        live.iter().filter(|id| self.graph.op(**id).is_operation()).count()
    }

    /// The number of instructions of the vector code of a step.
    pub fn instructions(&self) -> usize {
        self.step.len()
    }
}
