// The layout of a pruned circuit. On the left are the neighbourhoods it reads, a small grid for each channel. Gates
// stand by level from left to right, each near what it reads (barycentre heuristic, Sugiyama et al., 1981). The outputs
// are on the right.

import type { LogicCircuit } from "../../generated/protocol";

/** Cells of a 3×3 neighbourhood. */
const SEEN = 9;
const MARGIN = 10;

export interface CircuitLayout {
  /** The position of each node: inputs first, then gates. */
  x: Float32Array;
  y: Float32Array;
  /** The level of each node, 0 for inputs. */
  level: Uint16Array;
  depth: number;
  /** Side of a cell of the small grids, and of a gate. */
  cell: number;
  gate: number;
  /** A small grid for each channel that is read: its upper left corner, and the node of each cell that is read. */
  blocks: { x: number; y: number; nodes: (number | undefined)[] }[];
  /** Position and size of the outputs. */
  ends: { x: number; y: number }[];
  end: number;
}

export function circuitLayout(circuit: LogicCircuit, width: number, height: number): CircuitLayout {
  const { inputs, levels, reads, outputs } = circuit;
  const first = inputs.length;
  const [x, y] = [new Float32Array(first + levels.length), new Float32Array(first + levels.length)];
  const level = Uint16Array.from({ length: first + levels.length }, (_, node) => levels[node - first] ?? 0);
  const depth = levels.reduce((a, b) => Math.max(a, b), 0);

  const channels = [...new Set(inputs.map((pin) => pin.channel))].sort((a, b) => a - b);
  const stack = stacked(channels.length, width, height);
  const blocks = channels.map((_, i) => {
    const [column, row] = [Math.floor(i / stack.rows), i % stack.rows];
    const used = Math.min(stack.rows, channels.length - column * stack.rows);
    const top = (height - used * stack.pitch + stack.gap) / 2;
    const nodes = new Array<number | undefined>(SEEN);
    return { x: MARGIN + column * stack.pitch, y: top + row * stack.pitch, nodes };
  });
  inputs.forEach(({ channel, neighbour }, node) => {
    const block = blocks[channels.indexOf(channel)] as CircuitLayout["blocks"][0];
    block.nodes[neighbour] = node;
    x[node] = block.x + ((neighbour % 3) + 0.5) * stack.cell;
    y[node] = block.y + (Math.floor(neighbour / 3) + 0.5) * stack.cell;
  });

  const right = columns(outputs.length, width, height);
  const ends = outputs.map((_, i) => {
    const [column, row] = [Math.floor(i / right.rows), i % right.rows];
    const used = Math.min(right.rows, outputs.length - column * right.rows);
    const top = (height - used * right.pitch) / 2;
    return { x: width - MARGIN - (right.columns - column - 0.5) * right.pitch, y: top + (row + 0.5) * right.pitch };
  });

  const from = MARGIN + stack.columns * stack.pitch + 8;
  const to = width - MARGIN - right.columns * right.pitch - 14;
  const wanted = new Map<number, number[]>();
  outputs.forEach(({ node }, i) => {
    if (node !== null) wanted.set(node, [...(wanted.get(node) ?? []), (ends[i] as { y: number }).y]);
  });
  const gate = place({ x, y, level, depth, first, reads, wanted }, from, to, height);
  return { x, y, level, depth, cell: stack.cell, gate, blocks, ends, end: right.side };
}

/** The largest cells with which all small grids fit in. */
function stacked(count: number, width: number, height: number) {
  const room = height - 2 * MARGIN;
  const many = Math.max(1, count);
  for (let cell = 18; cell > 2; cell--) {
    const gap = Math.max(3, cell * 0.6);
    const pitch = 3 * cell + gap;
    const rows = Math.max(1, Math.floor((room + gap) / pitch));
    const wide = Math.ceil(many / rows);
    // One column if its cells are large enough, more only for many channels.
    if (wide === 1 || (cell <= 6 && wide * pitch < width * 0.2)) return { cell, gap, pitch, rows, columns: wide };
  }
  const pitch = 8;
  const rows = Math.floor(room / pitch);
  return { cell: 2, gap: 2, pitch, rows, columns: Math.ceil(many / rows) };
}

function columns(count: number, width: number, height: number) {
  const room = height - 2 * MARGIN;
  for (let pitch = 26; pitch > 5; pitch--) {
    const rows = Math.max(1, Math.floor(room / pitch));
    const wide = Math.max(1, Math.ceil(count / rows));
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
  reads: [number, number][];
  /** The y positions of the outputs of a node. */
  wanted: Map<number, number[]>;
}

/**
 * Orders the gates of each level by the mean of what they read, then also of what reads them. Returns the side of a
 * gate.
 */
function place({ x, y, level, depth, first, reads, wanted }: Parts, from: number, to: number, height: number): number {
  const byLevel: number[][] = Array.from({ length: depth + 1 }, () => []);
  const readers: number[][] = Array.from({ length: y.length }, () => []);
  reads.forEach(([a, b], g) => {
    byLevel[level[first + g] as number]?.push(first + g);
    readers[a]?.push(first + g);
    readers[b]?.push(first + g);
  });
  const fullest = Math.max(1, ...byLevel.map((each) => each.length));
  const gap = Math.min(40, (height - 2 * MARGIN) / fullest);
  const step = (to - from) / Math.max(1, depth);

  const settle = (aim: (node: number) => number) => (nodes: number[]) => {
    const aims = new Map(nodes.map((node) => [node, aim(node)]));
    nodes.sort((a, b) => (aims.get(a) as number) - (aims.get(b) as number) || a - b);
    spread(nodes, aims, y, gap, height);
  };
  const sources = (node: number) => {
    const [a, b] = reads[node - first] as [number, number];
    return ((y[a] as number) + (y[b] as number)) / 2;
  };
  const targets = (node: number) => {
    const all = [...(readers[node] ?? []).map((reader) => y[reader] as number), ...(wanted.get(node) ?? [])];
    return all.length > 0 ? all.reduce((a, b) => a + b, 0) / all.length : sources(node);
  };
  byLevel.slice(1).forEach(settle(sources));
  byLevel
    .slice(1)
    .reverse()
    .forEach(settle((node) => 0.5 * (sources(node) + targets(node))));
  byLevel.slice(1).forEach(settle((node) => 0.6 * sources(node) + 0.4 * targets(node)));
  for (let node = first; node < y.length; node++) x[node] = from + ((level[node] as number) - 0.5) * step;
  return Math.max(2.5, Math.min(24, 0.62 * gap, 0.5 * step));
}

/** Places the nodes of one level as near to their wanted positions as their distances allow. */
function spread(order: number[], aims: Map<number, number>, y: Float32Array, gap: number, height: number): void {
  let least = MARGIN + gap / 2;
  for (const node of order) {
    const at = Math.max(least, aims.get(node) as number);
    y[node] = at;
    least = at + gap;
  }
  let most = height - MARGIN - gap / 2;
  for (const node of [...order].reverse()) {
    if ((y[node] as number) <= most) break;
    y[node] = most;
    most -= gap;
  }
}
