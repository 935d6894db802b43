//! `learnery fleet serve`, `join` and `watch`: one run on many machines. They need the feature `fleet`,
//! because the libraries for its network (a client of NATS, and TLS) take minutes to compile.

#[cfg(feature = "fleet")]
pub mod endpoint;
#[cfg(feature = "fleet")]
mod join;
#[cfg(feature = "fleet")]
pub mod keeper;
#[cfg(feature = "fleet")]
mod serve;
#[cfg(feature = "fleet")]
pub mod terminal;
#[cfg(feature = "fleet")]
mod watch;

#[cfg(feature = "fleet")]
pub use {join::join, serve::serve, watch::watch};

#[cfg(not(feature = "fleet"))]
pub use without_network::{join, serve, watch};

#[cfg(not(feature = "fleet"))]
mod without_network {
    use anyhow::Result;

    use crate::args::{FleetWatchArgs, JoinArgs, ServeArgs};
    use crate::failure::usage;

    pub fn serve(_: &ServeArgs) -> Result<()> {
        needs_feature()
    }

    pub fn join(_: &JoinArgs) -> Result<()> {
        needs_feature()
    }

    pub fn watch(_: &FleetWatchArgs) -> Result<()> {
        needs_feature()
    }

    fn needs_feature() -> Result<()> {
        Err(usage(
            "this program was built without the network of a fleet; build it with `cargo build --release --features fleet`",
        ))
    }
}
