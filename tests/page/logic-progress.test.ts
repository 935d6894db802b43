// Unit tests of how the logic lab tells a run's progress: the phase that follows from its metrics, and the text for
// each.

import assert from "node:assert/strict";
import { test } from "node:test";
import { EXPERIMENTS } from "../../www/labs/logic/experiments";
import { guidance, learningPhase } from "../../www/labs/logic/progress";

test("phase follows the soft error and the wrong cells of the last evaluation", () => {
  const phase = (error: number, wrong: number) => learningPhase({ firstError: 0.25, error, wrong });
  assert.equal(phase(NaN, NaN), "far");
  assert.equal(phase(0.249, 4096), "far");
  assert.equal(
    phase(0.2, 3300),
    "far",
    "0.2 is more than half of the first error; only whether any cell is wrong matters",
  );
  assert.equal(phase(0.12, 2000), "forming");
  assert.equal(phase(0.001, 12), "mixtures");
  assert.equal(phase(0.001, 0), "perfect");
});

test("before no cell is wrong, text explains the dots and offers no damage; afterwards it invites", () => {
  for (const { experiment, invitation } of Object.values(EXPERIMENTS)) {
    for (const phase of ["far", "forming", "mixtures"] as const) {
      const text = guidance(experiment, phase, invitation);
      assert.doesNotMatch(text, /damage/i);
      // The game of life has no target picture, so no cell is marked as wrong.
      assert.equal(/ Near the target step, dots mark wrong cells\.$/.test(text), experiment !== "life");
    }
    assert.equal(guidance(experiment, "perfect", invitation), invitation);
  }
  for (const { heals, invitation } of Object.values(EXPERIMENTS)) {
    assert.equal(/damage it, and watch it repair itself/.test(invitation), heals);
  }
  assert.match(EXPERIMENTS.life.invitation, /Draw live cells/);
});
