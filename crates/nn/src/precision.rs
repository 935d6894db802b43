//! The precision of matrix products, a choice of runs on a GPU.

use std::str::FromStr;

/// The floats that the operands of matrix products are rounded to. Sums always have 32 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Precision {
    #[default]
    F32,
    /// IEEE floats of 16 bits, 11 of them for the significand. Only GPUs compute with them.
    F16,
}

impl Precision {
    /// The name in commands and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F16 => "f16",
        }
    }
}

impl FromStr for Precision {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        [Self::F32, Self::F16]
            .into_iter()
            .find(|precision| precision.name() == name)
            .ok_or_else(|| format!("there is no precision `{name}`; there are f32 and f16"))
    }
}
