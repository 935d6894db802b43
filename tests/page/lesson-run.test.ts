// The run of a lesson, which pauses exactly after its last unit: at max speed it is asked for unit after unit, at a
// limited pace for step after step.

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { BundleChoice } from "../../www/core/bundle";
import type { Incoming } from "../../www/core/incoming";
import { NO_PROGRESS } from "../../www/core/run";
import type { FromWorker } from "../../www/core/worker-messages";
import type { Columns } from "../../www/generated/protocol";
import { SteppedRun } from "../../www/lessons/stepped-run";

const METRICS: Columns = { units: [], values: [] };
const STEPS_IN_UNIT = 3;
const LAST_UNIT = 4;

/** An open run with a worker that makes three steps in each unit, and the requests that the run sends. */
function openRun(t: TestContext, pace: number | null) {
  const sent: string[] = [];
  let [steps, isClosed] = [0, false];
  let receive: (message: FromWorker) => void = () => {};
  const progress = () => ({ ...NO_PROGRESS, units: Math.floor(steps / STEPS_IN_UNIT), work: steps });
  const answer = () => {
    const message = { type: "progress", progress: progress(), metrics: METRICS } as const;
    if (!isClosed) receive(message);
    return message;
  };
  const link = {
    send: ({ type }: { type: string }) => {
      sent.push(type);
      if (type === "pause") queueMicrotask(answer);
    },
    ask: ({ type, unit }: { type: string; unit?: boolean }) => {
      sent.push(unit ? "unit" : type);
      return Promise.resolve().then(() => {
        steps = unit ? STEPS_IN_UNIT * (Math.floor(steps / STEPS_IN_UNIT) + 1) : steps + 1;
        return answer();
      });
    },
    close: () => (isClosed = true),
    begin: () => {},
  };
  const lab = { about: { id: "test", metrics: [] } };
  const bundle: BundleChoice = { name: "simple", bits: "plain", threads: 1, reason: "" };
  const opened = { type: "opened", run: { config: {}, seed: 0, changes: [] }, metrics: METRICS, progress: NO_PROGRESS };
  const handOver = (listen: typeof receive) => {
    receive = listen;
    return link;
  };
  const run = new SteppedRun(bundle, LAST_UNIT);
  run.pace = pace;
  run.adopt({ lab, ready: { type: "ready" }, opened, bundle, handOver } as unknown as Incoming);
  t.after(() => run.close());
  return { run, sent };
}

/** Resolves when the run says that it does not train. */
const paused = (run: SteppedRun) =>
  new Promise<void>((resolve) => {
    run.on("progress", ({ running }) => {
      if (!running) resolve();
    });
  });

for (const [pace, request, count] of [
  [null, "unit", LAST_UNIT],
  [1_000, "step", STEPS_IN_UNIT * LAST_UNIT],
] as const)
  test(`run of a lesson ends exactly after its last unit, with pace ${pace}`, async (t) => {
    const { run, sent } = openRun(t, pace);
    const ended = paused(run);
    run.play();
    await ended;
    assert.equal(run.progress.units, LAST_UNIT);
    assert.deepEqual(sent, Array(count).fill(request));
    // Asked again, it trains no further, and says so.
    const again = paused(run);
    run.play();
    await again;
    assert.equal(run.progress.units, LAST_UNIT);
    assert.deepEqual(sent.slice(count), ["pause"]);
  });

test("run of a lesson that is paused and goes on at a limited pace makes no step twice", async (t) => {
  const { run, sent } = openRun(t, 1_000);
  run.play();
  run.pause();
  const ended = new Promise<void>((resolve) => {
    run.on("progress", ({ running, units }) => {
      if (!running && units >= LAST_UNIT) resolve();
    });
  });
  run.play();
  await ended;
  assert.equal(run.progress.work, STEPS_IN_UNIT * LAST_UNIT);
  assert.equal(sent.filter((type) => type === "step").length, STEPS_IN_UNIT * LAST_UNIT);
});
