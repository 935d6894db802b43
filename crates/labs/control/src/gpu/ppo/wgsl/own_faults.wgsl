// What a unit in a world of the user's own reports of faults of the rules: how many episodes they ended, and of
// the first one what own_rollout.wgsl has noted. It is the one that the CPU's collector would report.

#include ppo_unit

@group(0) @binding(0) var<storage, read> unit: Unit;
// See own_rollout.wgsl. [worlds], [worlds][FAULT_VECTORS]
@group(0) @binding(1) var<storage, read> counters: array<vec4u>;
// The number of episodes. If there are any, of the first one: its world, the step of the unit, its number in the
// world, its step, the state, the action.
@group(0) @binding(2) var<storage, read_write> faults: array<u32>;

const THREADS = 64u;
// The first fault is the earliest one of the first chunk of CHUNK worlds that has any; of several in the same step,
// that of the first world.
const NONE = 0xffffffffu;

var<workgroup> counts: array<u32, THREADS>;
var<workgroup> places: array<u32, THREADS>;

@compute @workgroup_size(THREADS)
fn main(@builtin(local_invocation_index) index: u32) {
  var count = 0u;
  // The smallest place of a fault in the order of chunks, steps and worlds.
  var first = NONE;
  for (var world = index; world < unit.worlds; world += THREADS) {
    let note = counters[unit.worlds + world * FAULT_VECTORS];
    if (note.x > 0u) {
      count += note.x;
      first = min(first, (world / CHUNK * unit.horizon + note.y) * CHUNK + world % CHUNK);
    }
  }
  counts[index] = count;
  places[index] = first;
  workgroupBarrier();
  if (index == 0u) {
    for (var other = 1u; other < THREADS; other++) {
      count += counts[other];
      first = min(first, places[other]);
    }
    faults[0] = count;
    if (first != NONE) {
      let world = first / CHUNK / unit.horizon * CHUNK + first % CHUNK;
      faults[1] = world;
      for (var k = 1u; k < 4u * FAULT_VECTORS; k++) {
        faults[k + 1u] = counters[unit.worlds + world * FAULT_VECTORS + k / 4u][k % 4u];
      }
    }
  }
}
