// The norm of the gradient. PASS:
//   0  the sum of the squares of ELEMENTS values for each workgroup
//   1  one workgroup: the norm, the factor that clips the gradient, and Adam's bias corrections

#include math
#include reduce
#include update
#include optimiser_state

struct Params {
  // Values in pass 0, sums in pass 1.
  length: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
#if PASS == 0
@group(0) @binding(1) var<storage, read> values: array<f32>;
@group(0) @binding(2) var<storage, read_write> sums: array<f32>;
#else
@group(0) @binding(1) var<storage, read> update: Update;
@group(0) @binding(2) var<storage, read> sums: array<f32>;
@group(0) @binding(3) var<storage, read_write> state: OptimiserState;
@group(0) @binding(4) var<storage, read_write> metrics: array<f32>;
#end

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) index: u32) {
  #if PASS == 0
  let first = workgroup.x * ELEMENTS;
  let end = min(first + ELEMENTS, params.length);
  var sum = 0.0;
  for (var i = first + index; i < end; i += THREADS) {
    sum = fma(values[i], values[i], sum);
  }
  sum = sum_over_workgroup(sum, index);
  if (index == 0u) {
    sums[workgroup.x] = sum;
  }
  #else
  var sum = 0.0;
  for (var i = index; i < params.length; i += THREADS) {
    sum += sums[i];
  }
  sum = sum_over_workgroup(sum, index);
  if (index == 0u) {
    let norm = sqrt(sum) * update.unscale;
    let finite = is_finite(sum);
    metrics[2u * update.slot + 1u] = norm;
    state.is_finite = select(0u, 1u, finite);
    if (finite) {
      state.steps += 1u;
      state.clip = select(1.0, update.max_norm / norm, norm > update.max_norm) * update.unscale;
      // Both powers are negligible long before the millionth step.
      let t = min(state.steps, 1000000u);
      state.correction_1 = 1.0 / one_minus_power(update.beta_1, t);
      state.correction_2 = 1.0 / one_minus_power(update.beta_2, t);
    }
  }
  #end
}
