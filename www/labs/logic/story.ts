// The story of a run of the logic lab, by the tests (proofs) of its hard gates.

import { formatCount, formatInteger, formatNumber } from "../../core/format";
import type { Settings } from "../../core/link";
import type { Measurements } from "../../core/series";
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

/** A score that is less than this many percentage points above another one is hardly better. */
const HARDLY_BETTER_POINTS = 3;

/** The soft error has hardly changed while it differs from the first one by less than this share of it. */
const HARDLY_CHANGED_SHARE = 0.02;

/** What tests count: cells, or for the coloured letter each of a cell's colour values. */
export function testedNoun(settings: Settings): string {
  return settings["experiment"] === "letter" ? "colour value" : "cell";
}

export const story: Story = ({ settings, last, measured, solved, lost, news }) => {
  // The score (the metric `proof`): the percentage of correct cells in the worst part, such as a larger grid, of as
  // many tests as the goal asks for. `wrong` are the wrong cells in the latest test alone.
  const [score, error, wrong, tested] = [last("proof"), last("softError"), last("wrong"), last("tested")];
  if (!Number.isFinite(wrong)) {
    return Number.isFinite(error)
      ? "Training has begun, and the circuit has not been tested yet."
      : "It has learned nothing yet: each gate still passes one of its inputs on, like a plain wire.";
  }
  const attempt = last("attempt");
  const attempts = measured("attempt");
  const attemptStartIndex = attempts.values.indexOf(attempt);
  const attemptStart = attempts.units[attemptStartIndex] ?? 0;
  const tests = measured("wrong");
  // `solved` stays true after a slightly worse test, so the latest one must be perfect too. The attempt is named only
  // if it had the run's first perfect test: else an earlier attempt may have solved it.
  const isFirstPerfect = (tests.units[tests.values.indexOf(0)] ?? 0) >= attemptStart;
  const inAttempt = attempt > 1 && isFirstPerfect ? ` in attempt ${formatInteger(attempt)}` : "";
  if (solved && wrong === 0)
    return `Solved${inAttempt}: with hard gates, no cell was wrong in ${score >= 100 ? "its last tests" : "its last test"}. ${SUGGESTIONS[settings["experiment"] as LogicExperiment] ?? ""}`;
  if (wrong === 0)
    return "With hard gates, no cell was wrong in the last test. The goal asks for several such tests in a row.";
  const lastPerfectUnit = tests.units[tests.values.lastIndexOf(0)] ?? -1;
  // A restart is told until the new gates have had a perfect test.
  const isUnprovenRestart = attempt > 1 && lastPerfectUnit < attemptStart;
  // The only news of this lab is a restart whose gates have not been tested.
  const before = news
    ? `${news} The tests so far were of the gates before. `
    : isUnprovenRestart
      ? `${restartWords(attempts.units[attemptStartIndex - 1], attemptStart, attempt)} `
      : lost
        ? "It has become worse. "
        : "";
  const noun = testedNoun(settings);
  // Tests of earlier versions did not note how many cells they had.
  const cells = Number.isFinite(tested)
    ? `${formatInteger(wrong)} of ${formatCount(tested, noun)}`
    : formatInteger(wrong);
  const latest = `In the latest test, ${cells} ${wrong === 1 ? "was" : "were"} wrong.`;
  if (!Number.isFinite(score)) {
    const percent = 100 * (1 - wrong / tested);
    if (!(percent < NEARLY_CORRECT_PERCENT)) return `${before}${latest}`;
    const correct = `${formatNumber(percent, 3, "%")}% of the ${noun}s were correct`;
    return `${before}In the latest test, ${correct}. The score is the worst of ${Number(settings["goal"])} tests, so it comes later.`;
  }
  const goal = Number(settings["goal"]);
  const ofNewGates = tests.units.filter((unit) => unit >= attemptStart);
  const which =
    isUnprovenRestart && !news && ofNewGates.length < goal
      ? `the last ${goal} tests (only ${ofNewGates.length} of them with the new gates)`
      : "its last tests";
  const share = `In ${which}, at worst ${formatNumber(score, 3, "%")}% of the ${noun}s were correct`;
  if (score >= NEARLY_CORRECT_PERCENT) return `${before}${share}. ${latest}`;
  // Otherwise the sentence before says why the score is low.
  const isUnexplained = before === "" || (news === "" && isUnprovenRestart);
  // The first score of new gates alone is that of as many tests as the goal asks for.
  const firstScoreUnit = isUnprovenRestart ? (ofNewGates[goal - 1] ?? Infinity) : attemptStart;
  const since = isUnexplained
    ? sinceStart(from(measured("proof"), firstScoreUnit), from(measured("softError"), attemptStart), isUnprovenRestart)
    : "";
  const worst = `${share}${since || "."}`;
  const scores = measured("proof").values;
  const hasRisen = scores.some((score) => score > (scores[0] ?? 0));
  const usual =
    settings["experiment"] === "checkerboard" && !before && score < (scores[0] ?? 0) && !hasRisen
      ? ` ${USUAL_FALL}`
      : "";
  return `${before}${worst}${usual}`;
};

/** The measurements from a unit (training iteration) on. */
function from({ units, values }: Measurements, begin: number): Measurements {
  const first = units.findIndex((unit) => unit >= begin);
  return first < 0 ? { units: [], values: [] } : { units: units.slice(first), values: values.slice(first) };
}

/**
 * Says that training began again. `unitBefore` is the last unit that is known of the attempt before; a long history
 * lacks some, and then does not tell when the new attempt began.
 */
function restartWords(unitBefore: number | undefined, attemptStart: number, attempt: number): string {
  const when = unitBefore === attemptStart - 1 ? ` at iteration ${formatInteger(attemptStart)}` : "";
  return `Training began again with new gates${when}, because no progress was made (attempt ${formatInteger(attempt)}).`;
}

/**
 * Ends a sentence about a score that is hardly better than the first one, and says what the soft gates' error has done
 * meanwhile; empty for a better score, and while there is none before. Both are of the present attempt alone.
 */
function sinceStart({ values: scores }: Measurements, { values: errors }: Measurements, isRestart: boolean): string {
  const [firstScore, score] = [scores[0], scores.at(-1)];
  const [firstError, error] = [errors[0], errors.at(-1)];
  if (firstScore === undefined || score === undefined || scores.length < 2) return "";
  if (firstError === undefined || error === undefined || score >= firstScore + HARDLY_BETTER_POINTS) return "";
  const start = isRestart ? "when it began again" : "at first";
  const change = `from ${formatNumber(firstError, 3)} to ${formatNumber(error, 3)}`;
  const limit = HARDLY_CHANGED_SHARE * firstError;
  const soft =
    error < firstError - limit
      ? `Meanwhile the soft gates' error fell ${change} (0 is perfect).`
      : error > firstError + limit
        ? `The soft gates' error rose ${change}.`
        : `The soft gates' error has hardly changed yet: it is ${formatNumber(error, 3)}.`;
  return `, ${score > firstScore ? "hardly" : "no"} better than ${start}. ${soft}`;
}
