//! Tests over all labs.

mod graphs;
mod list;
mod recipes;
