// Steps a batch, one world in each invocation.

struct Batch {
  // Seed and stream of the random numbers.
  key: vec2u,
  // The index of the first world, the low word first.
  first: vec2u,
  worlds: u32,
}

// Shapes: parameters [numbers], states [worlds][numbers], counters [worlds] (steps of the episode, episodes
// that have begun), actions [worlds][numbers], rewards [worlds], observations [worlds][numbers].
@group(0) @binding(0) var<uniform> batch: Batch;
@group(0) @binding(1) var<storage, read> parameters: array<f32>;
@group(0) @binding(2) var<storage, read_write> states: array<f32>;
@group(0) @binding(3) var<storage, read_write> counters: array<vec2u>;
@group(0) @binding(4) var<storage, read> actions: array<f32>;
@group(0) @binding(5) var<storage, read_write> rewards: array<f32>;
@group(0) @binding(6) var<storage, read_write> observations: array<f32>;
// How the last step ended the episode, [worlds]: 0 not at all; bits 0 to 2 failed, succeeded, truncated; bit
// 3 an episode that began with a fault, whose first step fails; from bit 4 on the fault.
@group(0) @binding(7) var<storage, read_write> ends: array<u32>;

const FAILED = 1u;
const SUCCEEDED = 2u;
const TRUNCATED = 4u;
const BROKEN = 8u;

fn moment_of(world: u32, counter: vec2u) -> Moment {
  let low = batch.first.x + world;
  // The sum wrapped around if it is below a summand: then there is a carry.
  let high = batch.first.y + select(0u, 1u, low < world);
  return Moment(batch.key, vec2u(low, high), counter.y - 1u, counter.x);
}

// Begins the next episode of every world whose episode has ended. Before the first step, `ends` is 1 and
// `counters` 0.
@compute @workgroup_size(64)
fn begin(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
  let world = id.x + id.y * count.x * 64u;
  if (world >= batch.worlds || (ends[world] & (FAILED | SUCCEEDED | TRUNCATED)) == 0u) {
    return;
  }
  let counter = vec2u(0u, counters[world].y + 1u);
  counters[world] = counter;
  let begun = begin_world(Parameters($READ_PARAMETERS), moment_of(world, counter));
  ends[world] = select(0u, BROKEN | (begun.fault << 4u), begun.fault != 0u);
  store_state(world * $STATESu, begun.state);
  store_observation(world * $OBSERVATIONSu, begun.observation);
}

fn store_state(at: u32, state: State) {
$WRITE_STATE
}

fn store_observation(at: u32, observation: Observation) {
$WRITE_OBSERVATION
}

// Steps every world whose episode goes on.
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
  let world = id.x + id.y * count.x * 64u;
  if (world >= batch.worlds || (ends[world] & (FAILED | SUCCEEDED | TRUNCATED)) != 0u) {
    return;
  }
  let counter = counters[world] + vec2u(1u, 0u);
  counters[world] = counter;
  if ((ends[world] & BROKEN) != 0u) {
    ends[world] |= FAILED;
    rewards[world] = 0.0;
    return;
  }
  let at = world * $STATESu;
  let stepped = step_world(Parameters($READ_PARAMETERS), State($READ_STATE), Action($READ_ACTION),
    moment_of(world, counter));
  rewards[world] = stepped.reward;
  let is_over = stepped.failed || stepped.succeeded;
  let is_late = STEP_LIMIT > 0u && counter.x >= STEP_LIMIT && !is_over;
  ends[world] = select(0u, FAILED, stepped.failed) | select(0u, SUCCEEDED, stepped.succeeded)
    | select(0u, TRUNCATED, is_late) | (stepped.fault << 4u);
  if (stepped.fault == 0u) {
    store_state(at, stepped.state);
    store_observation(world * $OBSERVATIONSu, stepped.observation);
  }
}
