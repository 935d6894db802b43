// Random scrambles of a puzzle whose states have an index, of random lengths: `scramble_up_to` with the same
// random words. One invocation per sample.

#include philox
#include puzzle_rules
#include sampling
#include indexed

struct Params {
  samples: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> rules: array<u32>;
@group(0) @binding(2) var<storage, read> tables: array<u32>;
@group(0) @binding(3) var<storage, read> sampling: SamplingParameters;
// The node of each sample, and its packed state. [samples]
@group(0) @binding(4) var<storage, read_write> nodes: array<u32>;
@group(0) @binding(5) var<storage, read_write> states: array<vec4u>;
// The last turn, and how many there are. [samples]
@group(0) @binding(6) var<storage, read_write> labels: array<vec4u>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.samples) {
    return;
  }
  let index = add_wide(sampling.first_walk, id.x);
  let length = 1u + multiply_high(philox(vec4u(index, 0u, 0u), sampling.walk_key).x, sampling.length);
  var state = 0u;
  var last = TURNS;
  var words = vec4u();
  for (var i = 0u; i < length; i++) {
    if (i % 4u == 0u) {
      words = philox(vec4u(index, 1u + i / 4u, 0u), sampling.walk_key);
    }
    let choices = CHOICES + last * CHOICE_WORDS;
    last = rules[choices + 1u + multiply_high(words[i % 4u], rules[choices])];
    state = after_turn(state, last);
  }
  let node = node_of(state);
  nodes[id.x] = node;
  states[id.x] = packed_state(state_of(node));
  labels[id.x] = vec4u(last, length, 0u, 0u);
}
