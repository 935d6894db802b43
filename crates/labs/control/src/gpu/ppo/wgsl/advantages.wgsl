// Generalised advantage estimation (Schulman et al., 2016): one invocation goes through the rollout of its
// world from the last step to the first. Then the workgroup writes what the unit reports of its worlds.

#include ppo_unit
#include reduce

@group(0) @binding(0) var<storage, read> unit: Unit;
// Action, log-probability, reward, and how the step ended, see rollout.wgsl.
// [horizon][worlds][STEP_VECTORS]
@group(0) @binding(1) var<storage, read> steps: array<vec4f>;
// [horizon + 1 + truncations][worlds]
@group(0) @binding(2) var<storage, read> values: array<f32>;
@group(0) @binding(3) var<storage, read> counters: array<vec4u>;
@group(0) @binding(4) var<storage, read> totals: array<f32>;
// Value, advantage, return and 0. [horizon][worlds]
@group(0) @binding(5) var<storage, read_write> targets: array<vec4f>;
// Of each workgroup: its worlds; means of the returns and of the critic's errors, sums of squared deviations
// from them; number and sum of the returns of finished episodes; sums and sums of squares of the
// observations. [workgroups][METRICS]
@group(0) @binding(6) var<storage, read_write> metrics: array<f32>;
#if OWN
// The factor of rewards, see own_rewards.wgsl.
@group(0) @binding(7) var<storage, read> reward_statistics: array<f32>;
// `MAX_REWARD` of the lab's rewards.rs.
const MAX_REWARD = 10.0;
#end

const THREADS = 64u;
#if OWN
const TOTALS = 5u + 2u * INPUTS;
#else
const TOTALS = 2u + 2u * INPUTS;
#end
const METRICS = 7u + 2u * INPUTS;

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) index: u32) {
  let world = workgroup.x * THREADS + index;
  let is_world = world < unit.worlds;
  // Return and error of the last step are subtracted from all others before they are summed, so that the sums
  // stay small and the deviations keep their digits.
  var first = vec2f();
  var sums = vec2f();
  var squares = vec2f();
  if (is_world) {
    var next_value = values[unit.horizon * unit.worlds + world];
    var running = 0.0;
    for (var t = unit.horizon; t > 0u; t--) {
      let at = (t - 1u) * unit.worlds + world;
      #if OWN
      var step = steps[at * STEP_VECTORS];
      step.z = clamp(step.z * reward_statistics[0], -MAX_REWARD, MAX_REWARD);
      #else
      let step = steps[at];
      #end
      let value = values[at];
      // 0: the episode goes on; 1: it terminated; 2 + n: it is the world's nth truncation.
      let ending = u32(step.w);
      var next = next_value;
      if (ending == 1u) {
        next = 0.0;
      }
      if (ending > 1u) {
        // Truncation n has row horizon + 1 + n.
        next = values[(unit.horizon + ending - 1u) * unit.worlds + world];
      }
      if (ending > 0u) {
        running = 0.0;
      }
      running = step.z + unit.gamma * next - value + unit.gamma * unit.lambda * running;
      next_value = value;
      targets[at] = vec4f(value, running, running + value, 0.0);
      let pair = vec2f(running + value, running);
      if (t == unit.horizon) {
        first = pair;
      }
      sums += pair - first;
      squares += (pair - first) * (pair - first);
    }
  }
  let horizon = f32(unit.horizon);
  let mean = first + sums / horizon;
  let deviations = select(vec2f(), squares - sums * sums / horizon, is_world);
  let worlds = f32(min(THREADS, unit.worlds - workgroup.x * THREADS));
  let return_mean = sum_over_workgroup(select(0.0, mean.x, is_world), index) / worlds;
  let error_mean = sum_over_workgroup(select(0.0, mean.y, is_world), index) / worlds;
  let between = select(vec2f(), mean - vec2f(return_mean, error_mean), is_world);
  let spread = deviations + horizon * between * between;
  let return_spread = sum_over_workgroup(spread.x, index);
  let error_spread = sum_over_workgroup(spread.y, index);
  var episodes = 0.0;
  var finished = 0.0;
  if (is_world) {
    episodes = f32(counters[world].w);
    finished = totals[world * TOTALS + 1u];
  }
  episodes = sum_over_workgroup(episodes, index);
  finished = sum_over_workgroup(finished, index);
  let at = workgroup.x * METRICS;
  if (index == 0u) {
    metrics[at] = worlds;
    metrics[at + 1u] = return_mean;
    metrics[at + 2u] = return_spread;
    metrics[at + 3u] = error_mean;
    metrics[at + 4u] = error_spread;
    metrics[at + 5u] = episodes;
    metrics[at + 6u] = finished;
  }
  for (var i = 0u; i < 2u * INPUTS; i++) {
    var total = 0.0;
    if (is_world) {
      total = totals[world * TOTALS + 2u + i];
    }
    total = sum_over_workgroup(total, index);
    if (index == 0u) {
      metrics[at + 7u + i] = total;
    }
  }
}
