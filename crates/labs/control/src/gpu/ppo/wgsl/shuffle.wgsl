// A pseudo-random permutation of the samples for each epoch, without a table: a Feistel network. A position
// is a pair (row, column). Each round adds to one of the two a hash of the other, which can be undone, so the
// rounds are a bijection on all pairs. A result beyond the samples is permuted again until it is one of them
// (cycle walking); there are just enough rows, so fewer pairs are beyond than a row has. The keys of the
// rounds are words of Philox, by seed, unit and epoch. The CPU uses the sequential shuffle of Fisher and
// Yates.

#include philox

const SHUFFLE_STREAM = 3u;

struct Keys {
  first: vec4u,
  second: vec4u,
}

fn shuffle_keys(epoch: u32) -> Keys {
  let key = vec2u(unit.seed, SHUFFLE_STREAM);
  let low = unit.shuffle_low + epoch;
  return Keys(
    philox(vec4u(low, unit.shuffle_high, 0u, 0u), key),
    philox(vec4u(low, unit.shuffle_high, 1u, 0u), key),
  );
}

// The mixing function of MurmurHash3, scaled to 0..range.
fn scaled_hash(value: u32, key: u32, range: u32) -> u32 {
  var h = value ^ key;
  h = (h ^ (h >> 16u)) * 0x85ebca6bu;
  h = (h ^ (h >> 13u)) * 0xc2b2ae35u;
  h ^= h >> 16u;
  return multiply_high(h, range);
}

// `value + change` modulo `range`, both below it.
fn add_modulo(value: u32, change: u32, range: u32) -> u32 {
  let sum = value + change;
  return select(sum, sum - range, sum >= range);
}

// The sample at a position of the shuffled order.
fn shuffled(position: u32, keys: Keys) -> u32 {
  let rows = unit.shuffle_rows;
  let columns = unit.shuffle_columns;
  let count = sample_count();
  var at = position;
  loop {
    var row = at / columns;
    var column = at % columns;
    row = add_modulo(row, scaled_hash(column, keys.first.x, rows), rows);
    column = add_modulo(column, scaled_hash(row, keys.first.y, columns), columns);
    row = add_modulo(row, scaled_hash(column, keys.first.z, rows), rows);
    column = add_modulo(column, scaled_hash(row, keys.first.w, columns), columns);
    row = add_modulo(row, scaled_hash(column, keys.second.x, rows), rows);
    column = add_modulo(column, scaled_hash(row, keys.second.y, columns), columns);
    at = row * columns + column;
    if (at < count) {
      break;
    }
  }
  return at;
}
