// How far a run of the logic lab is, and what a visitor sees and can do there. All of it follows from metrics: the
// soft error and the wrong cells of the last test (evaluation) of the hard gates.

import type { LogicExperiment } from "../../generated/protocol";

/**
 * The parts of a run in their usual order. `far`: the soft error is large, as while nearly every gate passes on one of
 * its inputs. `forming`: it has more than halved. `mixtures`: the soft gates do the task, the hard gates do
 * not, in the last test. `perfect`: no cell was wrong with hard gates in the last test.
 */
export type LearningPhase = "far" | "forming" | "mixtures" | "perfect";

/** Below this share of its first value, the soft error is that of circuits that do part of the task. */
const PART_FRACTION = 0.5;
/** With a smaller error, nearly every cell is right with soft gates once it is rounded. */
const SMALL_ERROR = 0.02;

/** `firstError` and `error` are soft errors, `wrong` the wrong cells of the last evaluation; NaN where not measured. */
export function learningPhase({
  firstError,
  error,
  wrong,
}: {
  firstError: number;
  error: number;
  wrong: number;
}): LearningPhase {
  if (wrong === 0) return "perfect";
  if (error < SMALL_ERROR && wrong > 0) return "mixtures";
  return error < PART_FRACTION * firstError ? "forming" : "far";
}

/**
 * How far the soft gates are in training, which the picture may not show: it starts from other cells and runs for other
 * times. Once no cell is wrong with hard gates in a test, `invitation` says what a visitor can do instead. In a low
 * window it has one line.
 */
export function guidance(experiment: LogicExperiment, phase: LearningPhase, invitation: string): string {
  // Only a target has dots: in the game of life any picture may be right.
  const dots = experiment === "life" ? "" : " Near the target step, dots mark wrong cells.";
  switch (phase) {
    case "far":
      return `The soft gates' error has not halved yet.${dots}`;
    case "forming":
      return `The soft gates' error has more than halved.${dots}`;
    case "mixtures":
      return `The soft gates' error is small; the hard gates erred in the last test.${dots}`;
    case "perfect":
      return invitation;
  }
}
