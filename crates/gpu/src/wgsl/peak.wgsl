// Multiply-adds and nothing else, to measure the most that the device can do: eight independent chains of
// vectors.

struct Params {
  loops: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> out: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  // The values converge to 1, so neither overflow nor denormals slow the arithmetic down.
  let factor = vec4f(0.999, 0.998, 0.997, 0.996);
  let term = vec4f(0.001, 0.002, 0.003, 0.004);
  #for i 8
  var x_$i = vec4f(f32(id.x % 7u) + $i.0);
  #end
  for (var i = 0u; i < params.loops; i++) {
    #for j 4
    #for i 8
    x_$i = fma(x_$i, factor, term);
    #end
    #end
  }
  var sum = vec4f();
  #for i 8
  sum += x_$i;
  #end
  out[id.x] = sum;
}
