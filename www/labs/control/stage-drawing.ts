// The drawing of one cart-pole: track, cart, pole, and an arrow for each force on it.

import { svg } from "../../core/dom";
import type { Stage } from "../../generated/protocol";

export const WIDTH = 800;
export const METRE = 152;
const HEIGHT = 330;
const GROUND = 252;
const AXLE = GROUND - 29;
const TRACK = 2.4;
const POLE = 1.0;
/** An episode ends when the pole leans more than this. */
const LIMIT = (12 * Math.PI) / 180;
/** Length of an arrow for a newton. */
const ARROW = 5;
const HALF_CART = 44;

export class StageDrawing {
  readonly element: SVGSVGElement;
  #pole = svg("g", { class: "pole" }, svg("line", { x1: 0, y1: 0, x2: 0, y2: -POLE * METRE }), svg("circle", { r: 5 }));
  #cart: SVGGElement;
  #agent = arrow("agent");
  #visitor = arrow("visitor");
  #band = svg("line", { class: "band", y1: AXLE, y2: AXLE });
  #push = 0;
  #shown = { x: 0, angle: 0, steps: 0 };

  constructor() {
    this.#cart = svg(
      "g",
      { class: "cart" },
      leanMark(-1),
      leanMark(1),
      svg("circle", { cx: -24, cy: 20, r: 9, class: "wheel" }),
      svg("circle", { cx: 24, cy: 20, r: 9, class: "wheel" }),
      svg("rect", { x: -HALF_CART, y: -19, width: 2 * HALF_CART, height: 38, rx: 7 }),
      this.#pole,
    );
    this.element = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "stage-svg", "aria-hidden": "true" });
    this.element.append(...track(), this.#band, this.#cart, this.#agent, this.#visitor);
  }

  /** Where a point of the screen lies along the track, in the drawing's own measure. */
  along(clientX: number): number {
    const box = this.element.getBoundingClientRect();
    const scale = Math.min(box.width / WIDTH, box.height / HEIGHT);
    return WIDTH / 2 + (clientX - box.left - box.width / 2) / scale;
  }

  draw(stage: Stage, pointer: number | null, seconds: number): void {
    const { x, angle } = this.#glide(stage, seconds);
    const at = WIDTH / 2 + x * METRE;
    this.#cart.setAttribute("transform", `translate(${at.toFixed(2)} ${AXLE})`);
    this.#pole.setAttribute("transform", `rotate(${((angle * 180) / Math.PI).toFixed(2)})`);
    // The agent pushes one way or the other fifty times a second; what one can see is the mean of late.
    this.#push += ((stage.fallen ? 0 : stage.agentForce) - this.#push) * (1 - Math.exp(-seconds / 0.12));
    place(this.#agent, at, AXLE - 4, this.#push);
    place(this.#visitor, at, AXLE + 12, stage.visitorForce);
    this.#band.classList.toggle("shown", pointer !== null);
    if (pointer === null) return;
    this.#band.setAttribute("x1", at.toFixed(1));
    this.#band.setAttribute("x2", pointer.toFixed(1));
  }

  /** The world moves in steps of 20 ms, the screen in its own; a short glide hides the difference. */
  #glide(stage: Stage, seconds: number): { x: number; angle: number } {
    const [x, , angle] = stage.state;
    const begun = stage.steps < this.#shown.steps;
    const share = begun ? 1 : 1 - Math.exp(-seconds / 0.02);
    this.#shown = {
      x: this.#shown.x + (x - this.#shown.x) * share,
      angle: this.#shown.angle + (angle - this.#shown.angle) * share,
      steps: stage.steps,
    };
    return this.#shown;
  }
}

function arrow(whose: string): SVGGElement {
  return svg("g", { class: `arrow ${whose}` }, svg("line", { x1: 0, x2: 1 }), svg("path", { d: "M0-7L12 0L0 7Z" }));
}

function leanMark(side: number): SVGLineElement {
  const length = 1.16 * METRE;
  return svg("line", { class: "lean", x2: side * Math.sin(LIMIT) * length, y2: -Math.cos(LIMIT) * length });
}

function track(): SVGElement[] {
  const [from, to] = [WIDTH / 2 - TRACK * METRE, WIDTH / 2 + TRACK * METRE];
  const parts: SVGElement[] = [svg("line", { x1: from, x2: to, y1: GROUND, y2: GROUND, class: "rail" })];
  for (let metre = -2; metre <= 2; metre++) {
    const x = WIDTH / 2 + metre * METRE;
    parts.push(svg("line", { x1: x, x2: x, y1: GROUND, y2: GROUND + (metre === 0 ? 10 : 6), class: "rail-mark" }));
  }
  for (const x of [from, to]) {
    parts.push(svg("line", { x1: x, x2: x, y1: GROUND - 28, y2: GROUND + 6, class: "rail-end" }));
  }
  return parts;
}

/** Puts an arrow beside the cart: its length is the force, its side the direction. */
function place(arrow: SVGGElement, at: number, y: number, force: number): void {
  const length = Math.abs(force) * ARROW;
  const side = force < 0 ? -1 : 1;
  arrow.classList.toggle("shown", length > 3);
  arrow.setAttribute("transform", `translate(${(at + side * (HALF_CART + 6)).toFixed(1)} ${y}) scale(${side} 1)`);
  arrow.firstElementChild?.setAttribute("x2", length.toFixed(1));
  arrow.lastElementChild?.setAttribute("transform", `translate(${length.toFixed(1)} 0)`);
}
