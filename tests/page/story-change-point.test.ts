// Where a learning curve has changed beyond its noise (www/core/story/change-point.ts), on synthetic curves.

import assert from "node:assert/strict";
import { test } from "node:test";
import { largestChange, median, type TestCurve } from "../../www/core/story/change-point";
import { MIN_TESTS } from "../../www/core/story/enough";

/** Numbers from 0 to 1 that are the same in every run of the test. */
function uniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}

function normal(random: () => number): () => number {
  return () => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
}

/** A curve with these values; `margin` is the margin of error of each of its tests. */
function curve(values: number[], margin = NaN): TestCurve {
  return { units: values.map((_, i) => 10 * (i + 1)), values, margins: values.map(() => margin) };
}

const row = (length: number, value: (i: number) => number) => Array.from({ length }, (_, i) => value(i));

test("noise has a change in at most 1% of curves, or 3% where it has only two values, as a step has", () => {
  const random = uniform(1);
  const gauss = normal(random);
  const kinds: [kind: string, most: number, lengths: number[], draw: () => number][] = [
    ["normal", 0.01, [MIN_TESTS, 12, 30, 80], gauss],
    ["uniform", 0.01, [MIN_TESTS, 12, 30, 80], random],
    ["heavy tails", 0.01, [MIN_TESTS, 12, 30, 80], () => gauss() / Math.hypot(gauss(), gauss(), gauss())],
    ["a coin", 0.03, [12, 30, 80], () => Number(random() < 0.5)],
    ["rare events", 0.03, [12, 30, 80], () => Number(random() < 0.1)],
  ];
  const curves = 1000;
  for (const [kind, most, lengths, draw] of kinds) {
    for (const length of lengths) {
      let found = 0;
      for (let i = 0; i < curves; i++) {
        const noise = curve(row(length, draw));
        if (largestChange(noise, "up") || largestChange(noise, "down")) found++;
      }
      assert.ok(found <= most * curves, `${kind}, ${length} tests: ${found} of ${curves} curves`);
    }
  }
});

test("a step is found where it is, in its direction only", () => {
  const noise = normal(uniform(2));
  for (const sign of [1, -1]) {
    for (const at of [4, 10, 25]) {
      const values = row(30, (i) => sign * (i >= at ? 20 : 0) + noise());
      const [along, against] = sign > 0 ? (["up", "down"] as const) : (["down", "up"] as const);
      const change = largestChange(curve(values), along);
      assert.equal(change?.index, at);
      assert.equal(change.before, median(values.slice(at - 3, at)));
      assert.equal(change.after, median(values.slice(at, at + 3)));
      assert.deepEqual(change.beforeUnits, [10 * (at - 2), 10 * at]);
      assert.deepEqual(change.afterUnits, [10 * (at + 1), 10 * (at + 3)]);
      assert.equal(largestChange(curve(values), against), null);
    }
  }
});

test("a step of few tests is found, and of fewer than the least nothing", () => {
  const values = [0, 0, 0, 0, 50, 50, 50, 50];
  assert.equal(largestChange(curve(values), "up")?.index, 4);
  assert.equal(largestChange(curve(values.slice(0, MIN_TESTS - 1)), "up"), null);
  assert.equal(largestChange(curve([]), "up"), null);
});

test("one lucky or unlucky test is no change", () => {
  assert.equal(largestChange(curve([0, 9, 9, 9, 9, 9, 9]), "up"), null);
  assert.equal(largestChange(curve([0, 0, 0, 0, 0, 0, 9]), "up"), null);
  const values = row(20, (i) => (i === 9 ? 100 : i % 2));
  assert.equal(largestChange(curve(values), "up"), null);
});

test("a constant curve and a steady rise have no jump", () => {
  assert.equal(largestChange(curve(row(20, () => 7)), "up"), null);
  assert.equal(largestChange(curve(row(20, (i) => i)), "up"), null);
});

test("a step within the margin of error of its tests is none", () => {
  const values = row(20, (i) => (i >= 10 ? 5 : 0));
  assert.equal(largestChange(curve(values, 0.5), "up")?.index, 10);
  assert.equal(largestChange(curve(values, 10), "up"), null);
});
