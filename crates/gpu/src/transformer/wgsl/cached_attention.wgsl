// Attention of new rows over a cache of keys and values, as `kernels::attention::KvCache`. PASS:
//   0  appends the rows' keys and values to the cache: one invocation per row, head and four features
//   1  attention of rows that are in the cache: one workgroup per row and head
//   2  both at once, for rows of different texts, so that no row needs what another appends
//
// Constants: HEADS, HEAD_SIZE, VECTORS (HEAD_SIZE / 4 rounded up), THREADS, PAIRS (the pairs of features of
// each head that are rotated by an angle proportional to the position), and OWN: the first OWN features of a
// key are those of its own token, the others those of the token before. Without rotary positions PAIRS is 0
// and OWN is HEAD_SIZE.

#include generator_row
#if PASS > 0
#include math
#include reduce
#end

struct Params {
  rows: u32,
  context: u32,
  scale: f32,
}

const WIDTH = HEADS * HEAD_SIZE;
// Below every score.
const LOWEST = -3.0e38;
// Invocations that add up the same features of values, each over a part of the keys.
const SPLITS = THREADS / VECTORS;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> rows: array<Row>;
// Cosines and sines.
// Shape: [context, PAIRS].
@group(0) @binding(2) var<storage, read> angles: array<vec2f>;
// Shape: [rows, 3 WIDTH].
@group(0) @binding(3) var<storage, read> qkv: array<f32>;
// A key is stored rotated, with all features of its own token. The token shift is done on reading
// (`load_key`): features from OWN on are taken from the key before. Neighbouring invocations read
// neighbouring keys, but neighbouring features of a value, and both lie in memory in that order.
// Shapes: keys [sequences, HEADS, VECTORS, context], values [sequences, HEADS, context, VECTORS].
#if PASS == 1
@group(0) @binding(4) var<storage, read> keys: array<vec4f>;
@group(0) @binding(5) var<storage, read> values: array<vec4f>;
#else
@group(0) @binding(4) var<storage, read_write> keys: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> values: array<vec4f>;
#end
#if PASS > 0
// Shape: [rows, WIDTH].
@group(0) @binding(6) var<storage, read_write> out: array<f32>;

var<workgroup> own_row: Row;
var<workgroup> query: array<vec4f, VECTORS>;
var<workgroup> weights: array<f32, THREADS>;
var<workgroup> partial: array<vec4f, THREADS>;
#end

// Feature `feature` of a head of queries or keys that begins at `at`, with its position encoded.
fn rotated(at: u32, feature: u32, position: u32) -> f32 {
  let value = qkv[at + feature];
  #if PAIRS
  if (feature < 2u * PAIRS) {
    let angle = angles[position * PAIRS + feature % PAIRS];
    let is_first = feature < PAIRS;
    let other = qkv[at + select(feature - PAIRS, feature + PAIRS, is_first)];
    return select(value * angle.x + other * angle.y, value * angle.x - other * angle.y, is_first);
  }
  #end
  return value;
}

// Four features of such a head; features beyond its size are zero.
fn rotated_vector(at: u32, vector: u32, position: u32) -> vec4f {
  var value = vec4f();
  #for i 4
  if (4u * vector + $iu < HEAD_SIZE) {
    value[$i] = rotated(at, 4u * vector + $iu, position);
  }
  #end
  return value;
}

#if PASS == 1
#else
// Appends four features of the key and the value of a row.
fn append(row: u32, own: Row, head: u32, vector: u32) {
  let at = row * 3u * WIDTH + head * HEAD_SIZE;
  var value = vec4f();
  #for i 4
  if (4u * vector + $iu < HEAD_SIZE) {
    value[$i] = qkv[at + 2u * WIDTH + 4u * vector + $iu];
  }
  #end
  let first = own.sequence * HEADS + head;
  keys[(first * VECTORS + vector) * params.context + own.position] = rotated_vector(at + WIDTH, vector, own.position);
  values[(first * params.context + own.position) * VECTORS + vector] = value;
}
#end

#if PASS == 0
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
  let i = id.x + id.y * count.x * 64u;
  let row = i / (HEADS * VECTORS);
  if (row >= params.rows) {
    return;
  }
  let own = rows[row];
  if (own.position < params.context) {
    append(row, own, i / VECTORS % HEADS, i % VECTORS);
  }
}
#else

// Four features of the key at a position, with the features that it takes from the key before. `first` is the
// number of the head among the heads of all texts.
fn load_key(first: u32, vector: u32, position: u32) -> vec4f {
  let at = (first * VECTORS + vector) * params.context;
  // `vector` is a constant in each place that this is inlined, so one of the loads is left in most.
  if (4u * vector + 4u <= OWN) {
    return keys[at + position];
  }
  let before = keys[at + max(position, 1u) - 1u];
  if (4u * vector >= OWN) {
    return before;
  }
  return select(before, keys[at + position], vec4u(4u * vector) + vec4u(0u, 1u, 2u, 3u) < vec4u(OWN));
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) index: u32) {
  let row = workgroup.x;
  let head = workgroup.y;
  if (index == 0u) {
    own_row = rows[row];
  }
  // The barriers below need to know that all invocations read the same.
  let own = workgroupUniformLoad(&own_row);
  // Rows that only fill a batch up attend to nothing.
  let count = select(own.position + 1u, 0u, own.position >= params.context);
  let first = own.sequence * HEADS + head;
  if (index < VECTORS) {
    let at = row * 3u * WIDTH + head * HEAD_SIZE;
    query[index] = rotated_vector(at, index, min(own.position, params.context - 1u));
    #if PASS == 2
    if (count > 0u) {
      append(row, own, head, index);
    }
    #end
  }
  storageBarrier();
  workgroupBarrier();
  let vector = index % VECTORS;
  let split = index / VECTORS;
  // The largest score so far, the sum of the exponentials of the scores minus it, and the sum of the values
  // with these weights (Dao et al., "FlashAttention", 2022).
  var largest = LOWEST;
  var sum = 0.0;
  var attended = vec4f();
  for (var block = 0u; block < count; block += THREADS) {
    let key = block + index;
    var score = LOWEST;
    if (key < count) {
      score = 0.0;
      #for v VECTORS
      score += dot(query[$v], load_key(first, $vu, key));
      #end
      score *= params.scale;
    }
    let new_largest = max(largest, max_over_workgroup(score, index));
    let weight = select(0.0, exponential(score - new_largest), key < count);
    weights[index] = weight;
    let factor = exponential(largest - new_largest);
    // Its barriers order the writes of `weights` before the reads below.
    sum = fma(sum, factor, sum_over_workgroup(weight, index));
    attended *= factor;
    if (split < SPLITS) {
      let end = min(THREADS, count - block);
      for (var i = split; i < end; i += SPLITS) {
        let value = values[(first * params.context + block + i) * VECTORS + vector];
        attended = fma(vec4f(weights[i]), value, attended);
      }
    }
    largest = new_largest;
  }
  partial[index] = attended;
  workgroupBarrier();
  if (index < VECTORS) {
    var total = vec4f();
    for (var i = 0u; i < SPLITS; i++) {
      total += partial[i * VECTORS + index];
    }
    let scale = select(1.0 / sum, 0.0, count == 0u);
    #for i 4
    if (4u * index + $iu < HEAD_SIZE) {
      out[row * WIDTH + head * HEAD_SIZE + 4u * index + $iu] = total[$i] * scale;
    }
    #end
  }
}
#end
