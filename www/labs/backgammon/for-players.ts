// What only those need who know backgammon (matches with the doubling cube, rollouts, files): folded away, so that a newcomer
// sees the buttons that play. The choice is kept for the next visit.

import { el, listen } from "../../core/dom";

const STORAGE_KEY = "learnery:backgammon-for-players";

export function forPlayers(...buttons: HTMLElement[]): HTMLDetailsElement {
  const summary = el("summary", { class: "button", title: "Matches, analysis and practice", text: "For players" });
  const element = el(
    "details",
    { class: "for-players", open: isKeptOpen() },
    summary,
    el("div", { class: "button-group" }, ...buttons),
  );
  listen(element, { toggle: () => keep(element.open) });
  return element;
}

function isKeptOpen(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) === "true";
  } catch {
    return false; // Storage may be forbidden.
  }
}

function keep(open: boolean): void {
  try {
    localStorage.setItem(STORAGE_KEY, String(open));
  } catch {
    // Where storage is forbidden, the choice applies to this visit only.
  }
}
