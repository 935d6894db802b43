// A step of Adam, by the operations of `kernels::optim`. The weights lie in the order of the CPU's
// parameters, and packed for the networks' kernels.

#include ppo_unit
#include ppo_state

struct Params {
  parameters: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> unit: Unit;
@group(0) @binding(2) var<storage, read> state: State;
@group(0) @binding(3) var<storage, read> gradient: array<f32>;
// Where a parameter lies among the packed weights, twice if it also lies among those that are transposed.
// [parameters]
@group(0) @binding(4) var<storage, read> places: array<vec2u>;
@group(0) @binding(5) var<storage, read_write> weights: array<f32>;
@group(0) @binding(6) var<storage, read_write> net: array<f32>;
// The first and the second moment of each parameter. [parameters]
@group(0) @binding(7) var<storage, read_write> moments: array<vec2f>;

// In f32, as the CPU computes the differences from 1.
const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= params.parameters || state.is_applied == 0u) {
    return;
  }
  let slope = gradient[i] * state.factor;
  let old = moments[i];
  let mean = BETA_1 * old.x + (1.0 - BETA_1) * slope;
  let square = BETA_2 * old.y + (1.0 - BETA_2) * slope * slope;
  moments[i] = vec2f(mean, square);
  // 1e-5 is `ADAM_EPSILON` of the lab's learner.
  let root = sqrt(square * state.correction_2) + 1e-5;
  let weight = weights[i] - unit.learning_rate * (mean * state.correction_1 / root);
  weights[i] = weight;
  let place = places[i];
  net[place.x] = weight;
  net[place.y] = weight;
}
