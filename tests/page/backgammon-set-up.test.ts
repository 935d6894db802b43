// Unit tests of setting up a position of backgammon: XGIDs are read and written as exact inverses, wrong ones are
// refused in a sentence, checkers are placed and removed one place at a time, arrow keys lead from place to place, and
// a turn of a game becomes a position. SOUTH is called Light and NORTH Dark.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readLink } from "../../www/core/link";
import { LABS } from "../../www/generated/labs";
import { neighbourIn } from "../../www/labs/backgammon/board-layout";
import { parseRecord, turnBefore } from "../../www/labs/backgammon/game-record";
import { BAR, NORTH, OFF, pipCount, SOUTH, START_POSITION, type Position } from "../../www/labs/backgammon/position";
import {
  contentOf,
  describeCounts,
  describePlace,
  describeUnplayable,
  emptyPosition,
  neighbour,
  NORTH_BAR,
  SOUTH_BAR,
  withChecker,
  withoutChecker,
} from "../../www/labs/backgammon/set-up/places";
import { parseXgid, writeShowLink, writeXgid, type SetUp } from "../../www/labs/backgammon/set-up/xgid";

const BEGIN = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";

/** Reads an XGID that is right. */
function read(text: string): SetUp {
  const parsed = parseXgid(text);
  assert.ok("setUp" in parsed, `${text}: ${"problem" in parsed ? parsed.problem : ""}`);
  return parsed.setUp;
}

/** The sentence about an XGID that is wrong. */
function problem(text: string): string {
  const parsed = parseXgid(text);
  assert.ok("problem" in parsed, `${text} is read`);
  return parsed.problem;
}

/** Adds checkers, which must be possible. */
function place(position: Position, side: typeof SOUTH | typeof NORTH, ...places: number[]): Position {
  return places.reduce(
    (before, each) => withChecker(before, each, side) ?? assert.fail(`none is left for ${each}`),
    position,
  );
}

test("XGID of the starting position is read and written", () => {
  const setUp = read(BEGIN);
  assert.deepEqual(setUp, { position: START_POSITION, side: SOUTH, dice: [3, 1] });
  assert.equal(writeXgid(setUp), BEGIN);
  assert.equal(writeXgid({ position: START_POSITION, side: NORTH, dice: null }), BEGIN.replace(":1:31:", ":-1:00:"));
});

test("positions are the same after they were written and read", () => {
  const bars = place(emptyPosition(), SOUTH, SOUTH_BAR, SOUTH_BAR, 1, 24);
  const cases: SetUp[] = [
    { position: place(bars, NORTH, NORTH_BAR, 2, 23), side: NORTH, dice: [6, 6] },
    { position: place(emptyPosition(), SOUTH, ...new Array<number>(15).fill(1)), side: SOUTH, dice: null },
    { position: place(emptyPosition(), NORTH, ...new Array<number>(15).fill(24)), side: NORTH, dice: [1, 2] },
    { position: emptyPosition(), side: SOUTH, dice: [2, 1] },
    { position: START_POSITION, side: NORTH, dice: [5, 2] },
  ];
  for (const setUp of cases) assert.deepEqual(read(writeXgid(setUp)), setUp);
});

test("XGIDs are the same after they were read and written", () => {
  for (const checkers of ["-b----E-C---eE---c-e----B-", "b-BBBB------------bbbb---A", "o------------------------O"]) {
    for (const turn of ["1:00", "-1:00", "1:12", "-1:66"]) {
      const text = `XGID=${checkers}:0:0:${turn}:0:0:0:0:10`;
      assert.equal(writeXgid(read(text)), text);
    }
  }
});

test("random positions survive the round trip", () => {
  let seed = 1;
  const random = (bound: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * bound);
  };
  for (let round = 0; round < 300; round++) {
    let position = emptyPosition();
    for (let press = random(60); press > 0; press--) {
      const at = random(26);
      const next =
        random(4) === 0 ? withoutChecker(position, at) : withChecker(position, at, random(2) === 0 ? SOUTH : NORTH);
      position = next ?? position;
      for (const counts of position) {
        assert.equal(counts.length, 26);
        assert.equal(
          counts.reduce((sum, n) => sum + n, 0),
          15,
        );
        assert.ok(counts.every((n) => n >= 0));
      }
    }
    const dice: SetUp["dice"] = random(2) === 0 ? null : [1 + random(6), 1 + random(6)];
    const setUp: SetUp = { position, side: random(2) === 0 ? SOUTH : NORTH, dice };
    assert.deepEqual(read(writeXgid(setUp)), setUp);
  }
});

test("bars are read from both ends of the XGID, and missing checkers were borne off", () => {
  const { position, side } = read("XGID=bB-----------------------A:0:0:-1:00");
  assert.equal(side, NORTH);
  assert.deepEqual([position[SOUTH][BAR], position[SOUTH][1], position[SOUTH][OFF]], [1, 2, 12]);
  assert.deepEqual([position[NORTH][BAR], position[NORTH][OFF]], [2, 13]);
  assert.equal(pipCount(position, SOUTH), 27);
});

test("XGID is found without its prefix, in other text, and with a cube and a score", () => {
  const body = BEGIN.slice("XGID=".length);
  for (const text of [
    body,
    `  ${BEGIN}\n`,
    `Position 3\n${BEGIN}\n\nX:Player 1   O:Player 2`,
    BEGIN.toLowerCase().slice(0, 5) + body,
  ])
    assert.deepEqual(read(text).position, START_POSITION, text);
  // Only the first five fields are needed.
  assert.deepEqual(read("-b----E-C---eE---c-e----B-:0:0:1:31").dice, [3, 1]);
  // D: a double was offered, so nothing has been rolled.
  assert.deepEqual(read("XGID=-b----E-C---eE---c-e----B-:2:1:-1:D:3:5:0:7:10"), {
    position: START_POSITION,
    side: NORTH,
    dice: null,
  });
});

const CHECKERS = "-b----E-C---eE---c-e----B-";

for (const [text, sentence] of [
  ["", "The first field of an XGID has 26 characters; this one has 0."],
  ["hello", "The first field of an XGID has 26 characters; this one has 5."],
  ["XGID=", "The first field of an XGID has 26 characters; this one has 0."],
  [`${CHECKERS}-:0:0:1:31`, "The first field of an XGID has 26 characters; this one has 27."],
  ["x".repeat(1e6), "The first field of an XGID has 26 characters; this one has 1000000."],
  [CHECKERS, "The XGID ends before its field for the cube."],
  [`${CHECKERS}:0:0`, "The XGID ends before its field for the turn."],
  [`${CHECKERS}:0:0:1`, "The XGID ends before its field for the dice."],
  [`-p${CHECKERS.slice(2)}:0:0:1:31`, "“p” is not allowed for checkers; an XGID has A to O, a to o, and - there."],
  [`-🎲${CHECKERS.slice(2)}:0:0:1:31`, "“🎲” is not allowed for checkers; an XGID has A to O, a to o, and - there."],
  [`A${CHECKERS.slice(1)}:0:0:1:31`, "The first place of an XGID is Dark's bar, which takes a to o."],
  [`${CHECKERS.slice(0, 25)}a:0:0:1:31`, "The last place of an XGID is Light's bar, which takes A to O."],
  [`${CHECKERS.slice(0, 25)}A:0:0:1:31`, "Light has 16 checkers; a side has 15 at most."],
  [`o${CHECKERS.slice(1)}:0:0:1:31`, "Dark has 30 checkers; a side has 15 at most."],
  [`${CHECKERS}:0:0:2:31`, "“2” is not allowed for the turn; it takes 1 for Light or -1 for Dark."],
  [`${CHECKERS}:0:0::31`, "“” is not allowed for the turn; it takes 1 for Light or -1 for Dark."],
  [`${CHECKERS}:0:0:1:37`, "“37” is not allowed for the dice; they take two numbers from 1 to 6, or 00."],
  [`${CHECKERS}:0:0:1:3`, "“3” is not allowed for the dice; they take two numbers from 1 to 6, or 00."],
  [`${CHECKERS}:0:0:1:31\u0000`, "“31” is not allowed for the dice; they take two numbers from 1 to 6, or 00."],
] as const) {
  test(`wrong XGID is refused in a sentence: ${text.slice(0, 40)}`, () => assert.equal(problem(text), sentence));
}

test("checker on a point of the other side replaces its checkers, and one on either bar goes to the bar of its side", () => {
  // Point 6 holds five checkers of Light.
  assert.equal(withChecker(START_POSITION, 6, NORTH), null, "all of Dark's checkers are on the board");
  const free = withoutChecker(START_POSITION, 1) ?? assert.fail("there is a checker on point 1");
  const after = place(free, NORTH, 6);
  assert.deepEqual(contentOf(after, 6), { side: NORTH, count: 1 });
  assert.deepEqual([after[SOUTH][OFF], after[NORTH][OFF]], [5, 0]);
  assert.deepEqual(contentOf(START_POSITION, 6), { side: SOUTH, count: 5 }, "the position before is not changed");
  // Either bar takes a checker of either side to its own bar.
  for (const bar of [SOUTH_BAR, NORTH_BAR]) {
    assert.deepEqual(contentOf(place(free, NORTH, bar), NORTH_BAR), { side: NORTH, count: 1 });
    assert.deepEqual(contentOf(place(after, SOUTH, bar), SOUTH_BAR), { side: SOUTH, count: 1 });
  }
  assert.equal(withoutChecker(emptyPosition(), 6), null);
  assert.equal(withoutChecker(emptyPosition(), NORTH_BAR), null, "checkers that were borne off are not on the bar");
});

test("arrow keys lead over all places, also on the rotated board", () => {
  assert.equal(neighbour(13, [1, 0], false), 14);
  assert.equal(neighbour(18, [1, 0], false), SOUTH_BAR);
  assert.equal(neighbour(SOUTH_BAR, [1, 0], false), 19);
  assert.equal(neighbour(13, [0, 1], false), 12);
  assert.equal(neighbour(NORTH_BAR, [0, -1], false), SOUTH_BAR);
  assert.equal(neighbour(1, [1, 0], false), 1, "the edge of the board");
  assert.equal(neighbour(12, [0, 1], false), 12);
  // A quarter turn clockwise: the upper row is on the right, with its left end at the top.
  assert.equal(neighbour(13, [0, 1], true), 14);
  assert.equal(neighbour(13, [-1, 0], true), 12);
  assert.equal(neighbour(12, [1, 0], true), 13);
  const reached = new Set([13]);
  // The loop also visits what it adds.
  for (const from of reached)
    for (const step of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const)
      reached.add(neighbour(from, step, true));
  assert.equal(reached.size, 26);
});

test("arrow keys stay in the row that they came from, on a place that both rows share", () => {
  const rows = [
    [18, BAR, 19],
    [7, BAR, 6],
  ];
  assert.equal(neighbourIn(rows, BAR, [1, 0], false, 0), 19);
  assert.equal(neighbourIn(rows, BAR, [1, 0], false, 1), 6);
  assert.equal(neighbourIn(rows, BAR, [0, 1], false, 0), BAR);
});

test("places and counts are said in words", () => {
  const position = place(emptyPosition(), SOUTH, SOUTH_BAR, 6, 6);
  assert.equal(describePlace(position, 6), "Point 6: 2 Light checkers");
  assert.equal(describePlace(position, 7), "Point 7: empty");
  assert.equal(describePlace(position, SOUTH_BAR), "Light's bar: 1 Light checker");
  assert.equal(describePlace(position, NORTH_BAR), "Dark's bar: empty");
  assert.equal(describeCounts(START_POSITION), "Light: 15 checkers, 167 pips. Dark: 15 checkers, 167 pips.");
  assert.equal(
    describeCounts(place(emptyPosition(), NORTH, 20)),
    "Light: 0 checkers, 0 pips. Dark: 1 checker, 5 pips.",
  );
  assert.equal(describeUnplayable(START_POSITION), "");
  assert.equal(describeUnplayable(position), "Dark has no checkers on the board, so the game is over.");
  assert.equal(describeUnplayable(emptyPosition()), "There are no checkers on the board.");
});

test("turn under review is set up as it was before its play", () => {
  const board = Array<number>(26).fill(0);
  board[6] = 2;
  board[20] = -3;
  const record = parseRecord("31 6/3 6/5\n64 5/off(2)", SOUTH);
  const stage = { board: [], start: board, side: SOUTH, dice: [0, 0] as [number, number] };
  const { position, side, dice } = turnBefore(stage, record, 1);
  assert.deepEqual([position[SOUTH][3], position[SOUTH][5], position[NORTH][5]], [1, 1, 3]);
  assert.deepEqual([side, dice], [NORTH, [6, 4]]);
  assert.equal(turnBefore(stage, record, null).dice, null, "there is no roll after the last turn");
});

test("link to a position asks for no particular run, and keeps the XGID as it is", async () => {
  const setUp = read(BEGIN);
  const link = writeShowLink(writeXgid(setUp));
  assert.equal(link, "#/backgammon?show=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10");
  const { request, problems } = await readLink(link, LABS);
  assert.deepEqual(problems, []);
  assert.equal(request?.explicit, false);
  assert.deepEqual(read(request?.show ?? ""), setUp);
});
