// The one number that says how well the network of the language lab does, in plain words: for tasks the share of
// problems that it answers right, for texts the bits that each of their letters takes.

import { formatNumber } from "../../core/format";
import type { Settings } from "../../core/link";
import type { Headline, LastValue } from "../../ui/headline";
import { isTask, sourceOf, unitOfLoss } from "./sources";

/** Digits of losses, and of the goal in bits, which follows from a percentage. */
const DIGITS = 3;

/** `gzip` is what gzip needs for the held-out text, in bits per byte; null if that is not known. */
export function headline(settings: Settings, last: LastValue, gzip: number | null): Partial<Headline> {
  const source = sourceOf(settings);
  if (settings["judge_every"] === 0) return {}; // without evaluations only the training loss is known
  if (isTask(source)) return { name: "unseen problems answered right" };
  const [bits, excess] = [last("bits"), last("excess")];
  /** What no predictor can do better than; unknown for a visitor's text. */
  const entropy = bits / (1 + excess / 100);
  const goal = source === "stories" ? entropy * (1 + Number(settings["goal"]) / 100) : NaN;
  return {
    metric: "bits",
    name: source === "stories" ? "predicting a new story takes" : "predicting text it has not seen takes",
    unit: unitOfLoss(source),
    target: Number.isFinite(goal) ? Number(goal.toPrecision(DIGITS)) : null,
    comparison: Number.isFinite(bits) ? describeComparison(gzip, entropy) : "",
    beside: { metric: "loss", names: ["text it has not seen", "text it trains on"] },
  };
}

function describeComparison(gzip: number | null, entropy: number): string {
  const file = gzip === null ? "A plain file takes 8" : `A zip file (gzip) takes ${formatNumber(gzip, DIGITS)}`;
  return Number.isFinite(entropy) ? `${file}, the least possible is ${formatNumber(entropy, DIGITS)}.` : `${file}.`;
}
