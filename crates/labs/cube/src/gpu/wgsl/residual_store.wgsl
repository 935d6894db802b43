// Stores the squared residuals of a minibatch. States that were drawn get a new residual. The other states
// are added, and replace the oldest ones once all places are taken. One invocation per sample.

#include value_iteration

struct Params {
  samples: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> progress: ValueIteration;
@group(0) @binding(2) var<storage, read> states: array<vec4u>;
@group(0) @binding(3) var<storage, read> losses: array<f32>;
@group(0) @binding(4) var<storage, read> places: array<u32>;
@group(0) @binding(5) var<storage, read_write> kept: array<vec4u>;
@group(0) @binding(6) var<storage, read_write> squares: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let sample = id.x;
  if (sample >= params.samples) {
    return;
  }
  // The place of the first new state: after the others as long as there is room, then that of the oldest.
  let first = select(progress.next, progress.kept, progress.kept < KEPT);
  if (sample < progress.drawn) {
    let place = places[sample];
    // If a state was drawn several times, only its last sample writes the residual. Samples by residual are
    // in the order of their places, so it is the last of equal places. No sample writes if a new state takes
    // the place.
    let is_last = sample + 1u == progress.drawn || places[sample + 1u] != place;
    let is_taken = (place + KEPT - first) % KEPT < params.samples - progress.drawn;
    if (is_last && !is_taken) {
      squares[place] = losses[sample];
    }
    return;
  }
  let place = (first + sample - progress.drawn) % KEPT;
  kept[place] = states[sample];
  squares[place] = losses[sample];
}
