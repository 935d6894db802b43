// Tests of the geometry of the 2×2×2 cube (www/labs/cube/space.ts): turns of layers, rotations of the whole cube, and
// the lab's orientation, in which the lab holds every cube by the same corner. Moves have their standard names: R is
// the right face clockwise, R' counterclockwise, R2 by half a turn, and x, y, z rotate the whole cube.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  inLabOrientation,
  moveAfterRotation,
  moveOf,
  nameOf,
  ROTATIONS,
  rotateWhole,
  SOLVED,
  turn,
  STICKER_UPS,
  type CubeState,
} from "../../www/labs/cube/space";
import { apply, cross, dot, product, rotation, transposed, type Vec } from "../../www/labs/cube/vectors";

const solved: CubeState = { stickers: SOLVED, ups: STICKER_UPS };
const FACES = [..."URFDLB"];
/** The state after the moves with these names, separated by blanks. */
const after = (state: CubeState, names: string) =>
  names.split(" ").reduce((now, name) => turn(now, moveOf(name)), state);

test("move names survive reading and writing", () => {
  for (const letter of [...FACES, "x", "y", "z"]) {
    for (const suffix of ["", "'", "2"]) assert.equal(nameOf(moveOf(letter + suffix)), letter + suffix);
  }
});

test("turn of any face has order four, and its inverse undoes it", () => {
  for (const face of [...FACES, "x", "y", "z"]) {
    assert.deepEqual(after(solved, `${face} ${face} ${face} ${face}`), solved);
    assert.deepEqual(after(solved, `${face} ${face}'`), solved);
    assert.equal(after(solved, `${face} ${face}`).stickers, after(solved, `${face}2`).stickers);
  }
});

test("turn R moves the front colour to the top right", () => {
  // The first four stickers are the upper face, row by row.
  assert.equal(after(solved, "R").stickers.slice(0, 4), "UFUF");
});

test("sequence R U R' U' has order six", () => {
  const sequence = "R U R' U'";
  const once = after(solved, sequence);
  assert.notEqual(once.stickers, SOLVED);
  assert.equal(after(once, Array(5).fill(sequence).join(" ")).stickers, SOLVED);
});

test("rotations are the 24 rotations of the cube, and no reflections", () => {
  assert.equal(ROTATIONS.length, 24);
  assert.equal(new Set(ROTATIONS.map((each) => each.join())).size, 24);
  for (const each of ROTATIONS) {
    assert.deepEqual(product(each, transposed(each)).flat(), [1, 0, 0, 0, 1, 0, 0, 0, 1], "it is orthogonal");
    assert.equal(dot(each[0], cross(each[1], each[2])), 1, "its determinant is 1");
  }
});

test("lab orientation is the same however the cube is held", () => {
  const scrambled = after(solved, "R U F' R2 U' F");
  const { stickers } = inLabOrientation(scrambled.stickers);
  for (const each of ROTATIONS) {
    const held = rotateWhole(scrambled, each);
    const inLab = inLabOrientation(held.stickers);
    assert.equal(inLab.stickers, stickers);
    assert.equal(rotateWhole(held, inLab.rotation).stickers, stickers);
  }
});

test("move in the lab orientation leads to the same state as the visible move", () => {
  const scrambled = after(solved, "R U F' R2 U' F");
  for (const each of ROTATIONS) {
    const held = rotateWhole(scrambled, each);
    const { stickers, rotation } = inLabOrientation(held.stickers);
    for (const name of FACES.flatMap((face) => [face, `${face}'`, `${face}2`])) {
      const seen = turn(held, moveOf(name));
      const inLab = turn({ stickers, ups: STICKER_UPS }, moveAfterRotation(moveOf(name), rotation));
      assert.equal(inLabOrientation(seen.stickers).stickers, inLab.stickers, name);
    }
  }
});

test("rotation matrix keeps lengths and turns counterclockwise", () => {
  const quarter = rotation([0, 0, 1], Math.PI / 2);
  const [x, y] = apply(quarter, [1, 0, 0]);
  assert.ok(Math.abs(x) < 1e-12 && Math.abs(y - 1) < 1e-12);
  const rotated: Vec = apply(rotation([0.6, 0, 0.8], 1.1), [1, 2, 3]);
  assert.ok(Math.abs(dot(rotated, rotated) - 14) < 1e-12, "1² + 2² + 3² = 14");
});
