// Draws the cube in perspective with SVG, from back to front (painter's algorithm). The cubelets of a turning layer lie
// on one side of a plane and the others on its other side, and within a layer they form a grid, so they can be sorted
// exactly without a depth buffer.

import { svg } from "../../core/dom";
import { inkOn, lit } from "./sticker-colours";
import { indexOf, type CubeState } from "./space";
import { apply, AXES, cross, dot, product, rotation, scaled, transposed, type Matrix, type Vec } from "./vectors";
import "./solid.css";

/** Distance of the camera. The cube reaches from -1 to 1. */
const CAMERA = 7.5;
/** Half the width of the drawing, and the size of a length of 1 at the centre, both in drawing units. */
const HALF = 200;
const SCALE = 108;
/** Rounding of the cubelets, distance of stickers from the edges, and rounding of stickers. */
const ROUND = 0.055;
const INSET = 0.085;
const CORNER = 0.13;
const LIGHT: Vec = [-0.18, 0.55, 0.81];

/** The usual view, from above and from the right. */
export const TILT: Matrix = product(rotation([1, 0, 0], 0.48), rotation([0, 1, 0], -0.66));

export interface Pose {
  /** The orientation of the cube. */
  held: Matrix;
  /** The turning layer, and its angle around the positive axis. */
  layer?: { axis: number; end: number; angle: number } | undefined;
}

/** A sticker's face as it was last drawn, for hit testing. */
export interface VisibleFace {
  corner: Vec;
  normal: Vec;
  /** Its corners in the drawing. */
  outline: [number, number][];
}

type Point = [number, number];

/** A drawn shape, and the letter on it if there is one. */
interface Piece {
  path: SVGPathElement;
  text?: SVGTextElement;
}

/** A square in space, with its own axes. */
interface Square {
  middle: Vec;
  right: Vec;
  up: Vec;
  by: Matrix;
}

export class CubeDrawing {
  readonly element: SVGSVGElement;
  letters = false;
  /** From back to front. */
  seen: VisibleFace[] = [];
  #pieces: Piece[] = [];
  #used = 0;
  #body = svg("g", {});

  constructor() {
    const ground = svg("ellipse", { class: "cube-ground", cx: 0, cy: 163, rx: 120, ry: 17 });
    this.element = svg("svg", { viewBox: `${-HALF} ${-HALF} ${2 * HALF} ${2 * HALF}`, class: "cube-svg" });
    this.element.setAttribute("aria-hidden", "true");
    this.element.append(ground, this.#body);
  }

  draw(state: CubeState, { held, layer }: Pose): void {
    this.#used = 0;
    this.seen = [];
    const still = { by: held, camera: apply(transposed(held), [0, 0, CAMERA]), has: (_corner: Vec) => true };
    const groups = [still];
    if (layer) {
      const { axis, end, angle } = layer;
      const by = product(held, rotation(AXES[axis] as Vec, angle));
      still.has = (corner) => corner[axis] !== end;
      const turning = { by, camera: apply(transposed(by), [0, 0, CAMERA]), has: (corner: Vec) => corner[axis] === end };
      if ((still.camera[axis] as number) * end > 0) groups.push(turning);
      else groups.unshift(turning);
    }
    for (const { by, camera, has } of groups) {
      const places = ordered(camera).filter(has);
      this.#core(places, by, camera);
      for (const corner of places) this.#cubelet(state, corner, by, camera);
    }
    for (let i = this.#used; i < this.#pieces.length; i++) {
      const { path, text } = this.#pieces[i] as Piece;
      path.setAttribute("d", "");
      if (text) text.textContent = "";
    }
  }

  /** The plastic between cubelets, and the inside of the cube that a turned layer uncovers. */
  #core(corners: Vec[], by: Matrix, camera: Vec): void {
    const reach = 1 - ROUND;
    for (const axis of [0, 1, 2]) {
      const ends = corners.map((corner) => corner[axis] as number);
      const spans = [0, 1, 2].map((a) => {
        const along = corners.map((corner) => (corner[a] as number) * reach);
        return [Math.min(0, ...along), Math.max(0, ...along)] as [number, number];
      });
      for (const sign of [1, -1]) {
        const level = ends.includes(sign) ? sign * reach : 0;
        const normal = scaled(AXES[axis] as Vec, sign);
        if ((camera[axis] as number) * sign <= level * sign) continue;
        const [b, c] = [(axis + 1) % 3, (axis + 2) % 3];
        const outline = [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 1],
        ].map(([i, j]) => {
          const at = [0, 0, 0];
          at[axis] = level;
          at[b] = (spans[b] as number[])[i as number] as number;
          at[c] = (spans[c] as number[])[j as number] as number;
          return project(apply(by, at as never));
        });
        this.#piece(polygon(outline), lit(" ", lightOn(apply(by, normal))), true);
      }
    }
  }

  #cubelet(state: CubeState, corner: Vec, by: Matrix, camera: Vec): void {
    const stickers: (() => void)[] = [];
    for (const axis of [0, 1, 2]) {
      const normal = scaled(AXES[axis] as Vec, corner[axis] as number);
      const middle = corner.map((c, a) => (a === axis ? c : c / 2)) as unknown as Vec;
      if (dot(normal, camera) <= dot(normal, middle)) continue;
      const light = lightOn(apply(by, normal));
      const i = indexOf(corner, normal);
      const up = state.ups[i] as Vec;
      const square = { middle, right: cross(up, normal), up, by };
      this.#piece(polygon(corners(square, 0.5 - ROUND)), lit(" ", light), true);
      // The outlines touch, so that a pointer between two stickers hits one of them.
      this.seen.push({ corner, normal, outline: corners(square, 0.5) });
      stickers.push(() => this.#sticker(square, state.stickers[i] as string, light));
    }
    for (const draw of stickers) draw();
  }

  #sticker(square: Square, letter: string, light: number): void {
    const piece = this.#piece(rounded(square, 0.5 - INSET, CORNER), lit(letter, light), false);
    if (!this.letters) return;
    if (!piece.text) {
      piece.text = svg("text", { class: "cube-letter", "text-anchor": "middle", "font-size": 10, dy: "0.36em" });
      piece.path.after(piece.text);
    }
    // A small square is drawn so nearly as a parallelogram that its letter needs no perspective.
    const [x, y] = onto(square, 0, 0);
    const [rx, ry] = onto(square, 0.05, 0);
    const [dx, dy] = onto(square, 0, -0.05);
    const matrix = [rx - x, ry - y, dx - x, dy - y, x, y].map((n) => n.toFixed(2));
    piece.text.setAttribute("transform", `matrix(${matrix.join(" ")})`);
    piece.text.setAttribute("fill", inkOn(letter));
    piece.text.textContent = letter;
  }

  #piece(d: string, fill: string, plastic: boolean): Piece {
    let piece = this.#pieces[this.#used++];
    if (!piece) {
      piece = { path: svg("path", { "stroke-linejoin": "round" }) };
      this.#pieces.push(piece);
      this.#body.append(piece.path);
    }
    const { path, text } = piece;
    path.setAttribute("d", d);
    path.setAttribute("fill", fill);
    path.setAttribute("stroke", plastic ? fill : "none");
    path.setAttribute("stroke-width", plastic ? (2 * ROUND * SCALE).toFixed(1) : "0");
    if (text) text.textContent = "";
    return piece;
  }

  /** The face at a point of the drawing. */
  at(x: number, y: number): VisibleFace | undefined {
    return this.seen.findLast(({ outline }) => inside(outline, x, y));
  }
}

/** The brightness of a face with this normal. */
function lightOn(normal: Vec): number {
  return 0.76 + 0.27 * Math.max(0, dot(normal, LIGHT));
}

function project([x, y, z]: Vec): Point {
  const scale = (SCALE * CAMERA) / (CAMERA - z);
  return [x * scale, -y * scale];
}

/** The motion on the screen of a point that moves along a direction of the cube, for each length of 1. */
export function screenMotion(pose: Matrix, at: Vec, along: Vec): Point {
  const small = 0.01;
  const [x, y] = project(apply(pose, at));
  const moved = project(apply(pose, [at[0] + along[0] * small, at[1] + along[1] * small, at[2] + along[2] * small]));
  return [(moved[0] - x) / small, (moved[1] - y) / small];
}

/** The corners sorted from the farthest to the nearest, as seen from a point. */
function ordered(camera: Vec): Vec[] {
  const near = camera.map((c) => (c > 0 ? 1 : -1)) as unknown as Vec;
  const corners: Vec[] = [];
  for (const x of [-1, 1]) for (const y of [-1, 1]) for (const z of [-1, 1]) corners.push([x, y, z]);
  return corners.sort((a, b) => dot(a, near) - dot(b, near));
}

const at = ([x, y]: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`;

function polygon(points: Point[]): string {
  return `M${points.map(at).join("L")}Z`;
}

/** A point of a square in the drawing. */
function onto({ middle, right, up, by }: Square, x: number, y: number): Point {
  return project(apply(by, middle.map((m, a) => m + x * (right[a] as number) + y * (up[a] as number)) as never));
}

function corners(square: Square, h: number): Point[] {
  return [onto(square, -h, -h), onto(square, h, -h), onto(square, h, h), onto(square, -h, h)];
}

/** A square with round corners. `half` is half its width. */
function rounded(square: Square, half: number, round: number): string {
  const h = half;
  const k = half - round;
  const p = (x: number, y: number) => at(onto(square, x, y));
  return (
    `M${p(-k, -h)}L${p(k, -h)}Q${p(h, -h)} ${p(h, -k)}L${p(h, k)}Q${p(h, h)} ${p(k, h)}` +
    `L${p(-k, h)}Q${p(-h, h)} ${p(-h, k)}L${p(-h, -k)}Q${p(-h, -h)} ${p(-k, -h)}Z`
  );
}

function inside(outline: Point[], x: number, y: number): boolean {
  let within = false;
  outline.forEach(([x1, y1], i) => {
    const [x2, y2] = outline[(i + 1) % outline.length] as Point;
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) within = !within;
  });
  return within;
}
