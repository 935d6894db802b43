use crate::support::files;
