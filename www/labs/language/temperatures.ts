// The temperatures that a visitor can choose: the positions (notches) of the slider.

export const TEMPERATURES = [0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.5, 2];
/** From here on the network often writes what it holds improbable. */
export const HIGH_TEMPERATURE = 1.5;
/** With what texts are written at first: a little less freely than by the network's own probabilities. */
export const USUAL_TEMPERATURE = 0.8;

/** The slider of the temperature; that of top-k follows it. */
export const TEMPERATURE_SLIDER = ".language-sampling label:first-child input";

/** The position of a temperature. */
export function notchOf(temperature: number): number {
  return nearestIndex(TEMPERATURES, temperature);
}

/** The index of the value nearest to `target`. */
export function nearestIndex(values: number[], target: number): number {
  const distances = values.map((value) => Math.abs(value - target));
  return distances.indexOf(Math.min(...distances));
}
