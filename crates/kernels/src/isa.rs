//! Which instruction set the kernels use, and how its multiply-adds round. The rounding decides which of two
//! sets of bit-exact results a run belongs to.
//!
//! A multiply-add is either fused (rounded once) or computed as a product and a sum (rounded twice). All
//! kernels do the same operations in the same order on every instruction set, so results differ only by this
//! rounding.
//!
//! Natively, the instruction set is detected once, at run time. In WebAssembly it is fixed when the module is
//! compiled, and whether the browser fuses multiply-adds is tested at run time.

use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::simd::Isa;

/// A class of bits: how multiply-adds round. Runs with the same seed and the same rounding give the same bits
/// on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bits {
    /// Multiply-adds are fused: AVX-512, AVX2 with FMA, NEON, and WebAssembly with relaxed SIMD where the
    /// browser fuses.
    Fused,
    /// Multiply-adds round twice: processors without FMA, WebAssembly without relaxed SIMD or where the
    /// browser does not fuse, and natively wherever [`choose`] asks for it.
    Plain,
}

impl Bits {
    /// The name in commands and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fused => "fused",
            Self::Plain => "plain",
        }
    }
}

impl FromStr for Bits {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        [Self::Fused, Self::Plain]
            .into_iter()
            .find(|bits| bits.name() == name)
            .ok_or_else(|| format!("`{name}` is no class of bits; expected fused or plain"))
    }
}

/// Whether [`choose`] selected the plain bits.
static PLAIN: AtomicBool = AtomicBool::new(false);

/// Chooses the class of bits of the whole process. Call it before the first computation, because values that
/// were computed earlier keep their bits. Returns an error if this machine or this build has no instruction
/// set of that class.
pub fn choose(bits: Bits) -> Result<(), String> {
    if !Isa::available().any(|isa| isa.bits() == bits) {
        return Err(format!("this machine cannot compute {} bits", bits.name()));
    }
    // Fused bits need no search: sets are ordered best first, and every fused set precedes the plain one.
    PLAIN.store(bits == Bits::Plain, Ordering::Relaxed);
    Ok(())
}

/// Whether the plain bits were chosen.
#[inline]
pub(crate) fn plain_is_chosen() -> bool {
    PLAIN.load(Ordering::Relaxed)
}

/// The class of bits in use.
pub fn bits() -> Bits {
    Isa::best().bits()
}

/// The name of the instruction set in use: "avx512", "avx2+fma", "neon", "simd128", "relaxed-simd" or
/// "portable". It is "portable" also where plain bits were chosen natively.
pub fn name() -> &'static str {
    Isa::best().name()
}
