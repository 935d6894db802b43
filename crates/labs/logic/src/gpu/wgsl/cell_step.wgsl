// One step of the cellular automaton with soft gates, or with BACKWARD 1 its backward pass. A workgroup
// computes CELLS cells, whose wires are in its memory; in the backward pass it computes TILES times as many,
// one tile after the other, and adds their gradients at the coefficients to its own slot.
//
// The constants in capitals are those of `CellCircuits::step_constants` (`../circuits.rs`). The number of
// invocations THREADS changes no bit: one invocation computes each sum, over lanes or over consumers (the
// gates that read a row).
//
// Perception runs on GROUP channels at a time. A row holds the value of one wire in all lanes: cells, and for
// perception also the channels of the group. Layers of even and odd numbers write to two regions in turn.

struct Params {
  step: u32,
  // Whether the gradient comes from a later step, and not from the loss.
  is_inner: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> wiring: array<u32>;
@group(0) @binding(2) var<storage, read> coefs: array<vec4f>;
// 1 where a cell takes the step, else 0. // [steps, cells]
@group(0) @binding(3) var<storage, read> awake: array<f32>;
#if BACKWARD
// [steps + 1, channels, cells]
@group(0) @binding(4) var<storage, read> states: array<f32>;
// The gradient at the channels of a cell [channels, cells], then at those of the nine cells that it sees
// [9, channels, cells]: that of the step after this one, and that of this one.
@group(0) @binding(5) var<storage, read> later: array<f32>;
@group(0) @binding(6) var<storage, read_write> own: array<f32>;
// The values of all wires of the tile, one part for each workgroup.
@group(0) @binding(7) var<storage, read_write> values: array<f32>;
// [parts, gates]
@group(0) @binding(8) var<storage, read_write> d_coefs: array<vec4f>;
#else
@group(0) @binding(4) var<storage, read_write> states: array<f32>;
#end

#include gate_layers

const CELLS = 2u;
// Lanes of perception: a lane is a cell and one of the channels of the group.
const LANES = GROUP * CELLS;
const GROUPS = CHANNELS / GROUP;
const NEIGHBOURHOOD = 9u;
const UPDATE_INPUTS = CHANNELS + CHANNELS * OUTPUTS;

// The inputs of the update circuit and their gradients, then two regions for layers of even and odd numbers.
var<workgroup> pool: array<f32, UPDATE_INPUTS * CELLS + EVEN + ODD>;

// A place for rows in `pool`: a lane of row r lies at `base + r * row + lane / CELLS * channel + lane %
// CELLS`.
struct Rows {
  base: u32,
  row: u32,
  channel: u32,
}

fn place(rows: Rows, row: u32, lane: u32) -> u32 {
  return rows.base + row * rows.row + lane / CELLS * rows.channel + lane % CELLS;
}

// Where a layer of perception keeps its outputs. The last one writes to the inputs of the update circuit.
fn perception_rows(layer: u32, group: u32) -> Rows {
  if (layer == PERCEPTION_LAYERS - 1u) {
    return Rows((CHANNELS + group * GROUP * OUTPUTS) * CELLS, CELLS, OUTPUTS * CELLS);
  }
  return Rows(UPDATE_INPUTS * CELLS + layer % 2u * EVEN, LANES, CELLS);
}

// Where the neighbourhoods lie that the first layer of perception reads.
fn seen_rows() -> Rows {
  return Rows(UPDATE_INPUTS * CELLS + EVEN, LANES, CELLS);
}

// Where a layer of the update circuit keeps its outputs; number UPDATE_LAYERS is that of its inputs.
fn update_rows(layer: u32) -> Rows {
  if (layer == UPDATE_LAYERS) {
    return Rows(0u, CELLS, 0u);
  }
  return Rows(UPDATE_INPUTS * CELLS + layer % 2u * EVEN, CELLS, 0u);
}

fn barrier() {
  #if BACKWARD
  storageBarrier();
  #end
  workgroupBarrier();
}

// The cell at place k of a cell's neighbourhood; TOTAL beyond an edge.
fn neighbour(cell: u32, k: u32) -> u32 {
  let grid = cell / (WIDTH * HEIGHT);
  // One more than the coordinates of the neighbour, because these may be -1.
  var x = cell % WIDTH + k % 3u;
  var y = cell / WIDTH % HEIGHT + k / 3u;
  #if PERIODIC
  x = (x + WIDTH - 1u) % WIDTH;
  y = (y + HEIGHT - 1u) % HEIGHT;
  #else
  if (cell >= TOTAL || x == 0u || x > WIDTH || y == 0u || y > HEIGHT) {
    return TOTAL;
  }
  x -= 1u;
  y -= 1u;
  #end
  return select((grid * HEIGHT + y) * WIDTH + x, TOTAL, cell >= TOTAL);
}

// A channel of a cell in the state before this step; zero beyond an edge.
fn value_before(channel: u32, cell: u32) -> f32 {
  if (cell >= TOTAL) {
    return 0.0;
  }
  return states[(params.step * CHANNELS + channel) * TOTAL + cell];
}

// Computes a layer. `kept` is where the values of its circuit are kept for the backward pass.
fn layer_forward(number: u32, lanes: u32, x: Rows, y: Rows, kept: u32, index: u32) {
  let layer = layer_at(number);
  for (var i = index; i < layer.gates * lanes; i += THREADS) {
    let gate = i / lanes;
    let lane = i % lanes;
    let a = pool[place(x, wiring[layer.wires + 2u * gate], lane)];
    let b = pool[place(x, wiring[layer.wires + 2u * gate + 1u], lane)];
    let c = coefs[layer.first + gate];
    let value = fma(c.y, a, fma(fma(c.w, a, c.z), b, c.x));
    pool[place(y, gate, lane)] = value;
    #if BACKWARD
    values[kept + layer.output_row * lanes + i] = value;
    #end
  }
}

#if BACKWARD
// Adds the gradients at a layer's coefficients to the slot of the workgroup, or writes them if they are the
// first of an epoch. Writes the gradients at the layer's inputs: each sums over the gates that read it, in
// order.
fn layer_backward(number: u32, lanes: u32, dy: Rows, dx: Rows, kept: u32, part: u32, is_added: bool, index: u32) {
  let layer = layer_at(number);
  let inputs = kept + layer.input_row * lanes;
  for (var gate = index; gate < layer.gates; gate += THREADS) {
    let a = inputs + wiring[layer.wires + 2u * gate] * lanes;
    let b = inputs + wiring[layer.wires + 2u * gate + 1u] * lanes;
    var sum = vec4f(0.0);
    for (var lane = 0u; lane < lanes; lane++) {
      let d = pool[place(dy, gate, lane)];
      let da = d * values[a + lane];
      let value = values[b + lane];
      sum += vec4f(d, da, d * value, da * value);
    }
    let slot = part * GATES + layer.first + gate;
    d_coefs[slot] = select(sum, d_coefs[slot] + sum, is_added);
  }
  // From the last invocation on, because the first ones have the gates of narrow layers.
  for (var i = THREADS - 1u - index; i < layer.inputs * lanes; i += THREADS) {
    let row = i / lanes;
    let lane = i % lanes;
    let end = wiring[layer.consumers + row + 1u];
    var sum = 0.0;
    for (var at = wiring[layer.consumers + row]; at < end; at++) {
      // The other input of the gate, the gate, and which of its inputs this is.
      let consumer = wiring[at];
      let gate = (consumer >> 1u) & 0x7fffu;
      let c = coefs[layer.first + gate];
      let slope = fma(c.w, values[inputs + (consumer >> 16u) * lanes + lane], select(c.y, c.z, (consumer & 1u) == 1u));
      sum = fma(pool[place(dy, gate, lane)], slope, sum);
    }
    pool[place(dx, row, lane)] = sum;
  }
}
#end

// Computes the next channels of the cells of a tile. They lie where the last layer of the update circuit
// writes.
fn tile_forward(tile: u32, kept: u32, index: u32) {
  let first = tile * CELLS;
  for (var i = index; i < CHANNELS * CELLS; i += THREADS) {
    pool[i] = value_before(i / CELLS, first + i % CELLS);
  }
  let seen = seen_rows();
  for (var group = 0u; group < GROUPS; group++) {
    let kept_group = kept + UPDATE_ROWS * CELLS + group * PERCEPTION_ROWS * LANES;
    for (var i = index; i < NEIGHBOURHOOD * LANES; i += THREADS) {
      let lane = i % LANES;
      let cell = neighbour(first + lane % CELLS, i / LANES);
      let value = value_before(group * GROUP + lane / CELLS, cell);
      pool[place(seen, i / LANES, lane)] = value;
      #if BACKWARD
      values[kept_group + i] = value;
      #end
    }
    barrier();
    var x = seen;
    for (var layer = 0u; layer < PERCEPTION_LAYERS; layer++) {
      let y = perception_rows(layer, group);
      layer_forward(layer, LANES, x, y, kept_group, index);
      barrier();
      x = y;
    }
  }
  #if BACKWARD
  for (var i = index; i < UPDATE_INPUTS * CELLS; i += THREADS) {
    values[kept + i] = pool[i];
  }
  #end
  var x = update_rows(UPDATE_LAYERS);
  for (var layer = 0u; layer < UPDATE_LAYERS; layer++) {
    let y = update_rows(layer);
    layer_forward(PERCEPTION_LAYERS + layer, CELLS, x, y, kept, index);
    barrier();
    x = y;
  }
}

#if BACKWARD
// The gradient at a channel of a cell after this step: at the cell itself, and where its neighbours see it.
fn gradient_after(channel: u32, cell: u32) -> f32 {
  if (cell >= TOTAL) {
    return 0.0;
  }
  var sum = later[channel * TOTAL + cell];
  if (params.is_inner == 1u) {
    for (var k = 0u; k < NEIGHBOURHOOD; k++) {
      let at = neighbour(cell, k);
      if (at < TOTAL) {
        // Seen from its neighbour k, this cell is neighbour 8 - k. Plane 0 of the gradients is that at the
        // cell itself, so neighbour 8 - k has plane 9 - k.
        sum += later[((NEIGHBOURHOOD - k) * CHANNELS + channel) * TOTAL + at];
      }
    }
  }
  return sum;
}

fn tile_backward(tile: u32, kept: u32, part: u32, is_added: bool, index: u32) {
  let first = tile * CELLS;
  let outputs = update_rows(UPDATE_LAYERS - 1u);
  for (var i = index; i < CHANNELS * CELLS; i += THREADS) {
    let cell = first + i % CELLS;
    var d = gradient_after(i / CELLS, cell);
    #if ASYNC
    // An inactive cell keeps its value, so the gradient of its next state belongs to its present state.
    if (cell < TOTAL) {
      let is_awake = awake[params.step * TOTAL + cell];
      own[i / CELLS * TOTAL + cell] = (1.0 - is_awake) * d;
      d *= is_awake;
    }
    #end
    pool[place(outputs, i / CELLS, i % CELLS)] = d;
  }
  barrier();
  for (var i = 0u; i < UPDATE_LAYERS; i++) {
    let layer = UPDATE_LAYERS - 1u - i;
    // Before the first layer come the inputs of the circuit.
    let dx = update_rows(select(layer - 1u, UPDATE_LAYERS, layer == 0u));
    layer_backward(PERCEPTION_LAYERS + layer, CELLS, update_rows(layer), dx, kept, part, is_added, index);
    barrier();
  }
  for (var i = index; i < CHANNELS * CELLS; i += THREADS) {
    let cell = first + i % CELLS;
    if (cell < TOTAL) {
      #if ASYNC
      own[i / CELLS * TOTAL + cell] += pool[i];
      #else
      own[i / CELLS * TOTAL + cell] = pool[i];
      #end
    }
  }
  let seen = seen_rows();
  for (var group = 0u; group < GROUPS; group++) {
    let kept_group = kept + UPDATE_ROWS * CELLS + group * PERCEPTION_ROWS * LANES;
    for (var i = 0u; i < PERCEPTION_LAYERS; i++) {
      let layer = PERCEPTION_LAYERS - 1u - i;
      var dx = seen;
      if (layer > 0u) {
        dx = perception_rows(layer - 1u, group);
      }
      let added = is_added || group > 0u;
      layer_backward(layer, LANES, perception_rows(layer, group), dx, kept_group, part, added, index);
      barrier();
    }
    for (var i = index; i < NEIGHBOURHOOD * LANES; i += THREADS) {
      let lane = i % LANES;
      let cell = first + lane % CELLS;
      if (cell < TOTAL) {
        let channel = group * GROUP + lane / CELLS;
        own[((1u + i / LANES) * CHANNELS + channel) * TOTAL + cell] = pool[place(seen, i / LANES, lane)];
      }
    }
    barrier();
  }
}
#end

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) index: u32) {
  #if BACKWARD
  let kept = workgroup.x * (UPDATE_ROWS * CELLS + GROUPS * PERCEPTION_ROWS * LANES);
  for (var i = 0u; i < TILES; i++) {
    let tile = workgroup.x * TILES + i;
    tile_forward(tile, kept, index);
    tile_backward(tile, kept, workgroup.x, params.is_inner == 1u || i > 0u, index);
  }
  #else
  let first = workgroup.x * CELLS;
  tile_forward(workgroup.x, 0u, index);
  let outputs = update_rows(UPDATE_LAYERS - 1u);
  for (var i = index; i < CHANNELS * CELLS; i += THREADS) {
    let cell = first + i % CELLS;
    if (cell < TOTAL) {
      var value = pool[place(outputs, i / CELLS, i % CELLS)];
      #if ASYNC
      if (awake[params.step * TOTAL + cell] == 0.0) {
        value = value_before(i / CELLS, cell);
      }
      #end
      states[((params.step + 1u) * CHANNELS + i / CELLS) * TOTAL + cell] = value;
    }
  }
  #end
}
