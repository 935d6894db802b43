// An angle as the nearest multiple of a quarter turn, and what remains of it, from -pi/4 to pi/4.
struct Quarters {
  rest: f32,
  quarters: i32,
}

// The high word of a product.
fn rules_multiply_high(a: u32, b: u32) -> u32 {
  let low = (a & 0xffffu) * (b & 0xffffu);
  let cross_1 = (a & 0xffffu) * (b >> 16u);
  let cross_2 = (a >> 16u) * (b & 0xffffu);
  let middle = (low >> 16u) + (cross_1 & 0xffffu) + (cross_2 & 0xffffu);
  return (a >> 16u) * (b >> 16u) + (cross_1 >> 16u) + (cross_2 >> 16u) + (middle >> 16u);
}

// Word i of 2 / pi, of which the first has two leading zeros.
fn rules_two_over_pi(i: u32) -> u32 {
  switch (i) {
    case 0u: { return 0x28be60dbu; }
    case 1u: { return 0x9391054au; }
    case 2u: { return 0x7f09d5f4u; }
    case 3u: { return 0x7d4d3770u; }
    case 4u: { return 0x36d8a566u; }
    case 5u: { return 0x4f10e410u; }
    default: { return 0u; }
  }
}

// The word that begins at bit `shift`, counted from the highest, of two words in a row.
fn rules_shifted(high: u32, low: u32, shift: u32) -> u32 {
  return select((high << shift) | (low >> ((32u - shift) & 31u)), high, shift == 0u);
}

// Payne and Hanek's reduction: the mantissa times the bits of 2 / pi that matter, as fixed-point number with
// two bits before the point.
fn rules_far_quarters(x: f32) -> Quarters {
  let bits = bitcast<u32>(x);
  let mantissa = ((bits & 0x007fffffu) << 8u) | 0x80000000u;
  let exponent = ((bits >> 23u) & 0xffu) - 126u;
  let i = exponent >> 5u;
  let shift = exponent & 31u;
  let before = select(rules_two_over_pi(i - 1u), 0u, i == 0u);
  let first = rules_shifted(before, rules_two_over_pi(i), shift);
  let second = rules_shifted(rules_two_over_pi(i), rules_two_over_pi(i + 1u), shift);
  let third = rules_shifted(rules_two_over_pi(i + 1u), rules_two_over_pi(i + 2u), shift);
  // The upper words of the product.
  let carry = rules_multiply_high(mantissa, third);
  let low = mantissa * second + carry;
  let high = mantissa * first + rules_multiply_high(mantissa, second) + select(0u, 1u, low < carry);
  // Rounded to a whole number of quarters.
  var quarters = i32((high + 0x20000000u) >> 30u);
  let fraction = bitcast<i32>(high << 2u) >> 2u;
  let scale = 1.5707964 / 1073741824.0;
  var rest = fma(f32(fraction), scale, f32(low >> 8u) * (scale / 16777216.0));
  if ((bits >> 31u) == 1u) {
    quarters = -quarters;
    rest = -rest;
  }
  return Quarters(rest, quarters);
}

// Angles from here on need the bits of 2 / pi.
const FAR = 8192.0;

// Sine and cosine.
fn rules_sin_cos(x: f32) -> vec2f {
  // x = n pi / 2 + r, with pi / 2 in three parts whose products with n are exact (Cody-Waite reduction).
  let n = round(x * 0.63661975);
  var r = fma(-n, 201.0 / 128.0, x);
  r = fma(-n, 2029.0 / 4194304.0, r);
  r = fma(-n, 7.54979e-8, r);
  var quarters = i32(n);
  if (!(abs(x) < FAR)) {
    if ((bitcast<u32>(x) & 0x7f800000u) == 0x7f800000u) {
      return vec2f(x);
    }
    let far = rules_far_quarters(x);
    r = far.rest;
    quarters = far.quarters;
  }
  return rules_quarter_sin_cos(r, quarters);
}

// Sine and cosine of quarters * pi / 2 + r, for r from -pi/4 to pi/4.
fn rules_quarter_sin_cos(r: f32, quarters: i32) -> vec2f {
  let square = r * r;
  var sine = fma(fma(-1.9515296e-4, square, 8.332161e-3), square, -1.6666655e-1);
  sine = fma(sine * square, r, r);
  var cosine = fma(fma(2.4433157e-5, square, -1.3887316e-3), square, 4.1666646e-2);
  cosine = fma(cosine * square, square, fma(-0.5, square, 1.0));
  let is_odd = (quarters & 1) != 0;
  let s = select(sine, cosine, is_odd);
  let c = select(cosine, sine, is_odd);
  return vec2f(select(s, -s, (quarters & 2) != 0), select(c, -c, ((quarters + 1) & 2) != 0));
}

// An angle wrapped to half a turn either way.
fn rules_wrap(x: f32) -> f32 {
  if (!(abs(x) <= FAR)) {
    if ((bitcast<u32>(x) & 0x7f800000u) == 0x7f800000u) {
      return x;
    }
    let far = rules_far_quarters(x);
    // 0, 1, 2 or -1 quarters.
    let quarters = ((far.quarters + 1) & 3) - 1;
    let angle = fma(f32(quarters), 1.5707964, far.rest);
    return select(angle, angle - 6.2831855, angle > 3.1415927);
  }
  let n = round(x * 0.15915494);
  var r = fma(-n, 201.0 / 32.0, x);
  r = fma(-n, 2029.0 / 1048576.0, r);
  return fma(-n, 3.019916e-7, r);
}
