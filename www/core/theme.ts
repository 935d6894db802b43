// The light and the dark theme: the visitor's choice, or else the system's preference. Code that draws on a canvas
// reads the palette's colours and the font here.

const STORAGE_KEY = "learnery:theme";
const systemDark = matchMedia("(prefers-color-scheme: dark)");
const motionPreference = matchMedia("(prefers-reduced-motion: reduce)");
/**
 * Whether the system prefers dark. Chromium fires no `change` if `matches` is read before it, so it is read only once.
 */
let systemIsDark = systemDark.matches;
/** Called when the theme changes. */
const listeners = new Set<() => void>();
/** CSS custom properties (colours and fonts) of the present theme that have been read. */
const variables = new Map<string, string>();

export type Theme = "light" | "dark";

/** The choice for this visit alone: it could not be stored, or comes from the address of an embed. */
let choiceOfVisit: Theme | null = null;

/** The theme that the visitor has chosen, if any. */
function chosenTheme(): Theme | null {
  if (choiceOfVisit) return choiceOfVisit;
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return stored === "light" || stored === "dark" ? stored : null;
  } catch {
    return null; // Storage may be forbidden; the system's preference applies.
  }
}

/** The theme in effect. */
export function theme(): Theme {
  return chosenTheme() ?? (systemIsDark ? "dark" : "light");
}

/** True if the visitor prefers reduced motion. */
export function reducedMotion(): boolean {
  return motionPreference.matches;
}

/** Puts the theme into effect and follows changes of the system's preference. `choice` counts for this visit. */
export function initTheme(choice: Theme | null = null): void {
  choiceOfVisit = choice;
  applyTheme();
  systemDark.addEventListener("change", ({ matches }) => {
    systemIsDark = matches;
    applyTheme();
  });
}

/** Changes from light to dark or back, by the visitor's choice. */
export function toggleTheme(): void {
  const next: Theme = theme() === "dark" ? "light" : "dark";
  try {
    // A choice that equals the system's preference is not stored, so that the page follows the system again.
    if ((next === "dark") === systemIsDark) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, next);
  } catch {
    choiceOfVisit = next; // Storage may be forbidden.
  }
  applyTheme();
}

/** Puts the theme into effect. */
function applyTheme(): void {
  document.documentElement.dataset["theme"] = theme();
  variables.clear();
  for (const listener of listeners) listener();
}

/** Calls `draw` when the theme changes. Returns a function that unsubscribes. */
export function onTheme(draw: () => void): () => void {
  listeners.add(draw);
  return () => listeners.delete(draw);
}

/**
 * The present value of a CSS custom property such as `--font`, for drawing on a canvas. It is read once in a theme: the
 * browser computes the styles of all that has changed before it answers.
 */
export function cssVariable(name: string): string {
  const known = variables.get(name);
  if (known) return known;
  const value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  // Without its style sheet a property is empty; the sheet may still be on its way.
  variables.set(name, value);
  return value;
}

/** A colour of the page's palette, such as `--ink`. */
export const colour = (name: string): string => cssVariable(name);
