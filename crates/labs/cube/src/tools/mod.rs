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
pub use eval_input::EvalInput;
pub use evaluate::{Evaluate, EvaluationInput};
pub use input::{CountedTurns, GivenBy, SolveInput};
pub use solve::{Shortest, Solution, Solve, SolveEvent, SolveOutput};
