// Unit tests of the backgammon lab's pure parts: positions, game records, turns and number formats. Each side numbers
// the places of the board for itself: 25 is its bar, 24 to 1 are the points, 0 is off the board. South is side 0, north
// side 1.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { candidateArrows } from "../../www/labs/backgammon/move-arrows";
import { parsePlay, parseRecord, positionBefore } from "../../www/labs/backgammon/game-record";
import {
  applyMove,
  BAR,
  copyPosition,
  NORTH,
  OFF,
  pipCount,
  readPosition,
  SOUTH,
  START_POSITION,
} from "../../www/labs/backgammon/position";
import { Turn } from "../../www/labs/backgammon/turn";
import { describeError, ERROR_THRESHOLDS, formatLoss, formatPoints } from "../../www/labs/backgammon/wording";
import type { BackgammonStage } from "../../www/generated/protocol";

test("starting position has 167 pips for either side", () => {
  assert.deepEqual([pipCount(START_POSITION, SOUTH), pipCount(START_POSITION, NORTH)], [167, 167]);
});

test("hit sends a checker to the bar", () => {
  const position = copyPosition(START_POSITION);
  applyMove(position, NORTH, { from: 24, to: 20, hit: false });
  applyMove(position, SOUTH, { from: 8, to: 5, hit: true });
  assert.equal(position[NORTH][BAR], 1);
  assert.equal(position[NORTH][20], 0);
  assert.equal(START_POSITION[NORTH][24], 2, "the starting position is not changed");
});

test("board sent by the lab is read, and missing checkers count as borne off", () => {
  // South's checkers are positive, north's negative, all on south's places. South's point 20 is north's point 5.
  const board = Array<number>(26).fill(0);
  board[6] = 5;
  board[20] = -3;
  const [south, north] = readPosition(board);
  assert.deepEqual([south[6], south[OFF], north[5], north[OFF]], [5, 15 - 5, 3, 15 - 3]);
});

test("notation with repeated and chained moves is read move by move", () => {
  assert.deepEqual(parsePlay("13/7/5*(2)"), [
    { from: 13, to: 7, hit: false },
    { from: 7, to: 5, hit: true },
    { from: 13, to: 7, hit: false },
    { from: 7, to: 5, hit: false },
  ]);
  assert.deepEqual(
    parsePlay("bar/22 6/off").map(({ from, to }) => [from, to]),
    [
      [25, 22],
      [6, 0],
    ],
  );
  assert.deepEqual(parsePlay("(no play)"), []);
});

test("record gives the position before each turn", () => {
  const record = parseRecord("31 8/5 6/5\n64 24/14", SOUTH); // south begins
  assert.deepEqual(
    record.map(({ side, dice }) => [side, ...dice]),
    [
      [SOUTH, 3, 1],
      [NORTH, 6, 4],
    ],
  );
  assert.deepEqual(positionBefore(START_POSITION, record, 0), START_POSITION);
  assert.equal(positionBefore(START_POSITION, record, 1)[SOUTH][5], 2);
  assert.equal(positionBefore(START_POSITION, record, 2)[NORTH][14], 1);
  assert.deepEqual(parseRecord("", SOUTH), []);
});

test("turn follows the graph of legal moves and can be taken back", () => {
  // A roll of 3 and 1, played 8/5 and 6/5 in either order. A row is a legal move: node, from, to, hit, next node.
  const moves = [
    [0, 8, 5, 0, 1],
    [0, 6, 5, 0, 2],
    [1, 6, 5, 0, 3],
    [2, 8, 5, 0, 3],
  ];
  const turn = new Turn(moves.flat());
  assert.deepEqual(turn.sources(), [8, 6]);
  const path = turn.targets(8).get(5);
  assert.ok(path);
  turn.play(path);
  assert.equal(turn.done, false);
  turn.play(turn.targets(6).get(5) ?? []);
  assert.ok(turn.done);
  assert.equal(turn.moves.length, 2);
  assert.ok(turn.undo());
  assert.deepEqual(turn.sources(), [6]);
});

test("swapped dice offer the smaller one first, until a move is made", () => {
  // A roll of 3 and 1: the checker on point 8 goes to 5 or 7, then to 4.
  const moves = [
    [0, 8, 7, 0, 1],
    [0, 8, 5, 0, 2],
    [1, 7, 4, 0, 3],
    [2, 5, 4, 0, 3],
  ];
  const turn = new Turn(moves.flat());
  const targets = () => [...turn.targets(8).keys()];
  assert.deepEqual(targets(), [5, 7, 4]);
  assert.ok(turn.swapDice());
  assert.deepEqual([targets(), turn.swapped], [[7, 5, 4], true]);
  turn.play(turn.targets(8).get(7) ?? []);
  assert.equal(turn.swapDice(), false);
  assert.ok(turn.undo());
  assert.ok(turn.swapDice());
  assert.deepEqual([targets(), turn.swapped], [[5, 7, 4], false]);
});

test("equity is written with a sign, and errors have names", () => {
  assert.deepEqual([formatPoints(0.1234), formatPoints(-0.5, 1), formatPoints(-0.0001)], ["+0.123", "−0.5", "0.000"]);
  assert.deepEqual([formatLoss(0.126), formatLoss(0), formatLoss(NaN)], ["−0.13", "0.00", "–"]);
  assert.deepEqual([0.03, 0.031, 0.08, 0.2].map(describeError), ["", "doubtful", "bad", "very bad"]);
  // The terminal and the statistics of a match count by the thresholds in Rust.
  const ratings = readFileSync(
    new URL("../../crates/backgammon-play/src/analysis/ratings.rs", import.meta.url),
    "utf8",
  );
  const thresholds = [...ratings.matchAll(/Self::(?:Doubtful|Bad|VeryBad) => (0\.\d+),/g)].map(([, number]) =>
    Number(number),
  );
  assert.deepEqual(Object.values(ERROR_THRESHOLDS), thresholds);
});

test("the best play has the thickest arrows, whatever the search visits, and plays of few visits have none", () => {
  const candidate = (from: number, visits: number) => ({ moves: [from, from - 1, 0], visits });
  const arrowsOf = (candidates: unknown[]) => {
    const arrows = candidateArrows({ candidates, simulations: 200 } as BackgammonStage, null);
    return arrows.sort((a, b) => b.weight - a.weight).map(({ moves }) => moves[0]?.from);
  };
  assert.deepEqual(arrowsOf([candidate(8, 0.03), candidate(6, 0.02), candidate(13, 0.02)]), [8]);
  assert.deepEqual(arrowsOf([candidate(8, 0.5), candidate(6, 0.2), candidate(13, 0.02)]), [8, 6]);
  assert.deepEqual(arrowsOf([candidate(8, 0.04), candidate(6, 0.88), candidate(13, 0.1)]), [8, 6, 13]);
});
