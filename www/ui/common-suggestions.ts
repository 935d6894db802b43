// Suggestions that labs share (suggestion.ts): about the learning rate, a new run, and a comparison.

import { highestRate, isTooHigh, usualRate, usualSettings } from "../core/learning-rate";
import type { Suggestion, SuggestionState } from "./suggestion";

/** Ends what breaks a run: a learning rate that is far too high. */
export function lowerRate({ lab, settings, changes }: SuggestionState): Suggestion | false {
  const text = `Turn the learning rate down to ${usualRate(lab, changes)}`;
  return isTooHigh(lab, settings) && { text, deeds: [{ set: usualSettings(lab, changes) }] };
}

/** Tries whether a run that has learned its task survives updates that are far too large. */
export function raiseRate({ lab, settings, lost }: SuggestionState): Suggestion | false {
  const highest = highestRate(lab);
  const anneals = Number(settings["anneal"] ?? 0) > 0;
  const text = `Try to break it: learning rate ${highest}${anneals ? ", kept constant" : ""}`;
  const set = { learning_rate: highest, ...(anneals && { anneal: 0 }) };
  return !lost && !isTooHigh(lab, settings) && { text, deeds: [{ set }] };
}

/** Begins a new run where this one has become much worse, unless its learning rate would break the next one too. */
export function newRun({ lab, settings, lost }: SuggestionState): Suggestion | false {
  const text = "Begin a new run: this one has become worse";
  return lost && !isTooHigh(lab, settings) && { text, deeds: [{ click: ".dock .restart" }] };
}

/** This is possible in every state. */
export const compareSettings: Suggestion = {
  text: "Train with two settings side by side",
  deeds: [{ tool: "compare" }],
};
