// The one number that says how well the network of the language lab does, in plain words: for tasks the share of
// problems that it answers right, for texts the bits that each of their letters takes.

import { formatNumber } from "../../core/format";
import type { Settings } from "../../core/link";
import type { Headline, LastValue } from "../../ui/headline";
import type { LanguageView } from "../../generated/protocol";
import { isTask, sourceOf, unitOfLoss } from "./sources";

type References = Pick<LanguageView, "gzip" | "floor">;

/** Significant digits of losses, and of the goal in bits, which is computed from a percentage. */
const DIGITS = 3;

/**
 * `references` has what gzip needs for the held-out text and the entropy of its source, both in bits per byte and null
 * if unknown.
 */
export function headline(settings: Settings, last: LastValue, references: References): Partial<Headline> {
  const source = sourceOf(settings);
  if (settings["judge_every"] === 0) return {}; // without evaluations only the training loss is known
  if (isTask(source)) {
    const chance = source === "parity" ? { value: 50, name: "guessing" } : null;
    const trials = Number(settings["judge_size"]);
    const comparison = chance ? "Guessing gets 50%." : "";
    return { name: "unseen problems answered right", comparison, chance, trials };
  }
  const [bits, excess] = [last("bits"), last("excess")];
  // The goal and the excess are in percent above what the held-out texts cost the source itself.
  const costOfSource = bits / (1 + excess / 100);
  const goal = source === "stories" ? costOfSource * (1 + Number(settings["goal"]) / 100) : NaN;
  return {
    metric: "bits",
    name: source === "stories" ? "predicting a new story takes" : "predicting text it has not seen takes",
    unit: unitOfLoss(source),
    target: Number.isFinite(goal) ? Number(goal.toPrecision(DIGITS)) : null,
    comparison: Number.isFinite(bits) ? describeComparison(references) : "",
    beside: { metric: "loss", names: ["text it has not seen", "text it trains on"] },
  };
}

function describeComparison({ gzip, floor }: References): string {
  const file = gzip === null ? "" : `; gzip takes ${formatNumber(gzip, DIGITS)}`;
  const least = floor === null ? "" : `; the least possible is ${formatNumber(floor, DIGITS)}`;
  return `Less is better: a plain file takes 8${file}${least}.`;
}
