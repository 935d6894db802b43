// Unit tests of how the logic lab tells a run's progress: its phase by metrics, what is said in each, and the small curve
// of the error.

import assert from "node:assert/strict";
import { test } from "node:test";
import { EXPERIMENTS } from "../../www/labs/logic/experiments";
import { curvePath } from "../../www/labs/logic/error-path";
import { guidance, learningPhase } from "../../www/labs/logic/progress";

test("phase follows the soft error and the last test", () => {
  const phase = (error: number, wrong: number) => learningPhase({ firstError: 0.25, error, wrong });
  assert.equal(phase(NaN, NaN), "wires");
  assert.equal(phase(0.249, 4096), "wires");
  assert.equal(phase(0.2, 3300), "forming");
  assert.equal(phase(0.001, 12), "blends");
  assert.equal(phase(0.001, 0), "perfect");
});

test("damage is offered only once no cell is wrong with hard gates", () => {
  for (const { experiment, invitation } of Object.values(EXPERIMENTS)) {
    for (const phase of ["wires", "forming", "blends"] as const) {
      const text = guidance(experiment, phase, { steps: 20, invitation });
      assert.doesNotMatch(text, /damage/i);
      assert.equal(/At step 20, dots mark/.test(text), experiment !== "life");
    }
    assert.equal(guidance(experiment, "perfect", { steps: 20, invitation }), invitation);
  }
  for (const { heals, invitation } of Object.values(EXPERIMENTS)) {
    assert.equal(/damage it, and watch it repair itself/.test(invitation), heals);
  }
  assert.match(EXPERIMENTS.life.invitation, /Draw live cells/);
});

test("curve of the error falls from left to right, and noise stays small", () => {
  assert.equal(curvePath([]), "");
  assert.equal(curvePath([0.25]), "");
  assert.equal(curvePath([0.25, 0.15, 0.05]), "M0.0 1.0L50.0 12.0L100.0 23.0");
  assert.equal(curvePath([1, 0.999]), "M0.0 1.0L100.0 3.2");
  assert.ok((curvePath(Array.from({ length: 4096 }, (_, i) => 1 / (i + 1))).match(/L/g) ?? []).length <= 101);
});
