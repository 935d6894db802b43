// Random walks from the solved puzzle: `Puzzle::walk` with the same random words. One invocation per walk;
// each state of a walk is a sample.

#include philox
#include puzzle_rules
#include sampling

struct Params {
  samples: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> rules: array<u32>;
@group(0) @binding(2) var<storage, read> sampling: SamplingParameters;
// [samples]
@group(0) @binding(3) var<storage, read_write> states: array<vec4u>;
// Four words for each sample: the last turn of the walk so far, the number of turns so far, the next turn of
// the walk, and the turn to the first of the neighbours that distillation learns from. [samples]
@group(0) @binding(4) var<storage, read_write> labels: array<vec4u>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let first = id.x * sampling.length;
  if (id.x >= params.samples || first >= params.samples) {
    return;
  }
  let end = min(sampling.length, params.samples - first);
  let index = add_wide(sampling.first_walk, id.x);
  var state = vec4u(rules[SOLVED], rules[SOLVED + 1u], rules[SOLVED + 2u], rules[SOLVED + 3u]);
  // TURNS, which is no turn, stands for the turn before the first, so all may follow.
  var last = TURNS;
  var words = vec4u();
  // The walk has one turn more than samples, because the last sample needs its next turn too.
  for (var i = 0u; i <= end; i++) {
    if (i % 4u == 0u) {
      words = philox(vec4u(index, i / 4u, 0u), sampling.walk_key);
    }
    // A list in `rules`: how many turns may follow `last`, and then which.
    let choices = CHOICES + last * CHOICE_WORDS;
    let turn = rules[choices + 1u + multiply_high(words[i % 4u], rules[choices])];
    if (i > 0u) {
      let sample = first + i - 1u;
      let word = philox(vec4u(sampling.update, sample, 0u), sampling.neighbour_key).x;
      labels[sample] = vec4u(last, i, turn, multiply_high(word, TURNS));
    }
    if (i < end) {
      state = after(state, turn);
      states[first + i] = state;
    }
    last = turn;
  }
}
