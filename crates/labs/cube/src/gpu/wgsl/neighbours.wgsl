// For each state, the states that one turn leads to. NEIGHBOURS is the number of turns that are used: all
// TURNS, or fewer for distillation. Then they are evenly spaced in the list of turns, and begin with a random
// one for each sample. One invocation per neighbour.

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
// Of each sample; `.w` is the turn to its first neighbour, which walks.wgsl draws.
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
