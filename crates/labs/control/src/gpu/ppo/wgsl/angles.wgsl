// Sine, cosine and hyperbolic tangent: the range reductions and polynomials of `kernels::simd::math`. See
// math.wgsl for why WGSL's own functions are not used.

// Sine and cosine of quadrant * pi / 2 + r, for r in -pi/4..=pi/4.
fn quadrant_sin_cos(r: f32, quadrant: i32) -> vec2f {
  let square = r * r;
  var sine = fma(fma(-1.9515296e-4, square, 8.332161e-3), square, -1.6666655e-1);
  sine = fma(sine * square, r, r);
  var cosine = fma(fma(2.4433157e-5, square, -1.3887316e-3), square, 4.1666646e-2);
  cosine = fma(cosine * square, square, fma(-0.5, square, 1.0));
  let is_odd = (quadrant & 1) != 0;
  let s = select(sine, cosine, is_odd);
  let c = select(cosine, sine, is_odd);
  return vec2f(select(s, -s, (quadrant & 2) != 0), select(c, -c, ((quadrant + 1) & 2) != 0));
}

// Sine and cosine of x, for x in -8192..=8192.
fn sin_cos(x: f32) -> vec2f {
  // x = n pi / 2 + r, with pi / 2 in three parts whose products with n are exact (Cody-Waite reduction).
  let n = round(x * 0.63661975);
  var r = fma(-n, 201.0 / 128.0, x);
  r = fma(-n, 2029.0 / 4194304.0, r);
  r = fma(-n, 7.54979e-8, r);
  return quadrant_sin_cos(r, i32(n));
}

// Sine and cosine of 2 pi u, for u in 0..=1.
fn sin_cos_of_turns(u: f32) -> vec2f {
  let n = round(u * 4.0);
  return quadrant_sin_cos((u * 4.0 - n) * 1.5707964, i32(n));
}

// An angle in -8192..=8192 wrapped to -pi..=pi.
fn wrap_angle(x: f32) -> f32 {
  let n = round(x * 0.15915494);
  var r = fma(-n, 201.0 / 32.0, x);
  r = fma(-n, 2029.0 / 1048576.0, r);
  r = fma(-n, 3.019916e-7, r);
  // The next number beyond pi is the bound of a valid state (`Acrobot::is_valid_state`).
  return clamp(r, -3.141593, 3.141593);
}

// Hyperbolic tangent.
fn hyperbolic_tangent(argument: vec4f) -> vec4f {
  let x = clamp(argument, vec4f(-9.0), vec4f(9.0));
  let s = x * x;
  var p = fma(s, vec4f(-1.1208155e-11), vec4f(2.9166694e-8));
  p = fma(p, s, vec4f(2.739618e-5));
  p = fma(p, s, vec4f(3.837535e-3));
  p = fma(p, s, vec4f(0.13655242));
  p = fma(p, s, vec4f(1.0));
  var q = fma(s, vec4f(1.2453036e-6), vec4f(3.884667e-4));
  q = fma(q, s, vec4f(2.7132807e-2));
  q = fma(q, s, vec4f(0.46988574));
  q = fma(q, s, vec4f(1.0));
  return clamp(x * p / q, vec4f(-1.0), vec4f(1.0));
}
