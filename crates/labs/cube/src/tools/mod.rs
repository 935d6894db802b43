//! What the lab can do with a trained network beside learning: solve one cube, evaluate the network on many.

mod eval;
mod eval_input;
mod evaluate;
mod evaluating;
mod input;
mod solve;
mod solving;

pub use eval::{
    AtDistance, Estimate, Eval, EvalEvent, EvalOutput, LargeEvaluation, SampleEvaluation, SearchedState,
    SmallEvaluation, Summary,
};
pub use eval_input::{DEFAULT_STATES, DEFAULT_WIDTH, EvalInput, MOST_STATES};
pub use evaluate::{Evaluate, EvaluationInput};
pub use input::{CountedTurns, GivenBy, MOST_WIDTH, SolveInput};
pub use solve::{Shortest, Solution, Solve, SolveEvent, SolveOutput};
