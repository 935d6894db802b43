// Random scrambles of a puzzle whose states have an index, of random lengths. They are those of
// `scramble_up_to` in small/scramble.rs, bit by bit, because the random words are the same. One invocation
// per sample.
//
// A node is what the network sees as one: a class of symmetric states, or, without CLASSES, a state. A sample
// is the node of the scrambled state: the node's number and the state that represents it, see indexed.wgsl.

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
// The node of each sample, and the packed state that represents the node. [samples]
@group(0) @binding(4) var<storage, read_write> nodes: array<u32>;
@group(0) @binding(5) var<storage, read_write> states: array<vec4u>;
// The last turn of the scramble and its length; two words are unused. [samples]
@group(0) @binding(6) var<storage, read_write> labels: array<vec4u>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.samples) {
    return;
  }
  let index = add_wide(sampling.first_walk, id.x);
  // Of the random words of a scramble, block 0 draws the length, and each later block four turns.
  // `multiply_high` maps a word to a number below its second argument.
  let length = 1u + multiply_high(philox(vec4u(index, 0u, 0u), sampling.walk_key).x, sampling.length);
  // The solved state has the index 0. TURNS, which is no turn, stands for the one before the first, so all
  // may follow.
  var state = 0u;
  var last = TURNS;
  var words = vec4u();
  for (var i = 0u; i < length; i++) {
    if (i % 4u == 0u) {
      words = philox(vec4u(index, 1u + i / 4u, 0u), sampling.walk_key);
    }
    // A list in `rules`: how many turns may follow `last`, and then which.
    let choices = CHOICES + last * CHOICE_WORDS;
    last = rules[choices + 1u + multiply_high(words[i % 4u], rules[choices])];
    state = after_turn(state, last);
  }
  let node = node_of(state);
  nodes[id.x] = node;
  states[id.x] = packed_state(state_of(node));
  labels[id.x] = vec4u(last, length, 0u, 0u);
}
