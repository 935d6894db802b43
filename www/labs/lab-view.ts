// The interfaces between a lab's pictures and the rest of the page: the large picture on the lab's screen (`LabView`,
// loaded as a `ViewModule`) and the small one on its card in the gallery (`CardPicture`). A view is the data for one
// drawing, which the lab in the worker sends; its type `View` is generated from Rust.

import type { Settings } from "../core/link";
import type { Run } from "../core/run";

/** The large picture of a lab. Settings and charts are not part of it: the page creates them from the lab's schema. */
export interface LabView<View> {
  element: HTMLElement;
  /** A row of buttons above the picture, for example to choose a world. */
  choice?: HTMLElement;
  /** Draws a view; `seconds` have passed since the last call. */
  draw(view: View, seconds: number): void;
  /** Called when a run was opened or replaced. */
  opened(): void;
  /** Called when the goal has just been reached. */
  celebrate(): void;
  /** The state of the picture in one short sentence, for screen readers. */
  describe(): string;
  /** Removes all listeners. */
  destroy(): void;
}

/** Something to try after the goal has been reached. */
export interface Suggestion {
  text: string;
  /**
   * Changes to the default settings with which a run is started on a click. Without them the suggestion is plain text.
   */
  settings?: Settings;
}

/** What the module `labs/<lab>/view.ts` exports. */
export interface ViewModule<View> {
  /**
   * Creates the picture. `restart` starts a new run with changes to the default settings; `openFile` continues the run
   * of a checkpoint file.
   */
  open(run: Run, restart: (settings: Settings) => void, openFile: (file: File) => void): LabView<View>;
  /** Steps per second on a first visit, if the default does not suit the lab; `null` for full speed. */
  pace?: number | null;
  /** Keyboard shortcuts of the picture, for the help dialog: keys, separated by spaces, and what they do. */
  keys: [string, string][];
  suggestions: (run: Run) => Suggestion[];
}

/** The small picture on a gallery card. It is animated only if the open run is of this lab. */
export interface CardPicture<View> {
  element: Element;
  draw(view: View, seconds: number): void;
}
