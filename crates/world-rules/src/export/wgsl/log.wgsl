// The natural logarithm.
fn rules_log(x: f32) -> f32 {
  // Denormal numbers are scaled up by 2^23 first.
  let is_tiny = x < 1.1754944e-38;
  let scaled = select(x, x * 8388608.0, is_tiny);
  // scaled = 2^e (1 + f), with 1 + f between sqrt(1/2) and sqrt(2).
  let offset = bitcast<u32>(scaled) - 0x3f3504f3u; // The bits of sqrt(1/2).
  let e = f32(bitcast<i32>(offset) >> 23u) - select(0.0, 23.0, is_tiny);
  let f = bitcast<f32>((offset & 0x007fffffu) + 0x3f3504f3u) - 1.0;
  let square = f * f;
  var p = fma(7.0376836e-2, f, -1.151461e-1);
  p = fma(p, f, 1.16769984e-1);
  p = fma(p, f, -1.2420141e-1);
  p = fma(p, f, 1.4249323e-1);
  p = fma(p, f, -1.6668058e-1);
  p = fma(p, f, 2.0000714e-1);
  p = fma(p, f, -2.4999994e-1);
  p = fma(p, f, 3.333333e-1);
  p = p * f * square;
  p = fma(e, -2.1219444e-4, p);
  p = fma(-square, 0.5, p);
  let y = fma(e, 0.693359375, f + p);
  // By the bits: infinity and what is no number stay; zero gives minus infinity, a negative number no number.
  let bits = bitcast<u32>(x);
  if ((bits & 0x7fffffffu) == 0u) {
    return rules_float(0xff800000u);
  }
  if (bits > 0x80000000u) {
    return rules_float(0x7fc00000u);
  }
  return select(y, x, bits >= 0x7f800000u);
}
