// The pace of runs, remembered from visit to visit. The pace of a first visit is slow enough to follow.

const KEY = "learnery:pace";
const FIRST = 150;
const FULL_SPEED = "flat out";

/** The pace chosen last, or `first` if none was. */
export function loadPace(first: number | null = FIRST): number | null {
  try {
    const kept = localStorage.getItem(KEY);
    if (kept === FULL_SPEED) return null;
    const pace = Number(kept);
    return kept !== null && pace > 0 && Number.isFinite(pace) ? pace : first;
  } catch {
    return first; // storage may be forbidden
  }
}

export function savePace(pace: number | null): void {
  try {
    localStorage.setItem(KEY, pace === null ? FULL_SPEED : String(pace));
  } catch {
    // It applies to this visit only.
  }
}
