// Keys that work anywhere on the page. They stand back while one types, and where a key belongs to what
// has the focus: a button reached by Tab answers to Space itself, one that was clicked does not keep it.

import { dialogIsOpen, hasModifier, takesKeys } from "./dom";

/** Keys that may be held down. */
const REPEATING = new Set([".", "[", "]"]);

export function listenShortcuts(actions: Record<string, (() => void) | undefined>): void {
  let clicked: Element | null = null;
  const own = (target: Element) => target.matches("button, a, summary") && target !== clicked;
  addEventListener("pointerdown", ({ target }) => {
    clicked = target instanceof Element ? target.closest("button, a, summary") : null;
  });
  addEventListener("keydown", (event) => {
    if (event.key === "Tab") clicked = null;
    if (hasModifier(event) || dialogIsOpen()) return;
    const target = event.target instanceof Element ? event.target : document.body;
    // Sliders take arrows and numbers, but not our letters.
    if (takesKeys(target) && !target.matches("input[type=range]")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = actions[key];
    if (!action || (event.repeat && !REPEATING.has(key)) || (key === " " && own(target))) return;
    event.preventDefault();
    action();
  });
  // A clicked button would be pressed again when Space comes up.
  addEventListener("keyup", (event) => {
    if (event.key === " " && event.target instanceof Element && event.target === clicked) event.preventDefault();
  });
}
