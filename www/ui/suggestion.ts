// What to try next, once a run has reached its goal. Each lab lists what makes sense in the present state of a run
// (labs/<lab>/suggestions.ts), and www/ui/suggestion-list.ts shows three of it. A suggestion is left out where it is
// not true, or where it is done already.

import type { Settings } from "../core/link";
import type { Change, LabInfo, LabTypes } from "../generated/protocol";
import type { Deed } from "./deeds";

/** The state of a run. */
export interface SuggestionState<Id extends keyof LabTypes = keyof LabTypes> {
  lab: LabInfo;
  settings: Settings;
  /** What changed during the run. */
  changes: readonly Change[];
  /** True if the metric, which had reached the goal, is far from it again in the shown test. */
  lost: boolean;
  /** The value of a metric in the shown test, or the last one before it; NaN if it has not been measured. */
  last: (metric: string) => number;
  /** The latest view; null if none has come. */
  view: LabTypes[Id]["view"] | null;
}

/** What its button does: deeds on this screen, or a new run with settings that differ from the defaults. */
export type Suggestion = { text: string } & ({ deeds: Deed[] } | { settings: Settings });

/** What makes sense in a state, the best first; `false` for what does not. */
export type Suggestions<Id extends keyof LabTypes = keyof LabTypes> = (
  state: SuggestionState<Id>,
) => (Suggestion | false)[];

/** So many suggestions are shown. */
export const SHOWN_SUGGESTIONS = 3;

/** The suggestions to show. Those whose buttons were pressed in this run come last, by their texts in `tried`. */
export function chooseSuggestions(all: (Suggestion | false)[], tried: ReadonlySet<string>): Suggestion[] {
  const sensible = all.filter((each) => each !== false);
  const isTried = ({ text }: Suggestion) => tried.has(text);
  const [fresh, pressed] = [sensible.filter((each) => !isTried(each)), sensible.filter(isTried)];
  return [...fresh, ...pressed].slice(0, SHOWN_SUGGESTIONS);
}
