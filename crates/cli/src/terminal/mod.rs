//! Reading and writing text: standard output, standard error, line protocols, tables and numbers.

pub mod lines;
pub mod numbers;
pub mod progress_line;
#[cfg(feature = "watch")]
pub mod screen;
pub mod stderr;
pub mod stdout;
pub mod table;
