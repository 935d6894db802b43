// How fast runs go, kept from visit to visit. The first visit is slow enough to see it learn.

const KEY = "learnery:pace";
const FIRST = 150;
const FLAT_OUT = "flat out";

/** The pace that was chosen last; where none was, `first`. */
export function loadPace(first: number | null = FIRST): number | null {
  try {
    const kept = localStorage.getItem(KEY);
    if (kept === FLAT_OUT) return null;
    const pace = Number(kept);
    return kept !== null && pace > 0 && Number.isFinite(pace) ? pace : first;
  } catch {
    return first; // storage may be forbidden
  }
}

export function savePace(pace: number | null): void {
  try {
    localStorage.setItem(KEY, pace === null ? FLAT_OUT : String(pace));
  } catch {
    // It holds for this visit only.
  }
}
