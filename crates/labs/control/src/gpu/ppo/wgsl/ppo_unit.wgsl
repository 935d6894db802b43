// The numbers of a unit (a training iteration), written before it begins. `Unit` in ppo/unit.rs has the same
// fields. A kernel that includes this has a binding `unit`.

struct Unit {
  worlds: u32,
  horizon: u32,
  seed: u32,
  // Steps of a world since the run began, in two words.
  clock_low: u32,
  clock_high: u32,
  // The number of the unit's first shuffle, in two words. The epoch is added to the low one.
  shuffle_low: u32,
  shuffle_high: u32,
  // The samples in the rollout are numbered (row, column), see shuffle.wgsl.
  shuffle_rows: u32,
  shuffle_columns: u32,
  epochs: u32,
  minibatches: u32,
  normalise_advantages: u32,
  learning_rate: f32,
  max_norm: f32,
  clip: f32,
  value_clip: f32,
  target_kl: f32,
  entropy_weight: f32,
  value_weight: f32,
  gamma: f32,
  lambda: f32,
  reward_scale: f32,
  shaping: f32,
  // Of the discounted returns of all steps so far: their number, mean, and sum of squared deviations from it.
  // Only worlds of the user's own have them.
  discounted_count: f32,
  discounted_mean: f32,
  discounted_squares: f32,
  // The index of the first world of an evaluation, in two words.
  evaluation_low: u32,
  evaluation_high: u32,
  // Normalised observations are clamped to plus or minus this; the largest number if they are not normalised.
  limit: f32,
  // A normalised observation is (x - shift) * scale.
  shift: array<f32, 32>,
  scale: array<f32, 32>,
}

// The samples of a rollout.
fn sample_count() -> u32 {
  return unit.worlds * unit.horizon;
}

// The first of the shuffled samples that belongs to a minibatch of an epoch. Minibatches differ by at most
// one sample.
fn minibatch_start(minibatch: u32) -> u32 {
  return minibatch * sample_count() / unit.minibatches;
}
