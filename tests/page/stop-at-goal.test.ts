// Unit tests of the stop at the goal: when a run is paused, what lets it go on, and what is left alone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Emitter } from "../../www/core/events";
import type { Run, RunEvents } from "../../www/core/run";
import { Series } from "../../www/core/series";
import { StopAtGoal } from "../../www/core/stop-at-goal";
import { newNote } from "../../www/core/store";
import type { MetricSpec, Progress, RunInfo } from "../../www/generated/protocol";

/** The goal's metric: the percentage of solved tasks. */
const SCORE: MetricSpec = { name: "score", label: "solved", unit: "%", help: "", better: "higher" };

/** A run without a worker: it carries out requests at once. */
class FakeRun extends Emitter<Pick<RunEvents, "opened" | "progress">> {
  note = newNote();
  goal = { metric: "score", target: 100, words: "" };
  series = new Series([SCORE]);
  progress = { running: false, solvedAt: null } as unknown as Progress;

  open(note = newNote(), solvedAt: number | null = null): void {
    this.note = note;
    this.series = new Series([SCORE]);
    this.emit("opened", {} as RunInfo);
    this.advance({ running: false, solvedAt });
  }

  advance(change: Partial<Progress>): void {
    this.progress = { ...this.progress, ...change };
    // All tasks of the test are solved, so no margin of error is needed for the verdict.
    if (typeof change.solvedAt === "number") this.series.append({ units: [change.solvedAt], values: [[100]] });
    this.emit("progress", this.progress);
  }

  play = () => this.advance({ running: true });
  pause = () => this.advance({ running: false });
}

/** An open run that trains, with what `StopAtGoal` has reported. */
function training({ elsewhere = false } = {}) {
  const run = new FakeRun();
  const stop = new StopAtGoal(run as unknown as Run, () => elsewhere);
  const events: string[] = [];
  for (const event of ["stopped", "left"] as const) stop.on(event, () => events.push(event));
  run.open();
  run.play();
  events.length = 0;
  return { run, stop, events };
}

test("run stops at its goal once", () => {
  const { run, events } = training();
  run.advance({ solvedAt: 9 });
  assert.deepEqual([run.progress.running, run.note.passedGoal, events], [false, false, ["stopped"]]);
  run.play();
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

test("tasks that ask for more than the goal are left alone", () => {
  const guided = training({ elsewhere: true });
  guided.run.advance({ solvedAt: 9 });
  assert.ok(guided.run.progress.running);

  const { run, stop } = training();
  stop.ignoreNextGoal();
  run.open();
  run.play();
  run.advance({ solvedAt: 9 });
  assert.ok(run.progress.running, "the challenge goes on");
  run.open();
  run.play();
  run.advance({ solvedAt: 9 });
  assert.equal(run.progress.running, false, "the run after it stops");
});
