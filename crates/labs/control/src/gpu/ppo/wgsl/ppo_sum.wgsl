// Adds the slots of `ppo_gradient` in order: the gradient in the order of the CPU's parameters, then the
// terms of the loss. A workgroup adds 32 numbers, each dealt to 8 invocations. Also the sum of the squares of
// each workgroup's gradients.

#include ppo_state
#include reduce

struct Params {
  // How many numbers to add, how many of these are gradients (the others are terms of the loss), and how many
  // groups have a slot.
  numbers: u32,
  parameters: u32,
  groups: u32,
  // The distance from the slots of one group to the slots of the next, in floats.
  stride: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> state: State;
@group(0) @binding(2) var<storage, read> slots: array<f32>;
// Where a number lies in the slots of a group. [numbers]
@group(0) @binding(3) var<storage, read> places: array<u32>;
@group(0) @binding(4) var<storage, read_write> gradient: array<f32>;
// [workgroups]
@group(0) @binding(5) var<storage, read_write> squares: array<f32>;

const THREADS = 256u;
const NUMBERS = 32u;
const PARTS = THREADS / NUMBERS;

var<workgroup> parts: array<f32, THREADS>;

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) index: u32) {
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
