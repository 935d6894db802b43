// The test (evaluation) that the page speaks of: all parts read the same one, and it changes rarely enough to be read.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Emitter } from "../../www/core/events";
import { LookBack } from "../../www/core/look-back";
import type { Run } from "../../www/core/run";
import type { AnyView, RunEvents } from "../../www/core/run-events";
import { Series } from "../../www/core/series";
import { ShownTest } from "../../www/core/shown-test";
import type { MetricSpec, Progress, RunInfo } from "../../www/generated/protocol";

const spec = (name: string): MetricSpec => ({ name, label: name, help: "", unit: "", better: "higher" });

/** What the test needs of a run. */
class FakeRun extends Emitter<RunEvents> {
  goal = { metric: "score", target: 5, words: "", exact: false };
  series = new Series([spec("score"), spec("scoreMargin"), spec("loss")]);
  progress = { units: 0, solvedAt: null } as Progress;
  #score = NaN;

  /** Ends a unit (training iteration). Every second one is tested. */
  train(score: number): void {
    const units = this.progress.units + 1;
    const isTested = units % 2 === 0;
    this.series.append({ units: [units], values: [[isTested ? score : NaN], [isTested ? 1 : NaN], [-units]] });
    if (isTested) this.#score = score;
    const solvedNow = this.progress.solvedAt === null && this.#score >= this.goal.target;
    this.progress = { ...this.progress, units, solvedAt: solvedNow ? units : this.progress.solvedAt };
    this.emit("progress", this.progress);
    if (solvedNow) this.emit("solved", this.progress);
  }

  view(): void {
    this.emit("view", {} as AnyView);
  }

  open(): void {
    this.emit("opened", {} as RunInfo);
  }
}

test("shown test changes once a second, at once when the goal is reached, and with what is looked back at", (context) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  context.after(() => mock.timers.reset());
  const fake = new FakeRun();
  const run = fake as unknown as Run;
  const lookBack = new LookBack(run);
  const shown = new ShownTest(run, lookBack);
  let changes = 0;
  shown.on("changed", () => changes++);
  const state = () => [
    shown.last("score"),
    shown.last("loss"),
    shown.unitOf("score"),
    shown.test?.value,
    shown.standing,
  ];
  assert.deepEqual(state(), [NaN, NaN, null, undefined, "open"]);
  fake.open();
  assert.equal(changes, 1);

  for (const score of [1, 1, 2, 2, 3]) fake.train(score);
  assert.equal(changes, 1, "not yet");
  assert.deepEqual(state(), [NaN, NaN, null, undefined, "open"], "and no part reads ahead");
  mock.timers.tick(1000);
  assert.equal(changes, 2);
  // Unit 5 was not tested: the values of the metrics are those up to it, the test is that of unit 4.
  assert.deepEqual(state(), [2, -5, 4, 2, "open"]);

  fake.train(5);
  assert.equal(changes, 3, "the goal is reached");
  assert.deepEqual(state(), [5, -6, 6, 5, "reached"]);
  for (const score of [7, 7]) fake.train(score);
  mock.timers.tick(1000);
  assert.deepEqual(state(), [7, -8, 8, 7, "solved"]);

  lookBack.set(3);
  assert.deepEqual(state(), [1, -3, 2, 1, "open"]);
  lookBack.set(null);
  assert.deepEqual(state(), [7, -8, 8, 7, "solved"]);

  for (const score of [0, 0, 9, 9]) fake.train(score);
  assert.equal(shown.isWorse, false, "not yet");
  lookBack.set(10);
  assert.deepEqual([shown.isWorse, shown.standing], [true, "lost"]);
  lookBack.set(null);
  assert.deepEqual([shown.isWorse, shown.standing], [false, "solved"]);

  const before = changes;
  fake.train(9);
  shown.destroy();
  mock.timers.tick(1000);
  assert.equal(changes, before, "nothing changes after its end");
});

test("new test is shown at once if the one before it has stood for a second", (context) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  let now = 0;
  mock.method(performance, "now", () => now);
  context.after(() => (mock.timers.reset(), mock.restoreAll()));
  const pass = (ms: number) => ((now += ms), mock.timers.tick(ms));
  const fake = new FakeRun();
  const run = fake as unknown as Run;
  const shown = new ShownTest(run, new LookBack(run));
  fake.open();
  const state = () => [shown.test?.unit, shown.last("loss")];

  for (let i = 0; i < 2; i++) fake.train(1);
  pass(0);
  assert.deepEqual(state(), [2, -2], "the first test is shown at once");
  fake.train(1);
  pass(999);
  assert.deepEqual(state(), [2, -2]);
  pass(1);
  assert.deepEqual(state(), [2, -3], "other numbers change once a second");
  pass(100);
  fake.train(1);
  pass(0);
  assert.deepEqual(state(), [4, -4], "the next test does not wait for them");
  for (let i = 0; i < 2; i++) fake.train(1);
  pass(999);
  assert.deepEqual(state(), [4, -4], "each test stands for a second");
  pass(1);
  assert.deepEqual(state(), [6, -6]);
  shown.destroy();
});

test("what the view adds changes the shown test at once, and views that add the same change nothing", () => {
  const fake = new FakeRun();
  const run = fake as unknown as Run;
  let said: unknown = { story: "a trained network" };
  const shown = new ShownTest(run, new LookBack(run), () => said);
  fake.open();
  let changes = 0;
  shown.on("changed", () => changes++);
  for (let i = 0; i < 2; i++) fake.view();
  assert.equal(changes, 0, "nothing is drawn again for a view");
  said = null;
  for (let i = 0; i < 2; i++) fake.view();
  assert.equal(changes, 1);
  shown.destroy();
});
