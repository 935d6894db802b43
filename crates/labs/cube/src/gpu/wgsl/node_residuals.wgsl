// The squared Bellman residual of each node: how far its value is from its target, one more than the least
// value among the neighbours. Zero for the solved puzzle (node 0), and where it is not finite. One invocation
// per node.

#include math
#include indexed
#include indexed_values

@group(0) @binding(1) var<storage, read> tables: array<u32>;
@group(0) @binding(2) var<storage, read> values: array<f32>;
@group(0) @binding(3) var<storage, read_write> squares: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
  let node = id.x + id.y * count.x * 64u;
  if (node >= NODES) {
    return;
  }
  let residual = 1.0 + least_of_neighbours(node) - values[node];
  let square = residual * residual;
  squares[node] = select(0.0, square, node != 0u && is_finite(square));
}
