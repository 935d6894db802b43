// The policy's loss in a world of the user's own, from the actor's outputs of row `row`. An action is the
// number of a choice, or up to four numbers.

#include own_policy

fn policy_loss(row: u32, action: vec4f, old: f32, advantage: f32) -> Loss {
  var loss = Loss();
  var log_probability = 0.0;
  var entropy = 0.0;
  #if NUMBERS
  #for k NUMBERS
  let log_std_$k = log_std_of($ku);
  let inverse_std_$k = exponential(-log_std_$k);
  let z_$k = (action[$k] - output(0u, $ku, row)) * inverse_std_$k;
  log_probability += fma(-0.5, z_$k * z_$k, -log_std_$k - HALF_LOG_TWO_PI);
  entropy += 0.5 + HALF_LOG_TWO_PI + log_std_$k;
  #end
  let surrogate = clipped_surrogate(log_probability, old, advantage);
  #for k NUMBERS
  loss.heads[0][$k] = surrogate.x * (z_$k * inverse_std_$k);
  loss.heads[HEAD_VECTORS - 1u][$k] = surrogate.x * (z_$k * z_$k - 1.0) - unit.entropy_weight;
  #end
  #else
  let policy = categorical(row);
  #for o OUTPUTS
  let p_$o = policy.probabilities[$o];
  // p log p tends to 0 as p does.
  let p_log_p_$o = select(0.0, p_$o * policy.log_probabilities[$o], p_$o > 0.0);
  let chosen_$o = select(0.0, 1.0, action.x == $o.0);
  log_probability += select(0.0, policy.log_probabilities[$o], action.x == $o.0);
  entropy -= p_log_p_$o;
  #end
  let surrogate = clipped_surrogate(log_probability, old, advantage);
  #for o OUTPUTS
  loss.heads[$ou / 4u][$ou % 4u] =
    fma(unit.entropy_weight, fma(p_$o, entropy, p_log_p_$o), surrogate.x * (chosen_$o - p_$o));
  #end
  #end
  loss.terms = vec4f(surrogate.y, entropy, surrogate.zw);
  return loss;
}
