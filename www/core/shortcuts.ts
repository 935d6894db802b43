// Keyboard shortcuts of the whole page. They do nothing while the visitor types, or if the focused element handles the
// key itself. Space is a shortcut, but browsers also use it to press the focused button. It presses a button that was
// reached with Tab. On a button that was clicked it is the shortcut, because the focus merely stayed there.

import { dialogIsOpen, hasModifier, takesKeys } from "./dom";

/** Keys whose action repeats while they are held down. */
const REPEATING_KEYS = new Set([".", "[", "]"]);

/** Calls the action of a pressed key. `actions` are by key, letters in lower case. */
export function listenShortcuts(actions: Record<string, (() => void) | undefined>): void {
  /** The button or link that was clicked last; null once Tab has moved the focus. */
  let clicked: Element | null = null;
  const handlesSpace = (target: Element) => target.matches("button, a, summary") && target !== clicked;
  addEventListener("pointerdown", ({ target }) => {
    clicked = target instanceof Element ? target.closest("button, a, summary") : null;
  });
  addEventListener("keydown", (event) => {
    if (event.key === "Tab") clicked = null;
    if (hasModifier(event) || dialogIsOpen()) return;
    const target = event.target instanceof Element ? event.target : document.body;
    // A slider also counts as taking keys, but it takes only arrow keys and digits, which are no shortcuts.
    if (takesKeys(target) && !target.matches("input[type=range]")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = actions[key];
    if (!action || (event.repeat && !REPEATING_KEYS.has(key)) || (key === " " && handlesSpace(target))) return;
    event.preventDefault();
    action();
  });
  // The browser presses a focused button when Space is released.
  addEventListener("keyup", (event) => {
    if (event.key === " " && event.target instanceof Element && event.target === clicked) event.preventDefault();
  });
}
