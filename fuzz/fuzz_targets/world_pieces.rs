//! The fuzz target `world_pieces`; what it checks is described at `learnery_fuzz::world_pieces`.

#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| learnery_fuzz::world_pieces(data));

// Without `cargo fuzz`, which sets `fuzzing`, this is an empty program, so that the workspace compiles.
#[cfg(not(fuzzing))]
fn main() {}
