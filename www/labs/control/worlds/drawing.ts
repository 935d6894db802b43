// Parts of the large drawings: the scene, and arrows for forces and torques.

import { svg } from "../../../core/dom";
import type { Point } from "./world-kind";

export const WIDTH = 800;
export const HEIGHT = 330;

/** Weaker forces and torques are not shown. */
const [FAINTEST, FAINTEST_TURN] = [0.06, 0.12];
/** Length of an arrow as strong as the agent's push. */
const LENGTH = 50;
/** Gap between a curved arrow and the rod. */
const CLEAR = 10;
const HEAD = "M0-7L12 0L0 7Z";

export type Whose = "agent" | "visitor";

export function scene(...parts: SVGElement[]): SVGSVGElement {
  // If the page gives it another aspect ratio, the centre stays visible.
  const shape = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "xMidYMid slice" };
  return svg("svg", { ...shape, class: "stage-svg", "aria-hidden": "true" }, ...parts);
}

/** The end of a track. */
export function stop(x: number, ground: number): SVGLineElement {
  return svg("line", { x1: x, x2: x, y1: ground - 28, y2: ground + 6, class: "rail-end" });
}

export const turn = (degrees: number) => `rotate(${degrees.toFixed(2)})`;
export const shift = (x: number, y: number) => `translate(${x.toFixed(2)} ${y.toFixed(2)})`;

/** A straight arrow. Its length is the force, its side the direction. */
export class Arrow {
  #line = svg("line", { x1: 0, x2: 1 });
  #head = svg("path", { d: HEAD });
  readonly element: SVGGElement;

  constructor(whose: Whose) {
    this.element = svg("g", { class: `arrow ${whose}` }, this.#line, this.#head);
  }

  /** Places it `gap` beside `x`. */
  place(x: number, y: number, gap: number, push: number): void {
    this.element.classList.toggle("shown", Math.abs(push) > FAINTEST);
    const side = push < 0 ? -1 : 1;
    const length = Math.abs(push) * LENGTH;
    this.element.setAttribute("transform", `${shift(x + side * gap, y)} scale(${side} 1)`);
    this.#line.setAttribute("x2", length.toFixed(1));
    this.#head.setAttribute("transform", shift(length, 0));
  }
}

/** A curved arrow. Its sweep is the torque, and it starts at the rod. */
export class TurnArrow {
  #arc = svg("path", { class: "arc" });
  #head = svg("path", { d: HEAD });
  readonly element: SVGGElement;

  constructor(
    whose: Whose,
    readonly radius: number,
    /** Radians for a torque as strong as the agent's. */
    readonly sweep: number,
  ) {
    this.element = svg("g", { class: `arrow ${whose}` }, this.#arc, this.#head);
  }

  /** Places it around a point, starting at the angle `from`; a positive torque is counterclockwise. */
  place({ x, y }: Point, from: number, torque: number): void {
    this.element.classList.toggle("shown", Math.abs(torque) > FAINTEST_TURN);
    const r = this.radius;
    const begin = from - (Math.sign(torque) * CLEAR) / r;
    const to = begin - torque * this.sweep;
    const point = (a: number) => `${(x + r * Math.cos(a)).toFixed(1)} ${(y + r * Math.sin(a)).toFixed(1)}`;
    const large = Math.abs(to - begin) > Math.PI ? 1 : 0;
    this.#arc.setAttribute("d", `M${point(begin)}A${r} ${r} 0 ${large} ${torque < 0 ? 1 : 0} ${point(to)}`);
    const ahead = (to * 180) / Math.PI + (torque < 0 ? 90 : -90);
    this.#head.setAttribute("transform", `translate(${point(to)}) ${turn(ahead)}`);
  }
}
