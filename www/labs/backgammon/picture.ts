// The backgammon lab in small: a board with its points (triangles), the dice, and checkers that move from turn to turn.

import { between, ease } from "../../core/motion";
import type { BackgammonView } from "../../generated/protocol";
import type { Picture, Surface } from "../../ui/small-picture/picture";
import { frameAt } from "../../ui/small-picture/recording";

export { default as recording } from "./recording.json";

// Lengths are fractions of the board's width.
/** The width has an edge, twelve points with the bar among them, and a tray: 0.4 + 12 + 1 + 1.25 widths of a point. */
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
/** The columns of points in a half of the board. */
const POINTS_PER_HALF = 6;
/** The dice of a side lie in the middle of a half: around the left edge of this column of points. */
const DICE_COLUMNS = { south: 9, north: 3 };
/** Opacity of the points, which alternate, and where the tips of the two rows lie, as fractions of the height. */
const POINT_OPACITY = { ink: 0.14, learn: 0.3 };
const TIP_Y = { upper: 0.43, lower: 0.57 };
/** The highest part of a stack on a point, as a fraction of the height. Higher stacks are pushed together. */
const STACK_END_Y = 0.42;
/** Distances of checkers in radii: on a point, on the bar (the first from the middle, and to the next), in a tray. */
const POINT_SPACING = 1.9;
const [BAR_START, BAR_SPACING] = [1.4, 1.1];
const TRAY_SPACING = 0.25;
/** The colours of the checkers and the dice of the light side (south) and the dark one. */
const LIGHT = { fill: "#fdfdfb", edge: "#8f9a95", pip: "#2c3437" };
const DARK = { fill: "#2c3437", edge: "#8c9893", pip: "#f2f5f3" };
const coloursOf = (side: number) => (side === 0 ? LIGHT : DARK);
/** The size of a die, a fraction of the width; its corners and pips and the distance of pips, fractions of the die. */
const DIE_SIZE = 0.055;
const DIE_CORNER = 0.2;
const PIP_RADIUS = 0.095;
const PIP_SPACING = 1 / 3.8;
/** The distance of the dice in widths of a point. */
const DICE_SPACING = 1.3;
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
const columnX = (column: number) => EDGE_WIDTH + column * POINT_WIDTH + (column >= POINTS_PER_HALF ? BAR_WIDTH : 0);

function drawBoard({ context, width, height, palette }: Surface): void {
  context.fillStyle = palette.earth;
  context.fillRect(0, 0, width, height);
  context.fillStyle = palette.well;
  const rim = RIM_HEIGHT * width;
  const { globalAlpha } = context;
  for (const column of [0, POINTS_PER_HALF])
    context.fillRect(columnX(column) * width, rim, POINTS_PER_HALF * POINT_WIDTH * width, height - 2 * rim);
  for (let column = 0; column < 2 * POINTS_PER_HALF; column++) {
    for (const upper of [true, false]) {
      // The colours alternate along each row, and opposite points differ.
      const hasInk = (column % 2 === 0) === upper;
      context.globalAlpha = (hasInk ? POINT_OPACITY.ink : POINT_OPACITY.learn) * globalAlpha;
      context.fillStyle = hasInk ? palette.ink : palette.learn;
      const [left, base] = [columnX(column) * width, upper ? rim : height - rim];
      context.beginPath();
      context.moveTo(left + 1, base);
      context.lineTo(left + (POINT_WIDTH * width) / 2, (upper ? TIP_Y.upper : TIP_Y.lower) * height);
      context.lineTo(left + POINT_WIDTH * width - 1, base);
      context.fill();
    }
  }
  context.globalAlpha = globalAlpha;
}

/** The centre of checker `index` of a stack of `count` checkers on a place, in the numbering of its side. */
function centreOf(
  side: number,
  place: number,
  index: number,
  count: number,
  { width, height }: Surface,
): [number, number] {
  const radius = CHECKER_RADIUS * width;
  const isSouth = side === 0;
  if (place === OWN_BAR) {
    const x = (columnX(POINTS_PER_HALF) - BAR_WIDTH / 2) * width;
    // A side's checkers lie in the half across from its own edge, where they have to enter.
    return [x, height / 2 + (isSouth ? -1 : 1) * (BAR_START + BAR_SPACING * index) * radius];
  }
  const firstY = RIM_HEIGHT * width + radius + 1;
  if (place === OFF) {
    const x = (1 - TRAY_WIDTH / 2) * width;
    const y = firstY + TRAY_SPACING * index * radius;
    return [x, isSouth ? height - y : y];
  }
  // In south's numbering, points 13 to 24 are in the upper row from left to right, 12 to 1 in the lower one.
  const point = isSouth ? place : OWN_BAR - place;
  const isUpper = point > 12;
  const column = isUpper ? point - 13 : 12 - point;
  const room = STACK_END_Y * height - firstY;
  const y = firstY + index * Math.min(POINT_SPACING * radius, room / Math.max(1, count - 1));
  return [(columnX(column) + POINT_WIDTH / 2) * width, isUpper ? y : height - y];
}

/** Draws a side's checkers; those that differ between two positions are on their way. */
function drawCheckers(surface: Surface, side: number, from: number[], to: number[], moved: number): void {
  const { context, width } = surface;
  const radius = CHECKER_RADIUS * width;
  /** Draws a checker on its way from one place, and index in the stack there, to another. */
  const drawDisc = (start: number, startIndex: number, end: number, endIndex: number) => {
    const [fromX, fromY] = centreOf(side, start, startIndex, from[start] as number, surface);
    const [toX, toY] = centreOf(side, end, endIndex, to[end] as number, surface);
    const [x, y] = [between(fromX, toX, moved), between(fromY, toY, moved)];
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fillStyle = coloursOf(side).fill;
    context.fill();
    context.lineWidth = 1.25;
    context.strokeStyle = coloursOf(side).edge;
    context.stroke();
  };
  /** Places that checkers leave and reach, with their indices there. */
  const [starts, ends]: [[place: number, index: number][], [place: number, index: number][]] = [[], []];
  for (let place = OWN_BAR; place >= 0; place--) {
    const [before, after] = [from[place] as number, to[place] as number];
    const staying = Math.min(before, after);
    for (let index = 0; index < staying; index++) drawDisc(place, index, place, index);
    for (let index = staying; index < before; index++) starts.push([place, index]);
    for (let index = staying; index < after; index++) ends.push([place, index]);
  }
  // The place farthest from home goes to the farthest one that is reached. Both lists have the same length.
  starts.forEach((start, i) => {
    const end = ends[i];
    if (end) drawDisc(...start, ...end);
  });
}

function drawDice({ context, width, height }: Surface, [first = 0, second = 0, side = 0]: Uint8Array): void {
  const size = DIE_SIZE * width;
  const colours = coloursOf(side);
  [first, second].forEach((number, i) => {
    if (number === 0) return; // not rolled yet
    const column = side === 0 ? DICE_COLUMNS.south : DICE_COLUMNS.north;
    const x = (columnX(column) + (i - 0.5) * DICE_SPACING * POINT_WIDTH) * width;
    const y = height / 2;
    context.beginPath();
    context.roundRect(x - size / 2, y - size / 2, size, size, DIE_CORNER * size);
    context.fillStyle = colours.fill;
    context.fill();
    context.lineWidth = 1;
    context.strokeStyle = colours.edge;
    context.stroke();
    context.fillStyle = colours.pip;
    for (let pip = 0; pip < 9; pip++) {
      if ((((PIPS[number] as number) >> pip) & 1) === 0) continue;
      const [pipX, pipY] = [(pip % 3) - 1, Math.floor(pip / 3) - 1];
      context.beginPath();
      context.arc(x + pipX * PIP_SPACING * size, y + pipY * PIP_SPACING * size, PIP_RADIUS * size, 0, 2 * Math.PI);
      context.fill();
    }
  });
}
