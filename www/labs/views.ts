// The pictures of the labs. A lab without a line here still gets its settings, curves and checkpoints.

import type { Settings } from "../core/link";
import type { AnyView, Run } from "../core/run";
import type { LabTypes } from "../generated/protocol";

/** What a lab draws, beside what every lab gets from its schema. */
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

const MODULES: { [Id in keyof LabTypes]: () => Promise<ViewModule<LabTypes[Id]["view"]>> } = {
  backgammon: () => import("./backgammon/view"),
  control: () => import("./control/view"),
  cube: () => import("./cube/view"),
  language: () => import("./language/view"),
  logic: () => import("./logic/view"),
};

/** The module of a lab's picture, or `null` where it has none or it cannot be loaded. */
export async function loadViewModule(id: string): Promise<ViewModule<AnyView> | null> {
  const load = (MODULES as Partial<Record<string, () => Promise<unknown>>>)[id];
  // A worker holds one lab's bundle and sends only that lab's views, which the types cannot express.
  return ((await load?.().catch(() => null)) ?? null) as ViewModule<AnyView> | null;
}
