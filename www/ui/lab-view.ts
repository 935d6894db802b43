// The interface between the page and a lab's own part of the screen, its view. The type parameter `View` is something
// else: the data that the lab sends for one drawing.

import type { HiddenPart, Settings } from "../core/link";
import type { RecordedRuns } from "../core/recorded-runs";
import type { Run } from "../core/run";
import type { About, JsonValue } from "../generated/protocol";
import type { Report } from "./drop";
import type { Headline, LastValue } from "./headline";
import type { Introduction } from "./introduction";
import type { Story } from "./story";

/** Opens a checkpoint or a recipe file, and reports what happens to it. Resolves to whether it was opened. */
export type OpenFile = (file: File, report: Report) => Promise<boolean>;

/** What the screen says of a lab: about its goal, its picture and, if that depends on the settings, its agent. */
export type AboutWords = Pick<About, "goal" | "picture"> & Partial<Pick<About, "agent">>;

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
  /** Called each time a run is opened, also when it replaces another. A view may be created for a run that is open. */
  opened(): void;
  /**
   * Called with true when another picture takes the place of this one, of an earlier moment or of a link's sender, and
   * with false when this one is back.
   */
  lookBack?(looksBack: boolean): void;
  /** Called when the run has just reached its goal. */
  celebrate(): void;
  /** The parts of the headline that the lab replaces, such as a plainer name. `last` looks up the value of a metric. */
  headline?(last: LastValue): Partial<Headline>;
  /** The words about the lab, as far as they depend on the settings of the open run. Without it they are the lab's. */
  aboutWords?(about: About): AboutWords;
  /** A plural noun for the network's predictions in the view, such as “chances”: guesses until it has learned. */
  estimates?: string;
  /** What is said of a trained network that the view shows in place of the run's agent; null while it shows that one. */
  introduction?(): Introduction | null;
  /** What the view shows, in a few short sentences for screen readers. */
  describe(): string;
  /** Shows what a link asks for by `show=`, such as a position of a game, a cube or a prompt. Called once the run is open. */
  show?(text: string): void;
  /**
   * Leaves out what the page's link hides; with null it hides nothing. Called before `show`. `isLost`: what the link
   * hid cannot be read, which is to be said.
   */
  hide?(part: HiddenPart | null, isLost: boolean): void;
  /**
   * The command that gives the visitor's own data, such as the text that the open run learns from, to a new run with
   * these settings before its first unit; null for none.
   */
  dataOfNewRun?(settings: Settings): JsonValue | null;
  /** Shows the sentence that says why the lab has refused a command. Without this method it is shown in a notice. */
  refused?(text: string): void;
  /** Called last. Ends what the view has outside of its element: listeners to keys, sizes and the theme, and dialogs. */
  destroy(): void;
}

/** Starts a new run: with these settings and the defaults of all others, or without `settings` with those of the panel. */
export type Restart = (settings?: Settings) => void;

/** The exports of a lab's module `view.ts`. */
export interface ViewModule<View> {
  /** Creates the view of a run. `openFile` opens a checkpoint or a recipe file. */
  open(run: Run, restart: Restart, openFile: OpenFile): LabView<View>;
  /** Training steps per second until the visitor chooses a speed, if the usual pace does not suit; null is max speed. */
  pace?: number | null;
  /** The keys that the view responds to, for the list of keys in the help. */
  keys: [key: string, effect: string][];
  /** What the agent can do by now, in one sentence. */
  story: Story;
  /** When runs with the settings of presets reached their goal (`goal-units.json`). */
  recordedRuns?: RecordedRuns;
}
