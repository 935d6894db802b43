// Remembers the pace of runs from visit to visit in the local storage. The pace is a number of training steps per
// second, or null for max speed. The default is slow enough to follow with the eye.

const STORAGE_KEY = "learnery:pace";
/** Normal speed, in steps per second. */
export const DEFAULT_PACE = 150;
/** Slow speed: single steps can be told apart. */
export const SLOW_PACE = 10;
/** The stored text for max speed. */
const FULL_SPEED = "flat out";

/** A pace, or slow speed if that is less. */
export const slowed = (pace: number | null): number => Math.min(pace ?? Infinity, SLOW_PACE);

/** The pace that the visitor chose last, or `fallback` if none was chosen. */
export function loadPace(fallback: number | null = DEFAULT_PACE): number | null {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    if (stored === FULL_SPEED) return null;
    const pace = Number(stored);
    return stored !== null && pace > 0 && Number.isFinite(pace) ? pace : fallback;
  } catch {
    return fallback; // Storage may be forbidden.
  }
}

export function savePace(pace: number | null): void {
  try {
    localStorage.setItem(STORAGE_KEY, pace === null ? FULL_SPEED : String(pace));
  } catch {
    // Storage may be forbidden; the choice is then forgotten after this visit.
  }
}
