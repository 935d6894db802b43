//! Memory for rows that vectors read and write.

use std::ops::{Deref, DerefMut};

/// Floats in a cache line.
const FLOATS: usize = 16;

/// Sixteen floats that begin a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Line([f32; FLOATS]);

/// So many floats, the first of which begins a cache line, as it does with no `Vec`. A vector of sixteen then lies in one
/// line and not across two, which would cost each load and store twice.
#[derive(Clone, Debug, Default)]
pub struct Buffer {
    lines: Vec<Line>,
    len: usize,
}

impl Buffer {
    /// `len` zeros.
    pub fn new(len: usize) -> Self {
        Self { lines: vec![Line([0.0; FLOATS]); len.div_ceil(FLOATS)], len }
    }
}

impl Deref for Buffer {
    type Target = [f32];

    #[inline]
    fn deref(&self) -> &[f32] {
        // SAFETY: a line is sixteen floats without anything between, and `new` made enough of them for `len`.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.len) }
    }
}

impl DerefMut for Buffer {
    #[inline]
    fn deref_mut(&mut self) -> &mut [f32] {
        // SAFETY: as above, and the lines are borrowed alone.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_begin_a_line_and_stay() {
        for len in [0, 1, 15, 16, 17, 1000] {
            let mut buffer = Buffer::new(len);
            assert!(buffer.len() == len && buffer.iter().all(|v| *v == 0.0));
            assert_eq!(buffer.as_ptr() as usize % 64, 0);
            buffer.iter_mut().enumerate().for_each(|(i, v)| *v = i as f32);
            let values: Vec<f32> = (0..len).map(|i| i as f32).collect();
            assert_eq!(*buffer, values[..]);
            assert!(buffer == buffer.clone() && buffer == Buffer::from(&values[..]));
        }
    }
}
