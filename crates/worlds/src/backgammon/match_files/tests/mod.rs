//! Tests of reading and writing files of matches.
