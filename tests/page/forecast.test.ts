// The way to the goal: the measured share of it, and what recorded runs tell of the rest.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  measuredShare,
  middleOf,
  MeanSpeed,
  steadyPace,
  unitsLeft,
  usualUnits,
  usualUnitsLeft,
  type GoalUnits,
} from "../../www/core/forecast";

test("share of the way is that of the last test, whatever the trend", () => {
  assert.equal(measuredShare([NaN, -2, NaN, 0, -1, NaN], 2), 0.25);
  // Downwards, for a metric that is better when it is lower.
  assert.equal(measuredShare([100, 80], 60), 0.5);
  assert.equal(measuredShare([5, 4], 10), 0, "worse than the first test");
  assert.equal(measuredShare([5, 11], 10), 1);
  assert.equal(measuredShare([NaN, 5, NaN], 10), null, "one test alone");
  assert.equal(measuredShare([], 10), null);
});

test("time left is the range of what recorded runs then had left, where they agree", () => {
  const alike = [98, 99, 100, 100, 101, 102, 103];
  assert.deepEqual(unitsLeft(alike, 0), { from: 98, to: 103 });
  assert.deepEqual(unitsLeft(alike, 73), { from: 25, to: 30 });
  assert.equal(unitsLeft(alike, 74), null, "near the end, few units are a large part of what is left");
  assert.equal(unitsLeft(alike, 101), null, "only two runs took longer");
  assert.equal(unitsLeft(alike.slice(0, 4), 0), null, "too few runs");
});

test("no time is told where recorded runs differ, or where one did not reach the goal", () => {
  assert.equal(unitsLeft([50, 60, 80, 100, 120, 150, 200], 0), null);
  assert.equal(unitsLeft([98, 99, 100, 101, 102, 103, null], 0), null);
});

test("no time is told of a lab whose forecasts have not held for its own runs", () => {
  // Without the last, the others agree, and tell it half of what it takes.
  const outlier = [99, 100, 100, 100, 100, 101, 200];
  for (let unit = 0; unit < 200; unit++) assert.equal(unitsLeft(outlier, unit), null);
});

/** What `unitsLeft` does, in the words of its definition. */
function slowUnitsLeft(goalUnits: number[], unit: number): { from: number; to: number } | null {
  const range = (left: number[]) => ({ from: Math.min(...left), to: Math.max(...left) });
  const error = (left: number[], truth: number) => Math.abs(middleOf(range(left)) - truth) / truth;
  const without = <T>(all: T[], index: number) => all.filter((_, i) => i !== index);
  const forecast = (ends: number[], at: number) => {
    const left = ends.filter((end) => end > at).map((end) => end - at);
    const isLastPart = Math.min(...left) < (at + Math.min(...left)) / 4;
    return left.length >= 5 && !isLastPart && left.every((each, i) => error(without(left, i), each) <= 0.25)
      ? left
      : null;
  };
  for (const [run, end] of goalUnits.entries()) {
    for (let at = 0; at < end; at++) {
      const left = forecast(without(goalUnits, run), at);
      if (left && error(left, end - at) > 1 / 3) return null;
    }
  }
  const left = forecast(goalUnits, unit);
  return left && range(left);
}

test("time left is that of the definition", () => {
  let told = 0;
  let silent = 0;
  // A linear congruential generator, so that every call tests the same.
  let state = 1;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  for (let set = 0; set < 60; set++) {
    const spread = 1 + (set % 20);
    const goalUnits = Array.from({ length: 6 + (set % 5) }, () => 40 + Math.floor(spread * random()));
    for (let unit = 0; unit < 60; unit += 7) {
      const left = unitsLeft(goalUnits, unit);
      assert.deepEqual(left, slowUnitsLeft(goalUnits, unit), `${goalUnits.join()} at ${unit}`);
      if (left) told++;
      else silent++;
    }
  }
  assert.ok(told > 50 && silent > 50, `${told} told, ${silent} silent`);
});

test("what most runs took leaves out a tenth at both ends", () => {
  const twenty = Array.from({ length: 20 }, (_, i) => 100 - i);
  assert.deepEqual(usualUnits(twenty), { from: 83, to: 98, counted: 16, runs: 20 });
  assert.deepEqual(usualUnits([5, 1, 2, 3, 4]), { from: 1, to: 5, counted: 5, runs: 5 });
  // Those that tie with an end of the range lie in it.
  assert.deepEqual(usualUnits([10, 10, 20, 30, 40, 50, 60, 70, 80, 90]), { from: 10, to: 80, counted: 9, runs: 10 });
  assert.deepEqual(usualUnits(Array<number>(20).fill(7)), { from: 7, to: 7, counted: 20, runs: 20 });
  // Runs that did not reach the goal are the slowest.
  const some: GoalUnits = [null, 10, 20, null, 30, 40, 50, 60, 70, 80];
  assert.deepEqual(usualUnits(some), { from: 20, to: 80, counted: 7, runs: 10 });
  assert.equal(usualUnits([10, 20, 30, null, null, null]), null, "most did not");
  assert.equal(usualUnits([10, 20, 30, 40]), null, "too few");
});

test("time until what most runs took is told only while it is off by at most a third for each run", () => {
  const alike = [38, 40, 40, 45, 50, 50, 50, 50, 50, 55];
  assert.deepEqual(usualUnits(alike), { from: 40, to: 50, counted: 8, runs: 10 });
  assert.deepEqual(usualUnitsLeft(alike, 32), { from: 8, to: 18 }, "the quickest has 6 left");
  assert.equal(usualUnitsLeft(alike, 33), null, "the quickest has 5 left, and 7 would be told");
  assert.equal(usualUnitsLeft([...alike.slice(0, -1), 75], 1), null, "the slowest has 74 left");
  assert.deepEqual(usualUnitsLeft([...alike.slice(0, -1), 75], 0), { from: 40, to: 50 });
  assert.equal(usualUnitsLeft([...alike.slice(0, -1), null], 0), null, "one never reached the goal");
  // The quickest has reached it.
  assert.deepEqual(usualUnitsLeft([15, 20, 20, 20, 20, 20, 25, 25, 30, 35], 15), { from: 5, to: 15 });
  assert.equal(usualUnitsLeft([50, 60, 80, 100, 120, 150, 200], 1), null, "more than a factor of four apart");
  assert.deepEqual(usualUnitsLeft([50, 60, 80, 100, 120, 150, 200], 0), { from: 50, to: 200 });
  assert.equal(usualUnitsLeft([20, 20, 20, 20, 20], 20), null, "it has begun");
  assert.equal(usualUnitsLeft([20, 20, 20, 20], 0), null, "too few runs");
});

test("speeds are means from the end of a unit to that of another one, with the tests between them", () => {
  const speed = new MeanSpeed();
  // A unit ends each second, and a test of five seconds follows every fifth one. It opens in the middle of a unit.
  const end = (unit: number) => unit + 5 * Math.floor((unit - 1) / 5);
  assert.equal(speed.note("run", 0.5, 0, 9), 9);
  for (let unit = 1; unit <= 5; unit++)
    assert.equal(speed.note("run", end(unit), unit, 9), 9, "less than five seconds");
  for (let unit = 6; unit <= 100; unit++) speed.note("run", end(unit), unit, 9);
  for (const later of [0, 3]) {
    const mean = speed.note("run", end(101) + later, 101, 9);
    assert.ok(Math.abs(mean - 0.5) < 0.1, `${mean}`);
  }
  assert.equal(speed.note("other", end(102), 102, 9), 9, "another run, or another chosen speed");
});

test("times count down, at the speed of the latest test or another one", () => {
  const pace = { of: "run 8", units: 10, unitsPerSecond: 3 };
  assert.equal(steadyPace(null, pace), pace);
  for (const unitsPerSecond of [2.1, 3, 3.9])
    assert.deepEqual(steadyPace(pace, { ...pace, units: 15, unitsPerSecond }), { ...pace, units: 15 });
  for (const change of [{ unitsPerSecond: 1.9 }, { unitsPerSecond: 4.1 }, { unitsPerSecond: 0 }, { of: "run 16" }]) {
    const now = { ...pace, units: 15, ...change };
    assert.deepEqual(steadyPace(pace, now), now);
  }
  const paused = { ...pace, unitsPerSecond: 0 };
  assert.deepEqual(steadyPace(paused, { ...paused, units: 11 }), { ...paused, units: 11 });
  assert.deepEqual(steadyPace(paused, pace), pace);
});
