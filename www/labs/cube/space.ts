// Geometry of the 2×2×2 cube: 24 stickers in the lab's order, and the turns of its layers and of the whole cube. Axis 0
// points right, 1 up, 2 to the front. A face, and its colour, is a letter of `FACES`. Stickers are listed face by face,
// and on each face row by row as seen with its usual side up.

import { apply, AXES, IDENTITY, product, rotation, scaled, type Matrix, type Vec } from "./vectors";

export const FACES = "URFDLB";
export const SOLVED = [...FACES].map((face) => face.repeat(4)).join("");

export interface Sticker {
  /** The corner it belongs to: 1 or -1 on each axis. */
  corner: Vec;
  /** The direction it faces. */
  normal: Vec;
}

/** For each face: its normal, and the directions of rows and columns. */
const LAYOUT: [Vec, Vec, Vec][] = [
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

export const STICKERS: Sticker[] = LAYOUT.flatMap(([normal, along, down]) =>
  [0, 1, 2, 3].map((i) => {
    const [x, y] = [i % 2 === 0 ? -1 : 1, i < 2 ? -1 : 1];
    return { normal, corner: normal.map((n, a) => n + x * (along[a] as number) + y * (down[a] as number)) as never };
  }),
);

/** The up direction of each sticker before any turn. */
export const UPS: Vec[] = LAYOUT.flatMap(([, , down]) => Array(4).fill(scaled(down, -1)) as Vec[]);

const key = (corner: Vec, normal: Vec) => `${corner.join()} ${normal.join()}`;
const INDEX = new Map(STICKERS.map(({ corner, normal }, i) => [key(corner, normal), i]));

export function indexOf(corner: Vec, normal: Vec): number {
  return INDEX.get(key(corner, normal)) ?? -1;
}

/** A turn of a layer, or a rotation of the whole cube. */
export interface Move {
  axis: number;
  /** The layer at the positive end of the axis, at the negative end, or (0) the whole cube. */
  end: 1 | 0 | -1;
  /** Clockwise quarter turns as seen from that end (from the positive end for the whole cube): 1, 2, -1 or -2. */
  quarters: number;
}

/** The angle of a move around its axis. */
export function angleOf({ end, quarters }: Move): number {
  return (-(end || 1) * quarters * Math.PI) / 2;
}

const WHOLE = "xyz";
const POSITIVE = "RUF";
const NEGATIVE = "LDB";

/** The name of a move: `R`, `U'`, `F2`, `x`. */
export function nameOf({ axis, end, quarters }: Move): string {
  const letter = (end === 0 ? WHOLE : end > 0 ? POSITIVE : NEGATIVE)[axis] as string;
  return letter + (Math.abs(quarters) === 2 ? "2" : quarters === -1 ? "'" : "");
}

/** The move with a name such as `R`, `U'`, `F2` or `x`. */
export function moveOf(name: string): Move {
  const letter = name[0] as string;
  const [positive, negative] = [POSITIVE.indexOf(letter), NEGATIVE.indexOf(letter)];
  const end = positive >= 0 ? 1 : negative >= 0 ? -1 : 0;
  return {
    axis: Math.max(positive, negative, WHOLE.indexOf(letter)),
    end,
    quarters: name.includes("2") ? 2 : name.includes("'") ? -1 : 1,
  };
}

/** A name with a typographic prime. */
export function displayName(name: string): string {
  return name.replace("'", "′");
}

const rounded = (v: Vec) => v.map((n) => Math.round(n) + 0) as unknown as Vec;

/** The rotation matrix of a move, in whole numbers. */
export function rotationOf(move: Move): Matrix {
  return rotation(AXES[move.axis] as Vec, angleOf(move)).map(rounded) as unknown as Matrix;
}

/** The letters of all stickers, and the up direction of each. */
export interface CubeState {
  stickers: string;
  ups: readonly Vec[];
}

/** The state after a turn. */
export function turn({ stickers, ups }: CubeState, move: Move): CubeState {
  return moveStickers(
    { stickers, ups },
    rotationOf(move),
    ({ corner }) => move.end === 0 || corner[move.axis] === move.end,
  );
}

function moveStickers({ stickers, ups }: CubeState, by: Matrix, moves: (sticker: Sticker) => boolean): CubeState {
  const [letters, newUps] = [[...stickers], [...ups]];
  STICKERS.forEach((sticker, i) => {
    if (!moves(sticker)) return;
    const to = indexOf(rounded(apply(by, sticker.corner)), rounded(apply(by, sticker.normal)));
    letters[to] = stickers[i] as string;
    newUps[to] = rounded(apply(by, ups[i] as Vec));
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
  for (const rotation of found.values())
    for (const quarter of quarters) {
      const next = product(quarter, rotation).map(rounded) as unknown as Matrix;
      found.set(next.join(), next);
    }
  return [...found.values()];
})();

const FIXED = ["D", "L", "B"].map((letter) => {
  const [normal] = LAYOUT[FACES.indexOf(letter)] as [Vec, Vec, Vec];
  return { letter, at: indexOf([-1, -1, -1], normal) };
});

/**
 * The stickers as the lab holds the cube, with the corner of D, L and B in its place, and the rotation that leads
 * there.
 */
export function inLabFrame(stickers: string): { rotation: Matrix; stickers: string } {
  for (const rotation of ROTATIONS) {
    const turned = rotateWhole({ stickers, ups: UPS }, rotation);
    if (FIXED.every(({ letter, at }) => turned.stickers[at] === letter)) return { rotation, stickers: turned.stickers };
  }
  return { rotation: IDENTITY, stickers };
}

/**
 * The equivalent move of the lab after a rotation of the whole cube. A turn of a layer equals the opposite turn of the
 * other layer up to such a rotation, and the lab turns only positive layers.
 */
export function moveInFrame(move: Move, rotation: Matrix): Move {
  const to = apply(rotation, AXES[move.axis] as Vec);
  return { axis: to.findIndex((n) => n !== 0), end: 1, quarters: move.quarters };
}
