//! The native half of the Python package `learnery`. What is made for users is in the Python files beside `src`; this
//! crate hands them arrays.

// Where a user of Python can give bad input, it must become a Python exception.
#![deny(clippy::unwrap_used, clippy::expect_used)]

mod batch;
mod vector;

use pyo3::pymodule;

#[pymodule]
mod _native {
    #[pymodule_export]
    use super::vector::Worlds;
}
