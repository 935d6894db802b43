// Philox 4x32-10, a counter-based random number generator (Salmon et al., "Parallel random numbers: as easy
// as 1, 2, 3", 2011), with the words of `kernels::rng`.

// The high word of the product of two words.
fn multiply_high(a: u32, b: u32) -> u32 {
  let a_low = a & 0xffffu;
  let a_high = a >> 16u;
  let b_low = b & 0xffffu;
  let b_high = b >> 16u;
  let low = a_low * b_low;
  let cross_1 = a_low * b_high;
  let cross_2 = a_high * b_low;
  let middle = (low >> 16u) + (cross_1 & 0xffffu) + (cross_2 & 0xffffu);
  return a_high * b_high + (cross_1 >> 16u) + (cross_2 >> 16u) + (middle >> 16u);
}

// Four random words for a counter and a key. The constants are those of the paper: the factors of a round,
// and what is added to the key after it.
fn philox(counter: vec4u, key: vec2u) -> vec4u {
  var c = counter;
  var k = key;
  for (var round = 0u; round < 10u; round++) {
    let high_0 = multiply_high(0xD2511F53u, c.x);
    let high_1 = multiply_high(0xCD9E8D57u, c.z);
    c = vec4u(high_1 ^ c.y ^ k.x, 0xCD9E8D57u * c.z, high_0 ^ c.w ^ k.y, 0xD2511F53u * c.x);
    k += vec2u(0x9E3779B9u, 0xBB67AE85u);
  }
  return c;
}
