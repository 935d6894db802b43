// The story of a run: one sentence about what the agent can do by now. Each lab tells it from the metrics of one test
// (evaluation), in `labs/<lab>/story.ts`; www/ui/story-line.ts shows it.

import type { Settings } from "../core/link";
import type { Measurements } from "../core/series";

export interface StoryState {
  settings: Settings;
  /** The value of a metric in the shown test; NaN if it has not been measured. */
  last: (metric: string) => number;
  /** All measured values of a metric up to the shown test, with their units (training iterations). */
  measured: (metric: string) => Measurements;
  /** True if a test was beyond the goal by more than its margin of error, and none since was as clearly short of it. */
  solved: boolean;
  /** True if the metric has clearly become much worse: since the goal was reached, or on the way to it. */
  lost: boolean;
  /** What has happened in the unit (training iteration) under way, as a sentence; empty for nothing. */
  news: string;
}

/** The story of a run in one sentence; null before the first test. */
export type Story = (state: StoryState) => string | null;
