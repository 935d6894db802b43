// The policy's distribution over actions, as in the lab's `Policy`: categorical if there are several OUTPUTS,
// otherwise normal, with the output as its mean.

#include math

const HALF_LOG_TWO_PI = 0.9189385;

#if OUTPUTS > 1
struct Categorical {
  log_probabilities: vec3f,
  probabilities: vec3f,
}

// Missing actions have the probability 0, and any log-probability.
fn categorical(logits: vec3f) -> Categorical {
  #if OUTPUTS == 2
  let shifted = logits.xy - vec2f(max(logits.x, logits.y));
  let p = vec3f(exponential(shifted.x), exponential(shifted.y), 0.0);
  let log_sum = logarithm(p.x + p.y);
  return Categorical(vec3f(shifted, 0.0) - vec3f(log_sum), p * (1.0 / (p.x + p.y)));
  #else
  let shifted = logits - vec3f(max(max(logits.x, logits.y), logits.z));
  let p = vec3f(exponential(shifted.x), exponential(shifted.y), exponential(shifted.z));
  let sum = (p.x + p.y) + p.z;
  return Categorical(shifted - vec3f(logarithm(sum)), p * (1.0 / sum));
  #end
}
#end
