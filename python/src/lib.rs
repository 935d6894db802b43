//! The native half of the Python package `learnery`. What is made for users is in the Python files beside
//! `src`; this crate hands them arrays, numbers and JSON.

// Where a user of Python can give bad input, it must become a Python exception.
#![deny(clippy::unwrap_used, clippy::expect_used)]

mod ask;
mod backgammon;
mod batch;
mod checkpoint;
mod control;
mod cube;
mod environments;
mod errors;
mod gallery;
mod json;
mod language;
mod logic;
mod picture;
mod rules;
mod session;
mod threads;
mod training;
mod vector;
mod world;

use pyo3::{pyfunction, pymodule};

/// The class of bits that this machine computes: `fused` or `plain`.
#[pyfunction]
fn bits() -> &'static str {
    learnery_kernels::isa::bits().name()
}

/// The version of the package.
#[pyfunction]
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// The names of the labs.
#[pyfunction]
fn labs() -> Vec<&'static str> {
    learnery_labs::LABS.iter().map(|entry| entry.about.id).collect()
}

#[pymodule]
mod _native {
    #[pymodule_export]
    use super::ask::{ask, file_input};
    #[pymodule_export]
    use super::backgammon::BackgammonNetwork;
    #[pymodule_export]
    use super::backgammon::backgammon_plays;
    #[pymodule_export]
    use super::bits;
    #[pymodule_export]
    use super::checkpoint::Checkpoint;
    #[pymodule_export]
    use super::control::ControlNetwork;
    #[pymodule_export]
    use super::cube::CubeNetwork;
    #[pymodule_export]
    use super::environments::EnvironmentRun;
    #[pymodule_export]
    use super::labs;
    #[pymodule_export]
    use super::language::LanguageNetwork;
    #[pymodule_export]
    use super::logic::Circuit;
    #[pymodule_export]
    use super::session::Session;
    #[pymodule_export]
    use super::vector::Worlds;
    #[pymodule_export]
    use super::version;
    #[pymodule_export]
    use super::world::World;
}
