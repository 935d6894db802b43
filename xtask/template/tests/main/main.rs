//! Tests of the lab through its public interface.

mod contract;
