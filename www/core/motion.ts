// Small formulas for motion that several pictures share.

/** The equivalent angle between −π and π. */
export function wrapAngle(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}

/** Cubic easing in and out: maps 0 to 1 onto 0 to 1, slowly at both ends. */
export function ease(t: number): number {
  return t < 0.5 ? 4 * t * t * t : 1 - (2 - 2 * t) ** 3 / 2;
}

/** The value between `a` and `b` at a fraction from 0 to 1. */
export const between = (a: number, b: number, fraction: number) => a + (b - a) * fraction;
