// The pacing of runs that are compared: which of them may begin its next unit (training iteration), so that none is
// ever more than a unit ahead of the slowest.

/** Runs are at the same unit, at the same work (such as world steps), or run freely, each for the same time. */
export type Pacing = "unit" | "work" | "time";

/** How far a run has come. */
export interface Position {
  units: number;
  work: number;
}

/** How far a run had come after some seconds of training. */
export interface TrainingPoint extends Position {
  seconds: number;
}

/** Which of the runs may begin its next unit. A run that is still being loaded is null; the others wait for it. */
export function mayAdvance(pacing: Pacing, positions: (Position | null)[]): boolean[] {
  if (pacing === "time") return positions.map((position) => position !== null);
  // A run that is still being loaded is behind all others, so it gets -1.
  const progress = positions.map((position) => (position ? position[pacing === "unit" ? "units" : "work"] : -1));
  const slowest = Math.min(...progress);
  return progress.map((each, i) => positions[i] !== null && each <= slowest);
}
