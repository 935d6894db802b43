// Computes where the parts of a circuit are drawn, in CSS pixels from the upper left corner of its canvas. The circuit
// computes the next state of a cell from the channels of its 3×3 neighbourhood. On the left are the inputs, as a small
// 3×3 grid for each channel that is read. The gates follow from left to right in columns by logic depth (`levels`),
// each as near as possible to the nodes it reads and to those that read it (barycentre heuristic, Sugiyama et al.,
// 1981). The outputs are on the right.
//
// A node is an input or a gate; inputs are numbered first, then gates.

import type { LogicCircuit } from "../../generated/protocol";

/** Cells of a 3×3 neighbourhood. */
const NEIGHBOURHOOD_CELLS = 9;
/** Space at the edges, and on either side of the gates. */
const MARGIN = 10;
const GAP_BEFORE_GATES = 8;
const GAP_AFTER_GATES = 14;
/** Limits of a gate's side, and the share of the distances between gates that it takes up. */
const [MIN_GATE, MAX_GATE] = [2.5, 24];
const GATE_SHARE_OF_ROW = 0.62;
const GATE_SHARE_OF_COLUMN = 0.5;
/** The longest distance between two gates of a column. */
const MAX_ROW_HEIGHT = 40;
/** The sides of a cell of the input grids that are tried, from the largest down, and the gap between grids in cells. */
const [LARGEST_CELL, SMALLEST_CELL] = [18, 2];
const GRID_GAP_IN_CELLS = 0.6;
const MIN_GRID_GAP = 3;
/** Several columns of grids are accepted only with cells up to this size and in this share of the width. */
const MAX_CELL_IN_COLUMNS = 6;
const MAX_INPUT_SHARE = 0.2;
/** The distances of outputs that are tried, from the largest down. */
const [LARGEST_OUTPUT_PITCH, SMALLEST_OUTPUT_PITCH] = [26, 5];
/** The strip of the outputs may have this width, or this share of the whole width if that is more. */
const OUTPUT_STRIP_WIDTH = 30;
const MAX_OUTPUT_SHARE = 0.07;
/** The side of an output as a share of the distance of outputs, and the smallest side. */
const OUTPUT_SHARE_OF_PITCH = 0.62;
const SMALLEST_OUTPUT = 3.5;

export interface CircuitLayout {
  /** The centre of each node. */
  x: Float32Array;
  y: Float32Array;
  /** The logic depth of each node, 0 for inputs. */
  level: Uint16Array;
  depth: number;
  /** Side of a cell of the small grids. */
  cellSize: number;
  /** Side of a gate. */
  gateSize: number;
  /** The small grids: upper left corner, and the input node of each of the nine cells, if it is read. */
  inputGrids: { x: number; y: number; nodes: (number | undefined)[] }[];
  /** The centres of the outputs. */
  outputs: { x: number; y: number }[];
  outputSize: number;
}

export function circuitLayout(circuit: LogicCircuit, width: number, height: number): CircuitLayout {
  const { inputs, levels, reads } = circuit;
  const firstGate = inputs.length;
  const nodes = firstGate + levels.length;
  const [x, y] = [new Float32Array(nodes), new Float32Array(nodes)];
  const level = Uint16Array.from({ length: nodes }, (_, node) => levels[node - firstGate] ?? 0);
  const depth = levels.reduce((a, b) => Math.max(a, b), 0);

  // The inputs. `left` is the size of the small grids and their arrangement in columns; the last column may have fewer.
  const channels = [...new Set(inputs.map((pin) => pin.channel))].sort((a, b) => a - b);
  const left = fitInputGrids(channels.length, width, height);
  const inputGrids = channels.map((_, i) => {
    const [column, row] = [Math.floor(i / left.rows), i % left.rows];
    const rowsUsed = Math.min(left.rows, channels.length - column * left.rows);
    const top = (height - rowsUsed * left.pitch + left.gap) / 2;
    const cells = new Array<number | undefined>(NEIGHBOURHOOD_CELLS);
    return { x: MARGIN + column * left.pitch, y: top + row * left.pitch, nodes: cells };
  });
  inputs.forEach(({ channel, neighbour }, node) => {
    const grid = inputGrids[channels.indexOf(channel)] as CircuitLayout["inputGrids"][0];
    grid.nodes[neighbour] = node;
    x[node] = grid.x + ((neighbour % 3) + 0.5) * left.cell;
    y[node] = grid.y + (Math.floor(neighbour / 3) + 0.5) * left.cell;
  });

  // The outputs, in the same way.
  const right = fitOutputs(circuit.outputs.length, width, height);
  const outputs = circuit.outputs.map((_, i) => {
    const [column, row] = [Math.floor(i / right.rows), i % right.rows];
    const rowsUsed = Math.min(right.rows, circuit.outputs.length - column * right.rows);
    const top = (height - rowsUsed * right.pitch) / 2;
    return { x: width - MARGIN - (right.columns - column - 0.5) * right.pitch, y: top + (row + 0.5) * right.pitch };
  });

  // The gates take up the space between.
  const from = MARGIN + left.columns * left.pitch + GAP_BEFORE_GATES;
  const to = width - MARGIN - right.columns * right.pitch - GAP_AFTER_GATES;
  const outputsOf = new Map<number, number[]>();
  circuit.outputs.forEach(({ node }, i) => {
    if (node !== null) outputsOf.set(node, [...(outputsOf.get(node) ?? []), (outputs[i] as { y: number }).y]);
  });
  const gateSize = placeGates({ x, y, level, depth, firstGate, reads, outputsOf }, from, to, height);
  return { x, y, level, depth, cellSize: left.cell, gateSize, inputGrids, outputs, outputSize: right.size };
}

/** The largest cells with which all small grids fit. They fill columns from top to bottom, `pitch` apart. */
function fitInputGrids(count: number, width: number, height: number) {
  const room = height - 2 * MARGIN;
  const grids = Math.max(1, count);
  for (let cell = LARGEST_CELL; cell > SMALLEST_CELL; cell--) {
    const gap = Math.max(MIN_GRID_GAP, cell * GRID_GAP_IN_CELLS);
    const pitch = 3 * cell + gap;
    const rows = Math.max(1, Math.floor((room + gap) / pitch));
    const columns = Math.ceil(grids / rows);
    // One column is preferred.
    const areColumnsAccepted = cell <= MAX_CELL_IN_COLUMNS && columns * pitch < width * MAX_INPUT_SHARE;
    if (columns === 1 || areColumnsAccepted) return { cell, gap, pitch, rows, columns };
  }
  // The smallest cells are taken even if they do not fit.
  const [gap, pitch] = [2, 3 * SMALLEST_CELL + 2];
  const rows = Math.floor(room / pitch);
  return { cell: SMALLEST_CELL, gap, pitch, rows, columns: Math.ceil(grids / rows) };
}

/** The largest outputs that fit into a narrow strip. They fill columns from top to bottom, `pitch` apart. */
function fitOutputs(count: number, width: number, height: number) {
  const room = height - 2 * MARGIN;
  for (let pitch = LARGEST_OUTPUT_PITCH; pitch > SMALLEST_OUTPUT_PITCH; pitch--) {
    const rows = Math.max(1, Math.floor(room / pitch));
    const columns = Math.max(1, Math.ceil(count / rows));
    const stripWidth = Math.max(OUTPUT_STRIP_WIDTH, width * MAX_OUTPUT_SHARE);
    if (columns * pitch < stripWidth) return { pitch, rows, columns, size: pitch * OUTPUT_SHARE_OF_PITCH };
  }
  // The smallest distance is taken even if the outputs do not fit.
  const rows = Math.floor(room / SMALLEST_OUTPUT_PITCH);
  return { pitch: SMALLEST_OUTPUT_PITCH, rows, columns: Math.ceil(count / rows), size: SMALLEST_OUTPUT };
}

/** What the placement of gates needs. It fills in `x` and `y` of all gates. */
interface Graph {
  x: Float32Array;
  y: Float32Array;
  level: Uint16Array;
  depth: number;
  firstGate: number;
  reads: [number, number][];
  /** For each node whose value is an output: the y positions of those outputs. */
  outputsOf: Map<number, number[]>;
}

/**
 * Places the gates between the x positions `from` and `to`. Three passes order the gates of each level: forwards by the
 * mean position of what they read, backwards and forwards again by a mixture with what reads them. Returns the side of
 * a gate.
 */
function placeGates(graph: Graph, from: number, to: number, height: number): number {
  const { x, y, level, depth, firstGate, reads, outputsOf } = graph;
  const byLevel: number[][] = Array.from({ length: depth + 1 }, () => []);
  const readers: number[][] = Array.from({ length: y.length }, () => []);
  reads.forEach(([a, b], gate) => {
    const node = firstGate + gate;
    byLevel[level[node] as number]?.push(node);
    readers[a]?.push(node);
    readers[b]?.push(node);
  });
  const levels = byLevel.slice(1);
  const largestLevel = Math.max(1, ...byLevel.map((nodes) => nodes.length));
  const rowHeight = Math.min(MAX_ROW_HEIGHT, (height - 2 * MARGIN) / largestLevel);
  const columnWidth = (to - from) / Math.max(1, depth);

  /** Orders the nodes of a level by a desired y position, and places them. */
  const arrange = (desired: (node: number) => number) => (nodes: number[]) => {
    const positions = new Map(nodes.map((node) => [node, desired(node)]));
    nodes.sort((a, b) => (positions.get(a) as number) - (positions.get(b) as number) || a - b);
    spread(nodes, positions, y, rowHeight, height);
  };
  const meanOfSources = (node: number) => {
    const [a, b] = reads[node - firstGate] as [number, number];
    return ((y[a] as number) + (y[b] as number)) / 2;
  };
  const meanOfReaders = (node: number) => {
    const all = [...(readers[node] ?? []).map((reader) => y[reader] as number), ...(outputsOf.get(node) ?? [])];
    return all.length > 0 ? all.reduce((a, b) => a + b, 0) / all.length : meanOfSources(node);
  };
  // The weights of the last two passes were chosen by eye.
  levels.forEach(arrange(meanOfSources));
  [...levels].reverse().forEach(arrange((node) => 0.5 * meanOfSources(node) + 0.5 * meanOfReaders(node)));
  levels.forEach(arrange((node) => 0.6 * meanOfSources(node) + 0.4 * meanOfReaders(node)));
  for (let node = firstGate; node < y.length; node++) x[node] = from + ((level[node] as number) - 0.5) * columnWidth;
  const fitting = Math.min(MAX_GATE, GATE_SHARE_OF_ROW * rowHeight, GATE_SHARE_OF_COLUMN * columnWidth);
  return Math.max(MIN_GATE, fitting);
}

/**
 * Places the nodes of one level in the given order, at least `rowHeight` apart. Each goes to its desired position, or
 * farther down if the node above needs the room. Then nodes that are too low for the canvas are pushed up.
 */
function spread(
  nodes: number[],
  desired: Map<number, number>,
  y: Float32Array,
  rowHeight: number,
  height: number,
): void {
  let min = MARGIN + rowHeight / 2;
  for (const node of nodes) {
    const position = Math.max(min, desired.get(node) as number);
    y[node] = position;
    min = position + rowHeight;
  }
  let max = height - MARGIN - rowHeight / 2;
  for (const node of [...nodes].reverse()) {
    if ((y[node] as number) <= max) break;
    y[node] = max;
    max -= rowHeight;
  }
}
