// The cube lab's picture on the front: the 2×2×2 cube in perspective, turned by the agent. Frames hold the stickers;
// which turn leads from one frame to the next is found by trying all of them.

import { apply, AXES, cross, dot, product, rotation, scaled, type Matrix, type Vec } from "../../labs/cube/vectors";
import { angleOf, moveOf, STICKER_UPS, STICKERS, turn, type Move } from "../../labs/cube/space";
import { ease } from "../../core/motion";
import type { Picture, Surface } from "../picture";
import { frameAt } from "../recording";
import { flatColour } from "../../labs/cube/sticker-colours";

/** The lab's turns: it keeps the cubelet opposite to these faces fixed. */
const MOVES = ["U", "U'", "U2", "R", "R'", "R2", "F", "F'", "F2"].map(moveOf);
/** The share of the time between two frames that a turn takes. */
const TURN_SHARE = 0.7;
/** The rotation to view space: seen from above and from the right. In radians. */
const VIEW: Matrix = product(rotation([1, 0, 0], 0.48), rotation([0, 1, 0], -0.66));
/** Distance of the camera from the centre of the cube, which reaches from -1 to 1. */
const CAMERA = 7.5;
/** The drawn size of a length of 1, as a fraction of the picture's height. */
const SCALE = 0.265;
/** Half the side of a face of a cubelet, and of its sticker. */
const [HALF_CUBELET, HALF_STICKER] = [0.5, 0.36];
/** The width of the stroke that rounds a sticker, and makes it larger by half as much. */
const STICKER_ROUNDING = 0.12;
/** The direction to the light in view space, the brightness without it, and what it adds. */
const LIGHT: Vec = [-0.18, 0.55, 0.81];
const [AMBIENT, DIFFUSE] = [0.76, 0.27];

export const cubePicture: Picture = {
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

const textOf = (frame: Uint8Array) => String.fromCharCode(...frame);

/** Turns that were found, by both states: a clip shows the same ones many times. */
const found = new Map<string, Move | null>();

/** The turn that leads from one state to another, or null if none does. */
function moveBetween(from: string, to: string): Move | null {
  if (from === to) return null;
  const key = `${from} ${to}`;
  let move = found.get(key);
  if (move === undefined) {
    move = MOVES.find((move) => turn({ stickers: from, ups: STICKER_UPS }, move).stickers === to) ?? null;
    found.set(key, move);
  }
  return move;
}

/** Draws the two layers from back to front, and within each of them the faces that look towards the camera. */
function drawCube(surface: Surface, stickers: string, move: Move | null, layerView: Matrix): void {
  const isMoved = (corner: Vec) => move !== null && corner[move.axis] === move.end;
  // The lab turns only the layers that are nearer to the camera, so the turning one comes last. The dark inside of each
  // layer, which a turn uncovers, faces the other layer.
  const end = move?.end ?? 1;
  const layers = [
    { moved: false, view: VIEW, inside: end },
    { moved: true, view: layerView, inside: -end },
  ];
  for (const { moved, view, inside } of layers) {
    const faces = STICKERS.map((sticker, i) => ({ ...sticker, i })).filter(({ corner }) => isMoved(corner) === moved);
    if (move) drawInside(surface, move.axis, inside, view);
    for (const { corner, normal, i } of faces) {
      const outward = apply(view, normal);
      const middle = apply(view, middleOf(corner, normal));
      if (dot(outward, [-middle[0], -middle[1], CAMERA - middle[2]]) <= 0) continue;
      const up = STICKER_UPS[i] as Vec;
      const face = (half: number) => squareOf(surface, middleOf(corner, normal), up, cross(up, normal), half, view);
      const light = AMBIENT + DIFFUSE * Math.max(0, dot(outward, LIGHT));
      fill(surface, face(HALF_CUBELET), shaded(flatColour(" "), light), 0);
      fill(surface, face(HALF_STICKER), shaded(flatColour(stickers[i] as string), light), STICKER_ROUNDING);
    }
  }
}

/** Draws the inside of a layer, a square through the cube's centre that faces along an axis towards `end`. */
function drawInside(surface: Surface, axis: number, end: number, view: Matrix): void {
  const normal = scaled(AXES[axis] as Vec, end);
  const up = AXES[(axis + 1) % 3] as Vec;
  fill(surface, squareOf(surface, [0, 0, 0], up, cross(up, normal), 1, view), shaded(flatColour(" "), AMBIENT), 0);
}

const middleOf = (corner: Vec, normal: Vec) =>
  corner.map((end, axis) => (normal[axis] === 0 ? end * HALF_CUBELET : end)) as unknown as Vec;

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
    const scale = (SCALE * height * CAMERA) / (CAMERA - pz);
    return [width / 2 + px * scale, height / 2 - py * scale];
  });
}

/** Fills a polygon. A stroke of its colour, as wide as this share of a cubelet, rounds its corners. */
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
