// Steps worlds apart from training, one in each invocation. RANDOM:
//   0  one step with a given action, without a new episode: the tests compare it with the CPU's rules
//   1  many steps with random actions: the benchmark. Every step's reward and state go into the results.

#include philox
#include worlds

struct Params {
  worlds: u32,
  // Blocks of random words.
  blocks: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> states: array<vec4f>;
// Steps of the episode, and episodes. With given actions: whether the step terminated the episode.
@group(0) @binding(2) var<storage, read_write> counters: array<vec2u>;
// Before the kernel: the given actions. After it: the rewards, or with random actions their sums.
@group(0) @binding(3) var<storage, read_write> results: array<f32>;

const BITS = 32u / PER_WORD; // bits of a random word that choose one action

#if RANDOM
fn start(world: u32, episode: u32) -> vec4f {
  // Seed 0 and stream 1, for starts. Words become numbers in [0, 1) by their upper 24 bits.
  let words = philox(vec4u(world, 0u, episode, 0u), vec2u(0u, 1u));
  return start_state(vec4f(words >> vec4u(8u)) * (1.0 / 16777216.0));
}

fn random_action(bits: u32) -> f32 {
  #if WORLD == 0
  return f32(bits & 1u);
  #end
  #if WORLD == 2
  // A torque from -2 to 2.
  return f32(bits & 255u) * (4.0 / 255.0) - 2.0;
  #end
  #if WORLD % 2 == 1
  // MountainCar and Acrobot have three actions.
  return f32(((bits & 255u) * 3u) >> 8u);
  #end
}
#end

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
  let world = id.x + id.y * count.x * 64u;
  if (world >= params.worlds) {
    return;
  }
  #if WORLD == 3
  // Always 0, because there are fewer than 2^31 worlds; see acrobot_fast.wgsl.
  zero = params.worlds >> 31u;
  #end
  var state = states[world];
  #if RANDOM
  var counter = counters[world];
  var total = 0.0;
  for (var block = 0u; block < params.blocks; block++) {
    // Seed 0 and stream 2, for actions.
    let words = philox(vec4u(block, 0u, world, 0u), vec2u(0u, 2u));
    for (var w = 0u; w < 4u; w++) {
      var bits = words[w];
      for (var i = 0u; i < PER_WORD; i++) {
        let stepped = step_world(state, random_action(bits));
        bits >>= BITS;
        state = stepped.state;
        total += stepped.reward;
        counter.x += 1u;
        if (stepped.terminated || counter.x >= STEP_LIMIT) {
          counter = vec2u(0u, counter.y + 1u);
          state = start(world, counter.y);
        }
      }
    }
  }
  states[world] = state;
  counters[world] = counter;
  results[world] = total;
  #else
  let stepped = step_world(state, results[world]);
  states[world] = stepped.state;
  counters[world] = vec2u(select(0u, 1u, stepped.terminated), 0u);
  results[world] = stepped.reward;
  #end
}
