// The forecast of the way to the goal.

import assert from "node:assert/strict";
import { test } from "node:test";
import { forecast } from "../../www/core/forecast";

test("forecast follows the trend of the latest measurements", () => {
  const units = Array.from({ length: 20 }, (_, i) => i + 1);
  const rising = units.map((unit) => 10 * unit);
  assert.deepEqual(forecast(units, rising, 400), { fraction: 190 / 390, units: 20 });
  // Measurements that are missing are left out.
  const gaps = rising.map((value, i) => (i % 2 === 0 ? NaN : value));
  assert.equal(forecast(units, gaps, 400)?.units, 20);
  // Downwards, for a metric that is better when it is lower.
  const falling = units.map((unit) => 100 - unit);
  assert.equal(forecast(units, falling, 60)?.units, 20);
});

test("forecast is silent where there is no trend, or one that leads away", () => {
  const units = Array.from({ length: 20 }, (_, i) => i + 1);
  assert.equal(
    forecast(
      units,
      units.map(() => NaN),
      1,
    ),
    null,
  );
  assert.deepEqual(forecast([1, 2], [5, 6], 10), { fraction: 0.2, units: null });
  const noise = units.map((unit) => (unit % 2 === 0 ? 1 : -1));
  assert.equal(forecast(units, noise, 10)?.units, null);
  const away = units.map((unit) => -unit);
  assert.deepEqual(forecast(units, away, 10), { fraction: 0, units: null });
});
