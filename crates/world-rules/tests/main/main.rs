//! Tests of the language through the public interface.

mod adversarial;
mod agreement;
mod bounds;
mod errors;
mod examples;
mod exports;
mod functions;
mod hostile;
mod programs;
mod stepping;
mod support;
mod warnings;
