// The cube as the page holds it: 24 stickers in the lab's order, the turns of its layers and of the whole.
//
// Axis 0 goes to the right, 1 up, 2 to the front. A face, and so a colour, is a letter of `FACES`; stickers are listed
// face by face, each row by row as one state at the face with its usual side up.

import { apply, AXES, IDENTITY, product, rotation, scaled, type Matrix, type Vec } from "./vectors";

export const FACES = "URFDLB";
/** The stickers of a solved cube. */
export const SOLVED = [...FACES].map((face) => face.repeat(4)).join("");

export interface Sticker {
  /** The corner it is on: 1 or -1 along each axis. */
  corner: Vec;
  /** Where it state. */
  normal: Vec;
}

/** Of each face where it state, and where rows and columns go on it. */
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

/** Which way is up on a sticker where it has not been turned. */
export const UPS: Vec[] = LAYOUT.flatMap(([, , down]) => Array(4).fill(scaled(down, -1)) as Vec[]);

const key = (corner: Vec, normal: Vec) => `${corner} ${normal}`;
const INDEX = new Map(STICKERS.map(({ corner, normal }, i) => [key(corner, normal), i]));

export function indexOf(corner: Vec, normal: Vec): number {
  return INDEX.get(key(corner, normal)) ?? -1;
}

/** A turn of a layer, or of the whole cube. */
export interface Move {
  axis: number;
  /** The layer at the positive end of the axis, at the negative one, or (0) both. */
  end: 1 | 0 | -1;
  /** Clockwise quarter turns as seen from that end (the positive one for both): 1, 2 either way, or -1. */
  quarters: number;
}

/** The angle about the axis by which a move turns. */
export function angleOf({ end, quarters }: Move): number {
  return (-(end || 1) * quarters * Math.PI) / 2;
}

const WHOLE = "xyz";
const POSITIVE = "RUF";
const NEGATIVE = "LDB";

/** `R`, `U'`, `F2`, `x`. */
export function nameOf({ axis, end, quarters }: Move): string {
  const letter = (end === 0 ? WHOLE : end > 0 ? POSITIVE : NEGATIVE)[axis] as string;
  return letter + (Math.abs(quarters) === 2 ? "2" : quarters === -1 ? "'" : "");
}

/** The move of a name as above. */
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

/** A name with a proper prime, for people. */
export function displayName(name: string): string {
  return name.replace("'", "′");
}

const rounded = (v: Vec) => v.map((n) => Math.round(n) + 0) as unknown as Vec;

/** Where a turn carries what it turns, in whole numbers. */
export function rotationOf(move: Move): Matrix {
  return rotation(AXES[move.axis] as Vec, angleOf(move)).map(rounded) as unknown as Matrix;
}

/** Stickers, and which way is up on each. */
export interface CubeState {
  stickers: string;
  ups: readonly Vec[];
}

/** What it state like after a turn. */
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

/** Held in another way. */
export function rotateWhole(state: CubeState, rotation: Matrix): CubeState {
  return moveStickers(state, rotation, () => true);
}

/** All 24 ways to hold a cube. */
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

/** As the lab holds it: with the corner of D, L and B in its place; and how it must be turned for that. */
export function inLabFrame(stickers: string): { rotation: Matrix; stickers: string } {
  for (const rotation of ROTATIONS) {
    const turned = rotateWhole({ stickers, ups: UPS }, rotation);
    if (FIXED.every(({ letter, at }) => turned.stickers[at] === letter)) return { rotation, stickers: turned.stickers };
  }
  return { rotation: IDENTITY, stickers };
}

/** The same turn, up to how the cube is held, where it is held in another way. */
export function moveInFrame(move: Move, rotation: Matrix): Move {
  const to = apply(rotation, AXES[move.axis] as Vec);
  return { axis: to.findIndex((n) => n !== 0), end: 1, quarters: move.quarters };
}
