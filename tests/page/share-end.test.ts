// The interval of a share that was measured as all or nothing (www/core/share-end.ts).

import assert from "node:assert/strict";
import { test } from "node:test";
import { endWords } from "../../www/core/share-end";

/** The ends of Wilson's interval (1927) of `right` successes in n trials, in percent, with two standard deviations. */
function wilson(right: number, n: number): [number, number] {
  const [p, z] = [right / n, 2];
  const centre = p + z ** 2 / (2 * n);
  const half = z * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2));
  return [(100 * (centre - half)) / (1 + z ** 2 / n), (100 * (centre + half)) / (1 + z ** 2 / n)];
}

test("share of all or none of some trials has the open end of Wilson's interval", () => {
  assert.equal(endWords(100, 512), "at least 99.22");
  assert.equal(endWords(0, 512), "at most 0.78");
  for (const n of [16, 64, 500, 2048, 1_000_000]) {
    const [least] = wilson(n, n);
    const [, most] = wilson(0, n);
    const written = (percent: number) => Number(endWords(percent, n).replace(/^at (least|most) /, ""));
    assert.ok(written(100) <= least + 1e-9 && written(100) > least - 0.0101, `${n}: ${written(100)}, ${least}`);
    assert.ok(written(0) >= most - 1e-9 && written(0) < most + 0.0101, `${n}: ${written(0)}, ${most}`);
  }
});

test("other shares have a margin of error, and what is no share of trials has no end", () => {
  assert.equal(endWords(99.8, 512), "");
  assert.equal(endWords(NaN, 512), "");
  assert.equal(endWords(100, null), "");
  assert.equal(endWords(100, NaN), "");
});
