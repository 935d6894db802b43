// Which presses of keys are meant for the game on the board.

import { dialogIsOpen, hasModifier, isLaidOut } from "../../core/dom";

/** The key in lower case; empty if it is typed elsewhere, or the board is out of use. */
export function gameKey(event: KeyboardEvent, board: Element): string {
  // Sliders take no letters, so the keys work while one has the focus.
  const isTyping = event.target instanceof Element && event.target.matches("input:not([type=range]), select, textarea");
  return isTyping || hasModifier(event) || dialogIsOpen() || !isLaidOut(board) ? "" : event.key.toLowerCase();
}
