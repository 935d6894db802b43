// Whether a run has reached its goal, and whether it has lost it again.

import type { Goal, Progress } from "../generated/protocol";
import type { Series } from "./series";

/**
 * A run has fallen back from its goal while its metric is worse than the goal by more than this fraction of the goal.
 */
const FELL_BACK_FRACTION = 0.2;

/** True if the run has reached its goal: by now, or by an earlier unit (training iteration). */
export function isSolved({ solvedAt }: Progress, unit = Infinity): boolean {
  return typeof solvedAt === "number" && solvedAt <= unit;
}

/** What a run knows of its goal. */
interface TowardsGoal {
  goal: Goal | null;
  series: Series;
  progress: Progress;
}

/** True if the run has reached the goal at which it stops by itself (core/stop-at-goal.ts). */
export function isAtGoal({ progress }: TowardsGoal): boolean {
  return isSolved(progress);
}

/** True if the run has reached its goal and its metric is far from it again: now, or at an earlier unit. */
export function fellBack({ goal, series, progress }: TowardsGoal, unit = Infinity): boolean {
  if (!goal || !isSolved(progress, unit)) return false;
  const value = series.last(goal.metric, unit);
  // The distance to the goal, positive where the metric is worse than the goal.
  const shortfall = series.spec(goal.metric)?.better === "lower" ? value - goal.target : goal.target - value;
  return shortfall > FELL_BACK_FRACTION * Math.abs(goal.target);
}
