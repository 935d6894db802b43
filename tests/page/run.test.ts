// Unit tests of the open run as the page knows it: which requests to train it sends while answers are due.

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { BundleChoice } from "../../www/core/bundle";
import type { Incoming } from "../../www/core/incoming";
import { NO_PROGRESS, Run } from "../../www/core/run";
import { Series } from "../../www/core/series";
import type { FromWorker } from "../../www/core/worker-messages";
import type { Settings } from "../../www/core/values";
import type { Change, Columns, Progress } from "../../www/generated/protocol";

const METRICS: Columns = { units: [], values: [] };

/** An open, paused run, the requests that it sends, and a function that lets its worker report whether it trains. */
function openRun(t: TestContext, config: Settings = {}) {
  const sent: { type: string; stepsPerSecond?: number | null }[] = [];
  const send = (request: (typeof sent)[number]) => sent.push(request);
  const ask = (request: (typeof sent)[number]) => new Promise(() => send(request));
  const link = { send, ask, close: () => {}, begin: () => {} };
  let receive: (message: FromWorker) => void = () => {};
  const lab = { about: { id: "test", metrics: [] } };
  const bundle: BundleChoice = { name: "simple", bits: "plain", threads: 1, reason: "" };
  const opened = { type: "opened", run: { config, seed: 0, changes: [] }, metrics: METRICS, progress: NO_PROGRESS };
  const handOver = (listen: typeof receive) => {
    receive = listen;
    return link;
  };
  const run = new Run(bundle);
  run.pace = null; // max speed
  run.adopt({ lab, ready: { type: "ready" }, opened, bundle, handOver } as unknown as Incoming);
  t.after(() => run.close()); // stops its watchdog
  const report = (running: boolean) =>
    receive({ type: "progress", progress: { ...NO_PROGRESS, running }, metrics: METRICS });
  const configured = (settings: Settings, changes: Change[]) =>
    receive({ type: "configured", config: settings, seed: 0, changes, goal: null });
  const progressed = (progress: Partial<Progress>) =>
    receive({ type: "progress", progress: { ...NO_PROGRESS, ...progress }, metrics: METRICS });
  return { run, sent, report, configured, progressed };
}

test("paused run is not asked to train by a change of the pace, also before the worker has answered", (t) => {
  const { run, sent, report } = openRun(t);
  const types = () => sent.splice(0).map(({ type }) => type);
  run.play();
  report(true);
  run.pause();
  report(true); // sent before the worker has read the request
  run.setSlowed(true);
  run.setSlowed(false);
  run.setPace(150);
  assert.deepEqual(types(), ["run", "pause"]);
  run.play();
  report(true);
  run.step();
  run.setPace(10);
  assert.deepEqual(types(), ["run", "step"]);
  run.play();
  void run.finishUnit();
  run.setPace(20);
  assert.deepEqual(types(), ["run", "step"]);
});

test("run that was asked to train takes a new pace at once, also before the worker has answered", (t) => {
  const { run, sent } = openRun(t);
  run.play();
  assert.ok(run.setSlowed(true), "it is slower");
  assert.deepEqual(
    sent.map(({ stepsPerSecond }) => stepsPerSecond),
    [null, 10],
  );
});

test("nothing of a run is shown in another lab while the worker of that is loading", (t) => {
  const { run } = openRun(t);
  run.goal = { metric: "points", target: 0.5, words: "", exact: false };
  run.progress = { ...NO_PROGRESS, units: 41 };
  run.series = new Series([{ name: "points", label: "", help: "", unit: "", better: "higher" }]);
  run.series.append({ units: [41], values: [[-1.16]] });
  const lab = { about: { id: "other", metrics: [] } };
  const link = { send: () => {}, ask: () => new Promise(() => {}), close: () => {}, begin: () => {} };
  run.adopt({ lab, ready: { type: "ready" }, bundle: run.bundle, handOver: () => link } as unknown as Incoming);
  assert.deepEqual([run.lab, run.goal, run.progress.units], [null, null, 0]);
  assert.ok(Number.isNaN(run.series.last("points")));
});

test("start of a run stays what it was trained with, also while a change waits for the end of the unit", (t) => {
  const { run, configured } = openRun(t, { learning_rate: 0.001, clip: 0.2 });
  const start = { settings: { learning_rate: 0.001, clip: 0.2 }, seed: 0 };
  configured({ learning_rate: 0.0001, clip: 0.2 }, []);
  assert.deepEqual(run.origin(), { ...start, changes: [] });
  assert.equal(run.settings["learning_rate"], 0.0001, "the dial shows the new one");
  const [before, after] = [{ learning_rate: 0.001 }, { learning_rate: 0.0001 }];
  configured({ learning_rate: 0.0001, clip: 0.2 }, [{ unit: 18, before, after }]);
  assert.deepEqual(run.origin(), { ...start, changes: [{ unit: 18, settings: after, seed: null, data: null }] });
});

test("time to the goal is measured by a clock that runs, not while units are repeated one by one", (t) => {
  const trained = openRun(t);
  trained.progressed({ running: true, units: 1 });
  trained.progressed({ running: true, units: 2, solvedAt: 2 });
  assert.equal(typeof trained.run.note.solvedSeconds, "number");
  const repeated = openRun(t);
  repeated.progressed({ units: 1 });
  repeated.progressed({ running: true, units: 1 });
  repeated.progressed({ running: true, units: 2, work: 70, unitsWork: 64, solvedAt: 2 });
  assert.deepEqual([repeated.run.note.solvedSeconds, repeated.run.note.solvedWork], [null, 64]);
});

test("file of a command is sent beside it, and other commands have none", (t) => {
  const { run, sent } = openRun(t);
  const bytes = new Uint8Array([1, 2, 3]);
  run.command({ type: "invite" }, bytes);
  run.command({ type: "next" });
  assert.deepEqual(sent, [
    { type: "command", command: { type: "invite" }, bytes },
    { type: "command", command: { type: "next" } },
  ]);
});
