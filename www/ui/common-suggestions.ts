// Suggestions that labs share (suggestion.ts): about the setting that breaks a run, a new run, and a comparison.

import {
  breakingField,
  earlierSettings,
  earlierValue,
  isTooHigh,
  type BreakingSetting,
} from "../core/breaking-setting";
import type { Suggestion, SuggestionState } from "./suggestion";

/** The state of a run, with the setting that breaks it if it is not the learning rate. */
type BreakableState = SuggestionState & { breaking?: BreakingSetting };

/** Ends what breaks a run: a setting that is far too high. */
export function turnDown(state: BreakableState): Suggestion | false {
  const text = `Turn the ${breakingField(state).title} down to ${earlierValue(state)}`;
  return isTooHigh(state) && { text, deeds: [{ set: earlierSettings(state) }] };
}

/** Tries whether a run that has learned its task survives a setting that is far too high. */
export function turnUp(state: BreakableState): Suggestion | false {
  const { settings, lost } = state;
  const { name, title, max } = breakingField(state);
  const anneals = Number(settings["anneal"] ?? 0) > 0;
  const text = `Try to break it: ${title} ${max}${anneals ? ", kept constant" : ""}`;
  const set = { [name]: max, ...(anneals && { anneal: 0 }) };
  return !lost && !isTooHigh(state) && { text, deeds: [{ set }] };
}

/** Begins a new run where this one has become much worse, unless a setting would break the next one too. */
export function newRun(state: BreakableState): Suggestion | false {
  const text = "Begin a new run: this one has become worse";
  return state.lost && !isTooHigh(state) && { text, deeds: [{ click: ".dock .restart" }] };
}

/** This is possible in every state. */
export const compareSettings: Suggestion = {
  text: "Train with two settings side by side",
  deeds: [{ tool: "compare" }],
};
