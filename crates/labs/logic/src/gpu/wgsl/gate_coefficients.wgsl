// The beginning of an epoch, one invocation per gate: the gate's most likely kind, and the coefficients of
// `c0 + c1 a + c2 b + c3 a b`. Gates whose random number is below the hard fraction, which grows from
// `epoch.discretised` to 1 as `noise.undecided` falls from 1 to 0, are replaced by their most likely kind.

struct Params {
  gates: u32,
}

#include gate_epoch

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> wiring: array<u32>;
@group(0) @binding(2) var<storage, read> logits: array<f32>;
@group(0) @binding(3) var<storage, read> random: array<f32>;
@group(0) @binding(4) var<storage, read> epoch: Epoch;
@group(0) @binding(5) var<storage, read> noise: Noise;
@group(0) @binding(6) var<storage, read_write> coefs: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> kinds: array<u32>;

#include gate_layers
#include gate_mixture

// The smallest constant coefficient, 2^-33. Products of small values over many layers and steps then do not
// become denormal numbers, which are slow. As on the processor, see `kernels/src/gates/mod.rs`.
const MIN_CONSTANT = 1.1641532e-10;
// The magnitude below which the other coefficients become zero, 2^-40: less than the rounding errors of the
// sum.
const NEGLIGIBLE_COEFFICIENT = 9.094947e-13;

fn without_negligible(c: f32) -> f32 {
  return select(c, 0.0, abs(c) < NEGLIGIBLE_COEFFICIENT);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let gate = id.x;
  if (gate >= params.gates) {
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
  // The answers to the lines (0, 0), (0, 1), (1, 0) and (1, 1).
  var answers = vec4f(0.0);
  // A kind's number is its truth table; the first line is the highest of four bits.
  var kind = 0u;
  #if TABLE
  #for k 4
  let x$k = logits[at + $ku * stride];
  kind = (kind << 1u) | select(0u, 1u, x$k > 0.0);
  #end
  answers = vec4f(sigmoid(x0), sigmoid(x1), sigmoid(x2), sigmoid(x3));
  #else
  var highest = logits[at];
  #for k 16
  let x$k = logits[at + $ku * stride];
  if (x$k > highest) {
    highest = x$k;
    kind = $ku;
  }
  #end
  let m = mixture(at, stride);
  #for k 16
  answers += m.w$k * vec4f(f32(($ku >> 3u) & 1u), f32(($ku >> 2u) & 1u), f32(($ku >> 1u) & 1u), f32($ku & 1u));
  #end
  #end
  kinds[gate] = kind;
  if (random[gate] < 1.0 - (1.0 - epoch.discretised) * noise.undecided) {
    answers = vec4f(f32((kind >> 3u) & 1u), f32((kind >> 2u) & 1u), f32((kind >> 1u) & 1u), f32(kind & 1u));
  }
  // The polynomial with these answers: c0 is the answer to (0, 0), c0 + c1 that to (1, 0), c0 + c2 that to
  // (0, 1), and the sum of all four that to (1, 1).
  coefs[gate] = vec4f(
    max(answers.x, MIN_CONSTANT),
    without_negligible(answers.z - answers.x),
    without_negligible(answers.y - answers.x),
    without_negligible(answers.w - answers.z - (answers.y - answers.x))
  );
}
