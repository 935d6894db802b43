// The interfaces of a lab's manifest, `labs/<lab>/manifest.ts`: which parts of the page the lab has, and how scripts
// make its recording and its pictures.

import type { Challenge } from "../core/challenge";
import type { Settings } from "../core/link";
import type { JsonValue, LabTypes } from "../generated/protocol";
import type { ViewModule } from "./lab-view";
import type { DemoModule } from "./stage-demo";
import type { Suggestions } from "./suggestion";
import type { Captions } from "./tour-caption";

/**
 * The parts of a lab, each a module that is loaded when it is wanted. Others are found by the names of their files:
 * `picture.ts`, the lab's small picture (labs/small-picture.ts; the front loads all at once, labs/pictures.ts),
 * `moment.ts` (labs/moments.ts), `embed.css` (labs/embed-styles.ts), and `behaviour.ts`, `race/race.ts` and `duel.ts`
 * (labs/run-parts.ts).
 */
export interface LabManifest<Id extends keyof LabTypes = keyof LabTypes> {
  /** The part of the lab's screen that is particular to the lab. */
  view: () => Promise<ViewModule<LabTypes[Id]["view"]>>;
  /** The captions of the tour. */
  tour?: () => Promise<{ captions: Captions<Id> }>;
  /** What to try next, once the goal has been reached. */
  suggestions?: () => Promise<{ suggestions: Suggestions<Id> }>;
  challenges?: () => Promise<{ challenges: Challenge[] }>;
  /** The text of the lab's lesson, `lesson.txt` (docs/lessons.md). */
  lesson?: () => Promise<{ default: string }>;
  /** The command that gives a run a text of a lesson to learn; undefined where runs learn none. */
  commandForText?: (text: string) => JsonValue;
  /** Commands to the stages of compared runs. Without it a stage goes on by itself. */
  demo?: () => Promise<DemoModule<Id>>;
}

/**
 * What scripts need of the lab: how to record and photograph it, and which presets to measure on a GPU. The page does
 * not load this.
 */
export interface LabMedia<Id extends keyof LabTypes = keyof LabTypes> {
  recording?: RecordingPlan<Id>;
  /**
   * The parameters of a link to a run that soon reaches its goal, for `npm run gallery`. Without this property no
   * picture of a solved run is taken.
   */
  solvedBy?: string;
  /**
   * The unit (training iteration) at which scripts/screenshot.mjs takes the lab's picture for the documents. A lab
   * without it is left out.
   */
  screenshotAt?: number;
  /**
   * The presets that `npm run bench -- gpu-tab` trains on a GPU; `null` stands for the settings without a preset. A lab
   * that computes on the CPU alone has none.
   */
  measuredOnGpu?: (string | null)[];
}

/** How `npm run record` makes a recording. */
export interface RecordingPlan<Id extends keyof LabTypes> {
  /** The settings of the run that differ from the defaults. */
  settings?: Settings;
  /** The units (training iterations) at which the lab is recorded. */
  units: number[];
  /** Frames per second when the recording is played; also when it is made, unless frames are turns or characters. */
  rate: number;
  /** The most frames of a clip, which is what is recorded at one of `units`. */
  frames: number;
  /** The properties of a view that its frame depends on. */
  uses: (keyof LabTypes[Id]["view"])[];
  /**
   * True where each frame is a turn: the stage is then looked at ten times a second, and a frame is kept only if it
   * differs from the last.
   */
  turns?: boolean;
  /** The commands that the stage gets at the start of each clip. */
  prepare?: LabTypes[Id]["command"][];
  /** Whether a clip ends with this view. */
  ended?: (view: LabTypes[Id]["view"]) => boolean;
  /** How well the agent does, as a phrase; `metric` returns the latest value of a metric. */
  score: (metric: (name: string) => number) => string;
}
