//! The device for tests of this crate and of the labs.

use std::sync::OnceLock;

use crate::{Gpu, block_on};

/// The device of this machine, also a software adapter, opened once. Without one, `None` after a visible line, so that tests
/// can be skipped.
///
/// # Panics
/// Without a device, if the environment variable `CI` is set: there no test may be skipped.
#[expect(clippy::print_stdout, reason = "it tells the readers of a test's output which adapter it uses")]
pub fn device() -> Option<&'static Gpu> {
    static DEVICE: OnceLock<Option<Gpu>> = OnceLock::new();
    let device = DEVICE.get_or_init(|| {
        let software = true;
        match block_on(Gpu::open(software)) {
            Ok(gpu) => {
                println!("tests run on {} ({})", gpu.info().name, gpu.info().driver);
                Some(gpu)
            }
            Err(error) if std::env::var_os("CI").is_none() => {
                println!("SKIPPED: {error}");
                None
            }
            Err(error) => panic!("{error}"),
        }
    });
    device.as_ref()
}
