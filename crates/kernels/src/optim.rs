//! Fused optimiser steps over flat parameter slices.

/// One step of Adam (Kingma & Ba, 2014) with decoupled weight decay (Loshchilov & Hutter, 2017).
#[derive(Clone, Copy, Debug)]
pub struct AdamStep {
    /// Learning rate.
    pub lr: f32,
    /// Decay of the first moment.
    pub beta1: f32,
    /// Decay of the second moment.
    pub beta2: f32,
    /// Added to the root of the second moment.
    pub eps: f32,
    /// Decoupled weight decay; zero gives plain Adam.
    pub weight_decay: f32,
    /// Every gradient is multiplied by this first (clipping by global norm).
    pub grad_scale: f32,
    /// Which step this is, counted from 1.
    pub t: u64,
}

impl AdamStep {
    /// The factors that undo the zero start of both moments.
    pub fn corrections(&self) -> (f32, f32) {
        let t = self.t.min(1_000_000) as i32; // both powers are zero long before
        let c = |beta: f32| (1.0 / (1.0 - f64::from(beta).powi(t))) as f32;
        (c(self.beta1), c(self.beta2))
    }
}

/// Applies `step` to the parameters `p` with gradient `g` and moments `m`, `v`.
pub fn adam(p: &mut [f32], g: &[f32], m: &mut [f32], v: &mut [f32], step: &AdamStep) {
    assert!(p.len() == g.len() && p.len() == m.len() && p.len() == v.len(), "lengths differ");
    crate::reference::adam(p, g, m, v, step);
}
