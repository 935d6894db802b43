// Geometry of the board. Coordinates are those of a board lying down, `u` along and `v` across. On a narrow screen the
// board is rotated by a quarter turn, with south on the left and the homes at the bottom, so that the points are as
// wide as a thumb.

import { BAR, OFF, type Side } from "./position";

export interface BoardPoint {
  x: number;
  y: number;
}

export const PITCH = 50;
export const RADIUS = 22;
/** Length of a point, and width of the bands at the edges with the numbers. */
export const POINT = 226;
export const BAND = 24;
const EDGE = 14;
const HALF = 6 * PITCH;
const BAR_WIDTH = 54;
const TRAY = 56;
const MIDDLE = 76;
const STACK = 45;
/** So many checkers lie side by side on a point; more overlap. */
const FULL = 5;

const LEFT = EDGE;
const RIGHT = LEFT + HALF + BAR_WIDTH;
const TRAY_LEFT = RIGHT + HALF + EDGE;
const LENGTH = TRAY_LEFT + TRAY + EDGE;
const BREADTH = 2 * (BAND + POINT) + MIDDLE;

/** A rectangle of the board lying down. */
interface Area {
  u: number;
  v: number;
  along: number;
  down: number;
}

export class BoardLayout {
  constructor(readonly turned: boolean) {}

  get viewBox(): string {
    return this.turned ? `0 0 ${BREADTH} ${LENGTH}` : `0 0 ${LENGTH} ${BREADTH}`;
  }

  /** From board coordinates to the picture, which may be rotated. */
  toPicture(u: number, v: number): BoardPoint {
    return this.turned ? { x: BREADTH - v, y: u } : { x: u, y: v };
  }

  rect({ u, v, along, down }: Area): { x: number; y: number; width: number; height: number } {
    return this.turned
      ? { x: BREADTH - v - down, y: u, width: down, height: along }
      : { x: u, y: v, width: along, height: down };
  }

  /** The two halves of the playing field. */
  halves(): Area[] {
    return [LEFT, RIGHT].map((u) => ({ u, v: BAND, along: HALF, down: BREADTH - 2 * BAND }));
  }

  tray(side: Side): Area {
    return { u: TRAY_LEFT, v: side === 0 ? BREADTH - BAND - POINT : BAND, along: TRAY, down: POINT };
  }

  /** The corners of a point, in south's numbering. */
  point(place: number): BoardPoint[] {
    const [u, edge, direction] = [along(place), place > 12 ? BAND : BREADTH - BAND, place > 12 ? 1 : -1];
    const half = PITCH / 2 - 1.5;
    return [
      this.toPicture(u - half, edge),
      this.toPicture(u, edge + direction * POINT),
      this.toPicture(u + half, edge),
    ];
  }

  /** Where the number of a point is written. */
  number(place: number): BoardPoint {
    return this.toPicture(along(place), place > 12 ? BAND / 2 + 1 : BREADTH - BAND / 2 - 1);
  }

  /** The centre of the `slot`th of `count` checkers of a side on a place in its numbering. */
  checker(side: Side, place: number, slot: number, count: number): BoardPoint {
    const low = side === 0;
    if (place === BAR) {
      // Checkers on the bar lie on the side of the home they have to enter.
      const away = 34 + slot * Math.min(40, 170 / Math.max(1, count - 1));
      return this.toPicture(LEFT + HALF + BAR_WIDTH / 2, BREADTH / 2 + (low ? -away : away));
    }
    if (place === OFF) {
      const away = BAND + RADIUS + 4 + slot * 12.5;
      return this.toPicture(TRAY_LEFT + TRAY / 2, low ? BREADTH - away : away);
    }
    const point = low ? place : 25 - place;
    const step = Math.min(STACK, ((FULL - 1) * STACK) / Math.max(1, count - 1));
    const away = BAND + RADIUS + 1 + slot * step;
    return this.toPicture(along(point), point > 12 ? away : BREADTH - away);
  }

  /** The centre of a place, for marks that concern the place as a whole. */
  placeCentre(side: Side, place: number): BoardPoint {
    if (place === BAR) return this.checker(side, BAR, 0, 1);
    return this.checker(side, place, place === OFF ? 7 : 2, 1);
  }

  /** The centre of the `i`th of `count` dice of a side. */
  die(side: Side, i: number, count: number): BoardPoint {
    const centre = (side === 0 ? RIGHT : LEFT) + HALF / 2;
    return this.toPicture(centre + (i - (count - 1) / 2) * 54, BREADTH / 2);
  }

  centre(): BoardPoint {
    return this.toPicture(LEFT + HALF + BAR_WIDTH / 2, BREADTH / 2);
  }

  /** The place under a point of the picture, in a side's own numbering. */
  placeAt({ x, y }: BoardPoint, side: Side): number | null {
    const [u, v] = this.turned ? [y, BREADTH - x] : [x, y];
    if (v < 0 || v > BREADTH || u < 0 || u > LENGTH) return null;
    if (u >= TRAY_LEFT - EDGE / 2) return OFF;
    if (u >= LEFT + HALF && u < RIGHT) return BAR;
    const column = u < RIGHT ? Math.floor((u - LEFT) / PITCH) : 6 + Math.floor((u - RIGHT) / PITCH);
    if (column < 0 || column > 11) return null;
    const point = v < BREADTH / 2 ? 13 + column : 12 - column;
    return side === 0 ? point : 25 - point;
  }
}

/** The centre of a point along the board, in south's numbering. */
function along(place: number): number {
  const column = place > 12 ? place - 13 : 12 - place;
  return (column < 6 ? LEFT : RIGHT - HALF) + (column + 0.5) * PITCH;
}
