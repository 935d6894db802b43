// Draws plays as arrows on the board. The width of an arrow shows its weight.

import { svg } from "../../core/dom";
import type { BoardLayout, BoardPoint } from "./board-layout";
import { copyPosition, applyMove, OFF, type Move, type Position, type Side } from "./position";

export interface MoveArrow {
  moves: Move[];
  /** From 0 to 1: a fraction of the visits, or a fixed strength. */
  weight: number;
  /** What the arrow shows: a candidate play, the best play, or the play that was made. */
  tone: "candidate" | "best" | "played";
}

export class Arrows {
  readonly element = svg("g", { class: "arrows" });
  #key = "";

  draw(layout: BoardLayout, at: Position, side: Side, arrows: MoveArrow[]): void {
    const key = JSON.stringify([layout.turned, at, side, arrows]);
    if (key === this.#key) return;
    this.#key = key;
    // The strongest is drawn last, on top.
    const order = [...arrows].sort((a, b) => a.weight - b.weight);
    this.element.replaceChildren(...order.flatMap((arrow) => this.#arrow(layout, at, side, arrow)));
  }

  #arrow(layout: BoardLayout, start: Position, side: Side, { moves, weight, tone }: MoveArrow): SVGElement[] {
    const at = copyPosition(start);
    const arrows: SVGElement[] = [];
    joinSteps(moves).forEach((step, i) => {
      const from = at[side][step.from] as number;
      const source = layout.checker(side, step.from, Math.max(0, from - 1), Math.max(1, from));
      applyMove(at, side, step);
      const to = at[side][step.to] as number;
      const target =
        step.to === OFF
          ? layout.placeCentre(side, OFF)
          : layout.checker(side, step.to, Math.max(0, to - 1), Math.max(1, to));
      const arrow = svg("g", { class: `move-arrow ${tone}` }, ...arrowShape(source, target, 3 + 7 * weight, i, layout));
      arrow.style.opacity = (0.35 + 0.6 * weight).toFixed(2);
      arrows.push(arrow);
    });
    return arrows;
  }
}

/** Joins consecutive moves of one checker, unless it hits on the way. */
function joinSteps(moves: Move[]): Move[] {
  const ways: Move[] = [];
  for (const step of moves) {
    const before = ways.findLast(({ to, hit }) => to === step.from && !hit);
    if (before) [before.to, before.hit] = [step.to, step.hit];
    else ways.push({ ...step });
  }
  return ways;
}

/** A curved arrow that bends towards the centre of the board. */
function arrowShape(a: BoardPoint, b: BoardPoint, width: number, i: number, layout: BoardLayout): SVGElement[] {
  const centre = layout.centre();
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  const across = { x: -(b.y - a.y) / length, y: (b.x - a.x) / length };
  const inward = across.x * (centre.x - middle.x) + across.y * (centre.y - middle.y) >= 0 ? 1 : -1;
  const bend = inward * Math.min(70, 0.22 * length + 8 * i);
  const knee = { x: middle.x + across.x * bend, y: middle.y + across.y * bend };
  const head = 7 + width * 1.1;
  const [dx, dy] = [b.x - knee.x, b.y - knee.y];
  const last = Math.hypot(dx, dy) || 1;
  const [ex, ey] = [dx / last, dy / last];
  const neck = { x: b.x - ex * head, y: b.y - ey * head };
  const point = ({ x, y }: BoardPoint) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const wing = (side: number) => ({ x: neck.x - side * ey * head * 0.62, y: neck.y + side * ex * head * 0.62 });
  return [
    svg("path", { d: `M${point(a)}Q${point(knee)} ${point(neck)}`, "stroke-width": width.toFixed(1) }),
    svg("path", { d: `M${point(b)}L${point(wing(1))}L${point(wing(-1))}Z`, class: "move-arrow-head" }),
  ];
}
