// Finds a value by the sum of those before it. A kernel that includes this file binds `running` and `blocks`
// of the kernel `prefix_sums`. BLOCK is the length of a block.

// The first value of `length` whose running sum is above `sum`; where rounding leaves none in the block, the
// last one of the block that is not zero.
fn index_at(sum: f32, length: u32) -> u32 {
  // The last block that does not begin above `sum`.
  var low = 0u;
  var high = (length + BLOCK - 1u) / BLOCK;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (blocks[middle] <= sum) {
      low = middle;
    } else {
      high = middle;
    }
  }
  let first = low * BLOCK;
  let end = min(first + BLOCK, length);
  let rest = sum - blocks[low];
  // The first running sum above the rest, or, if there is none, the first that equals the largest.
  let largest = running[end - 1u];
  let has_above = largest > rest;
  var begin = first;
  var stop = end - 1u;
  while (begin < stop) {
    let middle = (begin + stop) / 2u;
    if (select(running[middle] >= largest, running[middle] > rest, has_above)) {
      stop = middle;
    } else {
      begin = middle + 1u;
    }
  }
  return begin;
}
