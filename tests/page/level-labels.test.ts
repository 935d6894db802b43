// The labels of a chart's levels (www/ui/level-labels.ts): the goal, and what chance alone reaches.

import assert from "node:assert/strict";
import { test } from "node:test";
import { labelBaselines } from "../../www/ui/level-labels";

const SIZE = 11;
const [TOP, BOTTOM] = [0, 100];
/** How far a label reaches above its baseline and below it. */
const [ASCENT, DESCENT] = [SIZE, 3];
const baselines = (...ys: number[]) => labelBaselines(ys, SIZE, TOP, BOTTOM);

/** The upper and the lower edge of a label. */
const boxOf = (baseline: number): [number, number] => [baseline - ASCENT, baseline + DESCENT];

test("labels of levels far from each other stand in their lines", () => {
  assert.deepEqual(baselines(), []);
  const [alone] = baselines(40);
  assert.ok(alone !== undefined && alone !== null && boxOf(alone)[0] < 40 && boxOf(alone)[1] > 40);
  const [goal, chance] = baselines(10, 90);
  assert.equal(goal, labelBaselines([10], SIZE, TOP, BOTTOM)[0]);
  assert.equal(chance, labelBaselines([90], SIZE, TOP, BOTTOM)[0]);
});

test("labels of any two levels neither overlap nor leave the chart, and the goal always has its own", () => {
  for (let goal = 5; goal <= 95; goal++) {
    for (let chance = 5; chance <= 95; chance++) {
      const where = `goal at ${goal}, chance at ${chance}`;
      const [first = null, second = null] = baselines(goal, chance);
      assert.ok(first !== null, where);
      if (second === null) continue;
      const [[a, b], [c, d]] = [boxOf(first), boxOf(second)];
      assert.ok(b <= c || d <= a, `${where}: they overlap`);
      // Neither line crosses the label of the other one.
      assert.ok(!(chance > a && chance < b) && !(goal > c && goal < d), `${where}: a line crosses a label`);
      if (Math.abs(goal - chance) < SIZE) assert.ok(Math.min(a, c) >= TOP && Math.max(b, d) <= BOTTOM + DESCENT, where);
    }
  }
});

test("the lesser label is left out only where there is no room beside the lines", () => {
  assert.ok(baselines(50, 52).every((each) => each !== null));
  assert.ok(baselines(52, 50).every((each) => each !== null));
  assert.equal(baselines(5, 9)[1], null, "no room above the upper line");
  assert.equal(baselines(95, 91)[1], null, "no room below the lower line");
});
