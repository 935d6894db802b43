//! The fuzz target `class_requests`; what it checks is described at `learnery_fuzz::class_requests`.

#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| learnery_fuzz::class_requests(data));

// Without `cargo fuzz`, which sets `fuzzing`, this is an empty program, so that the workspace compiles.
#[cfg(not(fuzzing))]
fn main() {}
