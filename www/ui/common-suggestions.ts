// Suggestions that labs share (suggestion.ts): about the learning rate, a new run, and a comparison.

import { isTooHigh, rateField, usualRate, usualSettings } from "../core/learning-rate";
import type { Suggestion, SuggestionState } from "./suggestion";

/** Ends what breaks a run: a learning rate that is far too high. */
export function lowerRate(state: SuggestionState): Suggestion | false {
  const text = `Turn the ${rateField(state).title} down to ${usualRate(state)}`;
  return isTooHigh(state) && { text, deeds: [{ set: usualSettings(state) }] };
}

/** Tries whether a run that has learned its task survives updates that are far too large. */
export function raiseRate(state: SuggestionState): Suggestion | false {
  const { settings, lost } = state;
  const { name, title, max } = rateField(state);
  const anneals = Number(settings["anneal"] ?? 0) > 0;
  const text = `Try to break it: ${title} ${max}${anneals ? ", kept constant" : ""}`;
  const set = { [name]: max, ...(anneals && { anneal: 0 }) };
  return !lost && !isTooHigh(state) && { text, deeds: [{ set }] };
}

/** Begins a new run where this one has become much worse, unless its learning rate would break the next one too. */
export function newRun(state: SuggestionState): Suggestion | false {
  const text = "Begin a new run: this one has become worse";
  return state.lost && !isTooHigh(state) && { text, deeds: [{ click: ".dock .restart" }] };
}

/** This is possible in every state. */
export const compareSettings: Suggestion = {
  text: "Train with two settings side by side",
  deeds: [{ tool: "compare" }],
};
