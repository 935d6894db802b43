// Keyboard shortcuts of the whole page. They do nothing while the visitor types, or where the focused element uses the
// key: a button reached by Tab handles Space itself, one that was clicked does not.

import { dialogIsOpen, hasModifier, takesKeys } from "./dom";

/** Shortcuts that repeat while the key is down. */
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
    // Sliders use arrows and digits, but not these letters.
    if (takesKeys(target) && !target.matches("input[type=range]")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = actions[key];
    if (!action || (event.repeat && !REPEATING.has(key)) || (key === " " && own(target))) return;
    event.preventDefault();
    action();
  });
  // Space would otherwise press the clicked button when the key comes up.
  addEventListener("keyup", (event) => {
    if (event.key === " " && event.target instanceof Element && event.target === clicked) event.preventDefault();
  });
}
