// The tour of a lab: a few captions, each pinned to a part of the screen. Each says what is seen there, gives
// the visitor one task, and waits until that is done. Each lab has its captions in `labs/<lab>/tour.ts`;
// www/ui/tour.ts shows them.
//
// A caption's text is true whatever the run has done. What has happened since it appeared is said by its outcome only,
// which is written when the task is done, from what was measured: metrics, settings, the pace, views of the lab, and
// the commands that the visitor has given it.

import type { Run } from "../core/run";
import type { LabTypes } from "../generated/protocol";
import type { Deed } from "./deeds";

type View<Id extends keyof LabTypes> = LabTypes[Id]["view"];
type Command<Id extends keyof LabTypes> = LabTypes[Id]["command"];

/** What tells whether the task of a caption is done: the run, and what has changed since the caption appeared. */
export interface Waiting<Id extends keyof LabTypes = keyof LabTypes> {
  run: Run;
  /** Training iterations when the caption appeared. */
  unitsBefore: number;
  /** The latest value of a metric when the caption appeared; NaN if there was none. */
  before: (metric: string) => number;
  /** The pace in steps per second when the caption appeared; null for max speed. */
  paceBefore: number | null;
  /** The latest view; null if none has come. */
  view: View<Id> | null;
  /** The latest view when the caption appeared. */
  viewBefore: View<Id> | null;
  /** The commands to the lab's stage since the caption appeared. */
  commands: Command<Id>[];
  /** Views that have come since the last of these commands. */
  viewsSince: number;
}

/** A text, or what makes it from the present state. */
export type Told<Id extends keyof LabTypes> = string | ((waiting: Waiting<Id>) => string);

export interface Caption<Id extends keyof LabTypes = keyof LabTypes> {
  /** Selectors of what the caption is pinned to. The first that is in the page and visible counts. */
  at: string[];
  /** What one sees there, and why. */
  text: Told<Id>;
  /** The one thing to do, or to wait for. */
  task: Told<Id>;
  /** Whether the caption makes sense now; otherwise the tour passes over it. Left out, it always does. */
  when?: (waiting: Waiting<Id>) => boolean;
  /** Whether the task needs a run that goes on. While the run is paused, the tour asks for that first. */
  needsRun?: boolean;
  /** Whether the task is done, by what was measured. A caption has this, `shown` or both. */
  done?: (waiting: Waiting<Id>) => boolean;
  /** A selector: the task is done when a visible element matches it. */
  shown?: string;
  /** What can be read while the task is open. */
  reading?: (waiting: Waiting<Id>) => string;
  /** What has happened, once the task is done. */
  outcome?: (waiting: Waiting<Id>) => string;
  /** What does the task in the visitor's place. A caption that only waits for the run has none. */
  show?: (waiting: Waiting<Id>) => Deed[];
  /** The text of its button; left out, it is "Show me". */
  showName?: string;
  /** Its text from the press until another run is open, which the deeds lead to; left out, they do not. */
  busyName?: string;
  /** The text of the button that goes on before the task is done; left out, it is "Skip". */
  skipName?: string;
  /** What would stay broken if the tour ended now; null for nothing. Who ends the tour is offered to mend it. */
  leftover?: () => Leftover | null;
}

/** What a tour leaves broken, in a sentence, and a button that mends it. */
export interface Leftover {
  text: string;
  button: string;
  deeds: Deed[];
}

/** Makes the captions for the settings of a run. */
export type Captions<Id extends keyof LabTypes = keyof LabTypes> = (run: Run) => Caption<Id>[];
