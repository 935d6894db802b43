// The parameters by which the samples of an update are drawn, written before each. `SamplingParameters` in
// gpu/sampling.rs has the same fields.
struct SamplingParameters {
  // Keys of Philox: of the walks, of the neighbours that distillation learns from, of the samples by
  // residual.
  walk_key: vec2u,
  neighbour_key: vec2u,
  residual_key: vec2u,
  // The number of the first walk, and that of the update, in two words each.
  first_walk: vec2u,
  update: vec2u,
  // Turns of a walk.
  length: u32,
  // Value iteration copies its target network after `latest` updates, and after `earliest` if the mean loss
  // is below `copy_below`.
  latest: u32,
  earliest: u32,
  copy_below: f32,
  padding: vec2u,
}

// A 64-bit sum.
fn add_wide(wide: vec2u, small: u32) -> vec2u {
  let low = wide.x + small;
  return vec2u(low, wide.y + select(0u, 1u, low < small));
}
