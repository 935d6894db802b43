// Draws the 2×2×2 or the 3×3×3 cube in perspective with SVG. The small cubes (cubelets) are drawn from back to front,
// so that near ones cover far ones (painter's algorithm). This needs no depth buffer: the cubelets of a turning outer
// layer lie on one side of a plane and the others on its other side, and each of these two parts is a block, whose
// visible faces do not cover each other.
//
// Three coordinate systems occur. In the cube's own (see space.ts) it reaches from -1 to 1. In view space, after
// rotation, x points right, y up and z towards the camera. Points of the drawing are SVG units around the centre, with
// y downwards.

import { svg } from "../../core/dom";
import { colourInitial } from "./colours";
import { letterColour, PLASTIC, shadedColour } from "./sticker-colours";
import { faceMiddle, geometryOf, halfCubelet, indexOf, sizeOf, type CubeState, type Size } from "./space";
import { apply, AXES, cross, dot, product, rotation, scaled, transposed, type Matrix, type Vec } from "./vectors";

/** Distance of the camera from the centre of the cube. */
const CAMERA_DISTANCE = 7.5;
/** Half the width of the drawing, and the drawn size of a length of 1 at the centre, both in SVG units. */
const HALF_WIDTH = 200;
const SCALE = 108;
/**
 * As fractions of a cubelet: the radius of its edges, a sticker's distance from them, and the radius of its corners.
 */
const EDGE_RADIUS = 0.055;
const STICKER_INSET = 0.085;
const STICKER_RADIUS = 0.13;
/** The shadow below the cube, an ellipse in SVG units: how far below the centre it lies, and its radii. */
const SHADOW = { cy: 163, rx: 120, ry: 17 };
/** The letter on a sticker: its font size in units of which twenty are the side of a cubelet. */
const LETTER_FONT_SIZE = 10;
const LETTER_UNITS_PER_HALF_CUBELET = 10;
/** The direction to the light, in view space. */
const LIGHT: Vec = [-0.18, 0.55, 0.81];
/** The brightness of a face turned away from the light, and what direct light adds. */
const [AMBIENT, DIFFUSE] = [0.76, 0.27];

/** The usual rotation from the cube's coordinates to view space: seen from above and from the right. In radians. */
export const DEFAULT_VIEW: Matrix = product(rotation([1, 0, 0], 0.48), rotation([0, 1, 0], -0.66));

export interface Pose {
  /** The rotation from the cube's coordinates to view space. */
  view: Matrix;
  /**
   * The turning layer (1 or -1 on an axis) and its angle in radians, counterclockwise from the positive end of the
   * axis.
   */
  layer?: { axis: number; end: number; angle: number } | undefined;
}

/** The face of a cubelet with one sticker, as it was last drawn, for hit testing. */
export interface VisibleFace {
  cubelet: Vec;
  /** The direction the face looks, in the cube's coordinates. */
  normal: Vec;
  /** The face's corners in the drawing. */
  outline: [number, number][];
}

type Point = [number, number];

/** An SVG path and the letter on it, if there is one. Shapes are reused from frame to frame. */
interface Shape {
  path: SVGPathElement;
  text?: SVGTextElement;
}

/** A face of a cubelet, in the cube's coordinates: its middle, and unit vectors along its sides. */
interface Square {
  middle: Vec;
  right: Vec;
  up: Vec;
  /** The rotation to view space. */
  toView: Matrix;
}

/** A part of the cube that is drawn with one rotation: the turning layer, or the rest. */
interface Part {
  toView: Matrix;
  /** The position of the camera in the part's coordinates. */
  camera: Vec;
  /** Whether a cubelet belongs to the part. */
  contains: (cubelet: Vec) => boolean;
}

export class CubeDrawing {
  readonly element: SVGSVGElement;
  /**
   * Whether all stickers carry the initials of their colours. The centres of the 3×3×3 always carry the letters of its
   * faces, by which turns are named.
   */
  letters = false;
  /** The faces towards the camera, from back to front. */
  #visibleFaces: VisibleFace[] = [];
  #shapes: Shape[] = [];
  /** The number of shapes that the current frame has used. */
  #used = 0;
  #body = svg("g", {});
  #size: Size = 2;

  constructor() {
    const shadow = svg("ellipse", { class: "cube-ground", cx: 0, ...SHADOW });
    this.element = svg("svg", {
      viewBox: `${-HALF_WIDTH} ${-HALF_WIDTH} ${2 * HALF_WIDTH} ${2 * HALF_WIDTH}`,
      class: "cube-svg",
    });
    this.element.setAttribute("aria-hidden", "true");
    this.element.append(shadow, this.#body);
  }

  draw(state: CubeState, { view, layer }: Pose): void {
    this.#used = 0;
    this.#visibleFaces = [];
    this.#size = sizeOf(state.stickers);
    for (const { toView, camera, contains } of partsFromBack(view, layer, this.#size)) {
      const cubelets = cubeletsFromBack(camera, this.#size).filter(contains);
      this.#drawCore(cubelets, toView, camera);
      for (const cubelet of cubelets) this.#drawCubelet(state, cubelet, toView, camera);
    }
    // Shapes that an earlier frame needed and this one does not are emptied.
    for (const { path, text } of this.#shapes.slice(this.#used)) {
      path.setAttribute("d", "");
      if (text) text.textContent = "";
    }
  }

  /**
   * Draws the dark block inside a part: the plastic between its cubelets, and the inside of the cube that a turned
   * layer uncovers. The block is the bounding box of the part's cubelets, a little smaller.
   */
  #drawCore(cubelets: Vec[], toView: Matrix, camera: Vec): void {
    const side = 2 * halfCubelet(this.#size);
    const outside = 1 - EDGE_RADIUS * side;
    /** For each axis, the lower and the upper end of the block. */
    const ranges = [0, 1, 2].map((axis) => {
      const centres = cubelets.map((cubelet) => (cubelet[axis] as number) * (1 - side / 2));
      const [low, high] = [Math.min(...centres) - side / 2, Math.max(...centres) + side / 2];
      return [Math.max(-outside, low), Math.min(outside, high)] as [number, number];
    });
    for (const axis of [0, 1, 2]) {
      const [low, high] = ranges[axis] as [number, number];
      for (const sign of [1, -1]) {
        const level = sign > 0 ? high : low;
        const facesCamera = (camera[axis] as number) * sign > level * sign;
        if (!facesCamera) continue;
        // The four corners of this side of the block: the lower (0) or upper (1) end along each of the other two axes.
        const [axisB, axisC] = [(axis + 1) % 3, (axis + 2) % 3];
        const outline = [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 1],
        ].map(([b, c]) => {
          const point = [0, 0, 0];
          point[axis] = level;
          point[axisB] = (ranges[axisB] as number[])[b as number] as number;
          point[axisC] = (ranges[axisC] as number[])[c as number] as number;
          return project(apply(toView, point as never));
        });
        const normal = scaled(AXES[axis] as Vec, sign);
        this.#addPlastic(polygon(outline), brightness(apply(toView, normal)));
      }
    }
  }

  /** Draws the outer faces of a cubelet that the camera sees: first their plastic, then their stickers. */
  #drawCubelet(state: CubeState, cubelet: Vec, toView: Matrix, camera: Vec): void {
    const half = halfCubelet(this.#size);
    const isCentre = cubelet.filter((layer) => layer === 0).length === 2;
    const drawStickers: (() => void)[] = [];
    for (const axis of [0, 1, 2]) {
      if (cubelet[axis] === 0) continue; // it has no face there
      const normal = scaled(AXES[axis] as Vec, cubelet[axis] as number);
      const middle = faceMiddle(cubelet, normal, this.#size);
      const facesCamera = dot(normal, camera) > dot(normal, middle);
      if (!facesCamera) continue;
      const light = brightness(apply(toView, normal));
      const i = indexOf(cubelet, normal, this.#size);
      const up = state.ups[i] as Vec;
      const square = { middle, right: cross(up, normal), up, toView };
      this.#addPlastic(polygon(squareCorners(square, half - 2 * half * EDGE_RADIUS)), light);
      // The outlines touch, so that a pointer between two stickers hits one of them.
      this.#visibleFaces.push({ cubelet, normal, outline: squareCorners(square, half) });
      const letter = state.stickers[i] as string;
      const text = isCentre ? letter : this.letters ? colourInitial(letter) : "";
      drawStickers.push(() => this.#drawSticker(square, letter, light, text));
    }
    for (const draw of drawStickers) draw();
  }

  /** Draws a sticker in the colour of a letter, with a text on it if that is not empty. */
  #drawSticker(square: Square, letter: string, light: number, text: string): void {
    const half = halfCubelet(this.#size);
    const path = roundedSquare(square, half - 2 * half * STICKER_INSET, 2 * half * STICKER_RADIUS);
    const shape = this.#addShape(path, shadedColour(letter, light));
    if (text === "") return;
    if (!shape.text) {
      // `dy` moves the baseline down by about half the height of a capital letter, so that the letter is centred.
      const attributes = { class: "cube-letter", "text-anchor": "middle", "font-size": LETTER_FONT_SIZE, dy: "0.36em" };
      shape.text = svg("text", attributes);
      shape.path.after(shape.text);
    }
    // A small square looks nearly like a parallelogram in perspective, so the letter is placed by an affine transform,
    // which maps the unit of the font size along the square's axes.
    const unit = half / LETTER_UNITS_PER_HALF_CUBELET;
    const [x, y] = pointOn(square, 0, 0);
    const [rightX, rightY] = pointOn(square, unit, 0);
    const [downX, downY] = pointOn(square, 0, -unit);
    const matrix = [rightX - x, rightY - y, downX - x, downY - y, x, y].map((n) => n.toFixed(2));
    shape.text.setAttribute("transform", `matrix(${matrix.join(" ")})`);
    shape.text.setAttribute("fill", letterColour(letter));
    shape.text.textContent = text;
  }

  /** Draws plastic. Its stroke rounds the edges. */
  #addPlastic(d: string, light: number): void {
    const fill = shadedColour(PLASTIC, light);
    const { path } = this.#addShape(d, fill);
    path.setAttribute("stroke", fill);
    path.setAttribute("stroke-width", (4 * halfCubelet(this.#size) * EDGE_RADIUS * SCALE).toFixed(1));
  }

  /** Draws a path in front of the shapes that this frame has drawn so far. */
  #addShape(d: string, fill: string): Shape {
    let shape = this.#shapes[this.#used++];
    if (!shape) {
      shape = { path: svg("path", { "stroke-linejoin": "round" }) };
      this.#shapes.push(shape);
      this.#body.append(shape.path);
    }
    const { path, text } = shape;
    path.setAttribute("d", d);
    path.setAttribute("fill", fill);
    path.setAttribute("stroke", "none");
    if (text) text.textContent = "";
    return shape;
  }

  /** The frontmost face at a point of the drawing. */
  faceAt(x: number, y: number): VisibleFace | undefined {
    return this.#visibleFaces.findLast(({ outline }) => isInside(outline, x, y));
  }
}

/** The parts of the cube, the farther one first: the turning layer and the rest, or only the rest. */
function partsFromBack(view: Matrix, layer: Pose["layer"], size: Size): Part[] {
  const cameraFor = (toView: Matrix) => apply(transposed(toView), [0, 0, CAMERA_DISTANCE]);
  const rest: Part = { toView: view, camera: cameraFor(view), contains: () => true };
  if (!layer) return [rest];
  const { axis, end, angle } = layer;
  rest.contains = (cubelet) => cubelet[axis] !== end; // all cubelets outside of the layer
  const toView = product(view, rotation(AXES[axis] as Vec, angle));
  const turning: Part = { toView, camera: cameraFor(toView), contains: (cubelet) => cubelet[axis] === end };
  const plane = 1 - 2 * halfCubelet(size); // its distance from the centre
  const turningIsNearer = (rest.camera[axis] as number) * end > plane;
  return turningIsNearer ? [rest, turning] : [turning, rest];
}

/** The brightness of a face with this normal in view space. */
function brightness(normal: Vec): number {
  return AMBIENT + DIFFUSE * Math.max(0, dot(normal, LIGHT));
}

/** The perspective projection of a point of view space onto the drawing. */
function project([x, y, z]: Vec): Point {
  const scale = (SCALE * CAMERA_DISTANCE) / (CAMERA_DISTANCE - z);
  return [x * scale, -y * scale];
}

/** The derivative of a point's position in the drawing as the point moves along a direction of the cube. */
export function screenMotion(view: Matrix, point: Vec, direction: Vec): Point {
  const epsilon = 0.01; // a small distance for the difference quotient
  const [x, y] = project(apply(view, point));
  const moved = point.map((p, axis) => p + (direction[axis] as number) * epsilon) as unknown as Vec;
  const [movedX, movedY] = project(apply(view, moved));
  return [(movedX - x) / epsilon, (movedY - y) / epsilon];
}

/** The cubelets with stickers of each size. */
const CUBELETS: Record<Size, Vec[]> = { 2: cubelets(2), 3: cubelets(3) };

function cubelets(size: Size): Vec[] {
  const all = geometryOf(size).stickers.map(({ cubelet }) => cubelet);
  return [...new Map(all.map((cubelet) => [cubelet.join(), cubelet])).values()];
}

/** The cubelets, from the farthest to the nearest as seen by a camera. */
function cubeletsFromBack(camera: Vec, size: Size): Vec[] {
  const nearest = camera.map((c) => (c > 0 ? 1 : -1)) as unknown as Vec;
  return CUBELETS[size].toSorted((a, b) => dot(a, nearest) - dot(b, nearest));
}

const coordinates = ([x, y]: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`;

function polygon(points: Point[]): string {
  return `M${points.map(coordinates).join("L")}Z`;
}

/** The point (x, y) of a square, relative to its middle, in the drawing. */
function pointOn({ middle, right, up, toView }: Square, x: number, y: number): Point {
  const point = middle.map((m, axis) => m + x * (right[axis] as number) + y * (up[axis] as number));
  return project(apply(toView, point as never));
}

/** The corners of a square with half its side. */
function squareCorners(square: Square, half: number): Point[] {
  return [
    pointOn(square, -half, -half),
    pointOn(square, half, -half),
    pointOn(square, half, half),
    pointOn(square, -half, half),
  ];
}

/** A square with rounded corners as SVG path data. `half` is half its side, `radius` that of its corners. */
function roundedSquare(square: Square, half: number, radius: number): string {
  const h = half;
  const k = half - radius;
  const p = (x: number, y: number) => coordinates(pointOn(square, x, y));
  return (
    `M${p(-k, -h)}L${p(k, -h)}Q${p(h, -h)} ${p(h, -k)}L${p(h, k)}Q${p(h, h)} ${p(k, h)}` +
    `L${p(-k, h)}Q${p(-h, h)} ${p(-h, k)}L${p(-h, -k)}Q${p(-h, -h)} ${p(-k, -h)}Z`
  );
}

/** Whether a point lies in a polygon, by the even-odd rule. */
function isInside(outline: Point[], x: number, y: number): boolean {
  let inside = false;
  outline.forEach(([x1, y1], i) => {
    const [x2, y2] = outline[(i + 1) % outline.length] as Point;
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
  });
  return inside;
}
