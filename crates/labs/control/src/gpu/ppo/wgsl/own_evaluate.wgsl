// Plays one episode in each of some worlds of the user's own with the greedy policy, as evaluate.wgsl does in
// the lab's own worlds. The CPU writes the states in which the episodes begin.

#include ppo_unit
#include networks
#include episode_ends
#include own_world

struct Params {
  // The first step of the dispatch, and the one after its last.
  first: u32,
  end: u32,
  // Worlds, each with one episode.
  episodes: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// Seed, first world, and how observations are normalised; the other numbers are those of the last unit.
@group(0) @binding(1) var<storage, read> unit: Unit;
@group(0) @binding(2) var<storage, read> net: array<vec4f>;
// Of each world: see own_world.wgsl; the return so far; 1 once the episode has ended, 2 if it has ended as a
// success.
@group(0) @binding(3) var<storage, read_write> states: array<f32>;
@group(0) @binding(4) var<storage, read_write> returns: array<f32>;
@group(0) @binding(5) var<storage, read_write> ended: array<u32>;
@group(0) @binding(6) var<storage, read> parameters: array<f32>;

// `TRAINING_EVALUATION` of the lab's purpose.rs.
const EVALUATION_STREAM = 6u;
// The most probable choice of a row, the first one if logits are equal; or the numbers of an action.
fn greedy_action(row: u32) -> vec4f {
  var action = vec4f();
  #if NUMBERS
  #for k NUMBERS
  action[$k] = output(0u, $ku, row);
  #end
  #else
  var best = output(0u, 0u, row);
  for (var other = 1u; other < OUTPUTS; other++) {
    let logit = output(0u, other, row);
    if (logit > best) {
      best = logit;
      action.x = f32(other);
    }
  }
  #end
  return action;
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) index: u32) {
  let world = workgroup.x * ROWS + index;
  let is_row = index < ROWS;
  let is_world = is_row && world < params.episodes;
  let p = world_parameters();
  let low = unit.evaluation_low + world;
  // The sum wrapped around if it is below a summand: then there is a carry.
  let number = vec2u(low, unit.evaluation_high + select(0u, 1u, low < world));
  var state = State();
  var seen = Observation();
  var episode_return = 0.0;
  var end = 1u;
  if (is_world) {
    state = load_state(world);
    seen = load_seen(world);
    episode_return = returns[world];
    end = ended[world];
  }
  for (var t = params.first; t < params.end; t++) {
    if ((t - params.first) % STEPS_PER_CHECK == 0u && all_have_ended(index, min(end, 1u))) {
      break;
    }
    if (is_row) {
      #for i INPUTS
      inputs[index * INPUTS + $iu] = normalised(seen[$i], $iu);
      #end
    }
    forward(0u, index);
    if (end == 0u) {
      let at = Moment(vec2u(unit.seed, EVALUATION_STREAM), number, 0u, t + 1u);
      let stepped = step_world(p, state, world_action(greedy_action(index)), at);
      episode_return += stepped.reward;
      if (stepped.succeeded) {
        end = 2u;
      } else if (stepped.failed || t + 1u >= EPISODE_STEPS) {
        end = 1u;
      } else {
        state = stepped.state;
        seen = stepped.observation;
      }
    }
  }
  if (is_world) {
    store_world(world, state, seen);
    returns[world] = episode_return;
    ended[world] = end;
  }
}
