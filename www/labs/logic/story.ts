// The story of a run of the logic lab, by the tests (proofs) of its hard gates.

import { formatCount, formatInteger, formatNumber } from "../../core/format";
import type { Settings } from "../../core/link";
import type { LogicExperiment } from "../../generated/protocol";
import type { Story } from "../../ui/story";

/** What a visitor can do once no cell is wrong with hard gates. */
const SUGGESTIONS: Record<LogicExperiment, string> = {
  life: "Draw cells and see what becomes of them.",
  checkerboard: "Damage the picture and see it heal.",
  async: "Damage the picture and see it heal.",
  figure: "Draw another target for it.",
  letter: "Draw another target for it.",
};

/** Most of the recorded runs with the checkerboard did so (tests/golden/curves/logic-checkerboard.json). */
export const USUAL_FALL = "Most recorded runs also fell below their first score before they rose.";

/** From this percentage of correct cells on, wrong ones are counted. */
const NEARLY_CORRECT_PERCENT = 99;

/** What tests count: cells, or for the coloured letter each of a cell's colour values. */
export function testedNoun(settings: Settings): string {
  return settings["experiment"] === "letter" ? "colour value" : "cell";
}

export const story: Story = ({ settings, last, measured, solved, lost, news }) => {
  const [proof, error, wrong, tested] = [last("proof"), last("softError"), last("wrong"), last("tested")];
  if (!Number.isFinite(wrong)) {
    return Number.isFinite(error)
      ? "Training has begun, and the circuit has not been tested yet."
      : "It has learned nothing yet: nearly all of its gates are plain wires.";
  }
  const attempt = last("attempt");
  const attempts = measured("attempt");
  const begun = attempts.units[attempts.values.indexOf(attempt)] ?? 0;
  const tests = measured("wrong");
  // The goal stays reached after a test with few mistakes; the sentence speaks of this test. An attempt is named only if
  // no earlier one had a test without a mistake, which may have reached the goal.
  const isFirstPerfect = (tests.units[tests.values.indexOf(0)] ?? 0) >= begun;
  const inAttempt = attempt > 1 && isFirstPerfect ? ` in attempt ${formatInteger(attempt)}` : "";
  if (solved && wrong === 0)
    return `Solved${inAttempt}: with hard gates, no cell was wrong in ${proof >= 100 ? "its last tests" : "its last test"}. ${SUGGESTIONS[settings["experiment"] as LogicExperiment] ?? ""}`;
  if (wrong === 0)
    return "With hard gates, no cell was wrong in the last test. The goal asks for several such tests in a row.";
  // The latest test without a mistake.
  const perfect = tests.units[tests.values.lastIndexOf(0)] ?? -1;
  const isNew = attempt > 1 && perfect < begun;
  const before = news
    ? `${news} The tests so far were of the gates before. `
    : isNew
      ? `It has begun again with new gates (attempt ${formatInteger(attempt)}). `
      : lost
        ? "It has become worse. "
        : "";
  const noun = testedNoun(settings);
  // Tests of earlier versions did not note how many cells they had.
  const cells = Number.isFinite(tested)
    ? `${formatInteger(wrong)} of ${formatCount(tested, noun)}`
    : formatInteger(wrong);
  const latest = `In the latest test, ${cells} ${wrong === 1 ? "was" : "were"} wrong.`;
  if (!Number.isFinite(proof)) {
    const percent = 100 * (1 - wrong / tested);
    if (!(percent < NEARLY_CORRECT_PERCENT)) return `${before}${latest}`;
    const correct = `${formatNumber(percent, 3, "%")}% of the ${noun}s were correct`;
    return `${before}In the latest test, ${correct}. The score is the worst of ${Number(settings["goal"])} tests, so it comes later.`;
  }
  // A test has parts, such as a larger grid. The metric is that of the worst part of as many tests as the goal asks
  // for.
  const worst = `In its last tests, at worst ${formatNumber(proof, 3, "%")}% of the ${noun}s were correct.`;
  if (proof >= NEARLY_CORRECT_PERCENT) return `${before}${worst} ${latest}`;
  const scores = measured("proof").values;
  const hasRisen = scores.some((score) => score > (scores[0] ?? 0));
  const usual =
    settings["experiment"] === "checkerboard" && !before && proof < (scores[0] ?? 0) && !hasRisen
      ? ` ${USUAL_FALL}`
      : "";
  return `${before}${worst}${usual}`;
};
