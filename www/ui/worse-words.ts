// Whether a run that has become much worse recovers, by its tests.

/** A run recovers if its tests have risen again by this fraction of their fall, and the last one is not lower again. */
const RISEN_FRACTION = 0.1;

/** The beginning of a sentence. Higher tests are better; `margin` is the margin of error of the last one, 0 for none. */
export function worseWords(values: number[], margin: number): string {
  const best = Math.max(...values);
  const lowest = Math.min(...values.slice(values.indexOf(best)));
  const [before = NaN, now = NaN] = values.slice(-2);
  const risen = now - lowest;
  const recovers = now >= before && risen > RISEN_FRACTION * (best - lowest) && risen > 2 * margin;
  return recovers ? "It is recovering" : "It has become worse";
}
