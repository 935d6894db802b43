// When the picture says that an untrained network guesses.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { GoalTest } from "../../www/core/goal";
import type { Goal, Progress } from "../../www/generated/protocol";
import { guessWords, type LearnedRun } from "../../www/ui/guess-sign";
import type { Headline } from "../../www/ui/headline";

const run = (units: number, rest: Partial<LearnedRun> = {}): LearnedRun => ({
  open: true,
  networkSince: null,
  goal: { metric: "points", target: 0.5, words: "", exact: false },
  progress: { units, work: units * 64 } as Progress,
  series: measuring([]),
  ...rest,
});

/** The series of a run with these tests. */
function measuring(values: number[]): LearnedRun["series"] {
  return { measured: () => ({ units: values.map((_, i) => i + 1), values }) } as unknown as LearnedRun["series"];
}
const scored = (value: number, margin = NaN) => ({ value, margin }) as GoalTest;
const headline = (value: number | null): Headline =>
  ({ metric: "points", chance: value === null ? null : { value, name: "random play" } }) as Headline;

test("network is said to guess until it has learned, as far as its tests tell", () => {
  const words = (units: number, test: GoalTest | null, chance: number | null = null, rest = {}) =>
    guessWords(run(units, rest), test, headline(chance), "chances");
  assert.equal(words(0, null), "Not trained yet: these chances are guesses");
  const begun = { progress: { units: 0, work: 64 } as Progress };
  assert.equal(words(0, null, null, begun), "Hardly trained yet: these chances are guesses", "in its first unit");
  assert.equal(words(0, null, null, { networkSince: 0 }), "", "the network of a file");
  assert.equal(words(0, null, null, { open: false }), "");
  assert.equal(words(1, scored(-2.3, 0.2)), "", "what chance reaches is not known");
  assert.equal(words(1, scored(-2.3, 0.2), -2.4), "No better than random play yet: these chances are guesses");
  assert.equal(
    words(9, scored(-2.1, 0.2), -2.4),
    "Learned little yet: these chances are guesses",
    "a tenth of the way from chance to the goal",
  );
  assert.equal(words(30, scored(-0.6, 0.2), -2.4), "", "more than half of it");
  assert.equal(
    words(1, scored(50), 50),
    "No better than random play yet: these chances are guesses",
    "without a margin of error",
  );
  assert.equal(words(1, null, -2.4), "");
  const tested = (...values: number[]) => ({ series: measuring(values) });
  assert.equal(
    words(9, scored(-1.9, 0.2), -2.4, tested(-2.4, -1.9)),
    "Learned little yet: these chances are guesses",
    "a sixth of the way to the goal",
  );
  assert.equal(words(30, scored(-0.6, 0.2), -2.4, tested(-2.4, -0.6)), "", "more than half of it");
  assert.equal(words(9, scored(0.1), null, tested(0.01, 0.1)), "Learned little yet: these chances are guesses");
  assert.equal(words(9, scored(-1.9), null, tested(-2.4, -1.9)), "", "nobody knows how good a first test of -2.4 is");
  const other = { goal: { metric: "wins" } as Goal };
  assert.equal(words(1, scored(-3), -2.4, other), "", "chance is known of another metric");
});
