//! What ends a long step of a tool early.

use std::fmt;
use std::sync::Arc;

/// Asked by a tool within a step that takes long. It never becomes false again.
#[derive(Clone)]
pub struct Interrupt(Arc<dyn Fn() -> bool + Send + Sync>);

impl Interrupt {
    /// Raised from the moment when `is_raised` returns true.
    pub fn new(is_raised: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(is_raised))
    }

    pub fn is_raised(&self) -> bool {
        self.0()
    }
}

/// Never raised.
impl Default for Interrupt {
    fn default() -> Self {
        Self::new(|| false)
    }
}

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_tuple("Interrupt").field(&self.is_raised()).finish()
    }
}
