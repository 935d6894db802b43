// Elementary functions: the range reductions and polynomials of `kernels::simd::math`. WGSL's own functions
// are too imprecise (`tanh` of one software adapter is 2,049 units in the last place off) and differ between
// devices.

// The logarithm of 2 in two parts. The first has so few bits that its product with a small integer is exact.
const LN_2_HIGH = 0.693359375;
const LN_2_LOW = -2.1219444e-4;

// 2^n for n in -126..=127: a float with the exponent n, whose bias is 127, and no fraction.
fn power_of_two(n: i32) -> f32 {
  return bitcast<f32>(u32(n + 127) << 23u);
}

// The exponential function. Results below the smallest normal number may be flushed to zero.
fn exponential(argument: f32) -> f32 {
  // Beyond these arguments the result is zero or infinity.
  let x = clamp(argument, -105.0, 90.0);
  // exp(x) = 2^n exp(r) with a small r; the factor is 1 / ln 2.
  let n = round(x * 1.442695);
  var r = fma(-n, LN_2_HIGH, x);
  r = fma(-n, LN_2_LOW, r);
  var p = fma(1.9875691e-4, r, 1.3981999e-3);
  p = fma(p, r, 8.333452e-3);
  p = fma(p, r, 4.1665796e-2);
  p = fma(p, r, 1.6666665e-1);
  p = fma(p, r, 5e-1);
  p = fma(p, r * r, r) + 1.0;
  // In two factors, because 2^n alone may be beyond the normal numbers.
  let half = i32(n) / 2;
  return p * power_of_two(half) * power_of_two(i32(n) - half);
}

// The natural logarithm of a positive normal number.
fn logarithm(x: f32) -> f32 {
  // x = 2^e (1 + f), with 1 + f between sqrt(1/2) and sqrt(2).
  let bits = bitcast<u32>(x);
  let offset = bits - 0x3f3504f3u; // The bits of sqrt(1/2).
  let e = f32(bitcast<i32>(offset) >> 23u);
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
  p = fma(e, LN_2_LOW, p);
  p = fma(square, -0.5, p);
  return fma(e, LN_2_HIGH, f + p);
}

// 1 - beta^t. For a small exponent, 1 - exp(y) would lose its digits, so a series is used.
fn one_minus_power(beta: f32, t: u32) -> f32 {
  let y = f32(t) * logarithm(beta);
  if (y > -0.1) {
    return -y * fma(y, fma(y, fma(y, fma(y, 1.0 / 120.0, 1.0 / 24.0), 1.0 / 6.0), 0.5), 1.0);
  }
  return 1.0 - exponential(y);
}

// The logistic function 1 / (1 + exp(-x)).
fn sigmoid(x: f32) -> f32 {
  let e = exponential(-abs(x));
  return select(1.0, e, x < 0.0) / (1.0 + e);
}

const GELU_SCALE = 1.595769; // 2 sqrt(2 / pi)
const GELU_CUBE = 0.044715;

// The argument of the sigmoid in `gelu`.
fn gelu_argument(x: f32) -> f32 {
  return x * fma(x * x, GELU_CUBE * GELU_SCALE, GELU_SCALE);
}

// GELU in its tanh approximation.
fn gelu(x: f32) -> f32 {
  return x * sigmoid(gelu_argument(x));
}

// The derivative of `gelu`: g + x g (1 - g) v' with g = sigmoid(v) and v = `gelu_argument(x)`.
fn gelu_derivative(x: f32) -> f32 {
  let g = sigmoid(gelu_argument(x));
  let slope = fma(x * x, 3.0 * GELU_CUBE * GELU_SCALE, GELU_SCALE);
  // For large |x|, g (1 - g) is zero and the other factor infinite; the clamp keeps their product finite.
  return fma(g * (1.0 - g), clamp(x * slope, -1e30, 1e30), g);
}

// Whether x is neither infinite nor NaN. WGSL allows a compiler to assume that neither occurs, so the bits
// are tested.
fn is_finite(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u;
}
