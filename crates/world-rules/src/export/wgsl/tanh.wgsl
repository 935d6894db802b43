// Hyperbolic tangent, by a rational function.
fn rules_tanh(argument: f32) -> f32 {
  let x = rules_clamp(argument, -9.0, 9.0);
  let square = x * x;
  var p = fma(-1.1208155e-11, square, 2.9166694e-8);
  p = fma(p, square, 2.739618e-5);
  p = fma(p, square, 3.837535e-3);
  p = fma(p, square, 0.13655242);
  p = fma(p, square, 1.0);
  var q = fma(1.2453036e-6, square, 3.884667e-4);
  q = fma(q, square, 2.7132807e-2);
  q = fma(q, square, 0.46988574);
  q = fma(q, square, 1.0);
  return rules_clamp(x * p / q, -1.0, 1.0);
}
