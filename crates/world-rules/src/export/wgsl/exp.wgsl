// The exponential function. Range reductions and polynomials are those of Moshier's Cephes library.
fn rules_exp(argument: f32) -> f32 {
  // Beyond these arguments the result is zero or infinite.
  let x = rules_clamp(argument, -105.0, 90.0);
  // x = n ln 2 + r, with ln 2 in two parts.
  let n = round(x * 1.442695);
  var r = fma(-n, 0.693359375, x);
  r = fma(-n, -2.1219444e-4, r);
  var p = fma(1.9875691e-4, r, 1.3981999e-3);
  p = fma(p, r, 8.333452e-3);
  p = fma(p, r, 4.1665796e-2);
  p = fma(p, r, 1.6666665e-1);
  p = fma(p, r, 5e-1);
  p = fma(p, r * r, r) + 1.0;
  // In two factors, because 2^n alone may be beyond the normal numbers. 127 is the bias of exponents.
  let half = i32(n) / 2;
  let rest = i32(n) - half;
  return p * bitcast<f32>(u32(half + 127) << 23u) * bitcast<f32>(u32(rest + 127) << 23u);
}
