// How a run that has become much worse goes on, by its tests: whether it recovers.

/** A run recovers once its tests have risen again by this fraction of their fall. */
const RISEN_FRACTION = 0.1;

/** The beginning of a sentence. Higher tests are better; `margin` is the margin of error of the last one, 0 for none. */
export function worseWords(values: number[], margin: number): string {
  const best = Math.max(...values);
  const lowest = Math.min(...values.slice(values.indexOf(best)));
  const risen = (values.at(-1) ?? NaN) - lowest;
  const recovers = risen > RISEN_FRACTION * (best - lowest) && risen > 2 * margin;
  return recovers ? "It is recovering" : "It has become worse";
}
