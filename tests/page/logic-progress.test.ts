// Unit tests of how the logic lab tells a run's progress: its phase by metrics, and what is said in each.

import assert from "node:assert/strict";
import { test } from "node:test";
import { EXPERIMENTS } from "../../www/labs/logic/experiments";
import { guidance, learningPhase } from "../../www/labs/logic/progress";

test("phase follows the soft error and the last test", () => {
  const phase = (error: number, wrong: number) => learningPhase({ firstError: 0.25, error, wrong });
  assert.equal(phase(NaN, NaN), "far");
  assert.equal(phase(0.249, 4096), "far");
  assert.equal(phase(0.2, 3300), "far", "60% right, where half is chance");
  assert.equal(phase(0.12, 2000), "forming");
  assert.equal(phase(0.001, 12), "mixtures");
  assert.equal(phase(0.001, 0), "perfect");
});

test("damage is offered only once no cell is wrong with hard gates", () => {
  for (const { experiment, invitation } of Object.values(EXPERIMENTS)) {
    for (const phase of ["far", "forming", "mixtures"] as const) {
      const text = guidance(experiment, phase, invitation);
      assert.doesNotMatch(text, /damage/i);
      assert.equal(/ As the picture grows, dots mark wrong cells\.$/.test(text), experiment !== "life");
    }
    assert.equal(guidance(experiment, "perfect", invitation), invitation);
  }
  for (const { heals, invitation } of Object.values(EXPERIMENTS)) {
    assert.equal(/damage it, and watch it repair itself/.test(invitation), heals);
  }
  assert.match(EXPERIMENTS.life.invitation, /Draw live cells/);
});
