// Losses of samples and the gradients at the network's outputs, each divided by the number of samples. One
// invocation per sample. METHOD:
//   0  random-walk regression (CayleyPy): the squared error of the distance; the target is the length of
//      the walk
//   1  value iteration: the same; the target is one more than the target network's least prediction
//      among the neighbours
//   2  EfficientCube: the cross-entropy of the turns; the target is the inverse of the walk's last one
//   3  distillation: the squared errors of the distances after NEIGHBOURS turns; the targets are the
//      teacher's predictions
//   4  random-walk regression of a distilled network: the squared errors of the distances after two turns,
//      the one that undoes the walk's last turn and the walk's next one; the targets are the lengths of the
//      walk there
//   5  value iteration with a table: the squared error of the distance; the targets are among the labels
// Squared errors are reported in squared turns. With CLAMPED, a distance below zero is reported as zero.

#include math
#include puzzle_rules

struct Params {
  // The samples from number `first` on.
  samples: u32,
  first: u32,
  // 1 / the number of samples of the minibatch.
  scale: f32,
  // An output y means the distance mean + deviation * y.
  mean: f32,
  deviation: f32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> rules: array<u32>;
// States and labels of all samples, see `walks`.
@group(0) @binding(2) var<storage, read> states: array<vec4u>;
@group(0) @binding(3) var<storage, read> labels: array<vec4u>;
// [samples from `first` on, OUTPUTS]
@group(0) @binding(4) var<storage, read> outputs: array<f32>;
@group(0) @binding(5) var<storage, read_write> gradient: array<f32>;
// One loss for each sample of the minibatch.
@group(0) @binding(6) var<storage, read_write> losses: array<f32>;
#if METHOD == 1
// [all samples, TURNS]
@group(0) @binding(7) var<storage, read> predictions: array<f32>;
@group(0) @binding(8) var<storage, read> neighbours: array<vec4u>;
#end
#if METHOD == 3
// [all samples, NEIGHBOURS]
@group(0) @binding(7) var<storage, read> predictions: array<f32>;
#end

fn output_of_distance(distance: f32) -> f32 {
  return (distance - params.mean) / params.deviation;
}

// Half the squared error of an output, and its gradient at that output.
fn squared_error(output: u32, goal: f32) -> f32 {
  let error = outputs[output] - goal;
  gradient[output] = params.scale * error;
  return 0.5 * error * error;
}

// The squared error of an output that means a distance, in squared turns.
fn distance_error(output: u32, distance: f32) -> f32 {
  let square = squared_error(output, output_of_distance(distance));
  #if CLAMPED
  let error = max(fma(params.deviation, outputs[output], params.mean), 0.0) - distance;
  return error * error;
  #else
  return 2.0 * square * params.deviation * params.deviation;
  #end
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.samples) {
    return;
  }
  let sample = params.first + id.x;
  let first = id.x * OUTPUTS;
  #if METHOD == 5
  losses[sample] = distance_error(first, bitcast<f32>(labels[sample].y));
  #else
  #if METHOD < 2
  var distance = 0.0;
  if (!is_solved(states[sample])) {
    #if METHOD == 0
    distance = f32(labels[sample].y);
    #else
    // Above every prediction.
    var least = 1e30;
    var is_next_to_solved = false;
    for (var i = sample * TURNS; i < (sample + 1u) * TURNS; i++) {
      least = min(least, predictions[i]);
      is_next_to_solved = is_next_to_solved || is_solved(neighbours[i]);
    }
    distance = 1.0 + select(max(fma(params.deviation, least, params.mean), 0.0), 0.0, is_next_to_solved);
    #end
  }
  losses[sample] = distance_error(first, distance);
  #end
  #if METHOD == 2
  let goal = rules[INVERSES + labels[sample].x];
  var largest = outputs[first];
  for (var i = 1u; i < OUTPUTS; i++) {
    largest = max(largest, outputs[first + i]);
  }
  var sum = 0.0;
  for (var i = 0u; i < OUTPUTS; i++) {
    sum += exponential(outputs[first + i] - largest);
  }
  let log_sum = largest + logarithm(sum);
  for (var i = 0u; i < OUTPUTS; i++) {
    let probability = exponential(outputs[first + i] - log_sum);
    gradient[first + i] = params.scale * (probability - select(0.0, 1.0, i == goal));
  }
  losses[sample] = log_sum - outputs[first + goal];
  #end
  #if METHOD > 2
  let squared_deviation = params.deviation * params.deviation;
  for (var i = 0u; i < OUTPUTS; i++) {
    gradient[first + i] = 0.0;
  }
  let label = labels[sample];
  var loss = 0.0;
  #if METHOD == 3
  for (var i = 0u; i < NEIGHBOURS; i++) {
    let turn = (label.w + i * TURNS / NEIGHBOURS) % TURNS;
    loss += squared_error(first + turn, predictions[sample * NEIGHBOURS + i]);
  }
  losses[sample] = 2.0 * loss * squared_deviation / f32(NEIGHBOURS);
  #else
  loss += squared_error(first + rules[INVERSES + label.x], output_of_distance(f32(label.y) - 1.0));
  loss += squared_error(first + label.z, output_of_distance(f32(label.y) + 1.0));
  losses[sample] = loss * squared_deviation;
  #end
  #end
  #end
}
