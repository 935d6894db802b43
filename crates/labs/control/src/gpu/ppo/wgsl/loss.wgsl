// The policy's loss in the lab's own worlds: two or three actions, or one number.

#include policy

// The policy's loss from the actor's outputs of row `row`.
fn policy_loss(row: u32, chosen_action: vec4f, old: f32, advantage: f32) -> Loss {
  let action = chosen_action.x;
  #if OUTPUTS == 1
  let log_std = net[BIAS_3].w;
  let inverse_std = exponential(-log_std);
  let z = (action - output(0u, 0u, row)) * inverse_std;
  let log_probability = fma(-0.5, z * z, -log_std - HALF_LOG_TWO_PI);
  let surrogate = clipped_surrogate(log_probability, old, advantage);
  let entropy = 0.5 + HALF_LOG_TWO_PI + log_std;
  let slope = surrogate.x * (z * inverse_std);
  let log_std_slope = surrogate.x * (z * z - 1.0) - unit.entropy_weight;
  return Loss(array<vec4f, 1>(vec4f(slope, 0.0, 0.0, log_std_slope)),
    vec4f(surrogate.y, entropy, surrogate.zw));
  #else
  #if OUTPUTS == 2
  let policy = categorical(vec3f(output(0u, 0u, row), output(0u, 1u, row), 0.0));
  let is_chosen = vec3<bool>(action == 0.0, action == 1.0, false);
  #else
  let policy = categorical(vec3f(output(0u, 0u, row), output(0u, 1u, row), output(0u, 2u, row)));
  let is_chosen = vec3<bool>(action == 0.0, action == 1.0, action == 2.0);
  #end
  let p = policy.probabilities;
  let log_p = policy.log_probabilities;
  // p log p tends to 0 as p does.
  let p_log_p = select(vec3f(), p * log_p, p > vec3f());
  let entropy = -((p_log_p.x + p_log_p.y) + p_log_p.z);
  let chosen = select(vec3f(), vec3f(1.0), is_chosen);
  let log_probability = dot(select(vec3f(), log_p, is_chosen), vec3f(1.0));
  let surrogate = clipped_surrogate(log_probability, old, advantage);
  let gradient = fma(vec3f(unit.entropy_weight), fma(p, vec3f(entropy), p_log_p), surrogate.x * (chosen - p));
  return Loss(array<vec4f, 1>(vec4f(gradient, 0.0)), vec4f(surrogate.y, entropy, surrogate.zw));
  #end
}
