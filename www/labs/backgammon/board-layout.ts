// Geometry of the backgammon board, in units of the SVG drawing. Board coordinates describe the board in landscape,
// with the origin at the upper left corner: `u` grows to the right, `v` downwards. Picture coordinates `x` and `y` are
// those of the SVG element and equal `u` and `v`, except on a narrow screen. There the board is rotated clockwise by a
// quarter turn, so that its long side uses the height of the screen and a point is wide enough for a thumb: south is on
// the left, and the trays for borne-off checkers are at the bottom.
//
// A place is a point, the bar or the tray, as numbered in position.ts.

import { BAR, mirrored, OFF, SOUTH, type Side } from "./position";

export interface BoardPoint {
  x: number;
  y: number;
}

const POINT_WIDTH = 50;
const POINT_LENGTH = 226;
/** Gap between two neighbouring points. */
const POINT_GAP = 3;
export const CHECKER_RADIUS = 22;
/** Width of the strips at the upper and the lower edge that hold the numbers of the points. */
const NUMBER_STRIP = 24;
/** Width of the frame on the left, on the right, and beside the trays. */
const FRAME_WIDTH = 14;
/** A half of the board has this many points at either edge, so there are twice as many columns of points. */
const POINTS_PER_HALF = 6;
const COLUMNS = 2 * POINTS_PER_HALF;
/** Length of one half of the board. */
const HALF_LENGTH = POINTS_PER_HALF * POINT_WIDTH;
const BAR_WIDTH = 54;
const TRAY_WIDTH = 56;
/** Space between the tips of opposite points. */
const MIDDLE_GAP = 76;

/** Distance between the centres of two checkers on a point. */
const CHECKER_SPACING = 45;
/** This many checkers lie on a point without overlapping; more are pushed closer together. */
const MAX_SPACED_CHECKERS = 5;
/** Distance between checkers in a tray, where they lie on edge. */
const TRAY_SPACING = 12.5;
/** Distance on the bar from the centre of the board to the first checker of a side. */
const BAR_START = 34;
/** Distance between two checkers on the bar. */
const BAR_SPACING = 40;
/** Distance on the bar from the first checker to the last, at most. More checkers are pushed closer together. */
const BAR_STACK_LENGTH = 170;
/** Distance between the centres of two dice. */
const DIE_SPACING = 54;
/** The outline of the place that has the focus lies this far inside, between the checkers of neighbouring points. */
const OUTLINE_INSET = 1;
/** A tray's middle is where its eighth of fifteen checkers lies. */
const MIDDLE_OF_TRAY = 7;
/** Gap between the edge of the field and the first checker of a tray, and of a point. */
const [TRAY_GAP, POINT_BASE_GAP] = [4, 1];

const LEFT_HALF = FRAME_WIDTH;
const BAR_LEFT = LEFT_HALF + HALF_LENGTH;
const BAR_CENTRE = BAR_LEFT + BAR_WIDTH / 2;
const RIGHT_HALF = BAR_LEFT + BAR_WIDTH;
const TRAY_LEFT = RIGHT_HALF + HALF_LENGTH + FRAME_WIDTH;
/** Size of the doubling cube, and width of the column for it on the left, which is there only in matches. */
export const CUBE_SIZE = 42;
const CUBE_COLUMN = CUBE_SIZE + 6;
/** Distance of a cube that a side owns from the upper or lower edge to its centre. */
const CUBE_FROM_EDGE = NUMBER_STRIP + CUBE_SIZE / 2;
/** Extent of the board along `u` and along `v`. */
const BOARD_LENGTH = TRAY_LEFT + TRAY_WIDTH + FRAME_WIDTH;
const BOARD_BREADTH = 2 * (NUMBER_STRIP + POINT_LENGTH) + MIDDLE_GAP;

/** A rectangle in board coordinates: its upper left corner and its extent along `u` and `v`. */
interface Area {
  u: number;
  v: number;
  length: number;
  breadth: number;
}

export class BoardLayout {
  constructor(
    readonly rotated: boolean,
    readonly cubeColumn = false,
  ) {}

  get viewBox(): string {
    const u = this.cubeColumn ? -CUBE_COLUMN : 0;
    const length = BOARD_LENGTH - u;
    return this.rotated ? `0 ${u} ${BOARD_BREADTH} ${length}` : `${u} 0 ${length} ${BOARD_BREADTH}`;
  }

  /** The centre of the doubling cube: on the side of its owner, or in the middle. */
  cube(owner: Side | null): BoardPoint {
    const fromEdge = owner === null ? BOARD_BREADTH / 2 : CUBE_FROM_EDGE;
    // In the middle of the column and the frame beside it.
    return this.toPicture((FRAME_WIDTH - CUBE_COLUMN) / 2, owner === SOUTH ? BOARD_BREADTH - fromEdge : fromEdge);
  }

  /** Converts board coordinates to picture coordinates. */
  toPicture(u: number, v: number): BoardPoint {
    return this.rotated ? { x: BOARD_BREADTH - v, y: u } : { x: u, y: v };
  }

  /** The attributes of an SVG rectangle that covers an area. */
  rect({ u, v, length, breadth }: Area): { x: number; y: number; width: number; height: number } {
    return this.rotated
      ? { x: BOARD_BREADTH - v - breadth, y: u, width: breadth, height: length }
      : { x: u, y: v, width: length, height: breadth };
  }

  /** The two halves of the playing field. */
  halves(): Area[] {
    const breadth = BOARD_BREADTH - 2 * NUMBER_STRIP;
    return [LEFT_HALF, RIGHT_HALF].map((u) => ({ u, v: NUMBER_STRIP, length: HALF_LENGTH, breadth }));
  }

  /** The tray for the borne-off checkers of a side. */
  tray(side: Side): Area {
    const v = side === SOUTH ? BOARD_BREADTH - NUMBER_STRIP - POINT_LENGTH : NUMBER_STRIP;
    return { u: TRAY_LEFT, v, length: TRAY_WIDTH, breadth: POINT_LENGTH };
  }

  /**
   * The area of a place in south's numbering: a point with its number, the bar, or the trays of both sides for the
   * checkers borne off.
   */
  place(place: number): Area {
    const whole = { v: OUTLINE_INSET, breadth: BOARD_BREADTH - 2 * OUTLINE_INSET };
    if (place === BAR) return { ...whole, u: BAR_LEFT + OUTLINE_INSET, length: BAR_WIDTH - 2 * OUTLINE_INSET };
    if (place === OFF) return { ...whole, u: TRAY_LEFT - OUTLINE_INSET, length: TRAY_WIDTH + 2 * OUTLINE_INSET };
    const breadth = NUMBER_STRIP + POINT_LENGTH;
    return {
      u: pointCentre(place) - POINT_WIDTH / 2 + OUTLINE_INSET,
      v: isUpper(place) ? OUTLINE_INSET : BOARD_BREADTH - breadth,
      length: POINT_WIDTH - 2 * OUTLINE_INSET,
      breadth: breadth - OUTLINE_INSET,
    };
  }

  /** The corners of a point's triangle: base, tip, base. The point is in south's numbering. */
  point(point: number): BoardPoint[] {
    const u = pointCentre(point);
    const [base, tip] = isUpper(point)
      ? [NUMBER_STRIP, NUMBER_STRIP + POINT_LENGTH]
      : [BOARD_BREADTH - NUMBER_STRIP, BOARD_BREADTH - NUMBER_STRIP - POINT_LENGTH];
    const half = (POINT_WIDTH - POINT_GAP) / 2;
    return [this.toPicture(u - half, base), this.toPicture(u, tip), this.toPicture(u + half, base)];
  }

  /** The centre of a point's number. */
  pointNumber(point: number): BoardPoint {
    const fromEdge = NUMBER_STRIP / 2 + 1; // looks centred between the rim and the points
    return this.toPicture(pointCentre(point), isUpper(point) ? fromEdge : BOARD_BREADTH - fromEdge);
  }

  /**
   * The centre of one checker of a stack. The stack has `count` checkers of a side and stands on `place`, in that
   * side's numbering; `index` 0 is the lowest checker.
   */
  checker(side: Side, place: number, index: number, count: number): BoardPoint {
    if (place === BAR) {
      // Each side's checkers lie in the half across from its own edge, where they have to enter.
      const fromCentre = BAR_START + index * Math.min(BAR_SPACING, BAR_STACK_LENGTH / Math.max(1, count - 1));
      return this.toPicture(BAR_CENTRE, BOARD_BREADTH / 2 + (side === SOUTH ? -fromCentre : fromCentre));
    }
    if (place === OFF) {
      const fromEdge = NUMBER_STRIP + CHECKER_RADIUS + TRAY_GAP + index * TRAY_SPACING;
      return this.toPicture(TRAY_LEFT + TRAY_WIDTH / 2, side === SOUTH ? BOARD_BREADTH - fromEdge : fromEdge);
    }
    const point = side === SOUTH ? place : mirrored(place);
    const spacing = Math.min(CHECKER_SPACING, ((MAX_SPACED_CHECKERS - 1) * CHECKER_SPACING) / Math.max(1, count - 1));
    const fromEdge = NUMBER_STRIP + CHECKER_RADIUS + POINT_BASE_GAP + index * spacing;
    return this.toPicture(pointCentre(point), isUpper(point) ? fromEdge : BOARD_BREADTH - fromEdge);
  }

  /** The middle of a side's tray, for marks and arrows that concern the tray as a whole. */
  trayCentre(side: Side): BoardPoint {
    return this.checker(side, OFF, MIDDLE_OF_TRAY, 1); // the count does not matter in a tray
  }

  /** The centre of die `i` of `count`, in the half on the right of the side that rolled. */
  die(side: Side, i: number, count: number): BoardPoint {
    const centre = (side === SOUTH ? RIGHT_HALF : LEFT_HALF) + HALF_LENGTH / 2;
    return this.toPicture(centre + (i - (count - 1) / 2) * DIE_SPACING, BOARD_BREADTH / 2);
  }

  centre(): BoardPoint {
    return this.toPicture(BAR_CENTRE, BOARD_BREADTH / 2);
  }

  /** The place at a position in the picture, in a side's own numbering, or null for none. */
  placeAt({ x, y }: BoardPoint, side: Side): number | null {
    const [u, v] = this.rotated ? [y, BOARD_BREADTH - x] : [x, y];
    if (v < 0 || v > BOARD_BREADTH || u < 0 || u > BOARD_LENGTH) return null;
    if (u >= TRAY_LEFT - FRAME_WIDTH / 2) return OFF;
    if (u >= BAR_LEFT && u < RIGHT_HALF) return BAR;
    const column =
      u < BAR_LEFT
        ? Math.floor((u - LEFT_HALF) / POINT_WIDTH)
        : POINTS_PER_HALF + Math.floor((u - RIGHT_HALF) / POINT_WIDTH);
    if (column < 0 || column >= COLUMNS) return null;
    // See `isUpper`.
    const point = v < BOARD_BREADTH / 2 ? COLUMNS + 1 + column : COLUMNS - column;
    return side === SOUTH ? point : mirrored(point);
  }
}

/**
 * The place that an arrow key leads to among two rows of places, the upper one and the lower one, each from left to
 * right in landscape. The key is a step in x (to the right) and y (downwards) in the picture. `from` is in `row`.
 */
export function neighbourIn(
  rows: readonly (readonly number[])[],
  from: number,
  [x, y]: readonly [number, number],
  rotated: boolean,
  row = rows.findIndex((places) => places.includes(from)),
): number {
  // The rotated board has its upper row on the right.
  const [along, across] = rotated ? [y, -x] : [x, y];
  const column = rows[row]?.indexOf(from) ?? 0;
  return rows[row + across]?.[column + along] ?? from;
}

/**
 * In south's numbering, points 13 to 24 are at the upper edge from left to right, 1 to 12 at the lower from right to
 * left.
 */
function isUpper(point: number): boolean {
  return point > COLUMNS;
}

/** The `u` coordinate of the centre of a point, in south's numbering. */
function pointCentre(point: number): number {
  const column = isUpper(point) ? point - (COLUMNS + 1) : COLUMNS - point;
  const left =
    column < POINTS_PER_HALF ? LEFT_HALF + column * POINT_WIDTH : RIGHT_HALF + (column - POINTS_PER_HALF) * POINT_WIDTH;
  return left + POINT_WIDTH / 2;
}
