// Acts with the policy in ROWS worlds for some steps, and records them. All state is in registers between the
// steps; an episode that ends starts again within its step. Each step uses the random words of the CPU's
// collector. So starts are the same as on the CPU, and actions differ only where the actor's outputs differ
// by rounding. Any number of dispatches that cover the horizon give the same bits.
//
// The critic does not run here. All observations are recorded, with the last ones of truncated episodes and
// the ones after the last step. Then the kernel `values` runs the critic on all of them at once.

#include ppo_unit
#include rollout_words
#include worlds
#include networks
#include policy
#include bounds

struct Params {
  // The first step of the dispatch, and the one after its last.
  first: u32,
  end: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> unit: Unit;
@group(0) @binding(2) var<storage, read> net: array<vec4f>;
// Of each world: its state; steps in the episode, episodes, truncations and ended episodes in this unit.
@group(0) @binding(3) var<storage, read_write> states: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> counters: array<vec4u>;
// Of each world: the episode's return so far, the sum of the returns of the episodes that ended in this unit,
// and the sums and sums of squares of its observations in this unit. [worlds][TOTALS]
@group(0) @binding(5) var<storage, read_write> totals: array<f32>;
// Normalised observations: those before each step, those after the last step, those at the end of truncated
// episodes. [horizon + 1 + truncations][worlds][INPUTS]
@group(0) @binding(6) var<storage, read_write> observations: array<f32>;
// Action, log-probability, reward, and how the step ended: 0 not at all, 1 terminated, 2 + n the nth
// truncation. [horizon][worlds]
@group(0) @binding(7) var<storage, read_write> steps: array<vec4f>;

const TOTALS = 2u + 2u * INPUTS;

fn new_episode(world: u32, episode: u32) -> vec4f {
  let words = philox(vec4u(world, 0u, episode, 0u), vec2u(unit.seed, START_STREAM));
  return start_state(vec4f(
    unit_interval(words.x), unit_interval(words.y), unit_interval(words.z), unit_interval(words.w)));
}

// Writes the normalised observation of a state as row `row` of `observations`, and to `inputs` for index
// `slot`.
fn record_observation(state: vec4f, row: u32, slot: u32, is_world: bool) {
  let raw = observe(state);
  #for i INPUTS
  let x_$i = clamp((raw[$i] - unit.shift[$i]) * unit.scale[$i], -unit.limit, unit.limit);
  inputs[slot * INPUTS + $iu] = x_$i;
  #end
  if (is_world) {
    #for i INPUTS
    observations[row * INPUTS + $iu] = x_$i;
    #end
  }
}

struct Action {
  action: f32,
  log_probability: f32,
}

// Samples an action from the outputs of row `row`. Four worlds share a block of four random words: each takes
// one word for a discrete action. A continuous action needs a normal number, made of two words by the method
// of Box and Muller. Two worlds share a pair of words, and one takes the sine, the other the cosine.
fn sample_action(row: u32, world: u32, step: u32) -> Action {
  let words = action_words(world / 4u, step);
  let lane = world % 4u;
  #if OUTPUTS == 1
  let pair = select(words.xy, words.zw, lane >= 2u);
  let radius = sqrt(-2.0 * logarithm(positive_unit_interval(pair.x)));
  let angle = sin_cos_of_turns(unit_interval(pair.y));
  let noise = radius * select(angle.y, angle.x, (lane & 1u) == 1u);
  let log_std = net[BIAS_3].w;
  let action = output(0u, 0u, row) + exponential(log_std) * noise;
  return Action(action, -0.5 * noise * noise - log_std - HALF_LOG_TWO_PI);
  #else
  let word = select(select(words.x, words.y, lane == 1u), select(words.z, words.w, lane == 3u), lane >= 2u);
  let noise = unit_interval(word);
  #if OUTPUTS == 2
  let policy = categorical(vec3f(output(0u, 0u, row), output(0u, 1u, row), 0.0));
  #else
  let policy = categorical(vec3f(output(0u, 0u, row), output(0u, 1u, row), output(0u, 2u, row)));
  #end
  let p = policy.probabilities;
  let log_p = policy.log_probabilities;
  // The last action whose probability, together with those after it, exceeds the noise.
  var chosen = Action(0.0, log_p.x);
  if (noise < p.z + p.y) {
    chosen = Action(1.0, log_p.y);
  }
  if (noise < p.z) {
    chosen = Action(2.0, log_p.z);
  }
  return chosen;
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
  let is_world = is_row && world < unit.worlds;
  var state = vec4f();
  var counter = vec4u();
  var episode_return = 0.0;
  var finished_return = 0.0;
  #for i INPUTS
  var sum_$i = 0.0;
  var square_$i = 0.0;
  #end
  if (is_world) {
    state = states[world];
    counter = counters[world];
    let at = world * TOTALS;
    episode_return = totals[at];
    if (params.first == 0u) {
      counter = vec4u(counter.xy, 0u, 0u);
    } else {
      finished_return = totals[at + 1u];
      #for i INPUTS
      sum_$i = totals[at + 2u + $iu];
      square_$i = totals[at + 2u + INPUTS + $iu];
      #end
    }
  }
  for (var t = params.first; t < params.end; t++) {
    if (is_row) {
      record_observation(state, t * unit.worlds + world, index, is_world);
      let raw = observe(state);
      #for i INPUTS
      sum_$i += raw[$i];
      square_$i = fma(raw[$i], raw[$i], square_$i);
      #end
    }
    forward(0u, index);
    if (is_world) {
      let chosen = sample_action(index, world, t);
      let stepped = step_world(state, bounded(vec4f(chosen.action)).x);
      counter.x += 1u;
      episode_return += stepped.reward;
      let is_truncated = !stepped.terminated && counter.x >= STEP_LIMIT;
      var reward = unit.reward_scale * stepped.reward;
      #if WORLD == 1
      // Potential-based shaping; the potential of a terminal state is zero.
      let after = select(potential(stepped.state), 0.0, stepped.terminated);
      reward += unit.shaping * (unit.gamma * after - potential(state));
      #end
      let ending = select(select(0.0, 2.0 + f32(counter.z), is_truncated), 1.0, stepped.terminated);
      steps[t * unit.worlds + world] = vec4f(chosen.action, chosen.log_probability, reward, ending);
      state = stepped.state;
      if (is_truncated) {
        record_observation(state, (unit.horizon + 1u + counter.z) * unit.worlds + world, index, true);
        counter.z += 1u;
      }
      if (is_truncated || stepped.terminated) {
        finished_return += episode_return;
        episode_return = 0.0;
        counter = vec4u(0u, counter.y + 1u, counter.z, counter.w + 1u);
        state = new_episode(world, counter.y);
      }
    }
  }
  if (is_world) {
    if (params.end == unit.horizon) {
      record_observation(state, unit.horizon * unit.worlds + world, index, true);
    }
    states[world] = state;
    counters[world] = counter;
    let at = world * TOTALS;
    totals[at] = episode_return;
    totals[at + 1u] = finished_return;
    #for i INPUTS
    totals[at + 2u + $iu] = sum_$i;
    totals[at + 2u + INPUTS + $iu] = square_$i;
    #end
  }
}
