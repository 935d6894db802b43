// The pictures of the labs. A lab without a line here still gets its dials, curves and checkpoints.

import type { Settings } from "../core/link";
import type { Run } from "../core/run";

/** What a lab draws, beside what every lab gets from its schema. */
export interface LabView {
  /** Where the picture is; as large as the screen allows. */
  element: HTMLElement;
  /** What is chosen above the picture, if anything. */
  choice?: HTMLElement;
  /** Draws a view; `seconds` have passed since the last. */
  draw(view: unknown, seconds: number): void;
  /** A run was opened or replaced. */
  opened(): void;
  /** The goal was reached just now. */
  celebrate(): void;
  /** Where it stands, in one short sentence for those who do not see it. */
  describe(): string;
  /** Stops listening to keys and sizes. */
  leave(): void;
}

/** Something to try once the goal is reached. */
export interface Suggestion {
  text: string;
  settings?: Settings;
}

export interface ViewModule {
  /** `attempt` starts anew with settings over the defaults; `openFile` goes on from a checkpoint. */
  open(run: Run, attempt: (settings: Settings) => void, openFile: (file: File) => void): LabView;
  /** Steps a second at first, where a lab's steps are far smaller or larger than usual; nothing for flat out. */
  pace?: number | null;
  /** Keys the picture takes, for the help: key and what it does. */
  keys: [string, string][];
  /** What to try after the run that is open. */
  suggestions(run: Run): Suggestion[];
}

export const VIEWS: Record<string, () => Promise<ViewModule>> = {
  backgammon: () => import("./backgammon/view"),
  control: () => import("./control/view"),
  cube: () => import("./cube/view"),
  language: () => import("./language/view"),
  logic: () => import("./logic/view"),
};
