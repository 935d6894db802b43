// The rules of one kind of world: constants, start, observation, step, and the potential for reward shaping.
// The numbers are the values of the named constants in the crate `worlds`, folder control. One invocation
// steps one world. WORLD:
//   0  CartPole     state: position, velocity, angle, angular velocity
//   1  MountainCar  position, velocity
//   2  Pendulum     angle, angular velocity
//   3  Acrobot      both angles, both angular velocities

#include angles

struct Stepped {
  state: vec4f,
  reward: f32,
  terminated: bool,
}

#if WORLD == 0
const STEP_LIMIT = 500u;
const POLE_MOMENT = 0.045454547; // pole mass times half length over total mass

fn start_state(uniform_numbers: vec4f) -> vec4f {
  return fma(uniform_numbers, vec4f(0.1), vec4f(-0.05));
}

fn observe(s: vec4f) -> array<f32, 4> {
  return array<f32, 4>(s.x, s.y, s.z, s.w);
}

// Sine and cosine of the pole's angle, and 1 / (l (4/3 - m cos^2 / M)).
fn angle_terms(theta: f32) -> vec3f {
  if (abs(theta) > 0.25) {
    // Episodes end before the pole falls so far, so only the tests come here.
    let far = sin_cos(theta);
    return vec3f(far, 1.0 / fma(-far.y * far.y, 0.045454547, 0.6666667));
  }
  let square = theta * theta;
  var sine = fma(square, 1.0 / 120.0, -1.0 / 6.0);
  sine = fma(theta * square, sine, theta);
  var cosine = fma(square, -1.0 / 720.0, 1.0 / 24.0);
  cosine = fma(square, cosine, -0.5);
  cosine = fma(square, cosine, 1.0);
  // With q = m sin^2 / (4/3 M - m), the inverse is a constant / (1 + q), expanded to second order.
  let sine_square = sine * sine;
  let inverse = fma(sine_square, fma(sine_square, 0.008618563, -0.11778703), 1.6097561);
  return vec3f(sine, cosine, inverse);
}

fn step_world(s: vec4f, action: f32) -> Stepped {
  let force = select(-10.0, 10.0, action > 0.5);
  let terms = angle_terms(s.z);
  // 0.9090909 is one over the total mass.
  let pull = fma(s.w * s.w * terms.x, POLE_MOMENT, force * 0.9090909);
  let angle_acceleration = fma(-terms.y, pull, 9.8 * terms.x) * terms.z;
  let acceleration = fma(-(angle_acceleration * POLE_MOMENT), terms.y, pull);
  let next = fma(vec4f(0.02), vec4f(s.y, acceleration, s.w, angle_acceleration), s);
  let within = abs(next.x) <= 2.4 && abs(next.z) <= 0.20943952;
  return Stepped(next, 1.0, !within);
}
#end

#if WORLD == 1
const STEP_LIMIT = 200u;

fn start_state(uniform_numbers: vec4f) -> vec4f {
  return vec4f(fma(uniform_numbers.x, 0.2, -0.6), 0.0, 0.0, 0.0);
}

fn observe(s: vec4f) -> array<f32, 2> {
  return array<f32, 2>(s.x, s.y);
}

fn step_world(s: vec4f, action: f32) -> Stepped {
  let push = (action - 1.0) * 0.001;
  let cosine = sin_cos(s.x * 3.0).y;
  var velocity = clamp(s.y + fma(-cosine, 0.0025, push), -0.07, 0.07);
  let position = clamp(s.x + velocity, -1.2, 0.6);
  if (position == -1.2) {
    velocity = max(0.0, velocity);
  }
  return Stepped(vec4f(position, velocity, 0.0, 0.0), -1.0, position >= 0.5 && velocity >= 0.0);
}

// The mechanical energy as a fraction of that which reaches the flag.
fn potential(s: vec4f) -> f32 {
  const LOWEST = -0.0025 / 3.0;
  const FLAG_SINE = 0.997495;
  let energy = 0.0025 / 3.0 * sin_cos(3.0 * s.x).x + 0.5 * s.y * s.y - LOWEST;
  return energy / (0.0025 / 3.0 * FLAG_SINE - LOWEST);
}
#end

#if WORLD == 2
const STEP_LIMIT = 200u;

fn start_state(uniform_numbers: vec4f) -> vec4f {
  return vec4f(fma(uniform_numbers.x, 6.2831855, -3.1415927), fma(uniform_numbers.y, 2.0, -1.0), 0.0, 0.0);
}

fn observe(s: vec4f) -> array<f32, 3> {
  let angle = sin_cos(s.x);
  return array<f32, 3>(angle.y, angle.x, s.y);
}

fn step_world(s: vec4f, action: f32) -> Stepped {
  let torque = clamp(action, -2.0, 2.0);
  let error = wrap_angle(s.x);
  let cost = fma(torque * torque, 0.001, fma(s.y * s.y, 0.1, error * error));
  let acceleration = fma(sin_cos(s.x).x, 15.0, torque * 3.0);
  let speed = clamp(fma(acceleration, 0.05, s.y), -8.0, 8.0);
  return Stepped(vec4f(fma(speed, 0.05, s.x), speed, 0.0, 0.0), -cost, false);
}
#end

#if WORLD == 3
#include acrobot_fast
const STEP_LIMIT = 500u;
const FAST = 8.0; // radians per second

fn start_state(uniform_numbers: vec4f) -> vec4f {
  return fma(uniform_numbers, vec4f(0.2), vec4f(-0.1));
}

fn observe(s: vec4f) -> array<f32, 6> {
  let a = sin_cos(s.x);
  let b = sin_cos(s.y);
  return array<f32, 6>(a.y, a.x, b.y, b.x, s.z, s.w);
}

// The time derivative of the state. The equations of motion are explained in worlds/src/control/acrobot.
fn slopes(s: vec4f, torque: f32) -> vec4f {
  let a = sin_cos(s.x);
  let b = sin_cos(s.y);
  let d1 = b.y + 3.5;
  let d2 = fma(b.y, 0.5, 1.25);
  let phi2 = fma(a.x, b.y, a.y * b.x) * 4.9;
  let coriolis = fma(s.w, 0.5, s.z) * s.w;
  let phi1 = fma(-coriolis, b.x, fma(a.x, 14.7, phi2));
  let rest = fma(-(s.z * s.z * 0.5), b.x, torque - phi2);
  let inverse = 1.0 / fma(-(b.y * b.y), 0.25, 2.8125);
  let acceleration_1 = -(fma(phi1, 1.25, d2 * rest) * inverse);
  let acceleration_2 = fma(d1, rest, d2 * phi1) * inverse;
  return vec4f(s.z, s.w, acceleration_1, acceleration_2);
}

// The state after a step of the classical fourth-order Runge-Kutta method, with velocities not clamped yet.
fn integrate(s: vec4f, torque: f32) -> vec4f {
  if (max(abs(s.z), abs(s.w)) > FAST) {
    return exact_step(s, torque);
  }
  let k1 = slopes(s, torque);
  let k2 = slopes(fma(k1, vec4f(0.1), s), torque);
  let k3 = slopes(fma(k2, vec4f(0.1), s), torque);
  let k4 = slopes(fma(k3, vec4f(0.2), s), torque);
  let end = fma(fma(k2 + k3, vec4f(2.0), k1 + k4), vec4f(0.2 / 6.0), s);
  return vec4f(wrap_angle(end.x), wrap_angle(end.y), end.zw);
}

fn step_world(s: vec4f, action: f32) -> Stepped {
  let end = integrate(s, action - 1.0);
  let next = vec4f(end.xy, clamp(end.z, -12.566371, 12.566371), clamp(end.w, -28.274334, 28.274334));
  let a = sin_cos(next.x);
  let b = sin_cos(next.y);
  // The goal is a sum below -1. The bound here is nearer by more than a rounding error, so the device never
  // continues an episode in a state in which the CPU would end it.
  let up = a.y + fma(-a.x, b.x, a.y * b.y) < -0.999999;
  return Stepped(next, select(-1.0, 0.0, up), up);
}
#end
