// Tests of the series of a run's metrics, one row per unit (training iteration): the thinning of long runs, gaps where
// nothing was measured, divergence (losses that are not finite), and smoothing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Series, smooth, withGaps } from "../../www/core/series";
import type { MetricSpec } from "../../www/generated/protocol";

const spec = (name: string, better: MetricSpec["better"]): MetricSpec => ({
  name,
  label: name,
  help: "",
  unit: "",
  better,
});
const SPECS = [spec("return", "higher"), spec("loss", "lower")];

test("series of a long run keeps only multiples of a power of two", () => {
  const series = new Series(SPECS);
  for (let unit = 1; unit <= 20_000; unit++) series.append({ units: [unit], values: [[unit], [-unit]] });
  assert.ok(series.units.length <= 4096, "the capacity");
  const stride = series.units[0] as number; // the first multiple
  assert.ok(stride > 1 && Number.isInteger(Math.log2(stride)));
  assert.ok(series.units.every((unit) => unit % stride === 0));
  assert.deepEqual(series.column("return"), series.units);
  assert.equal(series.last("loss"), -(series.units.at(-1) as number));
});

test("series reports the measured values of a metric until a unit", () => {
  const series = new Series(SPECS);
  series.append({
    units: [1, 2, 3],
    values: [
      [5, NaN, 7],
      [1, 2, 3],
    ],
  });
  assert.deepEqual(series.measured("return"), { units: [1, 3], values: [5, 7] });
  assert.deepEqual(series.measured("return", 2), { units: [1], values: [5] });
  assert.deepEqual(series.measured("nothing"), { units: [], values: [] });
});

test("series reports the latest finite value, and none for an unknown metric", () => {
  const series = new Series(SPECS);
  series.append({
    units: [1, 2, 3],
    values: [
      [5, 6, NaN],
      [1, 1, 1],
    ],
  });
  assert.equal(series.last("return"), 6);
  assert.ok(Number.isNaN(series.last("nothing")));
  assert.deepEqual(series.column("nothing"), []);
});

test("series has diverged only when no loss of the last three rows is finite", () => {
  const series = new Series(SPECS);
  series.append({
    units: [1, 2, 3],
    values: [
      [1, 1, 1],
      [1, NaN, Infinity],
    ],
  });
  assert.equal(series.diverged(), false);
  series.append({ units: [4], values: [[1], [NaN]] });
  assert.equal(series.diverged(), true);
  series.append({ units: [5], values: [[1], [0.5]] });
  assert.equal(series.diverged(), false);
});

test("smoothing starts at the first value and keeps a constant", () => {
  assert.equal(smooth([7, 0, 0], 10)[0], 7);
  for (const value of smooth(Array(50).fill(3) as number[], 20)) assert.ok(Math.abs((value ?? 0) - 3) < 1e-12);
});

test("smoothing over one row changes nothing, and gaps stay gaps", () => {
  assert.deepEqual(smooth([1, NaN, 3], 1), [1, null, 3]);
  assert.deepEqual(withGaps([1, NaN, Infinity, 4]), [1, null, null, 4]);
});
