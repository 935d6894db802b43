// What a lab's file in tests/page/states/ says, for the tests of its tour and of its suggestions: how its runs
// go, what its views show, and what the worker and the page make of the controls that are worked in the visitor's
// place.

import type { BreakingSetting } from "../../www/core/breaking-setting";
import type { Settings } from "../../www/core/values";

/** Metrics of a unit. */
export type Row = Record<string, number>;

/** The metrics of a run that learns, measured or like measured ones. */
export interface Course {
  first: Row;
  learning: Row;
  /** With the goal reached. */
  learned: Row;
  /** After the setting that breaks runs was far too high for some units. */
  lost: Row;
}

/** What the worker and the page make of a control: a command to the lab, and what changes in its next view. */
export interface Answer {
  command?: object;
  view?: object;
}

export interface LabStates {
  /** The setting that breaks runs, if it is not the learning rate. */
  breaking?: BreakingSetting;
  course: (settings: Settings) => Course;
  /** What captions read of a view. */
  view: (settings: Settings) => object;
  /**
   * The answers to deeds, by the button's text, the selector of what is clicked, the key with its element, or the
   * selector of a slider with the position.
   */
  answers: Record<string, Answer>;
  /** Views that differ in what suggestions look at. */
  views: (settings: Settings) => object[];
  /** Views that show something as done, and the suggestions that do not go with them. */
  done: [view: object, suggestion: RegExp][];
  /** Tasks of the first preset's captions, the units or the deed after which they are done, and what is told then. */
  outcomes: [task: RegExp, units: Row[] | { press: string }, told: string][];
}

/** The states of a lab. Each lab needs a file of them. */
export async function statesOf(lab: string): Promise<LabStates> {
  const { states } = (await import(new URL(`states/${lab}.ts`, import.meta.url).href)) as { states: LabStates };
  return states;
}
