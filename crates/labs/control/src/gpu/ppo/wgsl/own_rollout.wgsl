// Acts with the policy in ROWS worlds of the user's own for some steps, and records them: what rollout.wgsl
// does in the lab's own worlds. An error of the rules ends an episode as a failure, see `step_world`. Besides
// it keeps statistics of the discounted returns, by which rewards are normalised, and notes faults of the rules
// (own_faults.wgsl).

#include ppo_unit
#include rollout_words
#include networks
#include own_world
#include own_policy

struct Params {
  // The first step of the dispatch, and the one after its last.
  first: u32,
  end: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> unit: Unit;
@group(0) @binding(2) var<storage, read> net: array<vec4f>;
// See own_world.wgsl.
@group(0) @binding(3) var<storage, read_write> states: array<f32>;
// Of each world: steps in the episode or BROKEN; episodes; truncations and ended episodes in this unit. After
// the worlds, of each: the episodes of this unit that a fault ended; of the first of them the step of the unit,
// the episode, and the step of the episode, 0 if the fault was at its beginning; then its state before that
// step and the action, as bits. Storage buffers are few, so this has none of its own.
// [worlds], [worlds][FAULT_VECTORS]
@group(0) @binding(4) var<storage, read_write> counters: array<vec4u>;
// Of each world: the episode's return so far, the sum of the returns of the episodes that ended in this unit,
// the sums and sums of squares of its observations in this unit, the discounted return so far, and of those
// in this unit the mean and the sum of squared deviations from it. [worlds][TOTALS]
@group(0) @binding(5) var<storage, read_write> totals: array<f32>;
// Normalised observations, see rollout.wgsl. [horizon + 1 + truncations][worlds][INPUTS]
@group(0) @binding(6) var<storage, read_write> observations: array<f32>;
// Action, log-probability, reward, and how the step ended, see rollout.wgsl; a second vector with the numbers
// of the action after the first. [horizon][worlds][STEP_VECTORS]
@group(0) @binding(7) var<storage, read_write> steps: array<vec4f>;
@group(0) @binding(8) var<storage, read> parameters: array<f32>;

const TOTALS = 5u + 2u * INPUTS;
const DISCOUNTED = 2u + 2u * INPUTS;

struct Chosen {
  numbers: vec4f,
  log_probability: f32,
}

#if NUMBERS
// Two standard normal numbers, of which each block of random words gives two pairs (Box and Muller 1958).
fn normal_pair(pair: u32, step: u32) -> vec2f {
  let block = action_words(pair / 2u, step);
  let words = select(block.xy, block.zw, (pair & 1u) == 1u);
  let radius = sqrt(-2.0 * logarithm(positive_unit_interval(words.x)));
  return radius * sin_cos_of_turns(unit_interval(words.y)).yx;
}
#end

// Samples an action from the outputs of row `row`, with the CPU's random numbers: one uniform number for each
// world, or as many normal ones as an action has numbers.
fn sample_action(row: u32, world: u32, step: u32) -> Chosen {
  var chosen = Chosen();
  #if NUMBERS
  var noise = vec4f();
  #if NUMBERS == 1
  let pair = normal_pair(world / 2u, step);
  noise.x = select(pair.x, pair.y, (world & 1u) == 1u);
  #end
  #if NUMBERS == 2
  let pair = normal_pair(world, step);
  noise = vec4f(pair, 0.0, 0.0);
  #end
  #if NUMBERS == 3
  // The numbers 3 world to 3 world + 2 lie in two pairs.
  let first = normal_pair(3u * world / 2u, step);
  let second = normal_pair(3u * world / 2u + 1u, step);
  noise = select(vec4f(first, second), vec4f(first.y, second, 0.0), (world & 1u) == 1u);
  #end
  #if NUMBERS == 4
  noise = vec4f(normal_pair(2u * world, step), normal_pair(2u * world + 1u, step));
  #end
  #for k NUMBERS
  let log_std_$k = log_std_of($ku);
  chosen.numbers[$k] = output(0u, $ku, row) + exponential(log_std_$k) * noise[$k];
  chosen.log_probability += -0.5 * noise[$k] * noise[$k] - log_std_$k - HALF_LOG_TWO_PI;
  #end
  #else
  let words = action_words(world / 4u, step);
  let noise = unit_interval(words[world % 4u]);
  let policy = categorical(row);
  // The last action whose probability, together with those after it, exceeds the noise; otherwise the first.
  chosen.log_probability = policy.log_probabilities[0];
  var together = 0.0;
  var is_chosen = false;
  #for o OUTPUTS
  together += policy.probabilities[OUTPUTS - 1u - $ou];
  if (!is_chosen && noise < together) {
    is_chosen = true;
    chosen.numbers.x = f32(OUTPUTS - 1u - $ou);
    chosen.log_probability = policy.log_probabilities[OUTPUTS - 1u - $ou];
  }
  #end
  #end
  return chosen;
}

// Writes the normalised observation as row `row` of `observations`, and to `inputs` for index `slot`.
fn record_observation(seen: Observation, row: u32, slot: u32, is_world: bool) {
  #for i INPUTS
  let x_$i = normalised(seen[$i], $iu);
  inputs[slot * INPUTS + $iu] = x_$i;
  #end
  if (is_world) {
    #for i INPUTS
    observations[row * INPUTS + $iu] = x_$i;
    #end
  }
}

// Notes the first fault of a world in this unit, from which the CPU can step the world again.
fn note_fault(at: u32, t: u32, episode: u32, step: u32, state: State, action: Action) {
  counters[at] = vec4u(1u, t, episode, step);
  #for i STATE
  counters[at + 1u + $iu / 4u][$iu % 4u] = bitcast<u32>(state[$i]);
  #end
  #for k ACTION
  counters[at + 1u + (STATE + $ku) / 4u][(STATE + $ku) % 4u] = bitcast<u32>(action[$k]);
  #end
}

fn moment_of(world: u32, episode: u32, step: u32) -> Moment {
  return Moment(vec2u(unit.seed, START_STREAM), vec2u(world, 0u), episode, step);
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) index: u32) {
  let world = workgroup.x * ROWS + index;
  let is_row = index < ROWS;
  let is_world = is_row && world < unit.worlds;
  let p = world_parameters();
  var state = State();
  var seen = Observation();
  var counter = vec4u();
  var episode_return = 0.0;
  var finished_return = 0.0;
  #for i INPUTS
  var sum_$i = 0.0;
  var square_$i = 0.0;
  #end
  // The discounted return so far, mean of those in this unit, sum of squared deviations.
  var discounted = vec3f();
  let fault_at = unit.worlds + world * FAULT_VECTORS;
  var faults = 0u;
  if (is_world) {
    state = load_state(world);
    counter = counters[world];
    let at = world * TOTALS;
    episode_return = totals[at];
    discounted.x = totals[at + DISCOUNTED];
    if (params.first == 0u) {
      counter = vec4u(counter.xy, 0u, 0u);
      // A save has the state alone, so a unit begins with what is seen of it, whatever its rounding in the step
      // before. An episode that began with an error shows zeros.
      if (counter.x != BROKEN) {
        seen = look_at_world(p, state).observation;
      }
    } else {
      seen = load_seen(world);
      finished_return = totals[at + 1u];
      #for i INPUTS
      sum_$i = totals[at + 2u + $iu];
      square_$i = totals[at + 2u + INPUTS + $iu];
      #end
      discounted.y = totals[at + DISCOUNTED + 1u];
      discounted.z = totals[at + DISCOUNTED + 2u];
      faults = counters[fault_at].x;
    }
  }
  for (var t = params.first; t < params.end; t++) {
    if (is_row) {
      record_observation(seen, t * unit.worlds + world, index, is_world);
      #for i INPUTS
      let raw_$i = clamp(seen[$i], -LARGEST_SUMMED, LARGEST_SUMMED);
      sum_$i += raw_$i;
      square_$i = fma(raw_$i, raw_$i, square_$i);
      #end
    }
    forward(0u, index);
    if (is_world) {
      let chosen = sample_action(index, world, t);
      let is_broken = counter.x == BROKEN;
      counter.x = select(counter.x + 1u, 1u, is_broken);
      let now = moment_of(world, counter.y, counter.x);
      let action = world_action(chosen.numbers);
      let stepped = step_world(p, state, action, now);
      let earned = select(stepped.reward, 0.0, is_broken);
      let is_terminated = is_broken || stepped.failed || stepped.succeeded;
      let is_truncated = !is_terminated && STEP_LIMIT > 0u && counter.x >= STEP_LIMIT;
      episode_return += earned;
      let reward = unit.reward_scale * earned;
      discounted.x = clamp(fma(unit.gamma, discounted.x, reward), -LARGEST_SUMMED, LARGEST_SUMMED);
      // Welford 1962.
      let change = discounted.x - discounted.y;
      discounted.y += change / f32(t + 1u);
      discounted.z = fma(change, discounted.x - discounted.y, discounted.z);
      let ending = select(select(0.0, 2.0 + f32(counter.z), is_truncated), 1.0, is_terminated);
      let at = (t * unit.worlds + world) * STEP_VECTORS;
      steps[at] = vec4f(chosen.numbers.x, chosen.log_probability, reward, ending);
      #if STEP_VECTORS == 2
      steps[at + 1u] = vec4f(chosen.numbers.yzw, 0.0);
      #end
      if (is_broken || stepped.fault != 0u) {
        if (faults == 0u) {
          note_fault(fault_at, t, counter.y, select(counter.x, 0u, is_broken), state, action);
        }
        faults += 1u;
      }
      if (!is_terminated) {
        state = stepped.state;
        seen = stepped.observation;
      }
      if (is_truncated) {
        record_observation(seen, (unit.horizon + 1u + counter.z) * unit.worlds + world, index, true);
        counter.z += 1u;
      }
      if (is_truncated || is_terminated) {
        finished_return += episode_return;
        episode_return = 0.0;
        discounted.x = 0.0;
        counter = vec4u(0u, counter.y + 1u, counter.z, counter.w + 1u);
        let begun = begin_world(p, moment_of(world, counter.y, 0u));
        counter.x = select(0u, BROKEN, begun.fault != 0u);
        state = begun.state;
        seen = begun.observation;
      }
    }
  }
  if (is_world) {
    if (params.end == unit.horizon) {
      record_observation(seen, unit.horizon * unit.worlds + world, index, true);
    }
    store_world(world, state, seen);
    counters[world] = counter;
    counters[fault_at].x = faults;
    let at = world * TOTALS;
    totals[at] = episode_return;
    totals[at + 1u] = finished_return;
    #for i INPUTS
    totals[at + 2u + $iu] = sum_$i;
    totals[at + 2u + INPUTS + $iu] = square_$i;
    #end
    totals[at + DISCOUNTED] = discounted.x;
    totals[at + DISCOUNTED + 1u] = discounted.y;
    totals[at + DISCOUNTED + 2u] = discounted.z;
  }
}
