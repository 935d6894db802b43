// The end of an epoch, one invocation per gate: the sum of the gradients at its coefficients over all parts,
// the gradient at its logits, and a step of AdamW. The gradient is that at the network's logits, not at those
// of discretised gates (straight-through estimator).

struct Params {
  gates: u32,
  parts: u32,
}

#include gate_epoch

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> wiring: array<u32>;
@group(0) @binding(2) var<storage, read> epoch: Epoch;
@group(0) @binding(3) var<storage, read> d_coefs: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> logits: array<f32>;
@group(0) @binding(5) var<storage, read_write> first_moments: array<f32>;
@group(0) @binding(6) var<storage, read_write> second_moments: array<f32>;

#include gate_layers
#include gate_mixture

// Added to every gradient, as on the processor, where it keeps the moments out of the denormal range.
const ANTI_DENORMAL = 1e-18;

fn adam(i: u32, derivative: f32) {
  let gradient = clamp(derivative, -epoch.clip, epoch.clip) + ANTI_DENORMAL;
  let mean = epoch.beta_1 * first_moments[i] + (1.0 - epoch.beta_1) * gradient;
  let square = epoch.beta_2 * second_moments[i] + (1.0 - epoch.beta_2) * gradient * gradient;
  first_moments[i] = mean;
  second_moments[i] = square;
  let root = sqrt(square * epoch.correction_2) + epoch.epsilon;
  let old = logits[i];
  logits[i] = old - epoch.learning_rate * (mean * epoch.correction_1 / root + epoch.weight_decay * old);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let gate = id.x;
  if (gate >= params.gates) {
    return;
  }
  var d = vec4f(0.0);
  for (var part = 0u; part < params.parts; part++) {
    d += d_coefs[part * params.gates + gate];
  }
  // A gate whose gradient is not finite keeps its logits. (On the processor no logit changes then.)
  if (!(is_finite(d.x) && is_finite(d.y) && is_finite(d.z) && is_finite(d.w))) {
    return;
  }
  // The number of the gate's layer: the last one whose first gate (word 2 of a layer) is not after this gate.
  var number = 0u;
  for (var i = 1u; i < LAYERS; i++) {
    number = select(number, i, wiring[i * LAYER_WORDS + 2u] <= gate);
  }
  let layer = layer_at(number);
  // The logits of a layer are a table [LOGITS, gates of the layer], so those of a gate lie `stride` apart.
  let at = LOGITS * layer.first + gate - layer.first;
  let stride = layer.gates;
  // The gradients at the answers to the lines (0, 0), (0, 1), (1, 0) and (1, 1).
  let lines = vec4f(d.x - d.y - (d.z - d.w), d.z - d.w, d.y - d.w, d.w);
  #if TABLE
  let gradients = lines;
  #for k 4
  let p$k = sigmoid(logits[at + $ku * stride]);
  adam(at + $ku * stride, p$k * (1.0 - p$k) * gradients[$k]);
  #end
  #else
  let m = mixture(at, stride);
  var mean = 0.0;
  #for k 16
  let g$k = dot(lines, vec4f(f32(($ku >> 3u) & 1u), f32(($ku >> 2u) & 1u), f32(($ku >> 1u) & 1u), f32($ku & 1u)));
  mean += m.w$k * g$k;
  #end
  #for k 16
  adam(at + $ku * stride, m.w$k * (g$k - mean));
  #end
  #end
}
