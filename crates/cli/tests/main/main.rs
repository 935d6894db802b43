//! The program `learnery`, run as a user would. The tests of fleets, which need a server, are in
//! `tests/fleet`.
#![allow(clippy::unwrap_used, reason = "test helpers are not test functions")]

mod answers;
mod backgammon;
mod backgammon_analyse;
mod backgammon_serve;
#[cfg(unix)]
mod commands;
#[path = "../common/mod.rs"]
mod common;
mod cube;
mod cube_large;
mod export;
mod fingerprints;
mod golden_commands;
mod language;
mod logic;
mod own_worlds;
mod recipes;
mod refusals;
mod runs;
mod streams;
mod sweep;
mod watch;
