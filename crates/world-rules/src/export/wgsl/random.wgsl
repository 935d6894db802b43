// Philox 4x32-10, a counter-based random number generator (Salmon et al., "Parallel random numbers: as easy
// as 1, 2, 3", 2011).

fn rules_product_high(a: u32, b: u32) -> u32 {
  let low = (a & 0xffffu) * (b & 0xffffu);
  let cross_1 = (a & 0xffffu) * (b >> 16u);
  let cross_2 = (a >> 16u) * (b & 0xffffu);
  let middle = (low >> 16u) + (cross_1 & 0xffffu) + (cross_2 & 0xffffu);
  return (a >> 16u) * (b >> 16u) + (cross_1 >> 16u) + (cross_2 >> 16u) + (middle >> 16u);
}

// The random words of a block of a step.
fn rules_words(at: Moment, block: u32) -> vec4u {
  var c = vec4u(at.world, at.episode, (at.step << 8u) | block);
  var k = at.key;
  for (var round = 0u; round < 10u; round++) {
    let high_0 = rules_product_high(0xD2511F53u, c.x);
    let high_1 = rules_product_high(0xCD9E8D57u, c.z);
    c = vec4u(high_1 ^ c.y ^ k.x, 0xCD9E8D57u * c.z, high_0 ^ c.w ^ k.y, 0xD2511F53u * c.x);
    k += vec2u(0x9E3779B9u, 0xBB67AE85u);
  }
  return c;
}

// Four numbers in [0, 1).
fn rules_uniform(at: Moment, block: u32) -> vec4f {
  return vec4f(rules_words(at, block) >> vec4u(8u)) * (1.0 / 16777216.0);
}
