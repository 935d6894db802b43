// A race in a world of the visitor's own (www/labs/control/race): one side, which plays on the
// stage of a copy of the run, and who has won.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnyView } from "../../www/core/run-events";
import { OwnSide, verdict } from "../../www/labs/control/race/own-side";

/**
 * A stage with steps of `step` seconds, whose episodes end after `ends` steps. Each step is worth a point. `limit` is the
 * world's own limit of steps; null if its text has none.
 */
function stageOf({ step, ends, limit }: { step: number; ends: number; limit: number | null }) {
  const commands: string[] = [];
  let [time, steps, episode] = [0, 0, 0];
  const copy = {
    units: 3,
    open: () => Promise.resolve(),
    command: (command: unknown) => {
      const { type } = command as { type: string };
      commands.push(type);
      if (type === "resetStage") [episode, steps] = [episode + 1, 0];
    },
    view: (seconds: number) => {
      time += seconds;
      while (time >= step && steps < ends) [time, steps] = [time - step, steps + 1];
      const stage = { episode, steps, score: steps, over: steps >= ends };
      return Promise.resolve({ stage, own: { limit, fault: null, shapes: "", texts: [] } } as unknown as AnyView);
    },
    close: () => {},
  };
  return { copy, commands };
}

test("a side begins in the episode that it is told, goes on in real time, and ends with its world", async () => {
  const { copy, commands } = stageOf({ step: 0.05, ends: 30, limit: 500 });
  const side = new OwnSide(copy);
  await side.open();
  await side.begin(2);
  assert.deepEqual([commands, side.stage?.episode, side.limit], [["resetStage", "resetStage"], 2, 500]);
  await side.advance(0.16);
  assert.deepEqual([side.stage?.steps, side.isOver], [3, false]);
  await side.advance(7); // 0.01 s are left from before
  assert.deepEqual([side.stage?.steps, side.isOver], [8, false], "a pause of the page counts a quarter of a second");
  await side.finish();
  assert.deepEqual([side.stage?.score, side.isOver, side.isComplete], [30, true, true]);
  await side.advance(1);
  assert.equal(side.stage?.score, 30, "it rests at its end");
});

test("an episode without a limit ends after exactly 1,000 steps, and a stage that stands still ends too", async () => {
  const side = new OwnSide(stageOf({ step: 1 / 240, ends: Infinity, limit: null }).copy);
  await side.begin(0);
  await side.finish();
  assert.deepEqual([side.stage?.steps, side.isComplete], [1000, true]);
  const still = new OwnSide(stageOf({ step: Infinity, ends: Infinity, limit: null }).copy);
  await still.begin(0);
  await still.finish();
  assert.deepEqual([still.stage?.steps, still.isOver, still.isComplete], [0, true, false]);
});

test("an episode whose end was not seen has no complete score", async () => {
  const { copy } = stageOf({ step: 0.05, ends: 30, limit: 500 });
  const side = new OwnSide(copy);
  await side.begin(1);
  await side.advance(0.25);
  copy.command({ type: "resetStage" }); // the stage has begun the next episode meanwhile
  await side.advance(0.5);
  assert.deepEqual([side.stage?.steps, side.isOver, side.isComplete], [5, true, false]);
});

test("an episode that ends as it begins is refused", async () => {
  const side = new OwnSide(stageOf({ step: 1, ends: 0, limit: 9 }).copy);
  await assert.rejects(side.begin(1), /the episode ends as it begins/);
});

test("more reward wins", () => {
  const of = (score: number, steps: number) => ({ score, steps });
  assert.equal(verdict(of(12.5, 100), of(9, 40)), "You win. You: 12.50 in 100 steps. The agent: 9 in 40 steps.");
  assert.match(verdict(of(-3, 1), of(-2, 1)), /^The agent wins\./);
  assert.match(verdict(of(1, 1), of(1, 2)), /^A draw\./);
});
