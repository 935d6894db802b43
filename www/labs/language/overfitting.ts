// Whether the network overfits: its loss on the text that it trains on falls, while that on held-out text, which it has
// not seen, has risen again since its best evaluation.

import type { Measurements } from "../../core/series";

/** The held-out loss counts as risen if all of this many latest evaluations are above the best one by `MIN_RISE`. */
const RISEN_EVALUATIONS = 3;
/** As a fraction of the best loss. */
const MIN_RISE = 0.02;
/** The training loss counts as fallen if its mean is below that at the best evaluation by at least this fraction. */
const MIN_FALL = 0.02;

export interface Overfitting {
  /** The recent mean of the loss on the training text. */
  trainingLoss: number;
  /** The lowest loss on held-out text, and the unit (training iteration) of that evaluation. */
  bestHeldOutLoss: number;
  bestUnit: number;
}

/** `heldOut` has the loss of each evaluation, `training` that of every unit. Null if the network does not overfit. */
export function detectOverfitting(heldOut: Measurements, training: Measurements): Overfitting | null {
  const { units, values } = heldOut;
  const best = Math.min(...values);
  const bestIndex = values.indexOf(best);
  const recent = values.slice(bestIndex + 1).slice(-RISEN_EVALUATIONS);
  if (recent.length < RISEN_EVALUATIONS || Math.min(...recent) < (1 + MIN_RISE) * best) return null;
  const [lastUnit, bestUnit] = [units.at(-1) as number, units[bestIndex] as number];
  // A single batch is noisy, so means are compared, over as many units as the latest evaluations span.
  const span = lastUnit - (units.at(-RISEN_EVALUATIONS) as number);
  const meanTrainingLossUntil = (last: number) => {
    const recentLosses = training.values.filter((_, i) => {
      const unit = training.units[i] as number;
      return unit >= last - span && unit <= last;
    });
    return recentLosses.reduce((sum, loss) => sum + loss, 0) / recentLosses.length;
  };
  const [before, now] = [meanTrainingLossUntil(bestUnit), meanTrainingLossUntil(lastUnit)];
  return now <= (1 - MIN_FALL) * before ? { trainingLoss: now, bestHeldOutLoss: best, bestUnit } : null;
}
