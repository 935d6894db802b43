// Samples the next token of each text from its logits, as `learnery_nn::transformer::Sampler` does:
// temperature, top-k, the same random number, and the tokens in the same order. One workgroup per text; each
// invocation looks at consecutive tokens. Then the text's row is moved to the new token, which the next step
// feeds.
//
// Logits are compared as integers whose order is that of the floats (`f32::total_cmp`), because WGSL lets a
// compiler assume that there are neither NaN nor infinities.

#include generator_row
#include math
#include philox
#include reduce

struct Params {
  // The row stride of the logits, and the tokens of which one is sampled, the first ones.
  vocabulary: u32,
  tokens: u32,
  context: u32,
  // Steps whose results are kept.
  slots: u32,
  sequences: u32,
}

struct Options {
  temperature: f32,
  // 0 for all tokens.
  top_k: u32,
  // The key of the stream of random numbers.
  key_0: u32,
  key_1: u32,
  // The number of each text, which selects its random numbers.
  texts: array<u32>,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> options: Options;
// The bits of the logits.
@group(0) @binding(2) var<storage, read> logits: array<u32>;
@group(0) @binding(3) var<storage, read_write> rows: array<Row>;
@group(0) @binding(4) var<storage, read_write> history: array<u32>;
// Token and bits of its probability at temperature 1.
// Shape: [slots, sequences].
@group(0) @binding(5) var<storage, read_write> results: array<vec2u>;

// The order numbers of minus infinity, of -0 and of +0.
const LOWEST_NUMBER = 0x007fffffu;
const MINUS_ZERO = 0x7fffffffu;
const PLUS_ZERO = 0x80000000u;

// The search for the token goes through groups of invocations, then through the invocations of one group.
const GROUPS = 16u;
// Invocations in a group.
const GROUP = THREADS / GROUPS;

var<workgroup> numbers: array<u32, THREADS>;
var<workgroup> candidates: array<u32, THREADS>;
var<workgroup> counts: array<atomic<u32>, 32>;
var<workgroup> top_k: u32;
// Sums of the weights of each invocation's tokens, and of GROUP invocations.
var<workgroup> sums: array<f32, THREADS>;
var<workgroup> group_sums: array<f32, GROUPS>;

// The order number of a logit. NaN counts as minus infinity, whose bits are 0xff800000. The bits of negative
// floats are in descending order, so they are inverted.
fn order_number(bits: u32) -> u32 {
  let ranked = select(bits, 0xff800000u, (bits & 0x7fffffffu) > 0x7f800000u);
  return select(ranked | 0x80000000u, ~ranked, (ranked >> 31u) == 1u);
}

// The weight of a logit relative to the weight of the highest logit; zero below the threshold.
fn weight(bits: u32, threshold: u32, highest: f32, temperature: f32) -> f32 {
  let number = order_number(bits);
  if (number < threshold || number == LOWEST_NUMBER) {
    return 0.0;
  }
  return exponential((bitcast<f32>(bits) - highest) / temperature);
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) index: u32) {
  let sequence = workgroup.x;
  let first = sequence * params.vocabulary;
  let length = (params.tokens + THREADS - 1u) / THREADS;
  let begin = min(index * length, params.tokens);
  let end = min(begin + length, params.tokens);
  // The first of the most likely tokens.
  var highest_number = 0u;
  var candidate = begin;
  for (var i = begin; i < end; i++) {
    let number = order_number(logits[first + i]);
    if (number > highest_number) {
      highest_number = number;
      candidate = i;
    }
  }
  numbers[index] = highest_number;
  candidates[index] = candidate;
  if (index < 32u) {
    atomicStore(&counts[index], 0u);
  }
  if (index == 0u) {
    // 0 if no token is excluded.
    top_k = select(0u, options.top_k, options.top_k < params.tokens);
  }
  for (var stride = THREADS / 2u; stride > 0u; stride /= 2u) {
    workgroupBarrier();
    if (index < stride) {
      let number = numbers[index + stride];
      let other = candidates[index + stride];
      if (number > numbers[index] || (number == numbers[index] && other < candidates[index])) {
        numbers[index] = number;
        candidates[index] = other;
      }
    }
  }
  let count = workgroupUniformLoad(&top_k);
  let best = candidates[0];
  let best_bits = logits[first + best];
  let highest = bitcast<f32>(best_bits);
  // The order number of the k-th largest logit, from the highest bit to the lowest: a bit is set if k logits
  // have at least that number.
  var threshold = 0u;
  if (count > 0u) {
    for (var bit = 0u; bit < 32u; bit++) {
      let higher = threshold | (0x80000000u >> bit);
      var at_least = 0u;
      for (var i = begin; i < end; i++) {
        at_least += select(0u, 1u, order_number(logits[first + i]) >= higher);
      }
      atomicAdd(&counts[bit], at_least);
      workgroupBarrier();
      if (atomicLoad(&counts[bit]) >= count) {
        threshold = higher;
      }
    }
  }
  // As floats, the two zeros are equal.
  threshold = select(threshold, MINUS_ZERO, threshold == PLUS_ZERO);
  let is_finite_best = (best_bits & 0x7f800000u) != 0x7f800000u;
  let is_greedy = options.temperature <= 0.0 || !is_finite_best;
  let temperature = select(options.temperature, 1.0, is_greedy);
  var sum = 0.0;
  var plain_sum = 0.0;
  for (var i = begin; i < end; i++) {
    let bits = logits[first + i];
    sum += weight(bits, threshold, highest, temperature);
    plain_sum += weight(bits, 0u, highest, 1.0);
  }
  let total_at_one = sum_over_workgroup(plain_sum, index);
  sums[index] = sum;
  workgroupBarrier();
  if (index < GROUPS) {
    var group_sum = 0.0;
    for (var i = 0u; i < GROUP; i++) {
      group_sum += sums[index * GROUP + i];
    }
    group_sums[index] = group_sum;
  }
  workgroupBarrier();
  if (index > 0u) {
    return;
  }
  var row = rows[sequence];
  // Because of rounding the search can end without a token; then it is the most likely one.
  var token = best;
  if (!is_greedy) {
    var total = 0.0;
    for (var group = 0u; group < GROUPS; group++) {
      total += group_sums[group];
    }
    let counter = vec4u(row.index + 1u, options.texts[sequence], 0u, 0u);
    // The first 24 bits of the random word, as a number in 0..1.
    let word = philox(counter, vec2u(options.key_0, options.key_1)).x;
    var remaining = total * (f32(word >> 8u) * (1.0 / 16777216.0));
    var group = 0u;
    while (group < GROUPS && remaining >= group_sums[group]) {
      remaining -= group_sums[group];
      group++;
    }
    var part = group * GROUP;
    let last_part = min(part + GROUP, THREADS);
    while (part < last_part && remaining >= sums[part]) {
      remaining -= sums[part];
      part++;
    }
    if (part < last_part) {
      let last = min((part + 1u) * length, params.tokens);
      for (var i = part * length; i < last; i++) {
        let w = weight(logits[first + i], threshold, highest, temperature);
        if (remaining < w) {
          token = i;
          break;
        }
        remaining -= w;
      }
    }
  }
  let probability = weight(logits[first + token], 0u, highest, 1.0) / total_at_one;
  results[row.slot * params.sequences + sequence] = vec2u(token, bitcast<u32>(probability));
  row.position += 1u;
  row.index += 1u;
  row.slot = (row.slot + 1u) % params.slots;
  rows[sequence] = row;
  history[sequence * params.context + row.index % params.context] = token;
}
