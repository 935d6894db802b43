// Runs of the control lab that learn a world of the visitor's own: which world a run learns, which a new one gets, and
// what is read from the lab's pictures.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Emitter } from "../../www/core/events";
import { offeredPresets } from "../../www/core/presets";
import type { Run, SaveOptions } from "../../www/core/run";
import type { RunEvents } from "../../www/core/run-events";
import { LAB } from "../../www/generated/labs/control";
import type { Change } from "../../www/generated/protocol";
import { OwnRun } from "../../www/labs/control/own-run";
import { actionsOf } from "../../www/labs/control/own-world/controls";
import {
  learnedWorld,
  recordedWorld,
  withParameters,
  worldOfRecipe,
  type WorldCommand,
} from "../../www/labs/control/own-world/learned-world";
import { columnsFor, picturesOf } from "../../www/labs/control/own-world/shapes";

const DOT: WorldCommand = { type: "world", name: "Dot", text: 'world "Dot"' };
const LINE: WorldCommand = { type: "world", name: "Line", text: 'world "Line"', parameters: { gain: 2 } };

/** A change that gave a run this world; without one it is too long to be recorded. */
function change(unit: number, world?: WorldCommand): Change {
  const data = { sha256: "", ...(world && { command: world }) };
  return { unit, before: {}, after: {}, data };
}

/** A run that answers a request for its recipe with this one. */
class FakeRun extends Emitter<RunEvents> {
  settings = { world: "own" };
  changes: Change[] = [];
  lab = LAB;
  networkSince: number | null = null;
  recipe = "";

  changed(changes: Change[]): void {
    this.changes = changes;
    this.emit("configured", this.settings);
  }

  save({ recipe = false }: SaveOptions = {}): Promise<RunEvents["saved"]> {
    assert.ok(recipe);
    const bytes = new TextEncoder().encode(this.recipe);
    return Promise.resolve({ type: "saved", units: 3, fingerprint: null, bytes });
  }
}

const runWith = (...changes: Change[]) => Object.assign(new FakeRun(), { changes });
const asRun = (run: FakeRun) => run as unknown as Run;
/** Waits until a world has been found out, for which a module is imported. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test("a run learns the world of its last change", async () => {
  assert.equal(recordedWorld([]), null);
  assert.deepEqual(recordedWorld([change(0, DOT), { unit: 2, before: {}, after: {} }]), DOT);
  assert.deepEqual(recordedWorld([change(0, DOT), change(4, LINE)]), LINE);
  assert.equal(recordedWorld([change(0, DOT), change(4)]), null, "a long text is not in the changes");
  assert.deepEqual(await learnedWorld(asRun(runWith(change(0, DOT)))), DOT);
});

test("a long text comes from the recipe", async () => {
  const run = runWith(change(0));
  run.recipe = JSON.stringify({
    recipe: 1,
    changes: [
      { unit: 0, data: DOT },
      { unit: 5, settings: { clip: 0.1 } },
    ],
  });
  assert.deepEqual(await learnedWorld(asRun(run)), DOT);
  for (const wrong of ["", "{}", "null", '{"changes":[{"data":{"type":"text","text":"a"}}]}'])
    assert.equal(worldOfRecipe(wrong), null, wrong);
});

test("a run without data learns the first world", async () => {
  const world = await learnedWorld(asRun(runWith()));
  assert.match(world?.text ?? "", /^world "/);
  assert.equal(world?.name, /^world "(.*)"/.exec(world?.text ?? "")?.[1]);
});

test("the world of a network that the run continued from is not known", async () => {
  const run = Object.assign(runWith(), { networkSince: 4 });
  assert.equal(await learnedWorld(asRun(run)), null);
  run.changes = [change(5, DOT)];
  assert.deepEqual(await learnedWorld(asRun(run)), DOT);
});

test("parameters that are as in the text are not named", () => {
  const parameters = [
    { name: "gain", usual: 1 },
    { name: "mass", usual: 2 },
  ];
  assert.deepEqual(withParameters(LINE, parameters, [1, 2]), { type: "world", name: "Line", text: LINE.text });
  assert.deepEqual(withParameters(DOT, parameters, [1, 3]), { ...DOT, parameters: { mass: 3 } });
  assert.deepEqual(withParameters(DOT, parameters, []), DOT);
});

test("a restart learns the same world again, and another setting none", { timeout: 30_000 }, async () => {
  const run = runWith(change(0, LINE));
  const own = new OwnRun(
    asRun(run),
    () => {},
    () => {},
  );
  assert.equal(own.dataOfNewRun({ world: "own" }), null);
  own.opened();
  await until(() => own.dataOfNewRun({ world: "own" }) !== null);
  assert.deepEqual(own.dataOfNewRun({ world: "own" }), LINE);
  assert.equal(own.dataOfNewRun({ world: "cartpole" }), null);
  run.changed([change(0, LINE), change(2, DOT)]);
  await until(() => own.dataOfNewRun({ world: "own" }) === DOT);
});

test("the preset for worlds of one's own is not offered without a text", () => {
  assert.ok(LAB.about.presets.some(({ name }) => name === "own"));
  assert.deepEqual(
    LAB.about.presets.filter((preset) => !offeredPresets(LAB).includes(preset)).map(({ name }) => name),
    ["own"],
  );
});

test("pictures of training worlds are read one after the other", () => {
  // Each picture begins with the count of its numbers.
  const pictures = picturesOf(Float32Array.of(3, 0, 0, 8, 0, 4, 1, 2, 3, 4));
  assert.deepEqual(
    pictures.map((picture) => [...picture]),
    [[0, 0, 8], [], [1, 2, 3, 4]],
  );
  assert.deepEqual(picturesOf(new Float32Array()), []);
});

test("pictures are as large as they can be", () => {
  assert.equal(columnsFor(1, 300, 100), 1);
  assert.equal(columnsFor(4, 320, 180), 2);
  assert.equal(columnsFor(4, 1000, 100), 4);
  assert.equal(columnsFor(4, 100, 1000), 1);
});

test("actions of a run are those of the editor", () => {
  const choice = { name: "go", low: 0, high: 1, choices: ["left", "right"] };
  assert.deepEqual(actionsOf([choice]), { type: "choice", name: "go", choices: ["left", "right"] });
  const number = (name: string) => ({ name, low: -1, high: 2, choices: [] });
  assert.deepEqual(actionsOf([number("a"), number("b")]), {
    type: "continuous",
    ranges: [
      { name: "a", low: -1, high: 2 },
      { name: "b", low: -1, high: 2 },
    ],
  });
});
