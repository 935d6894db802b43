//! Worlds of one's own: a text of rules is parsed, checked and compiled, and its world is stepped.
//!
//! `docs/worlds.md` describes the language. [`World::compile`] makes a world from a text, or lists all errors
//! with their positions. [`World::step`] and its like are the slow reference, one world at a time, by which
//! an [`Episode`] is stepped. [`Worlds`] steps thousands of worlds with vector code, with the same bits.
//! [`World::wgsl`] and [`World::numpy`] write a world as a program of another language.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))] // Results are the same bits on every platform.

mod bounds;
mod check;
mod code;
mod diagnostics;
mod draws;
mod episode;
mod export;
mod frame;
mod graph;
pub mod limits;
mod reference;
mod syntax;
mod world;
mod worlds;

pub use bounds::Bounds;
pub use diagnostics::{Diagnostic, Severity, Span, count_errors, render};
pub use episode::{Episode, EpisodeStep};
pub use frame::{Camera, Form, Frame, Role, Shape};
pub use graph::Range;
pub use reference::{Begun, Looked, Moment, Stepped};
pub use world::{ActionRange, Actions, Fault, Observation, Parameter, SiteKind, Spec, World};
pub use worlds::{Outcome, Worlds};
