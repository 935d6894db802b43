// How far a run of the logic lab is, and what a visitor sees and can do there. All of it follows from metrics: the
// soft error and the wrong cells of the last test (evaluation) of the hard gates.

import type { LogicExperiment } from "../../generated/protocol";

/**
 * The parts of a run in their usual order. `wires`: nearly every gate still passes on one of its inputs. `forming`: the
 * soft error falls. `mixtures`: the soft gates do the task, the hard gates do not. `perfect`: no cell was wrong with hard
 * gates in the last test.
 */
export type LearningPhase = "wires" | "forming" | "mixtures" | "perfect";

/** The soft error has fallen if it is below this share of its first value. */
const FALLEN_FRACTION = 0.95;
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
  return error < FALLEN_FRACTION * firstError ? "forming" : "wires";
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
  const does = life ? "follow the rule" : "make the pattern";
  // Only a target has dots: in the game of life any picture may be right.
  const dots = life ? "" : ` At step ${steps}, dots mark wrong cells.`;
  switch (phase) {
    case "wires":
      return `Most gates are still plain wires, so ${life ? "the cells follow no rule" : "no pattern forms"} yet.${dots}`;
    case "forming":
      return `The soft gates begin to ${does}.${dots}`;
    case "mixtures":
      return `The soft gates ${does}, the hard gates do not yet.${dots}`;
    case "perfect":
      return invitation;
  }
}
