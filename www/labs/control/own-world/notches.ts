// The positions (notches) of a parameter's slider, and their values.

/** The last position; the first one is 0. */
export const NOTCHES = 200;

/** The position of a value. */
export function notchOf(value: number, low: number, high: number): number {
  return Math.round((NOTCHES * (value - low)) / (high - low || 1));
}

/** A value with the decimals that tell the notches of this range apart. */
export function roundFor(low: number, high: number, value: number): number {
  const digits = Math.max(0, 3 - Math.floor(Math.log10(high - low)));
  return Number(value.toFixed(Math.min(20, digits)));
}

/** The value of a position. */
export function roundIn(low: number, high: number, notch: number): number {
  const value = roundFor(low, high, low + ((high - low) * notch) / NOTCHES);
  return Math.min(high, Math.max(low, value));
}
