// The scores of the states after all turns of a state, for a beam search, in place: distances, or with LOGITS
// minus the logarithms of the probabilities of the turns. One invocation per state.

#include math

struct Params {
  states: u32,
  // An output y means the distance mean + deviation * y.
  mean: f32,
  deviation: f32,
}

@group(0) @binding(0) var<uniform> params: Params;
// [states, TURNS]
@group(0) @binding(1) var<storage, read_write> scores: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.states) {
    return;
  }
  let first = id.x * TURNS;
  #if LOGITS
  var largest = scores[first];
  for (var i = 1u; i < TURNS; i++) {
    largest = max(largest, scores[first + i]);
  }
  var sum = 0.0;
  for (var i = 0u; i < TURNS; i++) {
    sum += exponential(scores[first + i] - largest);
  }
  let log_sum = largest + logarithm(sum);
  for (var i = 0u; i < TURNS; i++) {
    scores[first + i] = log_sum - scores[first + i];
  }
  #else
  for (var i = 0u; i < TURNS; i++) {
    scores[first + i] = fma(params.deviation, scores[first + i], params.mean);
  }
  #end
}
