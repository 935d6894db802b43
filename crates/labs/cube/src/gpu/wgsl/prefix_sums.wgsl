// Prefix sums in a fixed order, in two levels. PASS:
//   0  the running sums inside blocks of THREADS values, and the sum of each block; a workgroup per block
//   1  one workgroup: the sum of all blocks before each block, and at the end the sum of all

struct Params {
  // Values in pass 0, blocks in pass 1.
  length: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
#if PASS == 0
@group(0) @binding(1) var<storage, read> values: array<f32>;
@group(0) @binding(2) var<storage, read_write> running: array<f32>;
#end
// The sum of each block, then of the blocks before it. [blocks + 1]
@group(0) @binding(3) var<storage, read_write> blocks: array<f32>;

var<workgroup> sums: array<f32, THREADS>;

// The sum of the values of all invocations up to this one.
fn running_sum(value: f32, index: u32) -> f32 {
  workgroupBarrier();
  sums[index] = value;
  for (var stride = 1u; stride < THREADS; stride *= 2u) {
    workgroupBarrier();
    var sum = sums[index];
    if (index >= stride) {
      sum += sums[index - stride];
    }
    workgroupBarrier();
    sums[index] = sum;
  }
  workgroupBarrier();
  return sums[index];
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) index: u32) {
  #if PASS == 0
  let i = workgroup.x * THREADS + index;
  var value = 0.0;
  if (i < params.length) {
    value = values[i];
  }
  let sum = running_sum(value, index);
  if (i < params.length) {
    running[i] = sum;
  }
  if (index == THREADS - 1u) {
    blocks[workgroup.x] = sum;
  }
  #else
  var before = 0.0;
  for (var first = 0u; first < params.length; first += THREADS) {
    let block = first + index;
    var value = 0.0;
    if (block < params.length) {
      value = blocks[block];
    }
    let sum = running_sum(value, index);
    if (block < params.length) {
      blocks[block] = before + sum - value;
    }
    // The last invocation's running sum is the sum of all blocks of this round.
    before += sums[THREADS - 1u];
  }
  if (index == 0u) {
    blocks[params.length] = before;
  }
  #end
}
