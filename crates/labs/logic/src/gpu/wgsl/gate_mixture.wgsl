// The answers of a soft gate to the four lines of its truth table, (0, 0), (0, 1), (1, 0) and (1, 1), from
// its logits. TABLE is 1 if a gate has a logit for each line, and 0 if it has one for each of the sixteen
// kinds.

#include math

// As on the processor (`kernels/src/gates/mod.rs`): logits count relative to the largest, down to -60, and
// weights below 2^-60 become zero. So neither weights nor their products become denormal numbers.
const MIN_RELATIVE_LOGIT = -60.0;
const NEGLIGIBLE_WEIGHT = 8.6736174e-19;

#if TABLE
const LOGITS = 4u;
#else
const LOGITS = 16u;

struct Mixture {
  #for k 16
  w$k: f32,
  #end
}

// The softmax of a gate's logits, which lie `stride` apart from `at` on.
fn mixture(at: u32, stride: u32) -> Mixture {
  var highest = logits[at];
  #for k 16
  let x$k = logits[at + $ku * stride];
  highest = max(highest, x$k);
  #end
  var sum = 0.0;
  #for k 16
  let e$k = exponential(max(x$k - highest, MIN_RELATIVE_LOGIT));
  sum += e$k;
  #end
  let scale = 1.0 / sum;
  var m: Mixture;
  #for k 16
  m.w$k = select(e$k * scale, 0.0, e$k * scale < NEGLIGIBLE_WEIGHT);
  #end
  return m;
}
#end
