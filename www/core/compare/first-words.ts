// Words about the run that was first to the goal: by which measure it was, and what it took. Another measure may name
// another run: the one with the fewest units (training iterations) need not be the one with the shortest time.

import type { About } from "../../generated/protocol";
import { formatCount, formatDuration, formatInteger } from "../format";
import type { TrainingPoint } from "./pacing";

type Nouns = Pick<About, "unit" | "work">;
type Axis = keyof TrainingPoint;

/** What a measure counts: "iterations", "world steps", "training time". */
export function measureName({ unit, work }: Nouns, axis: Axis): string {
  return { units: `${unit}s`, work, seconds: "training time" }[axis];
}

/** What it took to the goal by a measure: "iteration 40", "81,920 world steps", "12.3 seconds". */
export function effortWords({ unit, work }: Nouns, axis: Axis, reached: TrainingPoint): string {
  if (axis === "units") return `${unit} ${formatInteger(reached.units)}`;
  return axis === "work" ? formatCount(reached.work, work) : formatDuration(reached.seconds);
}

/** The runs that were first to the goal by a measure, in a sentence. `letters` are theirs. */
export function firstWords(nouns: Nouns, axis: Axis, letters: string[], reached: TrainingPoint): string {
  const tie = letters.length > 1 ? "were first to the goal together" : "was first to the goal";
  return `${letters.join(" and ")} ${tie}, by ${measureName(nouns, axis)}: ${effortWords(nouns, axis, reached)}.`;
}
