// The step of fast rods in double-float arithmetic: a number is the sum of two floats, which gives 48 bits.
// Beyond an angular speed of some 10 radians per second rounding errors of the angles reappear a hundred
// times larger in the accelerations; the CPU computes these steps in double precision
// (worlds/src/control/acrobot).

// Always 0, which no compiler knows: a kernel sets it from a number that it is given.
var<private> zero: u32;

// x itself. Drivers may simplify (a + b) - a to b, which is the very error that is needed; they cannot look
// through this.
fn opaque(x: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) ^ zero);
}

// The sum of two floats and its rounding error, if a is not smaller than b in magnitude.
fn quick_sum(a: f32, b: f32) -> vec2f {
  let sum = opaque(a + b);
  return vec2f(sum, b - (sum - a));
}

// The sum of any two floats and its rounding error.
fn exact_sum(a: f32, b: f32) -> vec2f {
  let sum = opaque(a + b);
  let part = opaque(sum - a);
  return vec2f(sum, (a - (sum - part)) + (b - part));
}

// The product of two floats, from halves with 12 bits, whose products are exact. (`fma` may be rounded
// twice.)
fn exact_product(a: f32, b: f32) -> vec2f {
  let product = opaque(a * b);
  let a_high = bitcast<f32>(bitcast<u32>(a) & 0xfffff000u);
  let b_high = bitcast<f32>(bitcast<u32>(b) & 0xfffff000u);
  let a_low = a - a_high;
  let b_low = b - b_high;
  return vec2f(product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low);
}

fn add(a: vec2f, b: vec2f) -> vec2f {
  let sum = exact_sum(a.x, b.x);
  return quick_sum(sum.x, sum.y + (a.y + b.y));
}

fn multiply(a: vec2f, b: vec2f) -> vec2f {
  let product = exact_product(a.x, b.x);
  return quick_sum(product.x, product.y + (a.x * b.y + a.y * b.x));
}

fn divide(a: vec2f, b: vec2f) -> vec2f {
  let first = a.x / b.x;
  let rest = add(a, -multiply(b, vec2f(first, 0.0)));
  let second = rest.x / b.x;
  let last = add(rest, -multiply(b, vec2f(second, 0.0)));
  return add(quick_sum(first, second), vec2f(last.x / b.x, 0.0));
}

struct Wave {
  sine: vec2f,
  cosine: vec2f,
}

// Sine and cosine of an angle: Taylor series around the nearest quarter turn. Only the first terms need two
// floats.
fn exact_sin_cos(x: vec2f) -> Wave {
  let n = round(x.x * 0.63661975);
  let r = add(x, -multiply(vec2f(n, 0.0), vec2f(1.57079637, -4.37113883e-8)));
  let q = multiply(r, r);
  let s = fma(q.x, fma(q.x, fma(q.x, -1.0 / 39916800.0, 1.0 / 362880.0), -1.0 / 5040.0), 1.0 / 120.0);
  let c = fma(q.x, fma(q.x, fma(q.x, -1.0 / 479001600.0, 1.0 / 3628800.0), -1.0 / 40320.0), 1.0 / 720.0);
  let sine_tail = add(vec2f(-0.166666672, 4.96705376e-9), multiply(q, vec2f(s, 0.0)));
  let sine = add(r, multiply(multiply(r, q), sine_tail));
  let cosine_tail = add(vec2f(0.0416666679, -1.24176344e-9), -multiply(q, vec2f(c, 0.0)));
  let cosine = add(add(vec2f(1.0, 0.0), -0.5 * q), multiply(multiply(q, q), cosine_tail));
  let quadrant = i32(n);
  var wave = Wave(sine, cosine);
  if ((quadrant & 1) != 0) {
    wave = Wave(cosine, sine);
  }
  if ((quadrant & 2) != 0) {
    wave.sine = -wave.sine;
  }
  if (((quadrant + 1) & 2) != 0) {
    wave.cosine = -wave.cosine;
  }
  return wave;
}

// Angles and angular velocities, or their time derivatives.
struct Exact {
  a: vec2f,
  b: vec2f,
  da: vec2f,
  db: vec2f,
}

fn exact_slopes(s: Exact, torque: f32) -> Exact {
  let a = exact_sin_cos(s.a);
  let b = exact_sin_cos(s.b);
  let half_gravity = vec2f(4.9000001, -9.53674316e-8);
  let d1 = add(vec2f(3.5, 0.0), b.cosine);
  let d2 = add(vec2f(1.25, 0.0), 0.5 * b.cosine);
  let phi2 = multiply(half_gravity, add(multiply(a.sine, b.cosine), multiply(a.cosine, b.sine)));
  let coriolis = multiply(multiply(add(0.5 * s.db, s.da), s.db), b.sine);
  let phi1 = add(add(multiply(multiply(half_gravity, vec2f(3.0, 0.0)), a.sine), phi2), -coriolis);
  let rest = add(add(vec2f(torque, 0.0), -phi2), -0.5 * multiply(multiply(s.da, s.da), b.sine));
  let determinant = add(vec2f(2.8125, 0.0), -0.25 * multiply(b.cosine, b.cosine));
  let first = add(multiply(vec2f(1.25, 0.0), phi1), multiply(d2, rest));
  let second = add(multiply(d1, rest), multiply(d2, phi1));
  return Exact(s.da, s.db, -divide(first, determinant), divide(second, determinant));
}

fn exact_ahead(s: Exact, k: Exact, dt: vec2f) -> Exact {
  return Exact(
    add(s.a, multiply(k.a, dt)),
    add(s.b, multiply(k.b, dt)),
    add(s.da, multiply(k.da, dt)),
    add(s.db, multiply(k.db, dt)),
  );
}

fn exact_mean(k1: vec2f, k2: vec2f, k3: vec2f, k4: vec2f) -> vec2f {
  return add(add(k1, k4), 2.0 * add(k2, k3));
}

// An angle without whole turns.
fn exact_wrap(x: vec2f) -> f32 {
  let n = round(x.x * 0.15915494);
  let r = add(x, -multiply(vec2f(n, 0.0), vec2f(6.28318548, -1.74845553e-7)));
  return clamp(r.x, -3.141593, 3.141593);
}

// The state after a step, with velocities not clamped yet.
fn exact_step(s: vec4f, torque: f32) -> vec4f {
  let start = Exact(vec2f(s.x, 0.0), vec2f(s.y, 0.0), vec2f(s.z, 0.0), vec2f(s.w, 0.0));
  let half = vec2f(0.100000001, -1.49011611e-9);
  let k1 = exact_slopes(start, torque);
  let k2 = exact_slopes(exact_ahead(start, k1, half), torque);
  let k3 = exact_slopes(exact_ahead(start, k2, half), torque);
  let k4 = exact_slopes(exact_ahead(start, k3, 2.0 * half), torque);
  let sum = Exact(
    exact_mean(k1.a, k2.a, k3.a, k4.a),
    exact_mean(k1.b, k2.b, k3.b, k4.b),
    exact_mean(k1.da, k2.da, k3.da, k4.da),
    exact_mean(k1.db, k2.db, k3.db, k4.db),
  );
  let end = exact_ahead(start, sum, vec2f(0.0333333351, -1.73846878e-9));
  return vec4f(exact_wrap(end.a), exact_wrap(end.b), end.da.x, end.db.x);
}
