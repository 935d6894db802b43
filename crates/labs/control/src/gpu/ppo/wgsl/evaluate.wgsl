// Plays one episode in each of some worlds with the greedy policy, which takes the most probable action in
// every state. The CPU writes the states in which the episodes begin. Any number of dispatches that cover the
// longest episode give the same bits. A tile has few rows, because the steps are a long chain: that each of
// them is short matters more than how many worlds go on at the same time.

#include ppo_unit
#include worlds
#include bounds
#include networks
#include episode_ends

struct Params {
  // The first step of the dispatch, and the one after its last.
  first: u32,
  end: u32,
  // Worlds, each with one episode.
  episodes: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// How observations are normalised; the other numbers are those of the last unit.
@group(0) @binding(1) var<storage, read> unit: Unit;
@group(0) @binding(2) var<storage, read> net: array<vec4f>;
// Of each world: its state; the return so far; 1 once the episode has ended.
@group(0) @binding(3) var<storage, read_write> states: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> returns: array<f32>;
@group(0) @binding(5) var<storage, read_write> ended: array<u32>;

// The most probable action of a row, as in the lab's `Policy::greedy`: the first one if logits are equal. A
// continuous action is the output itself, within its bounds.
fn greedy_action(row: u32) -> f32 {
  var best = output(0u, 0u, row);
  #if OUTPUTS == 1
  return bounded(vec4f(best)).x;
  #else
  var action = 0u;
  for (var other = 1u; other < OUTPUTS; other++) {
    let logit = output(0u, other, row);
    if (logit > best) {
      best = logit;
      action = other;
    }
  }
  return f32(action);
  #end
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) index: u32) {
  #if WORLD == 3
  // Always 0, because there are fewer than 2^31 steps; see acrobot_fast.wgsl.
  zero = params.end >> 31u;
  #end
  let world = workgroup.x * ROWS + index;
  let is_row = index < ROWS;
  let is_world = is_row && world < params.episodes;
  var state = vec4f();
  var episode_return = 0.0;
  var is_running = false;
  if (is_world) {
    state = states[world];
    episode_return = returns[world];
    is_running = ended[world] == 0u;
  }
  for (var t = params.first; t < params.end; t++) {
    if ((t - params.first) % STEPS_PER_CHECK == 0u && all_have_ended(index, select(1u, 0u, is_running))) {
      break;
    }
    if (is_row) {
      let raw = observe(state);
      #for i INPUTS
      inputs[index * INPUTS + $iu] =
        clamp((raw[$i] - unit.shift[$i]) * unit.scale[$i], -unit.limit, unit.limit);
      #end
    }
    forward(0u, index);
    if (is_running) {
      let stepped = step_world(state, greedy_action(index));
      state = stepped.state;
      episode_return += stepped.reward;
      is_running = !stepped.terminated && t + 1u < STEP_LIMIT;
    }
  }
  if (is_world) {
    states[world] = state;
    returns[world] = episode_return;
    ended[world] = select(1u, 0u, is_running);
  }
}
