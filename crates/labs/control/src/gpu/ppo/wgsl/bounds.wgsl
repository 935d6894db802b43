// The numbers of a continuous action that worlds take, from those of the policy, as in the lab's bounds.rs: the
// same numbers, which the worlds clip, or with SQUASHED their hyperbolic tangents between the bounds in the
// policy's unit.

#include angles

#if SQUASHED
#if WORLD == 2
const TANH_SCALE = 2.0; // the strongest torque of Pendulum
#else
const TANH_SCALE = 1.0; // a text's numbers are scaled to their intervals afterwards
#end
#end

fn bounded(numbers: vec4f) -> vec4f {
  #if SQUASHED
  return TANH_SCALE * hyperbolic_tangent(numbers);
  #else
  return numbers;
  #end
}
