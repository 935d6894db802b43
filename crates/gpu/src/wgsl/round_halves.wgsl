// Rounds elements to 16-bit floats, two to a word, and values beyond their range to 65504 or -65504.

struct Params {
  // Words of `halves`.
  words: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<vec2f>;
@group(0) @binding(2) var<storage, read_write> halves: array<vec2<f16>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
  let i = id.x + id.y * count.x * 64u;
  if (i < params.words) {
    halves[i] = vec2<f16>(clamp(x[i], vec2f(-65504.0), vec2f(65504.0)));
  }
}
