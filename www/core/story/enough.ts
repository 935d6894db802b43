// Whether a run has been tested often enough for a story. A file of its own, because the timeline asks this of every
// run, while the rest of the story's code is loaded when a story is told.

import type { Series } from "../series";

/** A change is sought among at least this many tests (evaluations): fewer cannot tell it from noise. */
export const MIN_TESTS = 8;

/** Why there is no story of a run yet, as a sentence; empty if there can be one. */
export function whyNoStory(series: Series, metric: string): string {
  const { length } = series.measured(metric).units;
  if (length >= MIN_TESTS) return "";
  const so = length === 0 ? "has had none yet" : `has had ${length} so far`;
  return `A story needs at least ${MIN_TESTS} tests, and this run ${so}.`;
}
