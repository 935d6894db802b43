// Whether a run that has become much worse recovers, by its tests, and whether its newest test is below an earlier one.

/** A run recovers if its tests have risen again by this fraction of their fall, and the last one is not lower again. */
const RISEN_FRACTION = 0.1;

/**
 * The beginning of a sentence. Higher tests are better; `margin` is the margin of error of the last one, 0 for none.
 */
export function worseWords(values: number[], margin: number): string {
  const best = Math.max(...values);
  const lowest = Math.min(...values.slice(values.indexOf(best)));
  const [before = NaN, now = NaN] = values.slice(-2);
  const risen = now - lowest;
  const recovers = now >= before && risen > RISEN_FRACTION * (best - lowest) && risen > 2 * margin;
  return recovers ? "It is recovering" : "It has become worse";
}

/** A fall of less than this, in percentage points, is not worth a sentence. */
const LEAST_FALL_PERCENT = 1;

/**
 * The best earlier test, if the newest one is clearly below it: by more than two margins of error, or without one by a
 * point of a percentage. NaN otherwise. Higher tests are better.
 */
export function clearlyBelow(values: number[], margin: number): number {
  const now = values.at(-1) ?? NaN;
  const best = Math.max(...values.slice(0, -1));
  return best - now > (margin > 0 ? 2 * margin : LEAST_FALL_PERCENT) ? best : NaN;
}
