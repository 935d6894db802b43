// Sums the partial sums that each workgroup of `ppo_gradient` has written (its slots): the gradient, in the
// order of the CPU's parameters, and after it the terms of the loss. A workgroup computes 32 sums, with 8
// invocations for each, always in the same order, so that a run repeats bit for bit. It also writes the sum
// of the squares of its gradients, which clipping needs. Once the updates of a unit have been stopped,
// because the KL divergence was too large, nothing is written.

#include ppo_state
#include reduce

struct Params {
  // How many sums there are.
  numbers: u32,
  // How many of these are gradients. They come first, the others are terms of the loss.
  parameters: u32,
  // How many workgroups of `ppo_gradient` left slots.
  groups: u32,
  // The distance from the slots of one of these workgroups to the slots of the next, in floats.
  stride: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> state: State;
@group(0) @binding(2) var<storage, read> slots: array<f32>;
// Where a number lies among the slots of a workgroup. [numbers]
@group(0) @binding(3) var<storage, read> places: array<u32>;
@group(0) @binding(4) var<storage, read_write> gradient: array<f32>;
// The sum of the squares of the gradients of each workgroup of this shader. [workgroups]
@group(0) @binding(5) var<storage, read_write> squares: array<f32>;

const THREADS = 256u;
// The sums of a workgroup, and the invocations for each.
const NUMBERS = 32u;
const PARTS = THREADS / NUMBERS;

var<workgroup> parts: array<f32, THREADS>;

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) index: u32) {
  // All invocations return or none, so the barrier below is in uniform control flow.
  if (state.is_stopped == 1u) {
    return;
  }
  let number = workgroup.x * NUMBERS + index % NUMBERS;
  let part = index / NUMBERS;
  var sum = 0.0;
  if (number < params.numbers) {
    let place = places[number];
    for (var group = part; group < params.groups; group += PARTS) {
      sum += slots[group * params.stride + place];
    }
  }
  parts[index] = sum;
  workgroupBarrier();
  var square = 0.0;
  if (part == 0u && number < params.numbers) {
    sum = 0.0;
    for (var p = 0u; p < PARTS; p++) {
      sum += parts[p * NUMBERS + index];
    }
    gradient[number] = sum;
    if (number < params.parameters) {
      square = sum * sum;
    }
  }
  square = sum_over_workgroup(square, index);
  if (index == 0u) {
    squares[workgroup.x] = square;
  }
}
