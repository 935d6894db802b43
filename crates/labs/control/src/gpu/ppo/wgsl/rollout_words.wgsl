// The random numbers of a rollout, which are those of the CPU's collector. A kernel that includes this has the
// binding `unit`.

#include philox

// The ids of the random-number streams in the lab's purpose.rs.
const START_STREAM = 1u;
const ACTION_STREAM = 2u;

// A number in [0, 1): the upper 24 bits of the word, as many as an f32 holds, over 2^24.
fn unit_interval(word: u32) -> f32 {
  return f32(word >> 8u) * (1.0 / 16777216.0);
}

// A number in (0, 1], never zero, so its logarithm is finite: the upper 31 bits and a half, over 2^31.
fn positive_unit_interval(word: u32) -> f32 {
  return (f32(word >> 1u) + 0.5) * (1.0 / 2147483648.0);
}

// The block with this number of the random words of a step.
fn action_words(block: u32, step: u32) -> vec4u {
  let low = unit.clock_low + step;
  // The sum of the low words wrapped around if it is below a summand: then there is a carry.
  let high = unit.clock_high + select(0u, 1u, low < step);
  return philox(vec4u(low, high, block, 0u), vec2u(unit.seed, ACTION_STREAM));
}
