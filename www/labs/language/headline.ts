// The one number that says how well the network of the language lab does, in plain words: for tasks the share of
// problems that it answers right, for texts the bits that each of their letters takes.

import { formatNumber } from "../../core/format";
import type { Settings } from "../../core/link";
import type { Headline, LastValue } from "../../ui/headline";
import { isTask, sourceOf, unitOfLoss } from "./sources";

/** Significant digits of losses, and of the goal in bits, which is computed from a percentage. */
const DIGITS = 3;

/** `gzipBits` is what gzip needs for the held-out text, in bits per byte; null if that is not known. */
export function headline(settings: Settings, last: LastValue, gzipBits: number | null): Partial<Headline> {
  const source = sourceOf(settings);
  if (settings["judge_every"] === 0) return {}; // without evaluations only the training loss is known
  if (isTask(source)) return { name: "unseen problems answered right" };
  const [bits, excess] = [last("bits"), last("excess")];
  // The entropy, a lower bound for every predictor; NaN for a visitor's text, whose entropy nobody knows. The excess
  // over it, and the goal, are in percent of it.
  const entropy = bits / (1 + excess / 100);
  const goal = source === "stories" ? entropy * (1 + Number(settings["goal"]) / 100) : NaN;
  return {
    metric: "bits",
    name: source === "stories" ? "predicting a new story takes" : "predicting text it has not seen takes",
    unit: unitOfLoss(source),
    target: Number.isFinite(goal) ? Number(goal.toPrecision(DIGITS)) : null,
    comparison: Number.isFinite(bits) ? describeComparison(gzipBits, entropy) : "",
    beside: { metric: "loss", names: ["text it has not seen", "text it trains on"] },
  };
}

function describeComparison(gzipBits: number | null, entropy: number): string {
  const file =
    gzipBits === null
      ? "Uncompressed it takes 8 bits"
      : `Compressed by gzip it takes ${formatNumber(gzipBits, DIGITS)} bits`;
  return Number.isFinite(entropy) ? `${file}; the least possible is ${formatNumber(entropy, DIGITS)}.` : `${file}.`;
}
