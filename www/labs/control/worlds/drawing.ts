// Parts shared by the large drawings of the worlds: the SVG element, and arrows for forces and torques.
//
// Coordinates are SVG units, with x to the right and y downwards, in a box of WIDTH by HEIGHT. Pushes (forces and
// torques) are in units of the agent's maximum. Positive means right or counterclockwise.

import { svg } from "../../../core/dom";
import { inDegrees, type Point } from "./world-kind";

export const WIDTH = 800;
export const HEIGHT = 330;

/** Weaker forces and torques have no arrow. */
const [MIN_FORCE, MIN_TORQUE] = [0.06, 0.12];
/** Length of a straight arrow for a force of 1. */
const UNIT_LENGTH = 50;
/** Length of the arc between the rod and the start of a curved arrow, so that they do not touch. */
const ARC_GAP = 10;
/** An arrowhead that points right, with the middle of its base at the origin. */
const ARROWHEAD_PATH = "M0-7L12 0L0 7Z";

/** Who pushes, which decides the colour of an arrow. */
export type Pusher = "agent" | "visitor";

/** The SVG element of a large drawing. */
export function stageSvg(...parts: SVGElement[]): SVGSVGElement {
  // "slice" fills the box and crops what does not fit, so that the centre stays visible.
  const viewport = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "xMidYMid slice" };
  return svg("svg", { ...viewport, class: "stage-svg", "aria-hidden": "true" }, ...parts);
}

/** The buffer at the end of a track that lies at height `ground`. */
export function trackEnd(x: number, ground: number): SVGLineElement {
  const [above, below] = [28, 6];
  return svg("line", { x1: x, x2: x, y1: ground - above, y2: ground + below, class: "rail-end" });
}

/** SVG transforms. Angles are in degrees, clockwise on the screen. */
export const rotate = (degrees: number) => `rotate(${degrees.toFixed(2)})`;
export const translate = (x: number, y: number) => `translate(${x.toFixed(2)} ${y.toFixed(2)})`;

/** A straight arrow for a force. */
export class ForceArrow {
  #line = svg("line", { x1: 0, x2: 1 });
  #head = svg("path", { d: ARROWHEAD_PATH });
  readonly element: SVGGElement;

  constructor(pusher: Pusher) {
    this.element = svg("g", { class: `arrow ${pusher}` }, this.#line, this.#head);
  }

  /** Draws the arrow from a point `gap` beside (x, y), on the side towards which the force points. */
  draw(x: number, y: number, gap: number, force: number): void {
    // The arrow points right in its own coordinates; a negative force mirrors it.
    this.element.classList.toggle("shown", Math.abs(force) > MIN_FORCE);
    const direction = force < 0 ? -1 : 1;
    const length = Math.abs(force) * UNIT_LENGTH;
    this.element.setAttribute("transform", `${translate(x + direction * gap, y)} scale(${direction} 1)`);
    this.#line.setAttribute("x2", length.toFixed(1));
    this.#head.setAttribute("transform", translate(length, 0));
  }
}

/** A curved arrow for a torque on a rod. */
export class TorqueArrow {
  #arc = svg("path", { class: "arc" });
  #head = svg("path", { d: ARROWHEAD_PATH });
  readonly element: SVGGElement;

  constructor(
    pusher: Pusher,
    readonly radius: number,
    /** The angle of the arc for a torque of 1, in radians. */
    readonly unitAngle: number,
  ) {
    this.element = svg("g", { class: `arrow ${pusher}` }, this.#arc, this.#head);
  }

  /** Draws the arrow around a centre, starting at the rod. `rodAngle` is clockwise from the x axis, in radians. */
  draw({ x, y }: Point, rodAngle: number, torque: number): void {
    this.element.classList.toggle("shown", Math.abs(torque) > MIN_TORQUE);
    const r = this.radius;
    // Angles grow clockwise here, because y points down; a positive torque is counterclockwise.
    const start = rodAngle - (Math.sign(torque) * ARC_GAP) / r;
    const end = start - torque * this.unitAngle;
    const pointAt = (angle: number) =>
      `${(x + r * Math.cos(angle)).toFixed(1)} ${(y + r * Math.sin(angle)).toFixed(1)}`;
    // Flags of SVG's arc command: whether the arc is longer than half a circle, and whether it runs clockwise.
    const [largeArc, clockwise] = [Math.abs(end - start) > Math.PI ? 1 : 0, torque < 0 ? 1 : 0];
    this.#arc.setAttribute("d", `M${pointAt(start)}A${r} ${r} 0 ${largeArc} ${clockwise} ${pointAt(end)}`);
    const tangent = inDegrees(end) + (clockwise ? 90 : -90);
    this.#head.setAttribute("transform", `translate(${pointAt(end)}) ${rotate(tangent)}`);
  }
}
