// Sentences about a match from a file.

import assert from "node:assert/strict";
import { test } from "node:test";
import { xgidOf } from "../../www/labs/backgammon/match-file/decision-xgid";
import {
  describeDecision,
  describeEquities,
  describeGame,
  describeLuck,
  describeMatchFile,
  describeReason,
  describeVerdict,
  formatErrorRate,
  nextError,
  shortDecision,
} from "../../www/labs/backgammon/match-file/words";
import { NORTH, SOUTH } from "../../www/labs/backgammon/position";
import { writeShowLink } from "../../www/labs/backgammon/set-up/xgid";
import type { BackgammonAnalysedDecision, BackgammonAnalysedMatch } from "../../www/generated/protocol";

/** A play that was made, 13/9, and the best one, 8/5 6/5, each with its chances and its equity. */
const play: BackgammonAnalysedDecision = {
  player: NORTH,
  game: 1,
  turn: 6,
  score: [0, 1],
  board: [],
  cube: 1,
  owner: null,
  cost: 0.118,
  dice: [3, 1],
  notations: ["13/9", "8/5 6/5"],
  moves: [[], []],
  cubeReview: null,
  outcomes: [
    [0.5, 0.1, 0, 0.14, 0],
    [0.55, 0.1, 0, 0.1, 0],
  ],
  unplayed: false,
  equities: [0.04, 0.158],
  plays: 16,
  luck: -0.42,
  cubeEquities: null,
};
/** A double that was passed, where a take was better. */
const pass: BackgammonAnalysedDecision = {
  ...play,
  player: SOUTH,
  cube: 2,
  dice: [0, 0],
  notations: ["", ""],
  cubeReview: { chosen: "pass", best: "take", cost: 0.118 },
  plays: 0,
  luck: null,
  cubeEquities: { noDouble: 0.6, doubleTake: 0.882, doublePass: 1 },
};
const report = { decisions: 10, cost: 0.1, luck: 0, errorRate: 10, rating: "Advanced" };
const match: BackgammonAnalysedMatch = {
  players: ["Ada", "Ben"],
  length: 3,
  games: [
    { score: [0, 0], crawford: false, winner: NORTH, points: 1 },
    { score: [0, 2], crawford: true, winner: null, points: 0 },
  ],
  decisions: [play, pass],
  reports: [report, report],
};

test("decisions are told with the names of the players", () => {
  const told = (decision: BackgammonAnalysedDecision) => describeDecision(match, decision);
  assert.equal(told(play), "Game 2, turn 7: Ben rolled 3-1 and played 13/9.");
  assert.equal(told({ ...play, plays: 1 }), "Game 2, turn 7: Ben rolled 3-1 and played 13/9, the only legal play.");
  assert.equal(
    told({ ...play, notations: ["(no play)", "(no play)"] }),
    "Game 2, turn 7: Ben rolled 3-1 and could not move.",
  );
  assert.equal(
    told({ ...play, unplayed: true }),
    "Game 2, turn 7: Ben rolled 3-1, but the file does not say how it was played.",
  );
  assert.equal(told(pass), "Game 2, turn 7: Ada passed.");
  const double: BackgammonAnalysedDecision = { ...pass, cubeReview: { chosen: "double", best: "double", cost: 0 } };
  assert.equal(told(double), "Game 2, turn 7: Ada doubled to 4.");
  assert.deepEqual([play, pass, double].map(shortDecision), ["13/9", "passes", "doubles to 4"]);
});

test("verdicts say what was lost and what was better", () => {
  assert.equal(describeVerdict(play), "It lost 0.12 (bad). Better: 8/5 6/5: 5% more wins, 4% fewer gammons lost.");
  assert.equal(describeVerdict(pass), "It lost 0.12 (bad). Better: to take, with the chances below.");
  assert.equal(describeVerdict({ ...play, cost: 0.01 }), "That was about as good as the best play, 8/5 6/5.");
  assert.equal(
    describeVerdict({ ...play, cost: 0, notations: ["13/9", "13/9"] }),
    "That was the best of 16 legal plays.",
  );
  assert.equal(describeVerdict({ ...play, plays: 1 }), "");
  assert.equal(describeEquities(match, play), "Equity for Ben: +0.040, best +0.158.");
  assert.equal(
    describeEquities(match, pass),
    "Equity for Ben: no double +0.600, double and take +0.882, double and pass +1.000.",
  );
});

test("luck has the names of GNU Backgammon", () => {
  assert.equal(describeLuck(play), "Luck of the roll: −0.42 (unlucky).");
  assert.equal(describeLuck({ ...play, luck: 0.7 }), "Luck of the roll: +0.70 (very lucky).");
  assert.equal(describeLuck({ ...play, luck: 0.1 }), "Luck of the roll: +0.10.");
  assert.equal(describeLuck(pass), "");
});

test("headings name the match and its games", () => {
  assert.equal(describeMatchFile(match), "Ada against Ben, match to 3 points");
  assert.equal(describeMatchFile({ ...match, length: 0 }), "Ada against Ben, money session");
  const headings = match.games.map((game, i) => describeGame(match, game, i));
  assert.deepEqual(headings, ["Game 1 at 0–0: Ben wins 1 point", "Game 2 at 0–2, Crawford game: not finished"]);
});

test("next error is found in both directions", () => {
  const decisions = [0, 0.05, 0.01, 0.2].map((cost) => ({ ...play, cost }));
  assert.deepEqual([nextError(decisions, 0, 1), nextError(decisions, 1, 1), nextError(decisions, 3, 1)], [1, 3, null]);
  assert.deepEqual([nextError(decisions, 3, -1), nextError(decisions, 1, -1)], [1, null]);
});

test("what was better is said with its reason", () => {
  assert.equal(describeReason(play), "Better: 8/5 6/5: 5% more wins, 4% fewer gammons lost.");
  assert.equal(describeReason(pass), "Better: to take, with the chances below.");
});

test("error rate has one digit after the point, as in the file", () => {
  assert.equal(formatErrorRate({ ...report, errorRate: 12.5 }), "12.5");
  assert.equal(formatErrorRate({ ...report, errorRate: 100 }), "100.0");
  assert.equal(formatErrorRate({ decisions: 0, cost: 0, luck: 0, errorRate: null, rating: null }), "–");
});

test("the link to a decision has its cube, its score, and who is on roll", () => {
  const board = Array<number>(26).fill(0);
  board[6] = 2;
  board[20] = -3;
  const link = (decision: BackgammonAnalysedDecision, crawford = false) =>
    writeShowLink(xgidOf({ decision: { ...decision, board }, length: 3, crawford, moneyRules: null }));
  const start = "#/backgammon?show=------B-------------c-----";
  assert.equal(link({ ...play, score: [2, 1] }, true), `${start}:0:0:-1:31:2:1:1:3:10`);
  // Whoever has doubled is on roll while the other one answers.
  assert.equal(link({ ...pass, owner: NORTH }), `${start}:1:-1:-1:D:0:1:0:3:10`);
});
