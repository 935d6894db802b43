// The demonstrations on the stages of compared runs (labs/<lab>/demo.ts): with the 3x3x3, the agent scrambles,
// searches, and makes the turns of the solution.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { CubeLargeStage, CubeView } from "../../www/generated/protocol";
import { stageDemo } from "../../www/labs/cube/demo";

/** What the demonstration looks at. */
type Stage = Partial<CubeLargeStage>;

const SCRAMBLED: Stage = {
  solution: [],
  solutionMade: 0,
  searching: false,
  searches: 0,
  beamStates: new Uint8Array(0),
  isSolved: false,
};
const SEARCHING: Stage = { ...SCRAMBLED, searching: true, beamStates: new Uint8Array(8) };

/** A function that shows a stage for long enough, and returns the commands that follow. */
function demo(): (stage: Stage) => unknown[] {
  const commands = stageDemo();
  return (stage) => commands({ puzzle: "3x3x3", stage } as unknown as CubeView, 5);
}

test("3x3x3 is scrambled, searched, solved by the turns found, and scrambled again", () => {
  const after = demo();
  assert.deepEqual(after(SCRAMBLED), [{ type: "solve" }]);
  assert.deepEqual(after(SEARCHING), []);
  const found: Stage = { ...SEARCHING, searches: 1, solution: ["R", "U'"] };
  assert.deepEqual(after(found), [{ type: "turn", turns: "R" }]);
  assert.deepEqual(after({ ...found, searching: false, solutionMade: 1 }), [{ type: "turn", turns: "U'" }]);
  const solved: Stage = { ...found, searching: false, solutionMade: 2, isSolved: true };
  assert.deepEqual(after(solved), [{ type: "scramble", turns: 6 }]);
});

test("3x3x3 is given up after the first search without a solution", () => {
  const after = demo();
  assert.deepEqual(after({ ...SEARCHING, searches: 1 }), [{ type: "stop" }]);
  assert.deepEqual(after({ ...SEARCHING, searching: false, searches: 1 }), [{ type: "scramble", turns: 6 }]);
});

test("a turn is shown before the next one", () => {
  const commands = stageDemo();
  const view = { puzzle: "3x3x3", stage: { ...SEARCHING, solution: ["R", "U'"] } } as unknown as CubeView;
  assert.deepEqual(commands(view, 0.1), []);
  assert.deepEqual(commands(view, 0.5), [{ type: "turn", turns: "R" }]);
  assert.deepEqual(commands(view, 0.1), []);
});
