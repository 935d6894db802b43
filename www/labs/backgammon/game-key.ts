// Which presses of keys are meant for the game on the board.

import { dialogIsOpen, hasModifier, isLaidOut, takesLetters } from "../../core/dom";

/** The key in lower case; empty if it is typed elsewhere, or the board is out of use. */
export function gameKey(event: KeyboardEvent, board: Element): string {
  const isElsewhere = takesLetters(event.target) || hasModifier(event) || dialogIsOpen() || !isLaidOut(board);
  return isElsewhere ? "" : event.key.toLowerCase();
}
