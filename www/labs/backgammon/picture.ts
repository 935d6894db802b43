// The backgammon lab in small: a board with low points, the dice, and checkers that move from turn to
// turn.

import { between, ease } from "../../core/motion";
import type { BackgammonView } from "../../generated/protocol";
import type { Picture, Surface } from "../../ui/small-picture/picture";
import { frameAt } from "../../ui/small-picture/recording";

export { default as recording } from "./recording.json";

// Lengths are fractions of the board's width, which has an edge, twelve points with the bar among them, and a tray.
const POINT_WIDTH = 1 / 14.65;
const EDGE_WIDTH = 0.4 * POINT_WIDTH;
const BAR_WIDTH = POINT_WIDTH;
const TRAY_WIDTH = 1.25 * POINT_WIDTH;
/** The breadth of the upper and the lower edge. */
const RIM_HEIGHT = 0.022;
const CHECKER_RADIUS = 0.43 * POINT_WIDTH;
/** The pips of each number, a bit for each of the nine places on a die in reading order. */
const PIPS = [0, 0b000010000, 0b100000001, 0b100010001, 0b101000101, 0b101010101, 0b101101101];
/** Offset of the board in a frame, after the dice and the side. */
const BOARD_OFFSET = 3;
const CHECKERS_PER_SIDE = 15;
/** The places of a side, in its own numbering: 25 is its bar, 24 to 1 are the points, 0 holds what it has borne off. */
const [OFF, OWN_BAR] = [0, 25];
/** The share of the time between two frames in which the dice lie before checkers move. */
const DICE_REST_FRACTION = 0.45;

export const picture: Picture<BackgammonView> = {
  /** The dice, the side that rolled them, and the checkers on 26 places as 8-bit integers (see position.ts). */
  encode({ stage }) {
    return Uint8Array.from([...stage.dice, stage.side, ...stage.board]);
  },
  transitionSeconds: 0.7,
  words: "a game of backgammon that the agent plays against itself",
  paint(surface, clip, position) {
    const [from, to] = [frameAt(clip, position), frameAt(clip, position + 1)];
    const moved = ease(Math.max(0, ((position % 1) - DICE_REST_FRACTION) / (1 - DICE_REST_FRACTION)));
    drawBoard(surface);
    drawDice(surface, from);
    for (const side of [0, 1]) drawCheckers(surface, side, countsOf(from, side), countsOf(to, side), moved);
  },
};

/** The number of checkers of a side on each of its places. */
function countsOf(frame: Uint8Array, side: number): number[] {
  const board = new Int8Array(frame.buffer, frame.byteOffset + BOARD_OFFSET, OWN_BAR + 1);
  // Entries are in south's numbering, south's checkers (side 0) positive and north's negative.
  const counts = Array.from({ length: OWN_BAR + 1 }, (_, place) =>
    Math.max(0, side === 0 ? (board[place] as number) : -(board[OWN_BAR - place] as number)),
  );
  // North's bar is south's place 0, so no side has an entry for what it has borne off.
  counts[OFF] = 0;
  counts[OFF] = CHECKERS_PER_SIDE - counts.reduce((sum, count) => sum + count, 0);
  return counts;
}

/** The left edge of a column of points: 0 to 11 from left to right. */
const columnX = (column: number) => EDGE_WIDTH + column * POINT_WIDTH + (column > 5 ? BAR_WIDTH : 0);

function drawBoard({ context, width, height, palette }: Surface): void {
  context.fillStyle = palette.earth;
  context.fillRect(0, 0, width, height);
  context.fillStyle = palette.well;
  const rim = RIM_HEIGHT * width;
  const { globalAlpha } = context;
  for (const column of [0, 6])
    context.fillRect(columnX(column) * width, rim, 6 * POINT_WIDTH * width, height - 2 * rim);
  for (let column = 0; column < 12; column++) {
    for (const upper of [true, false]) {
      const odd = (column % 2 === 0) === upper;
      context.globalAlpha = (odd ? 0.14 : 0.3) * globalAlpha;
      context.fillStyle = odd ? palette.ink : palette.learn;
      const [left, base] = [columnX(column) * width, upper ? rim : height - rim];
      context.beginPath();
      context.moveTo(left + 1, base);
      context.lineTo(left + (POINT_WIDTH * width) / 2, upper ? 0.43 * height : 0.57 * height);
      context.lineTo(left + POINT_WIDTH * width - 1, base);
      context.fill();
    }
  }
  context.globalAlpha = globalAlpha;
}

/** The centre of a checker, where the stack on its place has `count` of them. */
function place(side: number, at: number, index: number, count: number, { width, height }: Surface): [number, number] {
  const radius = CHECKER_RADIUS * width;
  const south = side === 0;
  if (at === OWN_BAR) {
    const x = (columnX(6) - BAR_WIDTH / 2) * width;
    return [x, height / 2 + (south ? -1 : 1) * (1.4 + 1.1 * index) * radius];
  }
  const rim = RIM_HEIGHT * width + radius + 1;
  if (at === OFF) {
    const x = (1 - TRAY_WIDTH / 2) * width;
    const y = rim + 0.25 * index * radius;
    return [x, south ? height - y : y];
  }
  const point = south ? at : OWN_BAR - at;
  const column = point > 12 ? point - 13 : 12 - point;
  const room = 0.42 * height - rim;
  const y = rim + index * Math.min(1.9 * radius, room / Math.max(1, count - 1));
  return [(columnX(column) + POINT_WIDTH / 2) * width, point > 12 ? y : height - y];
}

/** Draws a side's checkers; those that differ between two positions are on their way. */
function drawCheckers(surface: Surface, side: number, from: number[], to: number[], moved: number): void {
  const { context, width } = surface;
  const radius = CHECKER_RADIUS * width;
  /** Draws a checker on its way from one place, and index in the stack there, to another. */
  const disc = (start: number, index: number, end: number, endIndex: number) => {
    const [fromX, fromY] = place(side, start, index, from[start] as number, surface);
    const [toX, toY] = place(side, end, endIndex, to[end] as number, surface);
    const [x, y] = [between(fromX, toX, moved), between(fromY, toY, moved)];
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fillStyle = side === 0 ? "#fdfdfb" : "#2c3437";
    context.fill();
    context.lineWidth = 1.25;
    context.strokeStyle = side === 0 ? "#8f9a95" : "#8c9893";
    context.stroke();
  };
  /** Places that checkers leave and reach, with their indices there. */
  const [starts, ends]: [[at: number, index: number][], [at: number, index: number][]] = [[], []];
  for (let at = OWN_BAR; at >= 0; at--) {
    const [before, after] = [from[at] as number, to[at] as number];
    const staying = Math.min(before, after);
    for (let index = 0; index < staying; index++) disc(at, index, at, index);
    for (let index = staying; index < before; index++) starts.push([at, index]);
    for (let index = staying; index < after; index++) ends.push([at, index]);
  }
  // The place farthest from home goes to the farthest one that is reached. Both lists have the same length.
  starts.forEach((start, i) => {
    const end = ends[i];
    if (end) disc(...start, ...end);
  });
}

function drawDice({ context, width, height }: Surface, [first = 0, second = 0, side = 0]: Uint8Array): void {
  const size = 0.055 * width;
  [first, second].forEach((number, i) => {
    if (number === 0) return;
    const x = (columnX(side === 0 ? 9 : 3) + (i - 0.5) * 1.3 * POINT_WIDTH) * width;
    const y = height / 2;
    context.beginPath();
    context.roundRect(x - size / 2, y - size / 2, size, size, 0.2 * size);
    context.fillStyle = side === 0 ? "#fdfdfb" : "#2c3437";
    context.fill();
    context.lineWidth = 1;
    context.strokeStyle = side === 0 ? "#8f9a95" : "#8c9893";
    context.stroke();
    context.fillStyle = side === 0 ? "#2c3437" : "#f2f5f3";
    for (let pip = 0; pip < 9; pip++) {
      if ((((PIPS[number] as number) >> pip) & 1) === 0) continue;
      const [pipX, pipY] = [(pip % 3) - 1, Math.floor(pip / 3) - 1];
      context.beginPath();
      context.arc(x + (pipX * size) / 3.8, y + (pipY * size) / 3.8, 0.095 * size, 0, 2 * Math.PI);
      context.fill();
    }
  });
}
