// Keys that work anywhere on the page. They stand back while one types, and where a key belongs to what
// has the focus.

import { takesKeys } from "./dom";

export function listenKeys(actions: Record<string, (() => void) | undefined>): () => void {
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const target = event.target as HTMLElement;
    // Sliders take arrows and numbers, but not our letters.
    const slider = target.matches?.("input[type=range]");
    if (takesKeys(target) && !slider) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = actions[key];
    if (!action || (event.repeat && key !== "." && key !== "[" && key !== "]")) return;
    // A button reached by Tab answers to Space itself; one that was clicked does not keep it.
    if (key === " " && target.matches?.("button:focus-visible, a:focus-visible, summary:focus-visible")) return;
    event.preventDefault();
    action();
  };
  addEventListener("keydown", press);
  // A clicked button would be pressed again when Space comes up.
  const lift = (event: KeyboardEvent) => {
    if (event.key === " " && (event.target as HTMLElement).matches?.("button:not(:focus-visible)")) event.preventDefault();
  };
  addEventListener("keyup", lift);
  return () => {
    removeEventListener("keydown", press);
    removeEventListener("keyup", lift);
  };
}
