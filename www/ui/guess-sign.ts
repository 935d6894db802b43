// A sign on the picture while the network of the run has learned little, as far as can be told: before the first unit,
// while a test is no better than chance (in labs that know its score), and until a test is a quarter of the way to the goal.
// Without the sign, a visitor would take the numbers in the picture for knowledge.

import { el, write } from "../core/dom";
import { measuredShare } from "../core/forecast";
import type { GoalTest } from "../core/goal";
import type { Run } from "../core/run";
import type { ShownTest } from "../core/shown-test";
import type { Headline } from "./headline";

/** What has to be known of a run to tell whether it has learned. */
export type LearnedRun = Pick<Run, "open" | "networkSince" | "goal" | "progress" | "series">;

/** The fraction of the way to the goal until which the picture is said to show guesses. */
const LITTLE_FRACTION = 0.25;
/** A first test with less than this fraction of the goal measured an agent that had learned nothing. */
const NOTHING_FRACTION = 0.1;

/**
 * What is said of the network; empty once it has learned something. `test` is the last one, and `estimates` are what
 * the picture shows of what the network expects.
 */
export function guessWords(run: LearnedRun, test: GoalTest | null, headline: Headline, estimates: string): string {
  // The network of a file may know much.
  if (!run.open || run.networkSince !== null) return "";
  const guesses = `these ${estimates} are guesses`;
  // Within its first unit a run learns already, though little.
  const { units, work } = run.progress;
  if (units === 0) return `${work === 0 ? "Not" : "Hardly"} trained yet: ${guesses}`;
  const { chance, metric } = headline;
  const { goal } = run;
  if (!test || !goal || metric !== goal.metric) return "";
  if (chance && test.value - (test.margin || 0) <= chance.value) return `No better than ${chance.name} yet: ${guesses}`;
  const { values } = run.series.measured(metric);
  // The way begins with chance, or with a first test that is as good as nothing. Without either, nothing is said.
  const first = chance?.value ?? values.find(Number.isFinite) ?? NaN;
  if (!chance && !(Math.abs(first) < NOTHING_FRACTION * Math.abs(goal.target))) return "";
  const share = measuredShare([first, test.value], goal.target);
  return share !== null && share < LITTLE_FRACTION ? `Learned little yet: ${guesses}` : "";
}

/** The sign; `isOther` tells that the picture shows another agent than that of the run. */
export function guessSign(
  shown: ShownTest,
  headline: () => Headline,
  isOther: () => boolean,
  estimates: string,
): HTMLElement {
  const sign = el("p", { class: "guess-sign", hidden: true });
  const draw = () => {
    const isPast = shown.lookBack.unit !== null;
    const words = isPast || isOther() ? "" : guessWords(shown.run, shown.test, headline(), estimates);
    write(sign, words);
    sign.hidden = words === "";
  };
  shown.on("changed", draw);
  // What is said before the first unit ends with it, and not with the first test.
  shown.run.on("progress", () => sign.hidden || draw());
  draw();
  return sign;
}
