// How a run stands to its goal: what one test (evaluation) says, and what its margin of error leaves open.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isWorse, latestTest, reachingTest, standingOf } from "../../www/core/goal";
import { Series } from "../../www/core/series";
import type { Goal, MetricSpec, Progress } from "../../www/generated/protocol";

const spec = (name: string, rest: Partial<MetricSpec> = {}): MetricSpec => ({
  ...{ name, label: name, help: "", unit: "", better: "higher" },
  ...rest,
});

/** A run with these tests, one per unit (training iteration): values, or values with their margins of error. */
function runOf(tests: (number | [number, number])[], target: number, rest: Partial<MetricSpec> = {}) {
  const hasMargin = tests.some((each) => Array.isArray(each));
  const series = new Series([spec("score", rest), ...(hasMargin ? [spec("scoreMargin")] : [])]);
  const values = tests.map((each) => (Array.isArray(each) ? each[0] : each));
  const margins = tests.map((each) => (Array.isArray(each) ? each[1] : NaN));
  series.append({ units: tests.map((_, i) => i + 1), values: hasMargin ? [values, margins] : [values] });
  const reached = values.findIndex((value) => (rest.better === "lower" ? value <= target : value >= target));
  const goal: Goal = { metric: "score", target, words: "", exact: false };
  const progress = { solvedAt: reached < 0 ? null : reached + 1 } as Progress;
  return { goal, series, progress };
}

/** The standing after each test. */
const standings = (run: ReturnType<typeof runOf>) => run.series.units.map((unit) => standingOf(run, unit)).join(" ");

test("a goal within the margin of error is reached, and neither solved nor lost", () => {
  const run = runOf(
    [
      [-1, 0.12],
      [0.52, 0.12],
      [0.39, 0.12],
      [0.3, 0.12],
    ],
    0.5,
  );
  assert.equal(standings(run), "open reached reached reached");
  assert.equal(latestTest(run)?.side, "short");
  assert.equal(latestTest(run, 3)?.side, "around");
  assert.deepEqual(reachingTest(run), {
    ...{ unit: 2, value: 0.52, margin: 0.12, isEstimated: false, lead: 0.52 - 0.5, side: "around" },
  });
});

test("a test is worse where the goal is lost, or most of what the best test gained, by more than chance", () => {
  const worse = (run: ReturnType<typeof runOf>) => run.series.units.filter((unit) => isWorse(run, unit));
  const exact = (tests: number[], target = 90) => {
    const run = runOf(tests, target);
    return { ...run, goal: { ...run.goal, exact: true } };
  };
  assert.deepEqual(worse(exact([0.0002, 38.34, 0.0002, 30, 0.1])), [3, 5], "on the way to the goal");
  assert.deepEqual(worse(exact([50, 93, 89, 40, 93])), [4], "after the goal");
  assert.deepEqual(worse(exact([3, 2.9, 0.1])), [], "a little of a long way");
  const sampled = runOf(
    [-2.4, 0.1, -1.5, 0.6, 0.1, 0.45].map((value): [number, number] => [value, 0.15]),
    0.5,
  );
  assert.deepEqual(worse(sampled), [3, 5], "and not while it may be at the goal again");
  assert.equal(standingOf(sampled), "lost");
  assert.deepEqual(worse(runOf([0, 38, 0], 90)), [], "where no margin of error is known");
});

test("an exact test decides by itself", () => {
  const run = runOf([50, 93, 96, 89, 40], 90);
  run.goal.exact = true;
  assert.equal(standings(run), "open solved solved missed lost");
  assert.deepEqual([latestTest(run, 2)?.margin, latestTest(run, 2)?.isEstimated], [0, false]);
});

test("a whole interval beyond the goal solves it, and one wholly short of it takes that back", () => {
  const values = [0.1, 0.55, 0.65, 0.39, 0.37, 0.45, 0.1, 0.45, 0.7];
  const run = runOf(
    values.map((value): [number, number] => [value, 0.12]),
    0.5,
  );
  // 0.37 is short of the goal by more than its margin, and by more than a fifth of the goal.
  assert.equal(standings(run), "open reached solved solved lost lost lost lost solved");
  const slightly = runOf(
    values.map((value): [number, number] => [value + 99.5, 0.12]),
    100,
  );
  assert.equal(standings(slightly), "open reached solved solved missed missed missed missed solved");
});

test("what may have been luck is lost only by two margins", () => {
  const run = (last: number) =>
    runOf(
      [
        [0.1, 0.12],
        [0.52, 0.12],
        [last, 0.12],
      ],
      0.5,
    );
  assert.equal(standingOf(run(0.28)), "reached");
  assert.equal(standingOf(run(0.25)), "lost");
});

test("lower values are better where the metric says so", () => {
  const values = [80, 9, 7, 12, 40];
  const run = runOf(
    values.map((value): [number, number] => [value, 2.5]),
    10,
    { better: "lower" },
  );
  assert.equal(standings(run), "open reached solved solved lost");
});

test("a test without a mistake reaches 100%, and nothing is beyond it", () => {
  const percent = { unit: "%" };
  assert.equal(standings(runOf([75, 80, 100], 100, percent)), "open open solved");
  assert.equal(
    standings(
      runOf(
        [
          [98, 2],
          [100, 0],
          [99.5, 1],
        ],
        99,
        percent,
      ),
    ),
    "open solved solved",
  );
});

test("without a margin of its own, tests are as exact as they agree with their neighbours", () => {
  const noisy = [-200, -200, -150, -120, -108, -104.9, -108, -106, -109, -104, -107, -106];
  // -104.9 is beyond the goal, and -109 short of it, by less than the tests scatter.
  const run = runOf(noisy, -105);
  assert.equal(standings(run), "open open open open open reached reached reached reached reached reached reached");
  const margin = latestTest(run)?.margin ?? NaN;
  assert.ok(margin > 2 && margin < 8, String(margin));
  // A steady rise does not count as scatter.
  const rising = [70, 75, 80, 85, 90.5, 95.5];
  assert.equal(standings(runOf(rising, 90)), "open open open open solved solved");
  // Too few tests tell no margin, so they decide nothing.
  assert.equal(standings(runOf([70, 90, 95, 99], 90)), "open reached reached reached");
  // Nor does a sudden loss hide in the margin.
  const failing = [90, 99, 100, 99, 100, 99, 100, 40];
  assert.equal(standings(runOf(failing, 90)).split(" ").at(-1), "lost");
});

test("without a goal, or before it is reached, a run is open", () => {
  const run = runOf([1, 2, 3], 10);
  assert.equal(standingOf(run), "open");
  assert.equal(reachingTest(run), null);
  assert.equal(standingOf({ ...run, goal: null }), "open");
  assert.equal(latestTest({ ...run, goal: null }), null);
  assert.equal(latestTest(runOf([], 10)), null);
});

test("a test with the best value that can be measured confirms the goal, however much earlier tests scatter", () => {
  const run = runOf([120, 470, 300, 500, 410, 500], 490);
  assert.equal(standingOf(run), "reached");
  run.goal.best = 500;
  assert.equal(standings(run), "open open open solved solved solved");
  assert.deepEqual([latestTest(run)?.side, latestTest(run, 5)?.side], ["beyond", "around"]);
});
