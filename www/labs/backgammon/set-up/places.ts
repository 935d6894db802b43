// Places of the board while a position is set up: what lies on them, how checkers are added and removed, and how the
// arrow keys lead from one to the next. A place is numbered as in an XGID: 1 to 24 are points in south's numbering, 25
// is the bar of south's checkers, 0 that of north's. Checkers that are not on a place have been borne off.

import { neighbourIn } from "../board-layout";
import {
  BAR,
  CHECKERS_PER_SIDE,
  copyPosition,
  mirrored,
  NORTH,
  OFF,
  opponent,
  pipCount,
  PLACE_COUNT,
  SIDES,
  SOUTH,
  type Position,
  type Side,
} from "../position";
import { playerName } from "../wording";

/** The bars of south's and of north's checkers, as places. */
export const [SOUTH_BAR, NORTH_BAR] = [25, 0];

/** The places as they lie on the board in landscape: the upper row and the lower one, from left to right. */
const ROWS = [
  [13, 14, 15, 16, 17, 18, SOUTH_BAR, 19, 20, 21, 22, 23, 24],
  [12, 11, 10, 9, 8, 7, NORTH_BAR, 6, 5, 4, 3, 2, 1],
];

/** A position without checkers on the board. */
export function emptyPosition(): Position {
  const counts = () => [CHECKERS_PER_SIDE, ...new Array<number>(PLACE_COUNT - 1).fill(0)];
  return [counts(), counts()];
}

export function barOf(side: Side): number {
  return side === SOUTH ? SOUTH_BAR : NORTH_BAR;
}

/** A place in the numbering of a side, in which 25 is its own bar. */
export function inNumbersOf(side: Side, place: number): number {
  return side === SOUTH ? place : mirrored(place);
}

/** The checkers on a place; null for none. */
export function contentOf(position: Position, place: number): { side: Side; count: number } | null {
  for (const side of SIDES) {
    // The bar of a side is 0 for the other one, where that has its tray.
    if (place === barOf(opponent(side))) continue;
    const count = position[side][inNumbersOf(side, place)] ?? 0;
    if (count > 0) return { side, count };
  }
  return null;
}

/**
 * The position with one more checker of a side on a place. The other side's checkers there are borne off; on either bar
 * the checker goes to its own one. Null if all checkers of the side are on the board.
 */
export function withChecker(position: Position, place: number, side: Side): Position | null {
  if (position[side][OFF] === 0) return null;
  const next = copyPosition(position);
  const isBar = place === SOUTH_BAR || place === NORTH_BAR;
  const target = isBar ? BAR : inNumbersOf(side, place);
  if (!isBar) {
    const other = next[opponent(side)];
    moveCheckers(other, mirrored(target), OFF, other[mirrored(target)] ?? 0);
  }
  moveCheckers(next[side], OFF, target, 1);
  return next;
}

/** The position with one checker less on a place, which is borne off; null if the place is empty. */
export function withoutChecker(position: Position, place: number): Position | null {
  const content = contentOf(position, place);
  if (!content) return null;
  const next = copyPosition(position);
  moveCheckers(next[content.side], inNumbersOf(content.side, place), OFF, 1);
  return next;
}

function moveCheckers(counts: number[], from: number, to: number, count: number): void {
  counts[from] = (counts[from] ?? 0) - count;
  counts[to] = (counts[to] ?? 0) + count;
}

/** The place that an arrow key leads to (see `neighbourIn`). */
export function neighbour(place: number, step: readonly [number, number], rotated: boolean): number {
  return neighbourIn(ROWS, place, step, rotated);
}

/** A place and what lies on it, for screen readers: "Point 6: 5 Light checkers". */
export function describePlace(position: Position, place: number): string {
  const bars = SIDES.map((side) => [barOf(side), `${checkerName(side)}'s bar`] as const);
  const name = new Map<number, string>(bars).get(place) ?? `Point ${place}`;
  const content = contentOf(position, place);
  return `${name}: ${content ? formatCheckers(content.count, `${checkerName(content.side)} `) : "empty"}`;
}

/** The checkers and the pip counts of both sides. */
export function describeCounts(position: Position): string {
  return SIDES.map((side) => {
    const count = CHECKERS_PER_SIDE - (position[side][OFF] ?? 0);
    return `${checkerName(side)}: ${formatCheckers(count)}, ${pipCount(position, side)} pips.`;
  }).join(" ");
}

/** Why no game can be played from a position, in a sentence; empty if one can. */
export function describeUnplayable(position: Position): string {
  const [light, dark] = SIDES.map((side) => position[side][OFF] === CHECKERS_PER_SIDE);
  if (light && dark) return "There are no checkers on the board.";
  if (!light && !dark) return "";
  return `${checkerName(light ? SOUTH : NORTH)} has no checkers on the board, so the game is over.`;
}

/** What the checkers of a side are called, whoever plays. */
export function checkerName(side: Side): string {
  return playerName("watch", side);
}

function formatCheckers(count: number, whose = ""): string {
  return `${count} ${whose}checker${count === 1 ? "" : "s"}`;
}
