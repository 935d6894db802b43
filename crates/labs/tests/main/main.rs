//! Tests over all labs.

mod graphs;
mod list;
mod readme;
mod recipes;
