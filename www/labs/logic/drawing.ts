// How a drawing of the visitor's own is learned. A figure grows from a single cell and a letter from an empty grid, so
// each cell can find out where in the picture it is. A checkerboard starts from random cells, where only the edges of
// the grid tell that, and a drawing is hardly learned there. So a drawing always starts a run of one of the first two.

import type { Settings } from "../../core/link";
import { firstSettingsWith } from "../../core/presets";
import type { LabInfo, LogicExperiment, LogicView } from "../../generated/protocol";

/** The experiments in which drawings are learned: a figure in one colour, or a letter in several. */
export type DrawingTask = "figure" | "letter";

/** Cells in a row and in a column of a figure's grid; `crates/labs/logic/src/experiment/mod.rs` has the same. */
export const FIGURE_SIZE = 20;

/** What the editor begins with. */
export interface Drawing {
  task: DrawingTask;
  /** Cells in a row and in a column. */
  size: number;
  /** Number of channels: one, or three for red, green and blue. */
  shown: number;
  /** 0 or 1: one plane after the other for each channel, row by row. */
  planes: Uint8Array;
  /** Whether the open run has the settings with which drawings are learned, so that it can learn this one too. */
  canContinue: boolean;
  /** Whether the run learns a drawing already. */
  isOwn: boolean;
}

/** The experiment in which a drawing is learned that a visitor begins in this one. */
export function drawingTask(experiment: LogicExperiment): DrawingTask {
  return experiment === "letter" ? "letter" : "figure";
}

/** The drawing that the editor shows first: the target of the run if it is learned in the same experiment, or none. */
export function drawingFor(
  { experiment, size, stage, target, ownTarget }: LogicView,
  lab: LabInfo | null,
  settings: Settings,
): Drawing {
  const task = drawingTask(experiment);
  if (task !== experiment) {
    const planes = new Uint8Array(FIGURE_SIZE ** 2);
    return { task, size: FIGURE_SIZE, shown: 1, planes, canContinue: false, isOwn: false };
  }
  const canContinue = lab !== null && hasPresetSettings(lab, settings, experiment);
  return { task, size, shown: stage.shown, planes: target.slice(), canContinue, isOwn: ownTarget };
}

/** Whether a run's settings are those that the experiment's choice starts with. */
function hasPresetSettings(lab: LabInfo, settings: Settings, experiment: LogicExperiment): boolean {
  const preset = firstSettingsWith(lab, "experiment", experiment);
  return lab.fields.every(({ name, default: usual }) => (settings[name] ?? usual) === (preset[name] ?? usual));
}

/** How the drawing is learned, in a sentence for the visitor. */
export function describeDrawing({ task, canContinue }: Pick<Drawing, "task" | "canContinue">): string {
  const [like, start, name] =
    task === "figure" ? ["as a figure", "a single cell", "Figure"] : ["as the letter is", "an empty grid", "Letter"];
  const newRun = canContinue ? "" : `, in a new run with the settings of the task ${name}`;
  return `Your drawing is learned ${like}: it grows from ${start}${newRun}.`;
}
