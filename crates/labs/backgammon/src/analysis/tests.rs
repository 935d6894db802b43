//! Judgements beside slower ways to get the same numbers, known errors, and partial results.
