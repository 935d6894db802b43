// Sentences and numbers of the report of a match. The visitor is south.

import { formatShare } from "../../../core/format";
import type { BackgammonPlayerReport, BackgammonDecision } from "../../../generated/protocol";
import { formatLoss } from "../wording";

/** Outcome probabilities: to win, to win a gammon, to lose a gammon. */
const [WIN, WIN_GAMMON, LOSE_GAMMON] = [0, 1, 3];
/** A smaller change of a chance is not worth a word. */
const MIN_CHANGE = 0.01;

/** The error rate, as it also stands in the match's file. */
export function formatErrorRate({ errorRate }: BackgammonPlayerReport): string {
  return errorRate?.toFixed(1) ?? "–";
}

/** "Game 1, turn 7, 3 1: 13/9 lost 0.12." */
export function describeWorst({ game, turn, dice, notations, cubeReview, cost }: BackgammonDecision): string {
  const done = cubeReview ? CHOSEN_TEXTS[cubeReview.chosen] : notations[0];
  const roll = cubeReview ? "" : ` with ${dice.join("-")}`;
  return `Game ${game + 1}, turn ${turn + 1}: ${done}${roll} lost ${formatLoss(cost).replace("−", "")}`;
}

const CHOSEN_TEXTS = { roll: "no double", double: "a double", take: "a take", pass: "a pass", beaver: "a beaver" };
const BETTER_TEXTS = {
  roll: "to roll without doubling",
  double: "to double",
  take: "to take",
  pass: "to pass",
  beaver: "to beaver",
};

/** What was better and why, by the chances before and after. */
export function describeReason({ notations, cubeReview, outcomes: [after, best] }: BackgammonDecision): string {
  if (cubeReview) return `Better: ${BETTER_TEXTS[cubeReview.best]}, with the chances below.`;
  const change = (index: number) => (best[index] ?? 0) - (after[index] ?? 0);
  const points = (index: number) => formatShare(Math.abs(change(index)));
  const said = (index: number, more: string, less: string) =>
    Math.abs(change(index)) < MIN_CHANGE ? [] : [`${points(index)} ${change(index) > 0 ? more : less}`];
  const reasons = [
    ...said(WIN, "more wins", "fewer wins"),
    ...said(WIN_GAMMON, "more gammons won", "fewer gammons won"),
    ...said(LOSE_GAMMON, "more gammons lost", "fewer gammons lost"),
  ];
  const why = reasons.length === 0 ? "" : `: ${reasons.join(", ")}`;
  return `Better: ${notations[1]}${why}.`;
}
