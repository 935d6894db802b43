// When the open run is saved: a run that stands still is stored as it stands, however its units ended.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Emitter } from "../../www/core/events";
import type { ReplyOf } from "../../www/core/requests";
import type { Run } from "../../www/core/run";
import type { RunEvents } from "../../www/core/run-events";
import { settled } from "./settled";

// What the page has, and Node does not.
Object.assign(globalThis, { document: { addEventListener() {} }, addEventListener() {} });
globalThis.setInterval = (() => 0) as unknown as typeof setInterval;
const { Autosave } = await import("../../www/core/autosave");

class FakeRun extends Emitter<RunEvents> {
  open = true;
  diverged = false;
  pace = 150;
  lab = null; // so nothing is written
  note = { id: "run" };
  progress = { units: 0, running: false };
  /** Answers the requests for a checkpoint, in their order. */
  answers: ((units: number) => void)[] = [];
  currentNote = () => this.note;
  save = () =>
    new Promise<ReplyOf<"saved">>((resolve) =>
      this.answers.push((units) => resolve({ units, bytes: new Uint8Array() } as unknown as ReplyOf<"saved">)),
    );
  endUnit(running: boolean): void {
    this.progress = { units: this.progress.units + 1, running };
    this.emit("progress", this.progress as RunEvents["progress"]);
  }
}

test("a unit that ends while a save is on its way is saved too, and a saved run is not saved again", async () => {
  const run = new FakeRun();
  const autosave = new Autosave(run as unknown as Run, () => {});
  const saved: number[] = [];
  autosave.on("saved", ({ units }) => saved.push(units));
  run.endUnit(true);
  run.endUnit(true);
  run.endUnit(false); // paused: a save is asked for
  assert.equal(run.answers.length, 1);
  run.endUnit(false); // a single step
  run.answers[0]?.(3);
  await settled();
  assert.equal(run.answers.length, 2);
  run.answers[1]?.(4);
  await settled();
  assert.deepEqual([saved, run.answers.length], [[3, 4], 2]);
  // Somebody comes later, and asks for what was saved.
  autosave.repeat();
  run.answers[2]?.(4);
  await settled();
  assert.deepEqual([saved, run.answers.length], [[3, 4, 4], 3]);
});
