// The policy's distribution over the actions of a world of the user's own, as in the lab's `Policy`:
// categorical over OUTPUTS choices if NUMBERS is 0, otherwise NUMBERS independent normal distributions, whose
// means are the outputs.

#include math

const HALF_LOG_TWO_PI = 0.9189385;

#if NUMBERS
// The logarithm of the standard deviation of number k.
fn log_std_of(k: u32) -> f32 {
  return net[BIAS_3 + HEAD_VECTORS - 1u][k];
}
#else
struct Categorical {
  log_probabilities: array<f32, OUTPUTS>,
  probabilities: array<f32, OUTPUTS>,
}

// The distribution of row `row`.
fn categorical(row: u32) -> Categorical {
  #for o OUTPUTS
  let x_$o = output(0u, $ou, row);
  #end
  var largest = x_0;
  #for o OUTPUTS
  largest = max(largest, x_$o);
  #end
  var sum = 0.0;
  #for o OUTPUTS
  let p_$o = exponential(x_$o - largest);
  sum += p_$o;
  #end
  let log_sum = logarithm(sum);
  var policy = Categorical();
  #for o OUTPUTS
  policy.log_probabilities[$o] = (x_$o - largest) - log_sum;
  policy.probabilities[$o] = p_$o * (1.0 / sum);
  #end
  return policy;
}
#end
