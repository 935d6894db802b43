// The light and the dark theme: the system's preference unless the visitor has chosen, and the palette for drawing on
// canvas.

const KEY = "learnery:theme";
const systemDark = matchMedia("(prefers-color-scheme: dark)");
const motion = matchMedia("(prefers-reduced-motion: reduce)");
const listeners = new Set<() => void>();

export type Theme = "light" | "dark";

function chosenTheme(): Theme | null {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === "light" || kept === "dark" ? kept : null;
  } catch {
    return null; // storage may be forbidden; the system's preference applies
  }
}

export function theme(): Theme {
  return chosenTheme() ?? (systemDark.matches ? "dark" : "light");
}

/** True if the visitor prefers reduced motion. */
export function reducedMotion(): boolean {
  return motion.matches;
}

export function initTheme(): void {
  apply();
  systemDark.addEventListener("change", apply);
}

export function toggleTheme(): void {
  const next: Theme = theme() === "dark" ? "light" : "dark";
  try {
    // A choice equal to the system's preference need not be remembered.
    if ((next === "dark") === systemDark.matches) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
  } catch {
    document.documentElement.dataset["theme"] = next;
  }
  apply();
}

function apply(): void {
  document.documentElement.dataset["theme"] = theme();
  for (const listener of listeners) listener();
}

/** Calls `draw` when the colours change. Returns a function that unsubscribes. */
export function onTheme(draw: () => void): () => void {
  listeners.add(draw);
  return () => listeners.delete(draw);
}

/** A colour of the palette, by its CSS custom property, for drawing on canvas. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
