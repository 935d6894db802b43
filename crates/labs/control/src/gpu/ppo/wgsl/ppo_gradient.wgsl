// The gradient of the PPO loss over a part of a minibatch: forward pass, loss and backward pass of one tile
// of ROWS samples after the other. The loss of the actor and that of the critic are separate terms, so a
// workgroup computes one network: workgroup (g, n) network n on the tiles g, g + groups, ... Gradients of
// weights stay in registers until all tiles are done; then the workgroup writes them to a slot of its own,
// and `ppo_sum` adds the slots in order.
//
// A slot has the layout of a network in networks.wgsl up to the biases of the heads and the logarithms of the
// standard deviations, then the sums of the loss, the entropy, the KL divergence and the clipped samples.

#include ppo_unit
#include ppo_state
#include shuffle
#include networks
#if WORLD == 4
#include own_loss
#else
#include loss
#end

struct Params {
  // The number of the first group of this dispatch, and the number of all groups.
  first: u32,
  groups: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> unit: Unit;
@group(0) @binding(2) var<storage, read> state: State;
@group(0) @binding(3) var<storage, read> net: array<vec4f>;
// [horizon + 1 + truncations][worlds][INPUTS]
@group(0) @binding(4) var<storage, read> observations: array<f32>;
// Action, log-probability and others, see rollout.wgsl. [samples][STEP_VECTORS]
@group(0) @binding(5) var<storage, read> steps: array<vec4f>;
// Value, advantage, return and 0. [samples]
@group(0) @binding(6) var<storage, read> targets: array<vec4f>;
// Mean of the advantages, and one over their standard deviation. [epochs][minibatches]
@group(0) @binding(7) var<storage, read> statistics: array<vec2f>;
// [groups][2][SLOT]
@group(0) @binding(8) var<storage, read_write> slots: array<vec4f>;

const SLOT = BIAS_3 + HEAD_VECTORS + 1u;
const SIDE = COLUMNS / BLOCK; // an invocation has a square of 4 BLOCK by 4 BLOCK weights of layer 2
const ROW_GROUPS = ROWS / ROWS_PER_THREAD;

// The derivative of the loss with respect to the outputs.
var<workgroup> output_gradients: array<f32, ROWS * OUTPUTS>;

struct Loss {
  // Derivatives with respect to the outputs and to the logarithms of the standard deviations, as they lie in
  // `net` from BIAS_3 on.
  heads: array<vec4f, HEAD_VECTORS>,
  // Loss, entropy, KL divergence, and 1 if the clip sets the gradient to zero.
  terms: vec4f,
}

// The critic's squared error; with clipping, the larger of that of the value and that of the clamped value.
fn value_loss(value: f32, old: f32, target_value: f32) -> Loss {
  let error = value - target_value;
  var loss = error * error;
  var gradient = error;
  if (unit.value_clip > 0.0) {
    let change = value - old;
    let clamped_error = old + clamp(change, -unit.value_clip, unit.value_clip) - target_value;
    if (loss < clamped_error * clamped_error) {
      loss = clamped_error * clamped_error;
      gradient = select(0.0, clamped_error, abs(change) < unit.value_clip);
    }
  }
  var result = Loss();
  result.heads[0].x = unit.value_weight * gradient;
  result.terms.x = loss;
  return result;
}

// The clipped surrogate: its derivative with respect to the log-probability, loss, KL divergence, clipped or
// not.
fn clipped_surrogate(log_probability: f32, old: f32, advantage: f32) -> vec4f {
  let log_ratio = log_probability - old;
  let ratio = exponential(log_ratio);
  let is_below = ratio < 1.0 - unit.clip;
  let is_above = ratio > 1.0 + unit.clip;
  let is_clipped = select(is_below, is_above, advantage > 0.0);
  let surrogate = ratio * advantage;
  let clamped = clamp(ratio, 1.0 - unit.clip, 1.0 + unit.clip) * advantage;
  return vec4f(
    select(-surrogate, 0.0, is_clipped),
    -min(surrogate, clamped),
    ratio - 1.0 - log_ratio,
    select(0.0, 1.0, is_clipped),
  );
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) index: u32) {
  if (state.is_stopped == 1u) {
    return;
  }
  let group = params.first + workgroup.x;
  let network = workgroup.y;
  let base = network * NETWORK;
  let epoch = state.updates / unit.minibatches;
  let minibatch = state.updates % unit.minibatches;
  let first = minibatch_start(minibatch);
  let count = minibatch_start(minibatch + 1u) - first;
  let normalisation = statistics[state.updates];
  let keys = shuffle_keys(epoch);
  let column = index % COLUMNS;
  let row = index / COLUMNS * ROWS_PER_THREAD;
  let left = index / SIDE * BLOCK;
  let right = index % SIDE * BLOCK;

  // Of this invocation: the square of layer 2; HEAD_SHARES vectors of the heads; sums over its rows of the
  // other gradients.
  #for a BLOCK
  #for c 4
  #for b BLOCK
  var square_$a_$c_$b = vec4f();
  #end
  #end
  #end
  #for h HEAD_SHARES
  var head_sum_$h = vec4f();
  #end
  var bias_1 = vec4f();
  var bias_2 = vec4f();
  #for i INPUTS
  var weight_$i = vec4f();
  #end
  // Of the first ROWS invocations: sums over the samples of their rows.
  #for h HEAD_VECTORS
  var bias_3_$h = vec4f();
  #end
  var terms = vec4f();

  for (var tile = group * ROWS; tile < count; tile += params.groups * ROWS) {
    workgroupBarrier();
    let is_sample = index < ROWS && tile + index < count;
    var sample = 0u;
    if (index < ROWS) {
      if (is_sample) {
        sample = shuffled(first + tile + index, keys);
      }
      #for i INPUTS
      inputs[index * INPUTS + $iu] = observations[sample * INPUTS + $iu];
      #end
    }
    forward(base, index);
    if (index < ROWS) {
      var loss = Loss();
      if (is_sample) {
        let step = steps[sample * STEP_VECTORS];
        let target_values = targets[sample];
        if (network == 0u) {
          let advantage = (target_values.y - normalisation.x) * normalisation.y;
          #if STEP_VECTORS == 2
          // Further numbers of a continuous action.
          let action = vec4f(step.x, steps[sample * STEP_VECTORS + 1u].xyz);
          #else
          let action = vec4f(step.x, 0.0, 0.0, 0.0);
          #end
          loss = policy_loss(index, action, step.y, advantage);
        } else {
          loss = value_loss(output(base, 0u, index), target_values.x, target_values.z);
        }
      }
      // The loss is a mean over the minibatch.
      #for h HEAD_VECTORS
      loss.heads[$h] /= f32(count);
      bias_3_$h += loss.heads[$h];
      #end
      #for o OUTPUTS
      output_gradients[index * OUTPUTS + $ou] = loss.heads[$ou / 4u][$ou % 4u];
      #end
      terms += loss.terms;
    }
    workgroupBarrier();

    // The gradient of the heads' weights: each vector of a head belongs to one invocation. (`column` is also
    // that of the vectors after the first, because the invocations are a multiple of the columns.)
    #for h HEAD_SHARES
    if (index + $hu * THREADS < OUTPUTS * COLUMNS) {
      for (var r = 0u; r < ROWS; r++) {
        let gradient = output_gradients[r * OUTPUTS + (index + $hu * THREADS) / COLUMNS];
        head_sum_$h = fma(vec4f(gradient), hidden_2[r * STRIDE + column], head_sum_$h);
      }
    }
    #end
    // The gradient at the sums of layer 2, which replaces its outputs.
    #for q ROWS_PER_THREAD
    var at_2_$q = vec4f();
    #end
    #for o OUTPUTS
    let head_$o = net[base + WEIGHT_3 + $ou * COLUMNS + column];
    #for q ROWS_PER_THREAD
    at_2_$q = fma(head_$o, vec4f(output_gradients[(row + $qu) * OUTPUTS + $ou]), at_2_$q);
    #end
    #end
    #for q ROWS_PER_THREAD
    let y_2_$q = hidden_2[(row + $qu) * STRIDE + column];
    at_2_$q *= vec4f(1.0) - y_2_$q * y_2_$q;
    bias_2 += at_2_$q;
    #end
    workgroupBarrier();
    #for q ROWS_PER_THREAD
    hidden_2[(row + $qu) * STRIDE + column] = at_2_$q;
    #end
    workgroupBarrier();

    // The gradient of the weights of layer 2.
    for (var r = 0u; r < ROWS; r++) {
      #for b BLOCK
      let d_$b = hidden_2[r * STRIDE + right + $bu];
      #end
      #for a BLOCK
      let x_$a = hidden_1[r * STRIDE + left + $au];
      #for c 4
      #for b BLOCK
      square_$a_$c_$b = fma(vec4f(x_$a[$c]), d_$b, square_$a_$c_$b);
      #end
      #end
      #end
    }
    // The gradient at the sums of layer 1.
    #for q ROWS_PER_THREAD
    var at_1_$q = vec4f();
    #end
    for (var k = 0u; k < COLUMNS; k++) {
      let at = base + TRANSPOSED + 4u * k * COLUMNS + column;
      #for c 4
      let transposed_$c = net[at + $cu * COLUMNS];
      #end
      #for q ROWS_PER_THREAD
      let e_$q = hidden_2[(row + $qu) * STRIDE + k];
      at_1_$q = fma(transposed_0, e_$q.xxxx, at_1_$q);
      at_1_$q = fma(transposed_1, e_$q.yyyy, at_1_$q);
      at_1_$q = fma(transposed_2, e_$q.zzzz, at_1_$q);
      at_1_$q = fma(transposed_3, e_$q.wwww, at_1_$q);
      #end
    }
    #for q ROWS_PER_THREAD
    let y_1_$q = hidden_1[(row + $qu) * STRIDE + column];
    at_1_$q *= vec4f(1.0) - y_1_$q * y_1_$q;
    bias_1 += at_1_$q;
    #for i INPUTS
    weight_$i = fma(vec4f(inputs[(row + $qu) * INPUTS + $iu]), at_1_$q, weight_$i);
    #end
    #end
  }

  let slot = (group * 2u + network) * SLOT;
  #for a BLOCK
  #for c 4
  #for b BLOCK
  slots[slot + WEIGHT_2 + (4u * (left + $au) + $cu) * COLUMNS + right + $bu] = square_$a_$c_$b;
  #end
  #end
  #end
  #for h HEAD_SHARES
  if (index + $hu * THREADS < OUTPUTS * COLUMNS) {
    slots[slot + WEIGHT_3 + index + $hu * THREADS] = head_sum_$h;
  }
  #end
  // The sums of the row groups, added in order.
  add_row_groups(slot + BIAS_1, bias_1, index);
  add_row_groups(slot + BIAS_2, bias_2, index);
  #for i INPUTS
  add_row_groups(slot + $iu * COLUMNS, weight_$i, index);
  #end
  workgroupBarrier();
  if (index < ROWS) {
    #for h HEAD_VECTORS
    hidden_1[index * HEAD_VECTORS + $hu] = bias_3_$h;
    #end
    hidden_2[index] = terms;
  }
  workgroupBarrier();
  if (index == 0u) {
    #for h HEAD_VECTORS
    var biases_$h = vec4f();
    #end
    var sum = vec4f();
    for (var r = 0u; r < ROWS; r++) {
      #for h HEAD_VECTORS
      biases_$h += hidden_1[r * HEAD_VECTORS + $hu];
      #end
      sum += hidden_2[r];
    }
    #for h HEAD_VECTORS
    slots[slot + BIAS_3 + $hu] = biases_$h;
    #end
    slots[slot + BIAS_3 + HEAD_VECTORS] = sum;
  }
}

// Writes the sum of a value over the row groups to the vectors of `slots` from `at` on, one for each column.
fn add_row_groups(at: u32, value: vec4f, index: u32) {
  workgroupBarrier();
  hidden_1[index] = value;
  workgroupBarrier();
  if (index < COLUMNS) {
    var sum = vec4f();
    for (var g = 0u; g < ROW_GROUPS; g++) {
      sum += hidden_1[g * COLUMNS + index];
    }
    slots[at + index] = sum;
  }
}
