// Unit tests of how a visitor's drawing is learned in the logic lab: the settings of its run, the grid it is drawn on,
// what is said about it, and the link of its run.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { changedSettings, writeLink } from "../../www/core/link";
import { firstSettingsWith, presetById } from "../../www/core/presets";
import { startOf } from "../../www/core/recipe";
import { LABS } from "../../www/generated/labs";
import type { LogicExperiment, LogicView } from "../../www/generated/protocol";
import { describeDrawing, drawingFor, drawingTask, FIGURE_SIZE } from "../../www/labs/logic/drawing";
import { EXPERIMENTS } from "../../www/labs/logic/experiments";

const lab = await LABS.find(({ id }) => id === "logic")?.load();
assert.ok(lab);

/** What `drawingFor` reads of a view. */
const viewOf = (experiment: LogicExperiment, size: number, shown: number, ownTarget = false) =>
  ({ experiment, size, stage: { shown }, target: new Uint8Array(shown * size ** 2).fill(1), ownTarget }) as LogicView;

test("drawing is learned with the settings of the figure, and one in colours with those of the letter", () => {
  for (const { experiment } of Object.values(EXPERIMENTS)) {
    const task = drawingTask(experiment);
    assert.equal(task, experiment === "letter" ? "letter" : "figure");
    assert.deepEqual(firstSettingsWith(lab, "experiment", task), presetById(lab, task));
  }
});

test("drawing begins on the empty grid of a figure, where the run has another task", () => {
  const source = readFileSync(new URL("../../crates/labs/logic/src/experiment/mod.rs", import.meta.url), "utf8");
  assert.equal(Number(/Self::Figure => Setup \{\s+size: (\d+)/.exec(source)?.[1]), FIGURE_SIZE);
  for (const experiment of ["checkerboard", "async"] as const) {
    const drawing = drawingFor(viewOf(experiment, 16, 1, true), lab, {});
    assert.deepEqual([drawing.size, drawing.shown, drawing.canContinue, drawing.isOwn], [FIGURE_SIZE, 1, false, false]);
    assert.equal(drawing.planes.length, FIGURE_SIZE ** 2);
    assert.ok(drawing.planes.every((value) => value === 0));
  }
});

test("run goes on with another drawing only if it has the settings with which drawings are learned", () => {
  const figure = viewOf("figure", FIGURE_SIZE, 1, true);
  const drawing = drawingFor(figure, lab, presetById(lab, "figure"));
  assert.ok(drawing.canContinue && drawing.isOwn);
  assert.deepEqual(drawing.planes, figure.target);
  assert.notEqual(drawing.planes, figure.target, "the view is not painted on");
  assert.ok(!drawingFor(figure, lab, presetById(lab, "figure-published")).canContinue);
  const letter = drawingFor(viewOf("letter", 16, 3), lab, presetById(lab, "letter"));
  assert.deepEqual([letter.task, letter.size, letter.shown, letter.canContinue], ["letter", 16, 3, true]);
});

test("one sentence says how a drawing is learned", () => {
  assert.equal(
    describeDrawing({ task: "figure", canContinue: false }),
    "Your drawing is learned as a figure: it grows from a single cell, in a new run with the settings of the task Figure.",
  );
  assert.equal(
    describeDrawing({ task: "letter", canContinue: true }),
    "Your drawing is learned as the letter is: it grows from an empty grid.",
  );
});

test("link of a run that learns a drawing starts the figure, without the drawing", () => {
  const settings = presetById(lab, "figure");
  const data = { command: { type: "target", planes: "01".repeat(FIGURE_SIZE ** 2 / 2) } };
  const { changes } = startOf(settings, 3, [{ unit: 0, before: {}, after: {}, data }] as never);
  const link = writeLink(lab, settings, 3, null, "cpu", { changes });
  assert.equal(link, writeLink(lab, changedSettings(lab, settings), 3));
  assert.match(link, /experiment=figure/);
});
