// The interfaces of a lab's picture: the large one of its screen and the small one of its gallery card.

import type { Settings } from "../core/link";
import type { Run } from "../core/run";

/** The picture of a lab; settings and curves follow from its schema and need none. */
export interface LabView<View> {
  /** The picture, as large as the screen allows. */
  element: HTMLElement;
  /** What is chosen above the picture, if anything. */
  choice?: HTMLElement;
  /** Draws a view; `seconds` have passed since the last one. */
  draw(view: View, seconds: number): void;
  /** A run was opened or replaced. */
  opened(): void;
  /** The goal has just been reached. */
  celebrate(): void;
  /** The state of the picture in one short sentence, for those who do not see it. */
  describe(): string;
  /** Stops listening to keys, sizes and colours. */
  destroy(): void;
}

/** Something to try once the goal is reached. */
export interface Suggestion {
  text: string;
  /** The settings to start with, over the defaults; without them the suggestion is only read. */
  settings?: Settings;
}

export interface ViewModule<View> {
  /** `restart` starts a new run with settings over the defaults; `openFile` continues from a checkpoint. */
  open(run: Run, restart: (settings: Settings) => void, openFile: (file: File) => void): LabView<View>;
  /** Steps a second on a first visit, where the usual pace does not suit the lab; `null` for full speed. */
  pace?: number | null;
  /** Keys the picture takes, for the help: key and what it does. */
  keys: [string, string][];
  suggestions: (run: Run) => Suggestion[];
}

/** The picture of a gallery card. It stands still except for the lab that is running. */
export interface CardPicture<View> {
  element: Element;
  draw(view: View, seconds: number): void;
}
