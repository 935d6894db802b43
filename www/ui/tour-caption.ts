// The guided minute of a lab: a few captions, each pinned to a part of the screen. Each says what is seen there, asks
// for one thing, and waits until it has happened. Each lab tells it in `labs/<lab>/tour.ts`; www/ui/tour.ts shows it.

import type { Run } from "../core/run";

/** The data by which it is decided whether a caption may go on. */
export interface Waiting {
  run: Run;
  /** Training iterations when the caption appeared. */
  unitsBefore: number;
  /** The latest value of a metric when the caption appeared; NaN if there was none. */
  before: (metric: string) => number;
  /** How often the visitor has acted as `acts` and `keys` say, since the caption appeared. */
  acts: number;
}

export interface Caption {
  /** Selectors of what the caption is pinned to. The first that is in the page and visible counts. */
  at: string[];
  /** What one sees there, and why. */
  text: string;
  /** The one thing to do, or to watch. */
  task: string;
  /** Selectors of elements on which presses, drags, keys and input count as acts of the visitor. */
  acts?: string;
  /** Keys that count as acts wherever the focus is. */
  keys?: string[];
  /** True when what the caption waits for has happened. Without it, the caption waits for an act of the visitor. */
  done?: (waiting: Waiting) => boolean;
}
