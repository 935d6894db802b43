// Runs that were recorded with the settings of a preset, `labs/<lab>/goal-units.json`. They tell when runs with these
// settings usually reach their goal. `scripts/record-curves.mjs` writes the file.

import type { GoalUnits } from "./forecast";
import { presetOf } from "./presets";
import type { Run } from "./run";

/** By the id of the preset, when each of its runs reached the goal. */
export type RecordedRuns = Partial<Record<string, GoalUnits>>;

/**
 * The recorded runs that `run` can be compared with: those with its settings. There are none for a run in which
 * something was changed, and for one that began with a trained network.
 */
export function runsLike(
  { lab, settings, changes, networkSince }: Pick<Run, "lab" | "settings" | "changes" | "networkSince">,
  recorded: RecordedRuns,
): GoalUnits | null {
  if (!lab || changes.length > 0 || networkSince !== null) return null;
  const preset = presetOf(lab, settings);
  return (preset !== null && recorded[preset]) || null;
}
