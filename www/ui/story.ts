// The story of a run: one sentence about what the agent can do by now. Each lab tells it from its metrics, in
// `labs/<lab>/story.ts`; www/ui/story-line.ts shows it.

import type { Settings } from "../core/link";
import type { Measurements } from "../core/series";

export interface StoryState {
  settings: Settings;
  /** The latest measured value of a metric; NaN if it has not been measured. */
  last: (metric: string) => number;
  /** All measured values of a metric until now, with their units (training iterations). */
  measured: (metric: string) => Measurements;
  /** True if the goal has been reached. */
  solved: boolean;
  /** True if the goal was reached, but the metric is far from it again. */
  lost: boolean;
}

/** The story of a run in one sentence; null before the first test. */
export type Story = (state: StoryState) => string | null;
