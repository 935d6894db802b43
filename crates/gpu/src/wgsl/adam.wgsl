// A step of AdamW. Moment i belongs to the parameter that the table of groups gives: group g covers the
// moments from its `first` on, and its parameters begin at `start`.

#include update
#include optimiser_state

struct Group {
  first: u32,
  start: u32,
  weight_decay: f32,
  unused: u32,
}

struct Params {
  // The number of moments, and of groups.
  length: u32,
  groups: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> update: Update;
@group(0) @binding(2) var<storage, read> state: OptimiserState;
@group(0) @binding(3) var<storage, read> groups: array<Group>;
@group(0) @binding(4) var<storage, read> grads: array<f32>;
@group(0) @binding(5) var<storage, read_write> weights: array<f32>;
@group(0) @binding(6) var<storage, read_write> first_moments: array<f32>;
@group(0) @binding(7) var<storage, read_write> second_moments: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
  let i = id.x + id.y * count.x * 64u;
  if (i >= params.length || state.is_finite == 0u) {
    return;
  }
  // The last group whose first moment is not after i.
  var low = 0u;
  var high = params.groups;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (groups[middle].first <= i) {
      low = middle;
    } else {
      high = middle;
    }
  }
  let group = groups[low];
  let at = group.start + i - group.first;
  let gradient = grads[at] * state.clip;
  let mean = update.beta_1 * first_moments[i] + (1.0 - update.beta_1) * gradient;
  let square = update.beta_2 * second_moments[i] + (1.0 - update.beta_2) * gradient * gradient;
  first_moments[i] = mean;
  second_moments[i] = square;
  let root = sqrt(square * state.correction_2) + update.epsilon;
  let old = weights[at];
  weights[at] = old - update.learning_rate * (mean * state.correction_1 / root + group.weight_decay * old);
}
