// Which random numbers a step draws. Step 0 is the beginning of an episode.
struct Moment {
  // Seed and stream.
  key: vec2u,
  // The index of the world, the low word first.
  world: vec2u,
  episode: u32,
  step: u32,
}

// Faults: 0 none; 1 an operation without a result, such as a division by zero; beyond the largest number are
// 2 the state, 3 the reward, 4 an observation. After a fault a world stays as it was.
struct Begun {
  state: State,
  observation: Observation,
  fault: u32,
}

struct Stepped {
  state: State,
  reward: f32,
  failed: bool,
  succeeded: bool,
  observation: Observation,
  fault: u32,
}

struct Looked {
  failed: bool,
  succeeded: bool,
  observation: Observation,
  fault: u32,
}

// A float of these bits, which the compiler does not know.
fn rules_float(bits: u32) -> f32 {
  var unknown = bits;
  return bitcast<f32>(unknown);
}

// A number within bounds. What is no number stays.
fn rules_clamp(x: f32, low: f32, high: f32) -> f32 {
  let y = select(x, low, low > x);
  return select(y, high, high < y);
}

// The first fault: the one before, or this code if x is beyond the largest number, infinite or no number.
fn rules_checked(fault: u32, x: f32, code: u32) -> u32 {
  let is_bad = (bitcast<u32>(x) & 0x7fffffffu) > LARGEST;
  return select(fault, code, fault == 0u && is_bad);
}
