// Unit tests of the sentences about a match of backgammon with the doubling cube.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { BackgammonMatch, BackgammonStage } from "../../www/generated/protocol";
import { BoardLayout } from "../../www/labs/backgammon/board-layout";
import { GameStarts } from "../../www/labs/backgammon/game-starts";
import type { MatchPanel } from "../../www/labs/backgammon/match/panel";
import {
  asksVisitor,
  describeAnswer,
  describeCubeReview,
  describeGameEnd,
  describeMatch,
  describeResignation,
  describeScore,
  describeShortResult,
  possibleLosses,
} from "../../www/labs/backgammon/match/words";
import { NORTH, SOUTH } from "../../www/labs/backgammon/position";

const MATCH: BackgammonMatch = {
  length: 5,
  beavers: false,
  crawford: false,
  cube: 1,
  owner: null,
  step: "play",
  actor: SOUTH,
  points: 0,
  passed: false,
  winner: null,
  resigned: false,
  cubeReview: null,
};

/** The part of a stage that the sentences need. */
function stage(match: Partial<BackgammonMatch>, rest: Partial<BackgammonStage> = {}): BackgammonStage {
  const some: Partial<BackgammonStage> = { players: "learner", game: 0, score: [0, 0], result: 0, ...rest };
  return { ...some, matchPlay: { ...MATCH, ...match } } as BackgammonStage;
}

test("score says what both sides need, the Crawford game and the rules for money", () => {
  assert.equal(
    describeScore(stage({ crawford: true }, { score: [4, 2] })),
    "Match to 5 points. You need 1, the agent needs 3. Crawford game: nobody may double.",
  );
  assert.equal(
    describeScore(stage({ length: 1 })),
    "Match to 1 point. You need 1, the agent needs 1. Nobody doubles, because a single game wins the match.",
  );
  assert.equal(
    describeScore(stage({ length: 0, beavers: true }, { players: "expert", score: [3, 12] })),
    "Money session with the Jacoby rule and beavers. You have won 3, the expert 12.",
  );
  assert.match(describeScore(stage({ cube: 2, owner: SOUTH })), / Cube at 2, yours\.$/);
  assert.match(describeScore(stage({ cube: 4, owner: NORTH })), / Cube at 4, the agent's\.$/);
  assert.equal(describeScore({ ...stage({}), matchPlay: null }), "");
});

test("questions about the cube are asked of the visitor only", () => {
  const asked = (match: Partial<BackgammonMatch>) => [describeMatch(stage(match)), asksVisitor({ ...MATCH, ...match })];
  assert.deepEqual(asked({ step: "doubleOrRoll" }), ["Your turn: roll, or double to 2 first.", true]);
  assert.deepEqual(asked({ step: "doubleOrRoll", cube: 2 }), ["Your turn: roll, or redouble to 4 first.", true]);
  assert.deepEqual(asked({ step: "doubleOrRoll", actor: NORTH }), ["The agent looks at the cube.", false]);
  assert.deepEqual(asked({ step: "answer" }), ["The agent doubles to 2. Do you take or pass?", true]);
  assert.deepEqual(asked({ step: "answer", length: 0, beavers: true }), [
    "The agent doubles to 2. Do you take, pass or beaver?",
    true,
  ]);
  assert.deepEqual(asked({ step: "answer", actor: NORTH }), ["You double to 2. The agent decides.", false]);
  assert.deepEqual(asked({}), ["", false]);
});

test("ends of games and matches are said with their points", () => {
  const won = stage({ step: "nextGame", points: 4, cube: 2 }, { result: 2 });
  assert.equal(describeMatch(won), "You win a gammon: 4 points.");
  assert.equal(describeShortResult(won), "You win 4 points");
  const passed = stage({ step: "nextGame", points: 1, passed: true }, { result: -1 });
  assert.equal(describeGameEnd(passed), "You pass: the agent wins 1 point");
  const resigned = stage({ step: "nextGame", points: 2, cube: 2, resigned: true }, { result: -1 });
  assert.equal(describeMatch(resigned), "You resign: the agent wins 2 points.");
  const over = stage({ step: "over", points: 2, winner: NORTH }, { result: -1, score: [3, 6] });
  assert.equal(describeMatch(over), "The agent wins the game: 2 points. The agent wins the match 6 to 3.");
  assert.equal(describeShortResult(over), "The agent wins the match");
});

test("what can be resigned depends on the position and the rules", () => {
  const board = Array<number>(26).fill(0);
  board[6] = 15;
  const all = stage({ cube: 2 }, { board });
  assert.deepEqual(possibleLosses(all), [1, 2, 3]);
  assert.equal(describeResignation(all, 1), "The agent wins 2 points. It declines if it expects to win more.");
  assert.equal(describeResignation(all, 3), "The agent wins 6 points.");
  // Gammons of a money session count only once the cube is turned.
  assert.deepEqual(possibleLosses(stage({ length: 0 }, { board })), [1]);
  assert.deepEqual(possibleLosses(stage({ length: 0, cube: 2 }, { board })), [1, 2, 3]);
  board[6] = 14;
  const borneOff = stage({}, { board });
  assert.deepEqual(possibleLosses(borneOff), [1]);
  assert.equal(describeResignation(borneOff, 1), "The agent wins 1 point.");
});

test("answer of the agent is said once, when the game goes on", () => {
  const offered = stage({ step: "answer", actor: NORTH });
  assert.equal(describeAnswer(offered, stage({ cube: 2 })), "The agent takes: the cube is at 2, on its side.");
  assert.equal(describeAnswer(offered, stage({ cube: 4 })), "The agent beavers: the cube is at 4, on its side.");
  assert.equal(describeAnswer(offered, stage({ step: "nextGame", passed: true })), "");
  assert.equal(describeAnswer(stage({ step: "answer" }), stage({ cube: 2 })), "", "the visitor answered");
  assert.equal(describeAnswer(stage({}), stage({})), "");
});

test("cube decision is judged in a sentence, a good roll in none", () => {
  assert.equal(describeCubeReview({ chosen: "roll", best: "roll", cost: 0 }), "");
  assert.equal(
    describeCubeReview({ chosen: "roll", best: "double", cost: 0.07 }),
    "Not doubling cost you 0.07 in equity. Better: double.",
  );
  assert.equal(
    describeCubeReview({ chosen: "double", best: "roll", cost: 0.3 }),
    "Your double cost you 0.30 in equity. Better: just roll.",
  );
  assert.equal(describeCubeReview({ chosen: "take", best: "take", cost: 0 }), "Your take was right.");
  assert.equal(
    describeCubeReview({ chosen: "pass", best: "take", cost: 0.01 }),
    "Your pass was about as good as anything.",
  );
});

test("column of the cube leaves all places of the board where they are", () => {
  for (const rotated of [false, true]) {
    const [plain, wide] = [new BoardLayout(rotated), new BoardLayout(rotated, true)];
    assert.deepEqual(plain.point(7), wide.point(7));
    assert.notEqual(plain.viewBox, wide.viewBox);
    // The cube lies beside its owner: below for south, or on the left of a rotated board.
    const [south, middle, north] = [wide.cube(SOUTH), wide.cube(null), wide.cube(NORTH)];
    if (rotated) assert.ok(south.x < middle.x && middle.x < north.x && south.y === north.y);
    else assert.ok(south.y > middle.y && middle.y > north.y && south.x === north.x);
    const [x = 0, y = 0] = wide.viewBox.split(" ").map(Number);
    assert.ok(middle.x > x && middle.y > y);
    assert.equal(wide.placeAt(middle, SOUTH), null, "no checker can go there");
  }
});

test("a game that waits for the end of a match is dropped if another run is opened or the picture is gone", async () => {
  for (const [what, starts] of [
    ["stays", true],
    ["another run", false],
    ["gone", false],
  ] as const) {
    const sent: unknown[] = [];
    let answer: (mayEnd: boolean) => void = () => {};
    const match = { underWay: true, mayEnd: () => new Promise<boolean>((resolve) => (answer = resolve)) };
    const gameStarts = new GameStarts({
      send: (command) => void sent.push(command),
      showProblem: () => {},
      playersOnBoard: () => "watch",
      match: () => match as unknown as MatchPanel,
      addMatchPanel: () => {},
      waiting: () => {},
      starting: () => {},
    });
    const started = gameStarts.startGame("learner");
    if (what === "another run") gameStarts.runOpened();
    else if (what === "gone") gameStarts.destroy();
    answer(true);
    await started;
    assert.deepEqual(sent, starts ? [{ type: "newGame", players: "learner" }] : [], what);
  }
});
