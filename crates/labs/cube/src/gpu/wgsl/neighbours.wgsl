// The states one turn after each state: after all turns, or for distillation after NEIGHBOURS of the turns,
// which are spread evenly from the sample's first one on. One invocation per neighbour.

#include puzzle_rules

struct Params {
  count: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> rules: array<u32>;
@group(0) @binding(2) var<storage, read> states: array<vec4u>;
// [states, NEIGHBOURS]
@group(0) @binding(3) var<storage, read_write> neighbours: array<vec4u>;
#if NEIGHBOURS < TURNS
// See `walks`.
@group(0) @binding(4) var<storage, read> labels: array<vec4u>;
#end

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
  let i = id.x + id.y * count.x * 64u;
  if (i >= params.count) {
    return;
  }
  let state = i / NEIGHBOURS;
  #if NEIGHBOURS < TURNS
  let turn = (labels[state].w + i % NEIGHBOURS * TURNS / NEIGHBOURS) % TURNS;
  #else
  let turn = i % NEIGHBOURS;
  #end
  neighbours[i] = after(states[state], turn);
}
