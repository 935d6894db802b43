// What the page says of a run and its goal.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { GoalTest } from "../../www/core/goal";
import { Series } from "../../www/core/series";
import type { MetricSpec } from "../../www/generated/protocol";
import {
  intervalWords,
  outlookWords,
  reachedWords,
  sourceWords,
  standingWords,
  valueWords,
} from "../../www/ui/goal-words";

const measured: GoalTest = { unit: 54, value: 0.52, margin: 0.118, isEstimated: false, lead: 0.02, side: "around" };
const estimated: GoalTest = { unit: 21, value: -104.9, margin: 4.07, isEstimated: true, lead: 0.1, side: "around" };

test("standing of a run has words, and none is a verdict while the interval holds the goal", () => {
  assert.equal(standingWords("open", measured), "");
  // Nothing promises a test that a paused run does not make.
  for (const test of [measured, estimated, { ...estimated, margin: NaN }])
    assert.equal(standingWords("reached", test), "Goal reached in a test, not confirmed yet");
  assert.equal(standingWords("reached", { ...measured, side: "short" }), "Short of the goal again");
  assert.equal(standingWords("solved", measured), "Goal reached");
  const short: GoalTest = { ...measured, side: "short" };
  assert.equal(standingWords("missed", short), "Goal reached, a little short of it since");
  assert.equal(standingWords("lost", short), "Goal reached, lost since");
  for (const standing of ["missed", "lost"] as const)
    assert.equal(standingWords(standing, measured), "Perhaps at the goal again");
});

test("test that reached the goal is told with what it measured and took, and whether one has confirmed it", () => {
  assert.equal(reachedWords("round", 1054), "The test at round 1,054 reached it.");
  assert.equal(
    reachedWords("round", 54, { value: "0.52 ± 0.12 points", costs: ["900 games", "6.2 seconds"] }),
    "The test at round 54 reached it, with 0.52 ± 0.12 points, after 900 games and 6.2 seconds.",
  );
  assert.equal(
    reachedWords("round", 54, { costs: ["2 attempts", "900 games", "6.2 seconds"] }),
    "The test at round 54 reached it after 2 attempts, 900 games and 6.2 seconds.",
  );
  assert.equal(
    reachedWords("round", 54, { value: "99.80%", confirmedAt: 60 }),
    "The test at round 54 reached it, with 99.80%. The test at round 60 confirmed it.",
  );
  assert.equal(
    reachedWords("round", 54, { value: "100%", confirmedAt: 54 }),
    "The test at round 54 reached it, with 100%.",
  );
  assert.equal(
    reachedWords("round", 54, { value: "96.87%", unconfirmed: measured }),
    "The test at round 54 reached it, with 96.87%. Not confirmed yet: that takes a test clearly beyond the goal.",
  );
  // CartPole's best result is 500 steps; no test can be more clearly beyond its goal of 490.
  assert.equal(
    reachedWords("iteration", 14, { value: "500", unconfirmed: { ...estimated, margin: 12 } }),
    "The test at iteration 14 reached it, with 500. Not confirmed yet: " +
      "the results of its last tests vary too much for that.",
  );
  assert.match(
    reachedWords("iteration", 4, { unconfirmed: { ...estimated, margin: NaN } }),
    / Not confirmed yet: there are too few tests to tell how much their results vary\.$/,
  );
});

test("value of a test is that of the headline, with its margin of error", () => {
  const spec = (name: string, unit = ""): MetricSpec => ({ name, label: name, help: "", unit, better: "higher" });
  const series = new Series([
    spec("score"),
    spec("scoreMargin"),
    spec("share", "%"),
    spec("bits"),
    spec("right", "%"),
    spec("rightMargin", "%"),
  ]);
  series.append({
    units: [1, 2, 3],
    values: [
      [0.19, 0.5234, NaN],
      [0.39, 0.118, NaN],
      [99.8, NaN, 100],
      [2, 1.5, 1],
      [0.195, 53.1, 99.6],
      [0.389, 2.41, 0.55],
    ],
  });
  const words = (metric: string, unit: string, at: number, trials: number | null = null) => {
    const nothing = { target: null, comparison: "", chance: null, beside: null, trials, news: "", took: [] };
    const headline = { metric, name: metric, unit, ...nothing };
    return valueWords(headline, series, at);
  };
  assert.equal(words("score", "points", 2), "0.52 ± 0.12 points");
  assert.equal(words("score", "", 3), "0.52 ± 0.12", "the last test up to the unit");
  // Of a score about 0 the sign is not known.
  assert.equal(words("score", "points", 1), "0.19 points (−0.20 to 0.58)");
  assert.equal(words("share", "%", 2), "99.80%");
  assert.equal(words("share", "%", 3, 512), "100% (at least 99.22%)");
  assert.equal(words("share", "%", 2, 512), "99.80%");
  assert.equal(words("bits", "bits per character", 2), "1.50 bits per character");
  // Wilson's interval lies within what a share can be.
  assert.equal(words("right", "%", 1), "0.19% (0.03 to 1.12)");
  assert.equal(words("right", "%", 2), "53.1 ± 2.4%");
  assert.equal(words("right", "%", 3), "99.60% (98.56 to 99.88)");
});

test("interval that holds the goal is told where a value alone would seem to contradict the sentence", () => {
  const worse: GoalTest = { ...measured, value: 0.39, lead: -0.11 };
  const within = "This test is only exact to ± 0.12, so it cannot tell whether the agent is at the goal, 0.5.";
  assert.equal(intervalWords(worse, "solved", "0.5"), within);
  assert.equal(intervalWords(worse, "reached", "0.5"), within);
  assert.equal(intervalWords(measured, "reached", "0.5"), within);
  assert.equal(intervalWords(measured, "solved", "0.5"), "");
  assert.equal(intervalWords({ ...worse, side: "short" }, "missed", "0.5"), "This test falls short of the goal, 0.5.");
  assert.equal(intervalWords({ ...worse, side: "short" }, "lost", "0.5"), "");
  assert.equal(intervalWords(worse, "lost", "0.5"), within);
  assert.equal(intervalWords(worse, "open", "0.5"), "");
  const estimatedWorse: GoalTest = { ...estimated, value: -108, lead: -3 };
  assert.equal(
    intervalWords(estimatedWorse, "reached", "−105"),
    "This test is only exact to about ± 4.1, so it cannot tell whether the agent is at the goal, −105.",
  );
  assert.equal(
    intervalWords(estimatedWorse, "reached", "1.61", false),
    "This test is too inexact to tell whether the agent is at the goal, 1.61.",
    "a margin in another unit than the headline's is not told",
  );
  assert.equal(
    intervalWords(estimatedWorse, "reached", "", false),
    "This test is too inexact to tell whether the agent is at the goal.",
    "without a target in the headline's unit",
  );
  assert.equal(
    intervalWords(estimated, "reached", "−105"),
    "",
    "a value that is no worse than the goal needs no reason",
  );
  assert.equal(intervalWords({ ...estimated, lead: -3, margin: NaN }, "reached", "−105"), "");
});

const WAY = {
  values: [-2, -1, 0],
  target: 2,
  texts: null,
  goalUnits: null,
  units: 30,
  unit: "round",
  unitsPerSecond: 2,
};
const DIFFERENT = [50, 60, 80, 100, 120, 150, 200];
const ALIKE = [98, 99, 100, 100, 101, 102, 103];

test("outlook tells a measured share, and a time only from recorded runs", () => {
  const points = { first: "−2 points", last: "0 points", goal: "2 points", arePercent: false };
  assert.equal(outlookWords(WAY), "", "a loss flattens");
  assert.equal(outlookWords({ ...WAY, values: [0], texts: points }), "");
  assert.equal(
    outlookWords({ ...WAY, values: [NaN, -2, NaN, -0.1], texts: { ...points, last: "−0.1 points" } }),
    "From −2 points in the first test to −0.1 points in the last: 48% of the way to the goal, 2 points.",
  );
  assert.equal(
    outlookWords({ ...WAY, values: [-2, 0], texts: points }),
    "From −2 points in the first test to 0 points in the last; the goal is 2 points.",
    "curves flatten, so half of the way is not half of the time",
  );
  assert.equal(outlookWords({ ...WAY, values: [-2, -1.9], texts: points }), "", "3% of the way may be chance");
  assert.equal(
    outlookWords({
      ...WAY,
      values: [50, 53.85],
      target: 100,
      texts: { first: "50%", last: "53.85%", goal: "100%", arePercent: true },
    }),
    "The score began at 50%; the goal is 100%.",
  );
  const time = (rest: object) => outlookWords({ ...WAY, values: [], ...rest });
  assert.equal(time({ goalUnits: ALIKE }), "About 34 to 37 seconds left at this speed.");
  assert.equal(time({ goalUnits: ALIKE, unitsPerSecond: 0 }), "About 68 to 73 rounds left.");
  const usual = "Most runs with these settings reach the goal";
  assert.equal(
    time({ goalUnits: DIFFERENT }),
    `${usual} between rounds 50 and 200.`,
    "the longest time is more than four times the shortest",
  );
  assert.equal(
    time({ goalUnits: DIFFERENT, units: 0 }),
    `${usual} between rounds 50 and 200; at this speed in 25 to 100 seconds.`,
  );
  assert.equal(time({ goalUnits: DIFFERENT, units: 0, unitsPerSecond: 0 }), `${usual} between rounds 50 and 200.`);
  assert.equal(
    time({ goalUnits: ALIKE, units: 100 }),
    `${usual} between rounds 98 and 103; this one is in that range now.`,
  );
  assert.equal(time({ goalUnits: DIFFERENT, units: 49, unitsPerSecond: 0 }), `${usual} between rounds 50 and 200.`);
  assert.equal(
    time({ goalUnits: DIFFERENT, units: 201 }),
    `${usual} between rounds 50 and 200; this one takes longer.`,
  );
  assert.equal(time({ goalUnits: [10, 20] }), "");
});

test("source of the time is told", () => {
  const source = "All 7 recorded runs took 50 to 200 rounds to the goal.";
  assert.equal(sourceWords(DIFFERENT, "round"), source);
  assert.match(sourceWords([7, 7, 7, 7, 7], "round"), / took 7 rounds to the goal\.$/);
  const most = "8 of 10 recorded runs took";
  const ten = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  assert.equal(sourceWords(ten, "round"), `${most} 2 to 9 rounds to the goal; 1 took fewer, 1 took more.`);
  assert.equal(sourceWords([...ten.slice(0, -1), null], "round"), `${most} 2 to 9 rounds to the goal.`);
  const all = "All 10 recorded runs took";
  assert.equal(sourceWords(Array<number>(10).fill(7), "round"), `${all} 7 rounds to the goal.`);
  // Where runs tie with an end of the range, they lie in it.
  assert.equal(sourceWords([1, 1, 2, 3, 4, 5, 6, 7, 8, 8], "round"), `${all} 1 to 8 rounds to the goal.`);
  const nine = "9 of 10 recorded runs took";
  const low = [1, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  assert.equal(sourceWords(low, "round"), `${nine} 1 to 8 rounds to the goal; 1 took more.`);
  const high = [1, 2, 3, 4, 5, 6, 7, 8, 9, 9];
  assert.equal(sourceWords(high, "round"), `${nine} 2 to 9 rounds to the goal; 1 took fewer.`);
  const twenty = [...Array<number>(10).fill(5), 6, 6, 6, 6, 6, 7, 7, 7, 8, 9];
  assert.equal(sourceWords(twenty, "round"), "18 of 20 recorded runs took 5 to 7 rounds to the goal; 2 took more.");
  assert.equal(sourceWords(null, "round"), "");
});
