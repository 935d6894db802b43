// Draws states in proportion to their squared residual, which replace the first samples. Sampling is
// stratified: one from each of `drawn` equal parts of the sum of all squares. One invocation per sample.

#include philox
#include sampling
#include value_iteration
#include sample_by_sum

@group(0) @binding(1) var<storage, read> sampling: SamplingParameters;
@group(0) @binding(2) var<storage, read> progress: ValueIteration;
@group(0) @binding(3) var<storage, read> running: array<f32>;
@group(0) @binding(4) var<storage, read> blocks: array<f32>;
@group(0) @binding(5) var<storage, read> kept: array<vec4u>;
@group(0) @binding(6) var<storage, read_write> states: array<vec4u>;
// The place of each state that was drawn.
@group(0) @binding(7) var<storage, read_write> places: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= progress.drawn) {
    return;
  }
  let word = philox(vec4u(sampling.update, id.x, 0u), sampling.residual_key).x;
  // A random number in [0, 1), the upper 24 bits of the word over 2^24, is the place inside the part.
  let part = f32(id.x) + f32(word >> 8u) / 16777216.0;
  let place = min(index_at(part / f32(progress.drawn) * progress.total, KEPT), progress.kept - 1u);
  places[id.x] = place;
  states[id.x] = kept[place];
}
