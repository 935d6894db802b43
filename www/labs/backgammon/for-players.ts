// Buttons for those who know backgammon (matches with the doubling cube, openings, files), folded away so that
// newcomers see how to play. Whether the visitor has opened them is kept for the next visit.

import { el, listen } from "../../core/dom";

const STORAGE_KEY = "learnery:backgammon-for-players";

export function forPlayers(...buttons: HTMLElement[]): HTMLDetailsElement {
  const summary = el("summary", {
    class: "button",
    title: "For those who know the game",
    text: "Matches and analysis",
  });
  const element = el(
    "details",
    { class: "for-players", open: isKeptOpen() },
    summary,
    el("div", { class: "button-group" }, ...buttons),
  );
  // Only what the visitor does is kept: a suggestion opens it for this time.
  listen(summary, { click: () => keep(!element.open) });
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
