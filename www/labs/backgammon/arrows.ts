// Draws plays as curved arrows on the board. A play is what a player does with one roll: up to four moves of a checker.
// An arrow with more weight is wider and less transparent. Coordinates are those of the picture (see board-layout.ts).

import { svg } from "../../core/dom";
import type { BoardLayout, BoardPoint } from "./board-layout";
import { copyPosition, applyMove, OFF, type Move, type Position, type Side } from "./position";

/** A play, or a part of one, that is drawn as arrows of one style. */
export interface MoveArrow {
  moves: Move[];
  /** From 0 to 1: a fraction of the search's visits, or a fixed strength. */
  weight: number;
  /** What is shown: a candidate play, the best play, or the play that was made. It is also the arrow's CSS class. */
  tone: "candidate" | "best" | "played";
}

/** Width of the line and opacity at weight 0, and what weight 1 adds to them. */
const [MIN_WIDTH, ADDED_WIDTH] = [3, 7];
const [MIN_OPACITY, ADDED_OPACITY] = [0.35, 0.6];
/**
 * How far the control point of an arrow's curve lies beside its middle: a fraction of the arrow's length, plus a
 * constant for each earlier move of the play so that arrows between the same places differ, up to a maximum.
 */
const [BEND_BY_LENGTH, BEND_BY_INDEX, MAX_BEND] = [0.22, 8, 70];
/** Length of an arrowhead: a constant plus a multiple of the line's width. */
const [HEAD_LENGTH, HEAD_BY_WIDTH] = [7, 1.1];
/** Half the width of an arrowhead, as a fraction of its length. */
const HEAD_HALF_WIDTH = 0.62;

export class Arrows {
  readonly element = svg("g", { class: "arrows" });
  /** What the drawn arrows show, as text; they are drawn again only if it changes. */
  #drawnKey = "";

  /** Draws arrows for plays of `side` that start from `position`. */
  draw(layout: BoardLayout, position: Position, side: Side, arrows: MoveArrow[]): void {
    const key = JSON.stringify([layout.rotated, position, side, arrows]);
    if (key === this.#drawnKey) return;
    this.#drawnKey = key;
    // The arrow with the greatest weight is drawn last, on top.
    const ascending = [...arrows].sort((a, b) => a.weight - b.weight);
    this.element.replaceChildren(...ascending.flatMap((arrow) => this.#playArrows(layout, position, side, arrow)));
  }

  /** The arrows of one play, from the topmost checker of each source to the top of each target. */
  #playArrows(layout: BoardLayout, start: Position, side: Side, { moves, weight, tone }: MoveArrow): SVGElement[] {
    const position = copyPosition(start);
    const topChecker = (place: number) => {
      const count = Math.max(1, position[side][place] as number);
      return layout.checker(side, place, count - 1, count);
    };
    return joinMoves(moves).map((move, i) => {
      const from = topChecker(move.from);
      applyMove(position, side, move);
      const to = move.to === OFF ? layout.trayCentre(side) : topChecker(move.to);
      const width = MIN_WIDTH + ADDED_WIDTH * weight;
      const arrow = svg("g", { class: `move-arrow ${tone}` }, ...arrowShape(from, to, width, i, layout.centre()));
      arrow.style.opacity = (MIN_OPACITY + ADDED_OPACITY * weight).toFixed(2);
      return arrow;
    });
  }
}

/** Joins consecutive moves of one checker into one, unless it hits on the way. */
function joinMoves(moves: Move[]): Move[] {
  const joined: Move[] = [];
  for (const move of moves) {
    const earlier = joined.findLast(({ to, hit }) => to === move.from && !hit);
    if (earlier) [earlier.to, earlier.hit] = [move.to, move.hit];
    else joined.push({ ...move });
  }
  return joined;
}

/**
 * The line and the head of an arrow from `a` to `b`. The line is a quadratic Bézier curve whose control point lies
 * beside the middle, on the side of the board's centre.
 */
function arrowShape(a: BoardPoint, b: BoardPoint, width: number, moveIndex: number, centre: BoardPoint): SVGElement[] {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  const normal = { x: -(b.y - a.y) / length, y: (b.x - a.x) / length };
  const inward = normal.x * (centre.x - middle.x) + normal.y * (centre.y - middle.y) >= 0 ? 1 : -1;
  const bend = inward * Math.min(MAX_BEND, BEND_BY_LENGTH * length + BEND_BY_INDEX * moveIndex);
  const control = { x: middle.x + normal.x * bend, y: middle.y + normal.y * bend };

  // The curve arrives at `b` in the direction from the control point, and the head points there.
  const arriving = Math.hypot(b.x - control.x, b.y - control.y) || 1;
  const direction = { x: (b.x - control.x) / arriving, y: (b.y - control.y) / arriving };
  const head = HEAD_LENGTH + HEAD_BY_WIDTH * width;
  const neck = { x: b.x - direction.x * head, y: b.y - direction.y * head };
  const wing = (sign: 1 | -1) => ({
    x: neck.x - sign * direction.y * head * HEAD_HALF_WIDTH,
    y: neck.y + sign * direction.x * head * HEAD_HALF_WIDTH,
  });
  const text = ({ x, y }: BoardPoint) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  return [
    svg("path", { d: `M${text(a)}Q${text(control)} ${text(neck)}`, "stroke-width": width.toFixed(1) }),
    svg("path", { d: `M${text(b)}L${text(wing(1))}L${text(wing(-1))}Z`, class: "move-arrow-head" }),
  ];
}
