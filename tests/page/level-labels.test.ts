// The levels of a chart (www/ui/levels.ts, level-labels.ts): the goal, the visitor's own score, and what chance alone
// reaches; and where their labels stand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { labelBaselines } from "../../www/ui/level-labels";
import { levelsOf, levelWords } from "../../www/ui/levels";

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

test("labels of any two levels neither overlap nor leave the chart, and none is left out", () => {
  for (let goal = 5; goal <= 95; goal++) {
    for (let chance = 5; chance <= 95; chance++) {
      const where = `goal at ${goal}, chance at ${chance}`;
      const [first = null, second = null] = baselines(goal, chance);
      assert.ok(first !== null && second !== null, where);
      const [[a, b], [c, d]] = [boxOf(first), boxOf(second)];
      assert.ok(b <= c || d <= a, `${where}: they overlap`);
      // Neither line crosses the label of the other one.
      assert.ok(!(chance > a && chance < b) && !(goal > c && goal < d), `${where}: a line crosses a label`);
      if (Math.abs(goal - chance) < SIZE) assert.ok(Math.min(a, c) >= TOP && Math.max(b, d) <= BOTTOM + DESCENT, where);
    }
  }
});

test("labels of two levels near each other stand apart, and at an edge on the side with room", () => {
  for (const [goal, chance] of [
    [50, 52],
    [52, 50],
    [50, 50],
    [5, 9],
    [9, 5],
    [95, 91],
    [91, 95],
    [2, 11],
  ] as const) {
    const [first = null, second = null] = baselines(goal, chance);
    assert.ok(first !== null && second !== null, `${goal} and ${chance}`);
  }
  const [above = null, below = null] = baselines(50, 52);
  assert.ok(Number(above) < 50 && Number(below) > 52);
  const [upper = null, lower = null] = baselines(3, 5);
  assert.ok(Number(upper) > 5 && Number(lower) > Number(upper), "below both, in the order of the lines");
  assert.equal(labelBaselines([8, 10], SIZE, 0, 12)[1], null, "a chart without room leaves out the lesser one");
});

test("labels of any three levels neither overlap nor are crossed, and the goal always has its own", () => {
  const all = Array.from({ length: 24 }, (_, i) => 4 + 4 * i);
  for (const goal of all) {
    for (const yours of all) {
      for (const chance of all) {
        const ys = [goal, yours, chance];
        const where = `lines at ${ys.join(", ")}`;
        const found = baselines(...ys);
        assert.ok(found[0] !== null, where);
        const boxes = found.map((baseline) => (baseline === null ? null : boxOf(baseline ?? NaN)));
        for (const [i, box] of boxes.entries()) {
          if (box === null) continue;
          for (const [j, other] of boxes.entries()) {
            if (j === i || other === null) continue;
            assert.ok(box[1] <= other[0] || other[1] <= box[0], `${where}: labels ${i} and ${j} overlap`);
            const y = ys[j] ?? NaN;
            assert.ok(y <= box[0] || y >= box[1], `${where}: line ${j} crosses label ${i}`);
          }
        }
        // Three lines that are far from each other have three labels in them, and two always as many as without a third.
        const isFar = (a: number, b: number) => Math.abs(a - b) >= 1.5 * SIZE;
        if (isFar(goal, yours) && isFar(goal, chance) && isFar(yours, chance))
          assert.deepEqual(
            found,
            ys.flatMap((y) => baselines(y)),
            where,
          );
        const labels = (list: (number | null)[]) => list.filter((each) => each !== null).length;
        assert.ok(labels(found) >= labels(baselines(goal, yours)), where);
      }
    }
  }
});

test("the visitor's score is a level between the goal and chance, also in words", () => {
  const levels = levelsOf({ goal: 475, yours: 211.7, chance: { value: -2.4, name: "random play" } });
  assert.deepEqual(
    levels.map(({ label }) => label),
    ["goal 475", "you: 212", "random play −2.4"],
  );
  assert.equal(levelWords(levels), "Lines across the chart: the goal 475, your best score 212 and random play −2.4.");
  assert.equal(levelWords(levelsOf({ yours: -1184.3 })), "Lines across the chart: your best score −1,184.");
  assert.deepEqual(
    levelsOf({ yours: 0 }).map(({ value }) => value),
    [0],
    "a score of 0 is one",
  );
  assert.deepEqual(levelsOf({ chance: null }), []);
  assert.equal(levelWords([]), "");
  assert.equal(new Set(levels.map(({ dash }) => dash.join())).size, 3, "they can be told apart without colours");
});
