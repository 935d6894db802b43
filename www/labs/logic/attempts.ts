// What is said of the attempts of a run: training without progress begins again with new gates and wires.

import { formatCount, formatInteger } from "../../core/format";
import type { Run } from "../../core/run";

/** The attempt of the last completed iteration; NaN if there is none, or if a long history has no row of it. */
export function attemptTold({ series, progress }: Pick<Run, "series" | "progress">): number {
  return series.units.at(-1) === progress.units ? series.last("attempt") : NaN;
}

/**
 * Says that an attempt has begun in the iteration under way, which no metric tells yet. `attempt` is that of the
 * picture, `told` that of the last completed iteration (NaN if it is not known).
 */
export function attemptNews(attempt: number, told: number): string {
  if (!(attempt > told)) return "";
  return `It has just begun again with new gates (attempt ${formatInteger(attempt)}), which have not been tested yet.`;
}

/** The attempts that a run took, if it was more than one. */
export function attemptsTaken(attempt: number): string[] {
  return attempt > 1 ? [formatCount(attempt, "attempt")] : [];
}

/**
 * Says when the present attempt began. `told` is that of the last completed iteration, and `since` the iteration
 * in which the present one began, if that is known.
 */
export function attemptWords(attempt: number, told: number, since: number | undefined): string {
  const isUnderWay = attempt > told;
  const when = isUnderWay ? " in this iteration" : since === undefined ? "" : ` in iteration ${formatInteger(since)}`;
  return `It began again with new gates${when}: attempt ${formatInteger(attempt)}`;
}
