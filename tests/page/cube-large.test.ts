// Tests of the 3×3×3's pure parts: its geometry (www/labs/cube/space.ts), random scrambles, the solution that is
// played, the text of 54 letters, and the sentences about searches.

import assert from "node:assert/strict";
import { test } from "node:test";
import { blankStickers, describeSticker, painted, readStickers } from "../../www/labs/cube/large/enter/stickers";
import { randomTurns } from "../../www/labs/cube/large/scramble";
import { Solution } from "../../www/labs/cube/large/solution";
import { describeLayer, describeSearch, describeTurn } from "../../www/labs/cube/large/wording";
import {
  FACES,
  geometryOf,
  inverseName,
  moveOf,
  nameOf,
  ROTATIONS,
  rotateWhole,
  sizeOf,
  solvedState,
  solvedStickers,
  turn,
  writtenTurns,
  type CubeState,
} from "../../www/labs/cube/space";
import { COLOURS, colourInitial, colourOfInitial, describeFaces, nameColours } from "../../www/labs/cube/colours";

const solved = solvedState(3);
/** The state after the turns with these names, separated by blanks. */
const after = (names: string, state: CubeState = solved) =>
  names.split(" ").reduce((now, name) => turn(now, moveOf(name)), state);

test("size of a cube follows from its stickers", () => {
  for (const size of [2, 3] as const) {
    assert.equal(sizeOf(solvedStickers(size)), size);
    assert.equal(geometryOf(size).stickers.length, 6 * size ** 2);
    assert.equal(geometryOf(size).indices.size, 6 * size ** 2, "every sticker has its own place");
  }
});

test("stickers are in the order of Kociemba's programs", () => {
  // The letters that his programs write after one turn of each face.
  assert.equal(after("R").stickers, "UUFUUFUUFRRRRRRRRRFFDFFDFFDDDBDDBDDBLLLLLLLLLUBBUBBUBB");
  assert.equal(after("U").stickers, "UUUUUUUUUBBBRRRRRRRRRFFFFFFDDDDDDDDDFFFLLLLLLLLLBBBBBB");
  assert.equal(after("F").stickers, "UUUUUULLLURRURRURRFFFFFFFFFRRRDDDDDDLLDLLDLLDBBBBBBBBB");
  assert.equal(after("D").stickers, "UUUUUUUUURRRRRRFFFFFFFFFLLLDDDDDDDDDLLLLLLBBBBBBBBBRRR");
  assert.equal(after("L").stickers, "BUUBUUBUURRRRRRRRRUFFUFFUFFFDDFDDFDDLLLLLLLLLBBDBBDBBD");
  assert.equal(after("B").stickers, "RRRUUUUUURRDRRDRRDFFFFFFFFFDDDDDDLLLULLULLULLBBBBBBBBB");
});

test("every turn has order four, its inverse undoes it, and centres stay", () => {
  for (const face of FACES) {
    assert.deepEqual(after(`${face} ${face} ${face} ${face}`), solved);
    assert.deepEqual(after(`${face} ${face}'`), solved);
    assert.equal(after(`${face} ${face}`).stickers, after(`${face}2`).stickers);
    const centres = [...after(face).stickers].filter((_, i) => i % 9 === 4).join("");
    assert.equal(centres, FACES);
  }
});

test("sequence R U R' U' has order six, and opposite faces commute", () => {
  const sequence = "R U R' U'";
  assert.notEqual(after(sequence).stickers, solved.stickers);
  assert.equal(after(Array(6).fill(sequence).join(" ")).stickers, solved.stickers);
  assert.equal(after("R L'").stickers, after("L' R").stickers);
});

test("the superflip is reached, and undoes itself", () => {
  // Twenty turns that flip all edges in place; the state is its own inverse.
  const superflip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
  const { stickers } = after(superflip);
  assert.equal(stickers, "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB");
  assert.equal(after(`${superflip} ${superflip}`).stickers, solved.stickers);
});

test("rotations of the whole cube permute the stickers, each in another way", () => {
  const scrambled = after("R U F' L2 D B'");
  for (const rotation of ROTATIONS) {
    const held = rotateWhole(scrambled, rotation);
    assert.equal([...held.stickers].sort().join(""), [...scrambled.stickers].sort().join(""));
  }
  const all = ROTATIONS.map((rotation) => rotateWhole(scrambled, rotation).stickers);
  assert.equal(new Set(all).size, ROTATIONS.length);
});

test("inverse of a turn has its name", () => {
  assert.deepEqual(["R", "U'", "F2"].map(inverseName), ["R'", "U", "F2"]);
});

test("scrambles have the length asked for, no face twice in a row, and no three turns in a row about one axis", () => {
  for (const metric of ["quarter", "half"] as const) {
    const turns = randomTurns(300, metric);
    assert.equal(turns.length, 300);
    const faces = turns.map((move) => nameOf(move)[0] as string);
    const axis = (face: string) => FACES.indexOf(face) % 3;
    faces.forEach((face, i) => {
      assert.notEqual(face, faces[i - 1]);
      const three = faces.slice(Math.max(0, i - 2), i + 1);
      assert.ok(three.length < 3 || new Set(three.map(axis)).size > 1, three.join(" "));
    });
    assert.equal(
      turns.some((move) => nameOf(move).endsWith("2")),
      metric === "half",
    );
  }
});

test("solution is followed turn by turn, back and forth, and ended by other turns", () => {
  const solution = new Solution();
  solution.sync(["R", "U2", "F'"], 0);
  assert.equal(solution.back, undefined);
  solution.turned("R");
  solution.turned("U2");
  assert.equal(solution.next, "F'");
  assert.equal(solution.back, "U2");
  solution.turned("U2");
  assert.equal(solution.back, "R'");
  solution.turned("R'");
  assert.deepEqual([solution.made, solution.next], [0, "R"]);
  solution.turned("L");
  assert.deepEqual([solution.turns, solution.next, solution.back], [[], undefined, undefined]);
});

test("two quarter turns of a face in a row are written as a half turn", () => {
  const written = (names: string) => writtenTurns(names.split(" ")).map(({ name }) => name);
  assert.deepEqual(written("B B"), ["B2"]);
  assert.deepEqual(written("B' B'"), ["B2"]);
  assert.deepEqual(written("R B B U' B"), ["R", "B2", "U'", "B"]);
  assert.deepEqual(written("B B B"), ["B2", "B"]);
  assert.deepEqual(written("B B'"), ["B", "B'"]);
  assert.deepEqual(written("B2 B2"), ["B2", "B2"], "half turns as they are");
  assert.deepEqual(writtenTurns([]), []);
});

test("half turn of a solution is made and taken back as one move, also from its middle", () => {
  const solution = new Solution();
  solution.sync(["R", "B'", "B'", "U"], 0);
  assert.deepEqual(
    solution.steps.map(({ name, before }) => [name, before]),
    [
      ["R", 0],
      ["B2", 1],
      ["U", 3],
    ],
  );
  /** The quarter turns of a move by their names, as the lab gets them. */
  const quarters = (move = solution.nextMove) => {
    assert.ok(move);
    const sign = Math.sign(move.quarters);
    return Array.from({ length: Math.abs(move.quarters) }, () => nameOf({ ...move, quarters: sign }));
  };
  const make = (names: string[]) => names.forEach((name) => solution.turned(name));
  assert.equal(solution.backMove, undefined);
  make(quarters());
  assert.deepEqual(quarters(), ["B'", "B'"]);
  make(quarters());
  assert.deepEqual([solution.made, solution.next], [3, "U"]);
  assert.deepEqual(quarters(solution.backMove), ["B", "B"]);
  make(["B"]); // the visitor takes back one quarter
  assert.equal(solution.made, 2);
  assert.deepEqual([quarters(), quarters(solution.backMove)], [["B'"], ["B"]]);
  make([...quarters(), "U"]);
  assert.deepEqual([solution.made, solution.nextMove, solution.turns.length], [4, undefined, 4]);
  solution.sync(["U2"], 0);
  assert.equal(solution.nextMove?.quarters, 2);
});

test("letters of faces are said as colours, and faces by the colour of their centre", () => {
  assert.deepEqual(Object.keys(COLOURS).map(colourInitial), ["W", "R", "G", "Y", "O", "B"]);
  for (const letter of Object.keys(COLOURS)) assert.equal(colourOfInitial(colourInitial(letter)), letter);
  assert.equal(colourOfInitial("X"), undefined);
  assert.equal(nameColours("10 stickers are R; expected 9"), "10 stickers are red; expected 9");
  assert.equal(
    nameColours("the edge UF shows FD, and no edge has these colours in this order"),
    "the edge white-green shows green-yellow, and no edge has these colours in this order",
  );
  assert.equal(nameColours("Two pieces (edges or corners) are swapped"), "Two pieces (edges or corners) are swapped");
  assert.equal(describeTurn("B2"), "Turn the blue face by half a turn");
  assert.equal(describeTurn("U'"), "Turn the white face counterclockwise");
});

test("54 letters are read, also with other letters for the colours", () => {
  const { stickers } = after("R U F'");
  assert.deepEqual(readStickers(` ${stickers.toLowerCase().replace(/(.{9})/g, "$1 ")}`), { stickers });
  const colours: Record<string, string> = { U: "W", R: "R", F: "G", D: "Y", L: "O", B: "B" };
  const renamed = [...stickers].map((letter) => colours[letter]).join("");
  assert.deepEqual(readStickers(renamed), { stickers });
  const problem = (text: string) => (readStickers(text) as { problem: string }).problem;
  assert.match(problem("UUU"), /54 stickers.* 3 letters/);
  assert.match(problem("U".repeat(54)), /Two centres have the letter .U/);
  assert.match(problem(stickers.replace(/^./, "X")), /X.* is not the letter of any centre/);
});

test("stickers are painted, and named for screen readers", () => {
  const blank = blankStickers();
  assert.equal(blank.replaceAll("-", ""), FACES);
  assert.equal(painted(blank, 4, "R"), blank, "a centre keeps its colour");
  assert.equal(painted(blank, 19, "D")[19], "D");
  assert.equal(describeSticker(painted(blank, 19, "D"), 19), "Front, row 1, column 2: yellow");
  assert.equal(describeSticker(blank, 0), "Up, row 1, column 1: no colour");
  assert.equal(describeSticker(blank, 31), "Down, centre: yellow");
  assert.match(describeFaces(solved.stickers), /^up: (white ?){9}; right: (red ?){9};/);
});

test("searches are told in a sentence", () => {
  const state = { searching: false, isSolved: false, searches: 0, length: 0, made: 0, hasSearched: false };
  assert.match(describeSearch(state), /^Let the agent search/);
  assert.match(describeSearch({ ...state, isSolved: true }), /is solved/);
  assert.match(describeSearch({ ...state, searching: true, hasSearched: true }), /^Searching for a solution/);
  assert.match(
    describeSearch({ ...state, searching: true, searches: 2, hasSearched: true }),
    /no solution after 2 searches/,
  );
  assert.equal(
    describeSearch({ ...state, searching: true, searches: 1, length: 21, hasSearched: true }),
    "Best solution so far: 21 turns, after 1 search; still looking for a shorter one.",
  );
  assert.equal(describeSearch({ ...state, searches: 9, length: 1 }), "Best solution so far: 1 turn, after 9 searches.");
  assert.equal(describeSearch({ ...state, isSolved: true, length: 21, made: 21 }), "Solved in 21 turns.");
  assert.match(describeSearch({ ...state, hasSearched: true }), /^Stopped before/);
  assert.match(describeSearch({ ...state, hasSearched: true, searches: 8 }), /^No solution in 8 searches/);
  assert.match(
    describeLayer(3, 256, 1024, 6.25),
    /^Depth 3: 256 states \(beam width 1,024\); the lowest estimate is 6\.3 turns/,
  );
  assert.equal(describeLayer(3, 256, 1024, null), "Depth 3: 256 states (beam width 1,024).");
});
