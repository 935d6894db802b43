// How far a run of the logic lab is, and what a visitor sees and can do there. All of it follows from metrics: the
// soft error and the wrong cells of the last test (evaluation) of the hard gates.

import type { LogicExperiment } from "../../generated/protocol";

/**
 * The parts of a run in their usual order. `far`: the soft error is large, as while nearly every gate passes on one of
 * its inputs. `forming`: it has more than halved. `mixtures`: the soft gates do the task, the hard gates do
 * not. `perfect`: no cell was wrong with hard gates in the last test.
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
  if (error < SMALL_ERROR) return "mixtures";
  return error < PART_FRACTION * firstError ? "forming" : "far";
}

/**
 * What is seen, and once no cell is wrong with hard gates, what a visitor can do. `steps` is the step that training
 * compares with the target.
 */
export function guidance(
  experiment: LogicExperiment,
  phase: LearningPhase,
  { steps, invitation }: { steps: number; invitation: string },
): string {
  const life = experiment === "life";
  const [does, task] = life ? ["follow", "rule"] : ["make", "pattern"];
  // Only a target has dots: in the game of life any picture may be right.
  const dots = life ? "" : ` At step ${steps}, dots mark wrong cells.`;
  switch (phase) {
    case "far":
      return `The soft gates are far from the ${task}.${dots}`;
    case "forming":
      return `The soft gates ${does} part of the ${task}.${dots}`;
    case "mixtures":
      return `The soft gates ${does} the ${task}, the hard gates do not yet.${dots}`;
    case "perfect":
      return invitation;
  }
}
