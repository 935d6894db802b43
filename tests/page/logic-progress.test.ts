// Unit tests of how the logic lab tells a run's progress: its phase by metrics, what is said in each, the measured
// runs, the settings they hold for, and the small curve of the error.

import assert from "node:assert/strict";
import { test } from "node:test";
import { LABS } from "../../www/generated/labs";
import { EXPERIMENTS } from "../../www/labs/logic/experiments";
import { curvePath } from "../../www/labs/logic/learning-strip";
import { describeUsual, guidance, hasPresetSettings, learningPhase } from "../../www/labs/logic/progress";

test("phase follows the error of the blends and the last evaluation", () => {
  const phase = (error: number, wrong: number) => learningPhase({ firstError: 0.25, error, wrong });
  assert.equal(phase(NaN, NaN), "wires");
  assert.equal(phase(0.249, 4096), "wires");
  assert.equal(phase(0.2, 3300), "forming");
  assert.equal(phase(0.001, 12), "blends");
  assert.equal(phase(0.001, 0), "perfect");
});

test("damage is offered only once the final circuit makes no mistake", () => {
  for (const { experiment, invitation } of Object.values(EXPERIMENTS)) {
    for (const phase of ["wires", "forming", "blends"] as const) {
      const text = guidance(experiment, phase, invitation);
      assert.doesNotMatch(text, /damage/i);
      assert.equal(/Dots mark/.test(text), experiment !== "life");
    }
    assert.equal(guidance(experiment, "perfect", invitation), invitation);
  }
  for (const { heals, invitation } of Object.values(EXPERIMENTS)) {
    assert.equal(/damage it, and watch it repair itself/.test(invitation), heals);
  }
  assert.match(EXPERIMENTS.life.invitation, /Draw live cells/);
});

test("measured runs are told in a sentence, in order", () => {
  assert.equal(
    describeUsual({ runs: 20, earliest: 21, half: 51, latest: 1760 }),
    "20 runs with these settings broke through after 21 to 1,760 iterations, half of them by 51.",
  );
  for (const { usual } of Object.values(EXPERIMENTS)) {
    assert.ok(usual.earliest <= usual.half && usual.half <= usual.latest);
  }
});

test("measured runs hold for the settings of the choice alone", async () => {
  const lab = await LABS.find(({ id }) => id === "logic")?.load();
  assert.ok(lab);
  assert.ok(hasPresetSettings(lab, {}, "checkerboard"));
  assert.ok(hasPresetSettings(lab, { learning_rate: 0.1 }, "checkerboard"));
  assert.ok(!hasPresetSettings(lab, { learning_rate: 0.2 }, "checkerboard"));
  assert.ok(!hasPresetSettings(lab, { experiment: "life" }, "life"));
});

test("curve of the error falls from left to right, and noise stays small", () => {
  assert.equal(curvePath([]), "");
  assert.equal(curvePath([0.25]), "");
  assert.equal(curvePath([0.25, 0.15, 0.05]), "M0.0 1.0L50.0 12.0L100.0 23.0");
  assert.equal(curvePath([1, 0.999]), "M0.0 1.0L100.0 3.2");
  assert.ok((curvePath(Array.from({ length: 4096 }, (_, i) => 1 / (i + 1))).match(/L/g) ?? []).length <= 101);
});
