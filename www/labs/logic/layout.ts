// Where the parts of a pruned circuit lie on a drawing: the neighbourhoods that are read on the left, a small grid for
// each channel; gates by level from left to right, each near what it reads; the next channels on the right.

import type { LogicCircuit } from "./types";

/** Cells of a neighbourhood. */
export const SEEN = 9;
const MARGIN = 10;

export interface Layout {
  /** Where each wire begins: inputs first, then gates. Inputs that nobody reads have no place. */
  x: Float32Array;
  y: Float32Array;
  /** The level of each wire, 0 for inputs. */
  level: Uint16Array;
  depth: number;
  /** Side of a cell of the small grids, and of a gate. */
  cell: number;
  gate: number;
  /** The channels that are read, and the upper left corner of each one's grid. */
  blocks: { channel: number; x: number; y: number }[];
  /** Where each channel's next value is shown. */
  outputs: { x: number; y: number; side: number }[];
}

export function layout(circuit: LogicCircuit, width: number, height: number): Layout {
  const { channels, kinds, wires, levels, outputs, inputs } = circuit;
  const first = SEEN * channels;
  const wireCount = first + kinds.length;
  const [x, y] = [new Float32Array(wireCount).fill(NaN), new Float32Array(wireCount).fill(NaN)];
  const level = new Uint16Array(wireCount);
  kinds.forEach((_, g) => (level[first + g] = levels[g] as number));
  const depth = levels.reduce((a, b) => Math.max(a, b), 0);

  const read = [...new Set(inputs.map((wire) => Math.floor(wire / SEEN)))].sort((a, b) => a - b);
  const stack = stacked(read.length, width, height);
  const blocks = read.map((channel, i) => {
    const [column, row] = [Math.floor(i / stack.rows), i % stack.rows];
    const used = Math.min(stack.rows, read.length - column * stack.rows);
    const top = (height - used * stack.pitch + stack.gap) / 2;
    return { channel, x: MARGIN + column * stack.pitch, y: top + row * stack.pitch };
  });
  for (const block of blocks) {
    for (let k = 0; k < SEEN; k++) {
      x[SEEN * block.channel + k] = block.x + ((k % 3) + 0.5) * stack.cell;
      y[SEEN * block.channel + k] = block.y + (Math.floor(k / 3) + 0.5) * stack.cell;
    }
  }

  const right = columns(channels, width, height);
  const ends = outputs.map((_, channel) => {
    const [column, row] = [Math.floor(channel / right.rows), channel % right.rows];
    const used = Math.min(right.rows, channels - column * right.rows);
    const top = (height - used * right.pitch) / 2;
    return {
      x: width - MARGIN - (right.columns - column) * right.pitch + right.pitch / 2,
      y: top + (row + 0.5) * right.pitch,
      side: right.side,
    };
  });

  const from = MARGIN + stack.columns * stack.pitch + 8;
  const to = width - MARGIN - right.columns * right.pitch - 14;
  const gate = place({ x, y, level, depth, first, wires, outputs, ends }, from, to, height);
  return { x, y, level, depth, cell: stack.cell, gate, blocks, outputs: ends };
}

/** How small grids are stacked so that all of them fit. */
function stacked(count: number, width: number, height: number) {
  const room = height - 2 * MARGIN;
  const many = Math.max(1, count);
  for (let cell = 18; cell > 2; cell--) {
    const gap = Math.max(3, cell * 0.6);
    const pitch = 3 * cell + gap;
    const rows = Math.max(1, Math.floor((room + gap) / pitch));
    const wide = Math.ceil(many / rows);
    // One column where that leaves cells one can see, more only where there are too many.
    if (wide === 1 || (cell <= 6 && wide * pitch < width * 0.2)) return { cell, gap, pitch, rows, columns: wide };
  }
  const pitch = 8;
  const rows = Math.floor(room / pitch);
  return { cell: 2, gap: 2, pitch, rows, columns: Math.ceil(many / rows) };
}

function columns(count: number, width: number, height: number) {
  const room = height - 2 * MARGIN;
  for (let pitch = 26; pitch > 5; pitch--) {
    const rows = Math.floor(room / pitch);
    const wide = Math.ceil(count / rows);
    if (wide * pitch < Math.max(30, width * 0.07)) return { pitch, rows, columns: wide, side: pitch * 0.62 };
  }
  const rows = Math.floor(room / 5);
  return { pitch: 5, rows, columns: Math.ceil(count / rows), side: 3.5 };
}

interface Parts {
  x: Float32Array;
  y: Float32Array;
  level: Uint16Array;
  depth: number;
  first: number;
  wires: [number, number][];
  outputs: number[];
  ends: { y: number }[];
}

/** Gates near the mean of what they read, then of who reads them, then again of what they read. Gives a gate's side. */
function place({ x, y, level, depth, first, wires, outputs, ends }: Parts, from: number, to: number, height: number) {
  const byLevel: number[][] = Array.from({ length: depth + 1 }, () => []);
  wires.forEach((_, g) => byLevel[level[first + g] as number]?.push(first + g));
  const fullest = Math.max(1, ...byLevel.map((each) => each.length));
  const gap = Math.min(24, (height - 2 * MARGIN) / fullest);
  const step = (to - from) / Math.max(1, depth);
  const readers: number[][] = Array.from({ length: y.length }, () => []);
  wires.forEach(([a, b], g) => {
    readers[a]?.push(first + g);
    readers[b]?.push(first + g);
  });
  const ended = new Map<number, number[]>();
  outputs.forEach((wire, channel) => ended.set(wire, [...(ended.get(wire) ?? []), (ends[channel] as { y: number }).y]));

  const settle = (wanted: (wire: number) => number) => (wiresOfLevel: number[]) => {
    const aims = new Map(wiresOfLevel.map((wire) => [wire, wanted(wire)]));
    wiresOfLevel.sort((a, b) => (aims.get(a) as number) - (aims.get(b) as number) || a - b);
    spread(wiresOfLevel, aims, y, gap, height);
  };
  const sources = (wire: number) => {
    const [a, b] = wires[wire - first] as [number, number];
    return ((y[a] as number) + (y[b] as number)) / 2;
  };
  const targets = (wire: number) => {
    const all = [...(readers[wire] ?? []).map((reader) => y[reader] as number), ...(ended.get(wire) ?? [])];
    return all.length > 0 ? all.reduce((a, b) => a + b, 0) / all.length : sources(wire);
  };
  byLevel.slice(1).forEach(settle(sources));
  byLevel.slice(1).reverse().forEach(settle((wire) => 0.5 * (sources(wire) + targets(wire))));
  byLevel.slice(1).forEach(settle((wire) => 0.6 * sources(wire) + 0.4 * targets(wire)));
  for (let wire = first; wire < y.length; wire++) x[wire] = from + ((level[wire] as number) - 0.5) * step;
  return Math.max(2.5, Math.min(16, 0.72 * gap, 0.5 * step));
}

/** Puts wires of one level as near to where they are wanted as their distances allow. */
function spread(order: number[], aims: Map<number, number>, y: Float32Array, gap: number, height: number): void {
  let least = MARGIN + gap / 2;
  for (const wire of order) {
    const at = Math.max(least, aims.get(wire) as number);
    y[wire] = at;
    least = at + gap;
  }
  let most = height - MARGIN - gap / 2;
  for (const wire of [...order].reverse()) {
    if ((y[wire] as number) <= most) break;
    y[wire] = most;
    most -= gap;
  }
}
