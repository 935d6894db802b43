// The cube lab in small: the 2×2×2 or the 3×3×3 cube in perspective, turned by the agent. Frames hold the stickers;
// which turn leads from one frame to the next is found by trying all of them.

import { apply, AXES, cross, dot, product, rotation, scaled, type Matrix, type Vec } from "./vectors";
import { angleOf, faceMiddle, geometryOf, halfCubelet, moveOf } from "./space";
import { sizeOf, turn, type Move, type Size } from "./space";
import { ease } from "../../core/motion";
import type { CubeView } from "../../generated/protocol";
import type { Picture, Surface } from "../../ui/small-picture/picture";
import { frameAt } from "../../ui/small-picture/recording";
import { flatColour } from "./sticker-colours";

export { default as recording } from "./recording.json";

/**
 * The turns that the lab makes. It keeps one cubelet of the 2×2×2 fixed, so only the three faces opposite to it turn.
 */
const MOVES: Record<Size, Move[]> = { 2: movesOf("URF"), 3: movesOf("URFDLB") };
/** The share of the time between two frames that a turn takes. */
const TURN_SHARE = 0.7;
/** The rotation to view space: seen from above and from the right. In radians. */
const VIEW: Matrix = product(rotation([1, 0, 0], 0.48), rotation([0, 1, 0], -0.66));
/** Distance of the camera from the centre of the cube, which reaches from -1 to 1. */
const CAMERA_DISTANCE = 7.5;
/** The drawn size of a length of 1, as a fraction of the picture's height. */
const SCALE = 0.265;
/** As fractions of a cubelet: the side of a sticker, and the width of the stroke that rounds it and makes it larger. */
const STICKER_SIZE = 0.72;
const STICKER_ROUNDING = 0.12;
/** The direction to the light in view space, the brightness without it, and what it adds. */
const LIGHT: Vec = [-0.18, 0.55, 0.81];
const [AMBIENT, DIFFUSE] = [0.76, 0.27];

export const picture: Picture<CubeView> = {
  /** The colours of the 24 or 54 stickers as ASCII letters, face by face. */
  encode({ stage }) {
    return new TextEncoder().encode(stage.stickers);
  },
  transitionSeconds: 0.45,
  words: "a cube that the agent tries to solve",
  paint(surface, clip, position) {
    const from = textOf(frameAt(clip, position));
    const move = moveBetween(from, textOf(frameAt(clip, position + 1)));
    const turned = ease(Math.max(0, ((position % 1) - 1 + TURN_SHARE) / TURN_SHARE));
    const layerView = move ? product(VIEW, rotation(AXES[move.axis] as Vec, angleOf(move) * turned)) : VIEW;
    drawCube(surface, from, move, layerView);
  },
};

function movesOf(faces: string): Move[] {
  return [...faces].flatMap((face) => ["", "'", "2"].map((suffix) => moveOf(face + suffix)));
}

const textOf = (frame: Uint8Array) => String.fromCharCode(...frame);

/** Turns that were found, by both states: a clip shows the same ones many times. */
const found = new Map<string, Move | null>();

/** The turn that leads from one state to another, or null if none does. */
function moveBetween(from: string, to: string): Move | null {
  if (from === to) return null;
  const key = `${from} ${to}`;
  let move = found.get(key);
  if (move === undefined) {
    const size = sizeOf(from);
    const { ups } = geometryOf(size);
    move = MOVES[size].find((move) => turn({ stickers: from, ups }, move).stickers === to) ?? null;
    found.set(key, move);
  }
  return move;
}

/** Draws the two parts of the cube from back to front, and of each of them the faces that look towards the camera. */
function drawCube(surface: Surface, stickers: string, move: Move | null, layerView: Matrix): void {
  const isMoved = (cubelet: Vec) => move !== null && cubelet[move.axis] === move.end;
  const size = sizeOf(stickers);
  const [geometry, half] = [geometryOf(size), halfCubelet(size)];
  // Layers at the positive ends of the axes are nearer to the camera. The dark inside of each part, which a turn
  // uncovers, faces the other part.
  const end = move?.end ?? 1;
  const parts = [
    { moved: false, view: VIEW, inside: end },
    { moved: true, view: layerView, inside: -end },
  ];
  if (end < 0) parts.reverse();
  for (const { moved, view, inside } of parts) {
    const faces = geometry.stickers
      .map((sticker, i) => ({ ...sticker, i }))
      .filter((at) => isMoved(at.cubelet) === moved);
    if (move) drawInside(surface, move, 1 - 2 * half, inside, view);
    for (const { cubelet, normal, i } of faces) {
      const outward = apply(view, normal);
      const centre = faceMiddle(cubelet, normal, size);
      const middle = apply(view, centre);
      if (dot(outward, [-middle[0], -middle[1], CAMERA_DISTANCE - middle[2]]) <= 0) continue;
      const up = geometry.ups[i] as Vec;
      const face = (side: number) => squareOf(surface, centre, up, cross(up, normal), side * half, view);
      const light = AMBIENT + DIFFUSE * Math.max(0, dot(outward, LIGHT));
      fill(surface, face(1), shaded(flatColour(" "), light), 0);
      const rounding = STICKER_ROUNDING * 2 * half;
      fill(surface, face(STICKER_SIZE), shaded(flatColour(stickers[i] as string), light), rounding);
    }
  }
}

/**
 * Draws the inside of a part: a square at this distance from the cube's centre, between the turning layer and the rest,
 * that faces along the axis towards `side`.
 */
function drawInside(surface: Surface, { axis, end }: Move, distance: number, side: number, view: Matrix): void {
  const normal = scaled(AXES[axis] as Vec, side);
  const middle = scaled(AXES[axis] as Vec, end * distance);
  const up = AXES[(axis + 1) % 3] as Vec;
  fill(surface, squareOf(surface, middle, up, cross(up, normal), 1, view), shaded(flatColour(" "), AMBIENT), 0);
}

/** The corners of a square with its middle, the directions of its sides and half their length, as points. */
function squareOf(surface: Surface, middle: Vec, up: Vec, right: Vec, half: number, view: Matrix): [number, number][] {
  const { width, height } = surface;
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([x, y]) => {
    const at = middle.map(
      (m, axis) => m + half * ((x as number) * (right[axis] as number) + (y as number) * (up[axis] as number)),
    );
    const [px, py, pz] = apply(view, at as unknown as Vec);
    const scale = (SCALE * height * CAMERA_DISTANCE) / (CAMERA_DISTANCE - pz);
    return [width / 2 + px * scale, height / 2 - py * scale];
  });
}

/** Fills a polygon. A stroke of its colour, this wide in the cube's coordinates, rounds its corners. */
function fill({ context, height }: Surface, points: [number, number][], colour: string, rounding: number): void {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.closePath();
  context.fillStyle = context.strokeStyle = colour;
  context.lineJoin = "round";
  context.lineWidth = Math.max(1, rounding * SCALE * height);
  context.fill();
  context.stroke();
}

/** A colour (`#rrggbb`) at a brightness from 0 to 1. */
function shaded(hex: string, brightness: number): string {
  const rgb = parseInt(hex.slice(1), 16);
  const channels = [rgb >> 16, (rgb >> 8) & 255, rgb & 255].map((c) => Math.round(c * Math.min(1, brightness)));
  return `rgb(${channels.join(" ")})`;
}
