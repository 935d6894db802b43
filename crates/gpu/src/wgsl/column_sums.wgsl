// The sums of the columns of a matrix, in parts of ROWS_PER_PART rows, which the kernel `sum_parts` adds up.
// With NORM, each part has two rows: the sums of dy times the normalised input, then the sums of dy.

struct Params {
  rows: u32,
  cols: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> dy: array<f32>;
@group(0) @binding(2) var<storage, read_write> parts: array<f32>;
#if NORM
@group(0) @binding(3) var<storage, read> normalised: array<f32>;
#end

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(workgroup_id) workgroup: vec3u) {
  let col = id.x;
  if (col >= params.cols) {
    return;
  }
  let first = workgroup.y * ROWS_PER_PART;
  let end = min(first + ROWS_PER_PART, params.rows);
  var sum = 0.0;
  #if NORM
  var product_sum = 0.0;
  #end
  for (var row = first; row < end; row++) {
    let at = row * params.cols + col;
    sum += dy[at];
    #if NORM
    product_sum = fma(dy[at], normalised[at], product_sum);
    #end
  }
  #if NORM
  parts[workgroup.y * 2u * params.cols + col] = product_sum;
  parts[workgroup.y * 2u * params.cols + params.cols + col] = sum;
  #else
  parts[workgroup.y * params.cols + col] = sum;
  #end
}
