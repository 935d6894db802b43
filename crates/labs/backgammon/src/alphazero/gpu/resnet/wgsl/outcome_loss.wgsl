// The cross-entropy of the outcome probabilities of a row, and its gradient with respect to their logits. One
// invocation per row.

#include math
#include minibatch

struct Params {
  rows: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> minibatch: Minibatch;
// [rows, OUTCOMES]
@group(0) @binding(2) var<storage, read> logits: array<f32>;
// Probabilities. [rows, OUTCOMES]
@group(0) @binding(3) var<storage, read> targets: array<f32>;
// [rows, OUTCOMES]
@group(0) @binding(4) var<storage, read_write> gradient: array<f32>;
// [rows]
@group(0) @binding(5) var<storage, read_write> losses: array<f32>;

const OUTCOMES = 5u;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let row = id.x;
  if (row >= params.rows) {
    return;
  }
  let is_counted = row < minibatch.rows;
  var loss = 0.0;
  for (var i = row * OUTCOMES; i < (row + 1u) * OUTCOMES; i++) {
    let x = logits[i];
    // The binary cross-entropy, in a form that does not overflow.
    loss += max(x, 0.0) - x * targets[i] + logarithm(1.0 + exponential(-abs(x)));
    gradient[i] = select(0.0, minibatch.value_scale * (sigmoid(x) - targets[i]), is_counted);
  }
  losses[row] = select(0.0, loss, is_counted);
}
