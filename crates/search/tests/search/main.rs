//! Tests of the searches against straightforward reference implementations and on games whose exact values
//! are known.

mod exact_evaluator;
mod expectimax;
mod race;
mod random_evaluator;
mod reference;
mod trees;
