//! The statements of a text (an abstract syntax tree), each part with its position. Names borrow from the
//! text.

use crate::diagnostics::Span;

#[derive(Clone, Copy, Debug)]
pub struct Name<'a> {
    pub text: &'a str,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Statement<'a> {
    pub kind: Kind<'a>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Kind<'a> {
    /// `world "title"`
    World(Name<'a>),
    /// `about "sentence"`
    About(Name<'a>),
    /// `param name = value from low to high`
    Parameter { name: Name<'a>, value: Expr<'a>, low: Expr<'a>, high: Expr<'a> },
    /// `state name = begin`
    State { name: Name<'a>, begin: Expr<'a> },
    /// `action name: choice, choice`
    Choice { name: Name<'a>, choices: Vec<Name<'a>> },
    /// `action name from low to high`
    Continuous { name: Name<'a>, low: Expr<'a>, high: Expr<'a> },
    /// `let name = value`, or a function: `let name(parameters) = value`
    Let { name: Name<'a>, parameters: Option<Vec<Name<'a>>>, value: Expr<'a> },
    /// `name' = value`
    Next { name: Name<'a>, value: Expr<'a> },
    /// `reward value`
    Reward(Expr<'a>),
    /// `fail when condition`
    Fail(Expr<'a>),
    /// `succeed when condition`
    Succeed(Expr<'a>),
    /// `limit number steps`
    Limit(Expr<'a>),
    /// `step number seconds`
    StepSeconds(Expr<'a>),
    /// `observe expression, expression`
    Observe(Vec<Observed<'a>>),
    /// `solved at return`
    Solved(Expr<'a>),
    /// `camera at point height number`
    Camera { at: Expr<'a>, height: Expr<'a> },
    /// `draw kind property value ...`
    Draw(Shape<'a>),
    /// `for variable in from..to: draw ...`
    For { range: Range<'a>, body: Box<Statement<'a>> },
}

/// `expression as name scale scale`
#[derive(Clone, Debug)]
pub struct Observed<'a> {
    pub value: Expr<'a>,
    pub name: Option<Name<'a>>,
    pub scale: Option<Expr<'a>>,
}

/// `variable in from..to`
#[derive(Clone, Debug)]
pub struct Range<'a> {
    pub variable: Name<'a>,
    pub from: Box<Expr<'a>>,
    pub to: Box<Expr<'a>>,
}

#[derive(Clone, Debug)]
pub struct Expr<'a> {
    pub kind: ExprKind<'a>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind<'a> {
    Number(f32),
    Truth(bool),
    Name(&'a str),
    /// `name'`
    Primed(&'a str),
    Negative(Box<Expr<'a>>),
    Not(Box<Expr<'a>>),
    /// `first + second - third ...`
    Sum(Box<Expr<'a>>, Vec<(SumOp, Expr<'a>)>),
    /// `first * second / third ...`
    Product(Box<Expr<'a>>, Vec<(ProductOp, Expr<'a>)>),
    Power(Box<Expr<'a>>, Box<Expr<'a>>),
    /// `first < second <= third ...`
    Compare(Box<Expr<'a>>, Vec<(CompareOp, Expr<'a>)>),
    And(Vec<Expr<'a>>),
    Or(Vec<Expr<'a>>),
    /// The condition, the value if it holds, and the other value.
    If(Box<[Expr<'a>; 3]>),
    /// `name(arguments)`
    Call(Name<'a>, Vec<Expr<'a>>),
    /// `vector[index]`
    Index(Box<Expr<'a>>, Box<Expr<'a>>),
    /// `[first, second]` or `(first, second)`
    List(Vec<Expr<'a>>),
    /// `element for variable in from..to`
    Each(Box<Expr<'a>>, Range<'a>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SumOp {
    Add,
    Sub,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProductOp {
    Mul,
    Div,
    Modulo,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareOp {
    Less,
    AtMost,
    Greater,
    AtLeast,
    Equal,
    NotEqual,
}

#[derive(Clone, Debug)]
pub struct Shape<'a> {
    pub kind: Name<'a>,
    /// The quoted text of `draw text`.
    pub text: Option<Name<'a>>,
    pub properties: Vec<(Name<'a>, Property<'a>)>,
}

#[derive(Clone, Debug)]
pub enum Property<'a> {
    Value(Expr<'a>),
    /// A word, such as a colour.
    Word(Name<'a>),
    /// Points, each with the range that it is repeated over.
    Points(Vec<(Expr<'a>, Option<Range<'a>>)>),
}
