// The packed states of the nodes from number `first` on. One invocation per node.

#include indexed

struct Params {
  count: u32,
  first: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tables: array<u32>;
@group(0) @binding(2) var<storage, read_write> states: array<vec4u>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < params.count) {
    states[id.x] = packed_state(state_of(params.first + id.x));
  }
}
