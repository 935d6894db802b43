// The numbers of one epoch, written before each. `Epoch` in gpu/mod.rs has the same fields.
struct Epoch {
  // The fraction of gates that are discretised while all others are still soft.
  discretised: f32,
  // How fast the fraction grows while the soft error is below the threshold.
  hardening_rate: f32,
  hardening_threshold: f32,
  learning_rate: f32,
  beta_1: f32,
  beta_2: f32,
  epsilon: f32,
  weight_decay: f32,
  // The largest magnitude of a component of the gradient.
  clip: f32,
  // Adam's bias corrections.
  correction_1: f32,
  correction_2: f32,
  // The index of the epoch's loss in the metrics of the unit.
  slot: u32,
}

// Quantization noise, see `training/quantization_noise.rs` of the logic lab.
struct Noise {
  // The moving average of the soft error.
  soft_error: f32,
  // The fraction of gates that stay soft, relative to its initial value.
  undecided: f32,
}
