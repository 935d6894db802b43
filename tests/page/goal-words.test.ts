// What the page says of a run and its goal.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { GoalTest } from "../../www/core/goal";
import { intervalWords, outlookWords, reachedByWords, reachedWords, sourceWords } from "../../www/ui/goal-words";

const measured: GoalTest = { unit: 54, value: 0.52, margin: 0.118, isEstimated: false, lead: 0.02, side: "around" };
const estimated: GoalTest = { unit: 21, value: -104.9, margin: 4.07, isEstimated: true, lead: 0.1, side: "around" };

test("goal is said to be reached in a unit, and what became of it", () => {
  assert.equal(reachedWords("round", 1054, "reached"), "Goal reached in round 1,054");
  assert.equal(reachedWords("round", 54, "solved"), "Goal reached in round 54");
  assert.equal(reachedWords("round", 54, "missed"), "Goal reached in round 54, then missed");
  assert.equal(reachedWords("round", 54, "lost"), "Goal reached in round 54, then lost");
});

test("test that reached the goal is told, and whether it may have been luck", () => {
  const words = (test: GoalTest, standing: Parameters<typeof reachedByWords>[2], unit = "") =>
    reachedByWords(test, unit, standing);
  assert.equal(
    words(measured, "reached", "points"),
    "by a test of 0.52 ± 0.12 points, perhaps by luck: the goal lies within its margin of error",
  );
  assert.equal(words(measured, "solved"), "by a test of 0.52 ± 0.12, which a later one has confirmed");
  assert.equal(words({ ...measured, side: "beyond" }, "solved"), "by a test of 0.52 ± 0.12");
  assert.equal(words(measured, "lost"), "by a test of 0.52 ± 0.12");
  assert.equal(words({ ...measured, value: 99.8, margin: 0.39 }, "lost", "%"), "by a test of 99.80 ± 0.39%");
  assert.equal(words(estimated, "reached"), "by a test of −105, which later ones have to confirm");
});

test("interval that holds the goal is told where a value alone would seem to contradict the sentence", () => {
  const worse: GoalTest = { ...measured, value: 0.39, lead: -0.11 };
  const within = "The goal, 0.5, lies within the margin of error of this test, ± 0.12.";
  assert.equal(intervalWords(worse, "0.5", "solved"), within);
  assert.equal(intervalWords(worse, "0.5", "reached"), within);
  assert.equal(intervalWords(measured, "0.5", "reached"), within);
  assert.equal(intervalWords(measured, "0.5", "solved"), "");
  assert.equal(intervalWords({ ...worse, side: "short" }, "0.5", "missed"), "This test falls short of the goal, 0.5.");
  assert.equal(intervalWords({ ...worse, side: "short" }, "0.5", "lost"), "");
  assert.equal(intervalWords(worse, "0.5", "open"), "");
  assert.equal(
    intervalWords({ ...estimated, value: -108, lead: -3 }, "−105", "reached"),
    "The goal, −105, lies within the scatter of the tests, ± 4.1.",
  );
  assert.equal(
    intervalWords(estimated, "−105", "reached"),
    "",
    "a value that is no worse than the goal needs no reason",
  );
  assert.equal(intervalWords({ ...estimated, lead: -3, margin: NaN }, "−105", "reached"), "");
});

const WAY = { values: [-2, -1, 0], target: 2, goalUnits: null, units: 30, unit: "round", unitsPerSecond: 2 };
const DIFFERENT = [50, 60, 80, 100, 120, 150, 200];
const ALIKE = [98, 99, 100, 100, 101, 102, 103];

test("outlook tells a measured share, and a time only from recorded runs", () => {
  assert.equal(outlookWords(WAY), "The latest test is 50% of the way to the goal.");
  assert.equal(outlookWords({ ...WAY, values: [0] }), "");
  assert.equal(outlookWords({ ...WAY, values: [0, 1.9999] }), "The latest test is 99% of the way to the goal.");
  const time = (rest: object) => outlookWords({ ...WAY, values: [], ...rest });
  assert.equal(time({ goalUnits: ALIKE }), "About 34 to 37 seconds left at this speed.");
  assert.equal(time({ goalUnits: ALIKE, unitsPerSecond: 0 }), "About 68 to 73 rounds left.");
  const usual = "Most runs with these settings take";
  assert.equal(time({ goalUnits: DIFFERENT }), `${usual} 25 to 100 seconds at this speed.`);
  assert.equal(time({ goalUnits: DIFFERENT, unitsPerSecond: 0.5 }), `${usual} 100 seconds to 7 minutes at this speed.`);
  assert.equal(time({ goalUnits: DIFFERENT, unitsPerSecond: 0 }), `${usual} 50 to 200 rounds.`);
  assert.equal(time({ goalUnits: ALIKE, units: 100 }), `${usual} 49 to 52 seconds at this speed.`);
  assert.equal(
    time({ goalUnits: DIFFERENT, units: 201 }),
    `${usual} 25 to 100 seconds at this speed; this one takes longer.`,
  );
  assert.equal(time({ goalUnits: [10, 20] }), "");
});

test("source of the time is told", () => {
  const source = "7 of 7 recorded runs with these settings reached the goal after 50 to 200 rounds.";
  assert.equal(sourceWords(DIFFERENT, "round"), source);
  assert.match(sourceWords([7, 7, 7, 7, 7], "round"), /after 7 rounds\.$/);
  assert.equal(sourceWords(null, "round"), "");
});
