//! The host of a bundle without GPUs.

use crate::host::Host;

pub fn new_host() -> Host {
    Host::default()
}
