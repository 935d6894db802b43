// Encodes positions in queries and keys (`kernels::attention::Rotary`): the first 2 PAIRS features of each
// head are rotated by angles proportional to the position, and of the others each token takes the key of the
// token before it. With BACKWARD, the transpose of that linear map. One invocation per element.

struct Params {
  rows: u32,
  length: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// Shapes: [context, PAIRS], cosines and sines interleaved.
@group(0) @binding(1) var<storage, read> angles: array<vec2f>;
@group(0) @binding(2) var<storage, read> x: array<f32>;
@group(0) @binding(3) var<storage, read_write> y: array<f32>;

const WIDTH = HEADS * HEAD_SIZE;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
  let at = id.x + id.y * count.x * 64u;
  if (at >= params.rows * 3u * WIDTH) {
    return;
  }
  let row = at / (3u * WIDTH);
  let col = at % (3u * WIDTH);
  let position = row % params.length;
  let feature = col % HEAD_SIZE;
  let is_key = col >= WIDTH && col < 2u * WIDTH;
  var value = x[at];
  if (col < 2u * WIDTH && feature < 2u * PAIRS) {
    let angle = angles[position * PAIRS + feature % PAIRS];
    let is_first = feature < PAIRS;
    let other = x[select(at - PAIRS, at + PAIRS, is_first)];
    #if BACKWARD
    let sine = -angle.y;
    #else
    let sine = angle.y;
    #end
    value = select(value * angle.x + other * sine, value * angle.x - other * sine, is_first);
  } else if (is_key) {
    #if BACKWARD
    // Row 0 keeps its own key; the key of every row is used by the row after it.
    value = select(0.0, value, position == 0u);
    if (position + 1u < params.length) {
      value += x[at + 3u * WIDTH];
    }
    #else
    if (position > 0u) {
      value = x[at - 3u * WIDTH];
    }
    #end
  }
  y[at] = value;
}
