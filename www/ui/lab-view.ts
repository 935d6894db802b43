// The interface between the page and a lab's own part of it: the view on the lab's screen. `View` is the data that the
// lab sends to be drawn.

import type { Settings } from "../core/link";
import type { RecordedRuns } from "../core/recorded-runs";
import type { Run } from "../core/run";
import type { JsonValue } from "../generated/protocol";
import type { Report } from "./drop";
import type { Headline, LastValue } from "./headline";
import type { Introduction } from "./introduction";
import type { Story } from "./story";

/** Continues from a checkpoint, and reports what is wrong with it. Returns whether it was opened. */
export type OpenFile = (file: File, report: Report) => Promise<boolean>;

/**
 * The part of a lab's screen that is particular to the lab. Settings and curves are built from the lab's schema
 * instead.
 */
export interface LabView<View> {
  element: HTMLElement;
  /** A row of choices above the view, such as the world of the control lab. */
  choice?: HTMLElement;
  /** Draws the lab's latest data; `seconds` have passed since the previous call. */
  draw(view: View, seconds: number): void;
  /** Called when a run was opened, also in place of another. */
  opened(): void;
  /**
   * Called with true when the picture of an earlier moment takes the place of this one, and with false when that ends.
   */
  lookBack?(looksBack: boolean): void;
  /** Called when the run has just reached its goal. */
  celebrate(): void;
  /** The run's headline in plainer words than those of its metric, where the lab has some. */
  headline?(last: LastValue): Partial<Headline>;
  /** What is said of a trained network that the visitor has before them; null for the agent of the run. */
  introduction?(): Introduction | null;
  /** What the view shows in one short sentence, for screen readers. */
  describe(): string;
  /** Shows what a link asks for by `show=`, such as a position of a game, a cube or a prompt. Called once the run is open. */
  show?(text: string): void;
  /**
   * The command that gives a new run with these settings data of the visitor's own before its first unit, such as the
   * text that the open run learns; null for none.
   */
  dataOfNewRun?(settings: Settings): JsonValue | null;
  /** Says in a sentence why the lab has refused a command. Without it a notice does. */
  refused?(text: string): void;
  /** Stops listening to keys, sizes and colours. */
  destroy(): void;
}

/** Starts a new run: with settings that differ from the defaults, or without them with those of the open run. */
export type Restart = (settings?: Settings) => void;

/** The exports of a lab's module `view.ts`. */
export interface ViewModule<View> {
  /** Creates the view of a run. `openFile` continues from a checkpoint. */
  open(run: Run, restart: Restart, openFile: OpenFile): LabView<View>;
  /** Training steps per second on a first visit, if the usual pace does not suit the lab; `null` is max speed. */
  pace?: number | null;
  /** The keys that the view takes, for the list of keys in the help. */
  keys: [key: string, effect: string][];
  /** What the agent can do by now, in one sentence. */
  story: Story;
  /** When runs with the settings of presets reached their goal (`goal-units.json`). */
  recordedRuns?: RecordedRuns;
}
