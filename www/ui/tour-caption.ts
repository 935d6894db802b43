// The guided tour of a lab: a few captions, each pinned to a part of the screen. Each says what is seen there, gives
// the visitor one task, and waits until that is done. Each lab has its captions in `labs/<lab>/tour.ts`;
// www/ui/tour.ts shows them.

import type { Run } from "../core/run";

/** What tells whether the task of a caption is done: the run, and what has changed since the caption appeared. */
export interface Waiting {
  run: Run;
  /** Training iterations when the caption appeared. */
  unitsBefore: number;
  /** The latest value of a metric when the caption appeared; NaN if there was none. */
  before: (metric: string) => number;
  /** How often the visitor has acted as `actsOn` and `keys` say, since the caption appeared. */
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
  actsOn?: string;
  /** Keys that count as acts wherever the focus is. */
  keys?: string[];
  /** True when the task is done. If this is left out, the task is one act of the visitor. */
  done?: (waiting: Waiting) => boolean;
}
