//! Results of a request that was submitted in parts.

use std::collections::VecDeque;

use crate::GpuError;
use crate::buffer::ReadBack;

/// Results on their way back, in the order of the request.
#[derive(Debug, Default)]
pub struct Pending {
    parts: VecDeque<ReadBack>,
    arrived: Vec<f32>,
}

impl Pending {
    /// Adds a part of the request.
    pub fn push(&mut self, part: ReadBack) {
        self.parts.push_back(part);
    }

    /// The results, once all of them have arrived; `None` before. Never blocks. After that it is empty.
    pub fn poll(&mut self) -> Result<Option<Vec<f32>>, GpuError> {
        while let Some(part) = self.parts.front() {
            let Some(values) = part.poll::<f32>()? else { return Ok(None) };
            self.arrived.extend(values);
            self.parts.pop_front();
        }
        Ok(Some(std::mem::take(&mut self.arrived)))
    }
}
