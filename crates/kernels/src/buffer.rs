//! A vector of floats aligned to cache lines (64 bytes).

use std::ops::{Deref, DerefMut};

/// Floats per cache line.
const FLOATS: usize = 16;

/// One cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Line([f32; FLOATS]);

/// A fixed number of floats. The first begins a cache line, so each group of 16 floats (the largest SIMD
/// vector) lies in one line; a load or store across two lines takes twice as long. A `Vec<f32>` does not
/// guarantee this.
#[derive(Clone, Debug, Default)]
pub struct Buffer {
    lines: Vec<Line>,
    len: usize,
}

impl Buffer {
    /// A buffer of `len` zeros.
    pub fn new(len: usize) -> Self {
        Self { lines: vec![Line([0.0; FLOATS]); len.div_ceil(FLOATS)], len }
    }
}

impl Deref for Buffer {
    type Target = [f32];

    #[inline]
    fn deref(&self) -> &[f32] {
        // SAFETY: a `Line` is 16 floats without padding, and `new` allocated enough lines for `len` floats.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.len) }
    }
}

impl DerefMut for Buffer {
    #[inline]
    fn deref_mut(&mut self) -> &mut [f32] {
        // SAFETY: as above, and `self` is borrowed mutably.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.len) }
    }
}

impl PartialEq for Buffer {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl From<&[f32]> for Buffer {
    fn from(values: &[f32]) -> Self {
        let mut buffer = Self::new(values.len());
        buffer.copy_from_slice(values);
        buffer
    }
}
