// Geometry of the 2×2×2 and the 3×3×3 cube: their stickers in the lab's order, and the turns of their layers and of the
// whole cube.
//
// The centre of the cube is the origin, and it reaches from -1 to 1. It consists of small cubes (cubelets). A cubelet
// is named by its layer on each axis: 1 or -1 at the ends, and 0 in the middle of the 3×3×3. Axis 0 points right, axis
// 1 up, axis 2 to the front. A face and its colour are named by a letter of `FACES`: up, right, front, down, left,
// back. Stickers are listed face by face, and on each face row by row, as in the usual net of the cube. For the 3×3×3
// this is the order that Kociemba's programs use.

import { apply, AXES, IDENTITY, product, rotation, scaled, type Matrix, type Vec } from "./vectors";

export const FACES = "URFDLB";

/** The number of layers along each axis. */
export type Size = 2 | 3;

export interface Sticker {
  /** The cubelet that it belongs to. */
  cubelet: Vec;
  /** The direction it faces. */
  normal: Vec;
}

/** The stickers of a cube. */
export interface Geometry {
  stickers: Sticker[];
  /**
   * The direction towards the top of the letter on each sticker before any turn. It only matters for the drawing, so
   * the lab does not know it.
   */
  ups: Vec[];
  /** The index of each sticker, by its `stickerKey`. */
  indices: Map<string, number>;
}

/**
 * For each face, in the order of `FACES`: its normal, the direction to the next sticker in a row, and to the next row.
 */
const FACE_LAYOUTS: [normal: Vec, along: Vec, down: Vec][] = [
  [
    [0, 1, 0],
    [1, 0, 0],
    [0, 0, 1],
  ],
  [
    [1, 0, 0],
    [0, 0, -1],
    [0, -1, 0],
  ],
  [
    [0, 0, 1],
    [1, 0, 0],
    [0, -1, 0],
  ],
  [
    [0, -1, 0],
    [1, 0, 0],
    [0, 0, -1],
  ],
  [
    [-1, 0, 0],
    [0, 0, 1],
    [0, -1, 0],
  ],
  [
    [0, 0, -1],
    [-1, 0, 0],
    [0, -1, 0],
  ],
];

/** The text by which a sticker is found. */
const stickerKey = (cubelet: Vec, normal: Vec) => `${cubelet.join()} ${normal.join()}`;

function createGeometry(size: Size): Geometry {
  /** The layer of a row or column. */
  const layer = (i: number) => (2 * i) / (size - 1) - 1;
  const stickers = FACE_LAYOUTS.flatMap(([normal, along, down]) =>
    Array.from({ length: size ** 2 }, (_, i) => {
      const [x, y] = [layer(i % size), layer(Math.floor(i / size))];
      const cubelet = normal.map((n, a) => n + x * (along[a] as number) + y * (down[a] as number));
      return { normal, cubelet: cubelet as unknown as Vec };
    }),
  );
  return {
    stickers,
    ups: FACE_LAYOUTS.flatMap(([, , down]) => Array(size ** 2).fill(scaled(down, -1)) as Vec[]),
    indices: new Map(stickers.map(({ cubelet, normal }, i) => [stickerKey(cubelet, normal), i])),
  };
}

const GEOMETRIES: Record<Size, Geometry> = { 2: createGeometry(2), 3: createGeometry(3) };

/** The size of the cube with these stickers. */
export function sizeOf(stickers: string): Size {
  return stickers.length === GEOMETRIES[3].stickers.length ? 3 : 2;
}

/** The stickers of the cube of a size. */
export function geometryOf(size: Size): Geometry {
  return GEOMETRIES[size];
}

/** The stickers of the solved cube of a size. */
export function solvedStickers(size: Size): string {
  return [...FACES].map((face) => face.repeat(size ** 2)).join("");
}

/** The solved cube of a size. */
export function solvedState(size: Size): CubeState {
  return { stickers: solvedStickers(size), ups: GEOMETRIES[size].ups };
}

/** The stickers of the solved 2×2×2, and the tops of its letters. */
export const SOLVED = solvedStickers(2);
export const STICKER_UPS: Vec[] = GEOMETRIES[2].ups;

/** The index of the sticker on this cubelet that faces this direction; -1 if it has none there. */
export function indexOf(cubelet: Vec, normal: Vec, size: Size = 2): number {
  return GEOMETRIES[size].indices.get(stickerKey(cubelet, normal)) ?? -1;
}

/** Half the side of a cubelet. */
export function halfCubelet(size: Size): number {
  return 1 / size;
}

/** The middle of the face of a cubelet that looks along this direction. */
export function faceMiddle(cubelet: Vec, normal: Vec, size: Size): Vec {
  const centre = 1 - halfCubelet(size); // of a cubelet in the last layer
  return cubelet.map((layer, axis) => (normal[axis] === 0 ? layer * centre : layer)) as unknown as Vec;
}

/** A turn of a layer, or a rotation of the whole cube. */
export interface Move {
  axis: number;
  /** 1 for the layer at the positive end of the axis, -1 for the one at its negative end, 0 for the whole cube. */
  end: 1 | 0 | -1;
  /** Clockwise quarter turns as seen from that end (from the positive end for the whole cube): 1, 2, -1 or -2. */
  quarters: number;
}

/** The angle of a move in radians, counterclockwise as seen from the positive end of its axis. */
export function angleOf({ end, quarters }: Move): number {
  return (-(end || 1) * quarters * Math.PI) / 2;
}

/** The letters of moves for axes 0, 1 and 2: of the whole cube, of the positive and of the negative layers. */
const WHOLE_CUBE_LETTERS = "xyz";
const POSITIVE_LAYER_LETTERS = "RUF";
const NEGATIVE_LAYER_LETTERS = "LDB";

/**
 * The name of a move in standard notation: `R` clockwise, `U'` counterclockwise, `F2` half a turn, `x` the whole cube.
 */
export function nameOf({ axis, end, quarters }: Move): string {
  const letter = (end === 0 ? WHOLE_CUBE_LETTERS : end > 0 ? POSITIVE_LAYER_LETTERS : NEGATIVE_LAYER_LETTERS)[
    axis
  ] as string;
  return letter + (Math.abs(quarters) === 2 ? "2" : quarters === -1 ? "'" : "");
}

/** The move with this name. */
export function moveOf(name: string): Move {
  const letter = name[0] as string;
  const [positive, negative] = [POSITIVE_LAYER_LETTERS.indexOf(letter), NEGATIVE_LAYER_LETTERS.indexOf(letter)];
  const end = positive >= 0 ? 1 : negative >= 0 ? -1 : 0;
  return {
    axis: Math.max(positive, negative, WHOLE_CUBE_LETTERS.indexOf(letter)),
    end,
    quarters: name.includes("2") ? 2 : name.includes("'") ? -1 : 1,
  };
}

/** The name of the turn that undoes this one. */
export function inverseName(name: string): string {
  const move = moveOf(name);
  return nameOf(Math.abs(move.quarters) === 2 ? move : { ...move, quarters: -move.quarters });
}

/** A turn as it is written down: `B2` for a half turn, also if that is made of two quarter turns. */
export interface WrittenTurn {
  name: string;
  /** How many turns of the list it stands for. */
  count: 1 | 2;
}

/** Turns as they are written down: two equal quarter turns in a row are a half turn. */
export function writtenTurns(names: readonly string[]): WrittenTurn[] {
  const written: WrittenTurn[] = [];
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    const isHalf = name === names[i + 1] && Math.abs(moveOf(name).quarters) === 1;
    written.push(isHalf ? { name: `${name.charAt(0)}2`, count: 2 } : { name, count: 1 });
    if (isHalf) i++;
  }
  return written;
}

/** A name with a typographic prime. */
export function displayName(name: string): string {
  return name.replace("'", "′");
}

/** Removes rounding errors. Adding 0 turns minus zero into zero, because vectors are compared by their text. */
const rounded = (v: Vec) => v.map((n) => Math.round(n) + 0) as unknown as Vec;

/** The rotation matrix of a move, in whole numbers. */
export function rotationOf(move: Move): Matrix {
  return rotation(AXES[move.axis] as Vec, angleOf(move)).map(rounded) as unknown as Matrix;
}

/** The letters (colours) of all stickers, and the up direction of the letter on each. */
export interface CubeState {
  stickers: string;
  ups: readonly Vec[];
}

/** The state after a turn. */
export function turn({ stickers, ups }: CubeState, move: Move): CubeState {
  return moveStickers(
    { stickers, ups },
    rotationOf(move),
    ({ cubelet }) => move.end === 0 || cubelet[move.axis] === move.end,
  );
}

/** The state after the stickers chosen by `isMoved` have been rotated to where others were. */
function moveStickers(
  { stickers, ups }: CubeState,
  rotation: Matrix,
  isMoved: (sticker: Sticker) => boolean,
): CubeState {
  const [letters, newUps] = [[...stickers], [...ups]];
  const size = sizeOf(stickers);
  GEOMETRIES[size].stickers.forEach((sticker, i) => {
    if (!isMoved(sticker)) return;
    const to = indexOf(rounded(apply(rotation, sticker.cubelet)), rounded(apply(rotation, sticker.normal)), size);
    letters[to] = stickers[i] as string;
    newUps[to] = rounded(apply(rotation, ups[i] as Vec));
  });
  return { stickers: letters.join(""), ups: newUps };
}

/** The state with the whole cube rotated. */
export function rotateWhole(state: CubeState, rotation: Matrix): CubeState {
  return moveStickers(state, rotation, () => true);
}

/** The 24 orientations of a cube, as rotation matrices. */
export const ROTATIONS: Matrix[] = (() => {
  const found = new Map([[IDENTITY.join(), IDENTITY]]);
  const quarters = [0, 1, 2].map((axis) => rotationOf({ axis, end: 0, quarters: 1 }));
  for (const rotation of found.values()) {
    // A map keeps its insertion order, so the loop also visits the rotations that it adds.
    for (const quarter of quarters) {
      const next = product(quarter, rotation).map(rounded) as unknown as Matrix;
      found.set(next.join(), next);
    }
  }
  return [...found.values()];
})();

/** The lab keeps the lower left back cubelet of the 2×2×2 fixed: its letters, and the indices of its stickers. */
const FIXED_STICKERS = ["D", "L", "B"].map((letter) => {
  const [normal] = FACE_LAYOUTS[FACES.indexOf(letter)] as [Vec, Vec, Vec];
  return { letter, index: indexOf([-1, -1, -1], normal) };
});

/**
 * The 2×2×2 in the lab's orientation, in which the cubelet with the colours D, L and B is at the lower left back, and
 * the rotation that leads there.
 */
export function inLabOrientation(stickers: string): { rotation: Matrix; stickers: string } {
  for (const rotation of ROTATIONS) {
    const turned = rotateWhole({ stickers, ups: STICKER_UPS }, rotation);
    if (FIXED_STICKERS.every(({ letter, index }) => turned.stickers[index] === letter))
      return { rotation, stickers: turned.stickers };
  }
  return { rotation: IDENTITY, stickers };
}

/**
 * The lab's turn of the 2×2×2 for a turn on the screen, or the other way round. `rotation` leads from the cube's
 * orientation on the screen to that in the lab, or back.
 *
 * The result always turns a layer at the positive end of an axis, because the lab has only such turns. This loses
 * nothing: on a cube of two layers, turning one layer and turning the opposite one the other way differ only by a
 * rotation of the whole cube. Both turns count clockwise as seen from their own layer, so `quarters` stays the same.
 */
export function moveAfterRotation(move: Move, rotation: Matrix): Move {
  const to = apply(rotation, AXES[move.axis] as Vec);
  return { axis: to.findIndex((n) => n !== 0), end: 1, quarters: move.quarters };
}
