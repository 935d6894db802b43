// Two standard normal numbers from two words (Box and Muller 1958).
fn rules_normal_pair(a: u32, b: u32) -> vec2f {
  let radius = sqrt(-2.0 * rules_log((f32(a >> 1u) + 0.5) * (1.0 / 2147483648.0)));
  // A part of a turn in quarters.
  let turn = f32(b >> 8u) * (4.0 / 16777216.0);
  let n = round(turn);
  let angle = rules_quarter_sin_cos((turn - n) * 1.5707964, i32(n));
  return radius * angle.yx;
}

// Four standard normal numbers.
fn rules_normal(at: Moment, block: u32) -> vec4f {
  let words = rules_words(at, block);
  return vec4f(rules_normal_pair(words.x, words.y), rules_normal_pair(words.z, words.w));
}
