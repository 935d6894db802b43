// out = sum of the parts, which lie one after the other, in order; ADD is 1 to add it to what is there.

struct Params {
  length: u32,
  parts: u32,
  out: u32,
  unused: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> parts: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
  let i = id.x + id.y * count.x * 64u;
  if (i >= params.length) {
    return;
  }
  var sum = 0.0;
  for (var part = 0u; part < params.parts; part++) {
    sum += parts[part * params.length + i];
  }
  #if ADD
  out[params.out + i] += sum;
  #else
  out[params.out + i] = sum;
  #end
}
