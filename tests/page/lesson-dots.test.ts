// The dots of a lesson's comparison: each run can be seen, however many have the same result.

import "./fake-dom";
import assert from "node:assert/strict";
import { test } from "node:test";
import { dotPlaces } from "../../www/lessons/dots";
import { LIMITS } from "../../www/lessons/format";

/** The smallest distance of two dots. */
function closest(places: [number, number][]): number {
  const distances = places.flatMap(([x, up], i) =>
    places.slice(i + 1).map(([x2, up2]) => Math.hypot(x - x2, up - up2)),
  );
  return Math.min(...distances);
}

test("all runs of a block can be seen as dots, also those that are equal and those that never reached the goal", () => {
  const most = LIMITS.seeds;
  const x = (value: number) => value;
  const cases: Record<string, number[]> = {
    equal: Array.from({ length: most }, () => 100),
    close: Array.from({ length: most }, (_, i) => 100 + i / 10),
    spread: Array.from({ length: most }, (_, i) => 100 + 5 * i),
    never: Array.from({ length: most }, () => Infinity),
    mixed: Array.from({ length: most }, (_, i) => (i < most / 2 ? 100 : Infinity)),
  };
  for (const [name, values] of Object.entries(cases)) {
    const places = dotPlaces(values, x);
    assert.equal(places.length, most);
    assert.ok(closest(places) >= 3, `${name}: ${closest(places)}`);
    assert.ok(
      places.every(([, up]) => up <= 60),
      `${name}: no stack is too high`,
    );
  }
  // Few equal runs are stacked with half a dot between them, and dots beside each other stand on the line.
  assert.deepEqual(dotPlaces([10, 10, 30], x), [
    [10, 0],
    [10, 6],
    [30, 0],
  ]);
});
