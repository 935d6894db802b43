// The rules of a race against the agent of the control lab (www/labs/control/race/rules.ts).

import assert from "node:assert/strict";
import { test } from "node:test";
import { RaceVisitor } from "../../www/labs/control/race/you";
import { actionFor, SCORING, stateIn, textFrom, verdict } from "../../www/labs/control/race/rules";
import type { BuiltInWorld } from "../../www/labs/control/worlds/world-kind";
import { WORLD_KINDS } from "../../www/labs/control/worlds/list";

const WORLDS: [world: BuiltInWorld, start: number[]][] = [
  ["cartpole", [0.01, -0.02, 0.03, -0.04]],
  ["mountaincar", [-0.5123, 0]],
  ["pendulum", [-3.1, 0.25]],
  ["acrobot", [0.1, -0.1, 1e-7, 0.05]],
];

test("the visitor's world begins in the state of the agent's, and its picture tells the state", () => {
  for (const [world, start] of WORLDS) {
    const text = textFrom(world, start);
    const begun = [...text.matchAll(/^state \w+ = (.*)$/gm)].map(([, value]) => Number(value));
    assert.deepEqual(begun, start, world);
    assert.doesNotMatch(text, /^state .*uniform/m);
    const places = text.match(/^draw circle at \(\w+, \w+\) radius 0$/gm) ?? [];
    assert.equal(places.length, start.length / 2, world);
    assert.match(text, new RegExp(`^limit ${WORLD_KINDS[world].timeLimit} steps$`, "m"));
  }
});

test("the state is read from the last shapes of a picture", () => {
  // The camera, a line, and two circles (kind 1) without a size. Each has its kind, its colour, its line width and how
  // many numbers follow.
  const circle = (x: number, y: number) => [1, 0, NaN, 3, x, y, 0];
  const numbers = Float32Array.from([0, 0, 2, 0, 0, 0.5, 4, 9, 9, 9, 9, ...circle(1, 2), ...circle(3, 4)]);
  assert.deepEqual(stateIn({ numbers, texts: [] }, 4), [1, 2, 3, 4]);
});

test("a key pushes to its side of the picture", () => {
  const { cartpole, mountaincar, pendulum, acrobot } = WORLD_KINDS;
  assert.deepEqual(
    [-1, 1].map((side) => actionFor(cartpole, side as 1, 0)),
    [0, 1],
  );
  // The cart is always pushed: without a key as it was last.
  assert.deepEqual(
    [0, 1].map((last) => actionFor(cartpole, 0, last)),
    [0, 1],
  );
  assert.deepEqual(
    [-1, 0, 1].map((side) => actionFor(mountaincar, side as 1, 0)),
    [0, 1, 2],
  );
  // A torque to the right is clockwise, which is negative.
  assert.deepEqual(
    [-1, 0, 1].map((side) => actionFor(pendulum, side as 1, 0) + 0),
    [2, 0, -2],
  );
  assert.deepEqual(
    [-1, 0, 1].map((side) => actionFor(acrobot, side as 1, 0)),
    [2, 1, 0],
  );
});

test("who has won is said with both scores, and by the rule", () => {
  const result = (steps: number, score = -steps, terminated = false) => ({ steps, score, terminated });
  assert.equal(verdict("cartpole", result(80), result(500)), "The agent wins. You: 80 steps. The agent: 500 steps.");
  assert.equal(verdict("cartpole", result(500), result(1)), "You win. You: 500 steps. The agent: 1 step.");
  assert.equal(
    verdict("mountaincar", result(120, -120, true), result(200)),
    "You win. You: 120 steps. The agent: not within 200 steps.",
  );
  // The goal may be reached in the very last step.
  assert.equal(
    verdict("mountaincar", result(200, -200, true), result(200)),
    "You win. You: 200 steps. The agent: not within 200 steps.",
  );
  assert.match(verdict("acrobot", result(500), result(500)), /^A draw\. You: not within 500 steps/);
  assert.equal(
    verdict("pendulum", result(200, -310.2), result(200, -150.4)),
    "The agent wins. You: 310 points lost. The agent: 150 points lost.",
  );
  for (const [world] of WORLDS) assert.ok(SCORING[world].rule.includes(`${WORLD_KINDS[world].timeLimit} steps`), world);
});

test("a press in the countdown is the first push, also once it is released", () => {
  const you = new RaceVisitor(WORLD_KINDS.cartpole);
  assert.equal(you.push, -1, "to the left without a press");
  you.press(1);
  you.press(0);
  assert.equal(you.push, 1);
  const swing = new RaceVisitor(WORLD_KINDS.pendulum);
  swing.press(1);
  swing.press(0);
  assert.equal(swing.push + 0, 0, "other worlds are pushed only while a key is held");
});

test("a result tells the speed of both sides if it was not the full one", () => {
  const [you, agent] = [12, 500].map((steps) => ({ steps, score: steps, terminated: steps < 500 }));
  assert.ok(you && agent);
  const result = "The agent wins. You: 12 steps. The agent: 500 steps.";
  assert.equal(verdict("cartpole", you, agent), result);
  assert.equal(verdict("cartpole", you, agent, 0.25), `${result} Both ran at quarter speed.`);
});
