//! The fuzz target `cube_notation`; what it checks is described at `learnery_fuzz::cube_notation`.

#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| learnery_fuzz::cube_notation(data));

// Without `cargo fuzz`, which sets `fuzzing`, this is an empty program, so that the workspace compiles.
#[cfg(not(fuzzing))]
fn main() {}
