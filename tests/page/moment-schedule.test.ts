// Tests of the moments that are kept of a run: how many, which, and how much they take.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isDue, MAX_MOMENTS, toDrop } from "../../www/core/moment-schedule";

interface Sized {
  units: number;
  bytes: number;
}

/** Keeps moments as the page does: a moment at every unit, thinned each time. */
function keptOf(end: number, { keepFirst = false, count = MAX_MOMENTS, bytes = Infinity, size = 1 } = {}): number[] {
  let kept: Sized[] = [];
  for (let units = 1; units <= end; units++) {
    kept.push({ units, bytes: size });
    const dropped = toDrop(kept, keepFirst, count, bytes);
    kept = kept.filter((moment) => !dropped.includes(moment.units));
  }
  return kept.map(({ units }) => units);
}

test("few moments are all kept", () => {
  assert.deepEqual(keptOf(5), [1, 2, 3, 4, 5]);
});

test("moments of a long run are at most so many, and the last is among them", () => {
  for (const end of [49, 100, 1000, 5000]) {
    const kept = keptOf(end);
    assert.equal(kept.length, MAX_MOMENTS);
    assert.equal(kept.at(-1), end);
  }
});

test("moments lie closer at the beginning and lately than in the middle", () => {
  const kept = keptOf(4000);
  const gaps = [...kept.keys()].map((i) => (kept[i] as number) - (kept[i - 1] ?? 0));
  const mean = (from: number, to: number) => {
    const part = gaps.filter((_, i) => (kept[i] as number) > from && (kept[i] as number) <= to);
    return part.reduce((sum, gap) => sum + gap, 0) / part.length;
  };
  const middle = mean(1500, 2500);
  assert.ok(middle > 2 * mean(0, 500), `${middle} in the middle, ${mean(0, 500)} at the beginning`);
  assert.ok(middle > 2 * mean(3500, 4000), `${middle} in the middle, ${mean(3500, 4000)} lately`);
  assert.ok(Math.max(...gaps) < 4000 / 8, `a gap of ${Math.max(...gaps)} units`);
});

test("the first moment stays where nothing could be restored before it", () => {
  assert.equal(keptOf(500, { keepFirst: true })[0], 1);
});

test("moments take no more than the budget, except for a single one", () => {
  assert.equal(keptOf(100, { bytes: 64, size: 10 }).length, 6);
  assert.deepEqual(keptOf(100, { bytes: 64, size: 100 }), [100]);
});

test("moments become rarer the longer a run goes on", () => {
  assert.ok(isDue(0, 4));
  assert.ok(isDue(60, 64));
  assert.ok(!isDue(3600, 3604));
  assert.ok(isDue(3600, 3700));
});
