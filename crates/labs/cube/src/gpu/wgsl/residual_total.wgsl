// Decides how many samples of an update are drawn by residual: `wanted`, or none as long as there are fewer
// states than that or no contradiction. One invocation.

#include math
#include value_iteration

struct Params {
  wanted: u32,
  // The place of the sum of all squares.
  total: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> blocks: array<f32>;
@group(0) @binding(2) var<storage, read_write> progress: ValueIteration;

@compute @workgroup_size(1)
fn main() {
  let total = blocks[params.total];
  let can_draw = progress.kept >= params.wanted && total > 0.0 && is_finite(total);
  progress.total = total;
  progress.drawn = select(0u, params.wanted, can_draw);
}
