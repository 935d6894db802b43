// Whether the network overfits: its loss on the text that it trains on falls, while that on held-out text, which it has
// not seen, has risen again since its best evaluation.

import type { Measurements } from "../../core/series";

/** The held-out loss counts as risen if each of this many latest evaluations is above the best one by the fraction. */
const RISEN_EVALUATIONS = 3;
const MIN_RISE = 0.02;
/** The training loss counts as fallen if its mean is below that at the best evaluation by at least this fraction. */
const MIN_FALL = 0.02;

export interface Overfitting {
  /** The recent mean of the loss on the training text. */
  training: number;
  /** The lowest loss on held-out text, and the unit (training iteration) of that evaluation. */
  best: number;
  bestUnit: number;
}

/** `heldOut` has the evaluations, `training` a value for every unit. Null if the network does not overfit. */
export function overfitting(heldOut: Measurements, training: Measurements): Overfitting | null {
  const { units, values } = heldOut;
  const best = Math.min(...values);
  const bestRow = values.indexOf(best);
  const recent = values.slice(bestRow + 1).slice(-RISEN_EVALUATIONS);
  if (recent.length < RISEN_EVALUATIONS || Math.min(...recent) < (1 + MIN_RISE) * best) return null;
  const [lastUnit, bestUnit] = [units.at(-1) as number, units[bestRow] as number];
  // A single batch is noisy, so means are compared, over as many units as the latest evaluations span.
  const span = lastUnit - (units.at(-RISEN_EVALUATIONS) as number);
  const meanUntil = (last: number) => {
    const near = training.values.filter((_, i) => {
      const unit = training.units[i] as number;
      return unit >= last - span && unit <= last;
    });
    return near.reduce((sum, loss) => sum + loss, 0) / near.length;
  };
  const [before, now] = [meanUntil(bestUnit), meanUntil(lastUnit)];
  return now <= (1 - MIN_FALL) * before ? { training: now, best, bestUnit } : null;
}
