// The state of value iteration between updates. `ValueIterationBuffers` in gpu/value_iteration.rs writes and
// reads its words.
struct ValueIteration {
  // The moving average of the loss since the target network was copied; negative before the first loss.
  mean_loss: f32,
  // Updates since the target network was copied.
  age: u32,
  // 1 if this update copies the target network, else 0.
  copies: u32,
  // The number of states that are kept with their squared residuals, and the place of the next one, once all
  // places are taken.
  kept: u32,
  next: u32,
  // The number of samples of this update that were drawn from the kept states.
  drawn: u32,
  // The sum of the squared residuals of the kept states.
  total: f32,
}
