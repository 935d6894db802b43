// The state of learning on the device, which `ppo_update` changes. The CPU sets the first three words when a
// unit begins.

struct State {
  // Minibatches of this unit that were learned from.
  updates: u32,
  // 1 once the KL divergence of an epoch was too large: the rest of the unit's updates do nothing.
  is_stopped: u32,
  // The sum of the KL divergence over the samples of the epoch so far.
  epoch_kl: f32,
  // Steps of Adam since the run began. A gradient that is not finite makes none.
  steps: u32,
  // 1 if the present update changes the weights.
  is_applied: u32,
  // The factor that clips the gradient.
  factor: f32,
  // Adam's bias corrections.
  correction_1: f32,
  correction_2: f32,
}
