// What the optimiser's kernels share, computed by `gradient_norm`.
struct OptimiserState {
  // The number of steps made. A gradient that is not finite makes none.
  steps: u32,
  // 1 if the gradient is finite.
  is_finite: u32,
  // The factor that clips the gradient and removes the loss scale.
  clip: f32,
  // Adam's bias corrections.
  correction_1: f32,
  correction_2: f32,
}
