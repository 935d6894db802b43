// The inputs of backgammon's AlphaZero network, as `worlds::backgammon::observe` computes them on the CPU.
// One invocation per input.

struct Params {
  rows: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// Two vectors per row, of the side on roll and of the other. Each has four bits for the number of checkers on
// each place: off, the points 1 to 24, the bar. The bits after those of the side on roll are the higher and
// the lower number of the roll, zeros before it, and the number of playable moves; four bits each.
@group(0) @binding(1) var<storage, read> positions: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> inputs: array<f32>;

const INPUTS = 342u;
const BAR = 25u;
// Features of the number of checkers of one side on a place.
const COUNT_FEATURES = 6u;
// The first feature of the roll, the playable moves, the checkers off, and the rest.
const DICE = 26u * 2u * COUNT_FEATURES;
const MOVES = DICE + 12u;
const OFF = MOVES + 4u;
const MATCH = OFF + 2u;

// Four bits of the 128.
fn field(bits: vec4u, index: u32) -> u32 {
  return (bits[index / 8u] >> (4u * (index % 8u))) & 15u;
}

fn is_true(condition: bool) -> f32 {
  return select(0.0, 1.0, condition);
}

// A thermometer code of `count` up to five, then the excess over five.
fn count_feature(count: u32, feature: u32) -> f32 {
  if (feature < COUNT_FEATURES - 1u) {
    return is_true(count > feature);
  }
  return f32(max(count, 5u) - 5u) / 10.0;
}

fn feature(own: vec4u, other: vec4u, i: u32) -> f32 {
  if (i < DICE) {
    // In the direction of play of the side on roll: its bar, its points from 24 down, the other side's bar.
    // So `place` is the number of the place as the other side counts.
    let place = i / (2u * COUNT_FEATURES);
    let k = i % (2u * COUNT_FEATURES);
    // First the features of the side on roll, then those of the other. Each bar holds checkers of one only.
    if (k < COUNT_FEATURES) {
      return select(0.0, count_feature(field(own, BAR - place), k), place < BAR);
    }
    return select(0.0, count_feature(field(other, place), k - COUNT_FEATURES), place > 0u);
  }
  if (i < MOVES) {
    // One-hot, from 1 to 6: first the higher number, then the lower one.
    let die = (i - DICE) / 6u;
    return is_true(field(own, BAR + 1u + die) == (i - DICE) % 6u + 1u);
  }
  if (i < OFF) {
    // One-hot, from 1 to 4; all zeros without a playable move.
    return is_true(field(own, BAR + 3u) == i - MOVES + 1u);
  }
  if (i < MATCH) {
    return f32(select(field(other, 0u), field(own, 0u), i == OFF)) / 15.0;
  }
  // Phase, cube and score. Only three of these are ever 1: the dice are rolled, the cube is in the middle,
  // the game is for money.
  let k = i - MATCH;
  return is_true((k == 2u && field(own, BAR + 1u) > 0u) || k == 5u || k == 7u);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
  let i = id.x + id.y * count.x * 64u;
  if (i >= params.rows * INPUTS) {
    return;
  }
  let row = i / INPUTS;
  inputs[i] = feature(positions[2u * row], positions[2u * row + 1u], i % INPUTS);
}
