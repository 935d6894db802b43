// The state of value iteration between updates. `ValueIteration` in gpu/value_iteration.rs has the same
// fields.
struct ValueIteration {
  // The moving average of the loss since the target network was copied; negative before the first loss.
  mean_loss: f32,
  // Updates since then.
  age: u32,
  // 1 if this update copies it.
  copies: u32,
  // States that are kept with their squared residuals, and the place of the next one, once all places are
  // taken.
  kept: u32,
  next: u32,
  // Samples of this update that were drawn from them.
  drawn: u32,
  // The sum of the squared residuals.
  total: f32,
}
