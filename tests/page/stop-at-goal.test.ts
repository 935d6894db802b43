// Unit tests of the stop at the goal: when a run is paused, what lets it go on, and what is left alone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Emitter } from "../../www/core/events";
import type { Run } from "../../www/core/run";
import type { RunEvents } from "../../www/core/run-events";
import { Series } from "../../www/core/series";
import { StopAtGoal } from "../../www/core/stop-at-goal";
import { newNote } from "../../www/core/store";
import type { MetricSpec, Progress, RunInfo } from "../../www/generated/protocol";

/** The goal's metric: the percentage of solved tasks. */
const SCORE: MetricSpec = { name: "score", label: "solved", unit: "%", help: "", better: "higher" };
/** Its margin of error. */
const MARGIN: MetricSpec = { ...SCORE, name: "scoreMargin" };

/** A run without a worker: it carries out requests at once. */
class FakeRun extends Emitter<Pick<RunEvents, "opened" | "progress" | "refused">> {
  note = newNote();
  settings = { worlds: 1 };
  goal = { metric: "score", target: 100, words: "", exact: false };
  series = new Series([SCORE, MARGIN]);
  progress = { running: false, solvedAt: null } as unknown as Progress;

  open(note = newNote(), solvedAt: number | null = null): void {
    this.note = note;
    this.series = new Series([SCORE, MARGIN]);
    this.emit("opened", {} as RunInfo);
    this.advance({ running: false, solvedAt });
  }

  advance(change: Partial<Progress>): void {
    this.progress = { ...this.progress, ...change };
    // All tasks of the test are solved, so no margin of error is needed for the verdict.
    if (typeof change.solvedAt === "number") this.series.append({ units: [change.solvedAt], values: [[100]] });
    this.emit("progress", this.progress);
  }

  /** A test falls short of the goal by much more than its margin. */
  fallShort(unit: number): void {
    this.series.append({ units: [unit], values: [[10], [1]] });
    this.advance({});
  }

  refuse(request: string): void {
    this.emit("refused", { request, message: "" });
  }

  play = () => this.advance({ running: true });
  pause = () => this.advance({ running: false });
}

/** An open run that trains, with what `StopAtGoal` has reported. */
function training({ elsewhere = false } = {}) {
  const run = new FakeRun();
  const place = { elsewhere };
  const stop = new StopAtGoal(run as unknown as Run, () => place.elsewhere);
  const events: string[] = [];
  for (const event of ["stopped", "left"] as const) stop.on(event, () => events.push(event));
  run.open();
  run.play();
  events.length = 0;
  return { run, stop, events, place };
}

test("run stops at its goal once", () => {
  const { run, stop, events } = training();
  run.advance({ solvedAt: 9 });
  assert.deepEqual([run.progress.running, run.note.passedGoal, events], [false, false, ["stopped"]]);
  assert.ok(stop.isStopped);
  run.play();
  assert.ok(!stop.isStopped);
  run.advance({});
  assert.deepEqual([run.progress.running, run.note.passedGoal, events], [true, true, ["stopped", "left"]]);
});

test("run that has stopped waits when it is opened again, and one that went on trains", () => {
  const { run, stop, events } = training();
  run.advance({ solvedAt: 9 });
  run.open({ ...run.note }, 9); // in another worker
  assert.ok(stop.staysStopped);
  stop.resume();
  assert.deepEqual([run.progress.running, events.at(-1)], [false, "stopped"]);
  run.open({ ...newNote(), passedGoal: true }, 9);
  assert.ok(!stop.staysStopped);
  stop.resume();
  assert.deepEqual([run.progress.running, events.at(-1)], [true, "left"]);
  run.open();
  stop.resume();
  assert.ok(run.progress.running);
});

test("switched off it stops nothing, and lets go on what it has stopped", () => {
  const { run, stop, events } = training();
  stop.wanted = false;
  run.advance({ solvedAt: 9 });
  assert.deepEqual([run.progress.running, run.note.passedGoal, events.includes("stopped")], [true, true, false]);
  stop.wanted = true;
  run.advance({});
  assert.ok(run.progress.running, "it has passed its goal");
  run.open();
  run.play();
  run.advance({ solvedAt: 3 });
  assert.equal(run.progress.running, false);
  stop.wanted = false;
  assert.deepEqual([run.progress.running, events.at(-1)], [true, "left"]);
});

test("paused run that steps over its goal goes on when it is let", () => {
  const { run, events } = training();
  run.pause();
  run.advance({ solvedAt: 9 });
  run.play();
  assert.deepEqual([run.progress.running, events.includes("stopped")], [true, false]);
});

test("run that has stopped goes on when it is let, also if a later test has fallen short", () => {
  const { run, stop, events } = training();
  run.advance({ solvedAt: 9 });
  run.fallShort(10); // after a single unit
  assert.ok(stop.isStopped && stop.staysStopped);
  run.play();
  assert.deepEqual([run.progress.running, run.note.passedGoal, events], [true, true, ["stopped", "left"]]);
  run.series.append({ units: [12], values: [[100]] });
  run.advance({});
  assert.ok(run.progress.running, "it does not stop a second time");
});

test("test between the request to pause and the pause may fall short", () => {
  const { run, stop, events } = training();
  run.pause = () => {}; // the worker has not answered yet
  run.advance({ solvedAt: 9 });
  run.fallShort(10);
  stop.resume(); // what had paused the run as well lets it go on
  assert.deepEqual([run.progress.running, events], [true, []]);
  run.advance({ running: false });
  assert.deepEqual(events, ["stopped"]);
  run.play();
  assert.deepEqual([run.progress.running, run.note.passedGoal, events], [true, true, ["stopped", "left"]]);
});

test("run that the page pauses, and that reaches its goal by the end of the unit, stops", () => {
  for (const moves of [false, true]) {
    const { run, stop, events } = training();
    run.pause();
    run.advance({ solvedAt: 9 }); // a save completes the unit
    if (moves) run.open({ ...run.note }, 9); // in a worker of another device
    stop.resume();
    assert.deepEqual([run.progress.running, run.note.passedGoal, events], [false, false, ["stopped"]]);
    run.play();
    assert.deepEqual([run.progress.running, run.note.passedGoal, events], [true, true, ["stopped", "left"]]);
  }
  const { run, stop } = training();
  run.pause();
  stop.resume();
  assert.ok(run.progress.running, "before its goal it goes on");
});

test("run that reaches its goal during the tour stops after it", () => {
  const { run, events, place } = training({ elsewhere: true });
  run.advance({ solvedAt: 9 });
  run.advance({});
  assert.deepEqual([run.progress.running, run.note.passedGoal, events], [true, false, []]);
  place.elsewhere = false;
  run.advance({});
  assert.deepEqual([run.progress.running, run.note.passedGoal, events], [false, false, ["stopped"]]);
});

test("challenge that needs no restart goes on beyond the goal, and the run after it stops", () => {
  const { run, stop } = training();
  stop.ignoreGoal({ ofNextRun: null });
  run.advance({ solvedAt: 9 });
  assert.ok(run.progress.running);
  run.open();
  run.play();
  run.advance({ solvedAt: 9 });
  assert.equal(run.progress.running, false);
});

test("new run of a challenge that could not be started leaves no trace", () => {
  const { run, stop } = training();
  stop.ignoreGoal({ ofNextRun: { worlds: 1 } });
  run.refuse("start");
  run.open();
  run.play();
  run.advance({ solvedAt: 9 });
  assert.equal(run.progress.running, false);
});

test("run that is no run of the challenge that was left stops", () => {
  const { run, stop } = training();
  stop.ignoreGoal({ ofNextRun: { worlds: 2 } });
  run.open();
  run.play();
  assert.equal(stop.exception, "");
  run.advance({ solvedAt: 9 });
  assert.equal(run.progress.running, false);
});

test("it is said where a run does not stop although that is wanted", () => {
  const { run, stop, place } = training({ elsewhere: true });
  assert.equal(stop.exception, "(off in tours and challenges)");
  place.elsewhere = false;
  let told: string | null = null;
  stop.on("moved", () => (told = stop.exception));
  stop.moved();
  assert.equal(told, "", "at once, also if the run is paused");
  run.advance({ solvedAt: 9 });
  assert.equal(stop.exception, "", "it has stopped");
  run.play();
  assert.equal(stop.exception, "(off: this run is past its goal)");
  stop.ignoreGoal({ ofNextRun: null });
  assert.equal(stop.exception, "(off in tours and challenges)");
  stop.wanted = false;
  assert.equal(stop.exception, "", "nobody waits for a stop");
});

test("new run of a challenge goes on beyond the goal", () => {
  const { run, stop } = training();
  stop.ignoreGoal({ ofNextRun: { worlds: 1 } });
  run.open();
  run.play();
  run.advance({ solvedAt: 9 });
  assert.ok(run.progress.running, "the challenge goes on");
  run.open();
  run.play();
  run.advance({ solvedAt: 9 });
  assert.equal(run.progress.running, false, "the run after it stops");
});
