// What changes with every update: the keys by which its samples are drawn, and when value iteration copies
// its target network. The CPU writes it before each update; `SamplingParameters` in gpu/sampling.rs has the
// same fields.
struct SamplingParameters {
  // The key of Philox for the random walks whose states are samples.
  walk_key: vec2u,
  // The key for the neighbours of each sample that distillation trains on. (Distillation: a second network
  // learns the predictions of the first one for the neighbours of a state.)
  neighbour_key: vec2u,
  // The key for samples that are drawn with probabilities proportional to their Bellman residuals.
  residual_key: vec2u,
  // 64-bit numbers, the low word first: the number of the update's first walk, and that of the update.
  first_walk: vec2u,
  update: vec2u,
  // Turns of a walk.
  length: u32,
  // Value iteration copies its target network `latest` updates after the last copy, or from `earliest`
  // updates on as soon as the moving average of the loss is below `copy_below`.
  latest: u32,
  earliest: u32,
  copy_below: f32,
  // The size of the struct is a multiple of 8 bytes; the buffer has 16 words.
  padding: vec2u,
}

// `wide + small` as a 64-bit number, the low word first.
fn add_wide(wide: vec2u, small: u32) -> vec2u {
  let low = wide.x + small;
  return vec2u(low, wide.y + select(0u, 1u, low < small));
}
