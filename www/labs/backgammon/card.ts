// The backgammon lab in the gallery: its board, with the running game if there is one.

import "./board.css";
import { el } from "../../core/dom";
import type { CardPicture } from "../lab-view";
import { Board } from "./board";
import { copyPosition, applyMove, readPosition, samePosition, START, type Position } from "./position";
import type { BackgammonView } from "../../generated/protocol";

/** A position two turns into a game, which is more interesting than the start. */
const AFTER_TWO_TURNS: Position = (() => {
  const at = copyPosition(START);
  applyMove(at, 0, { from: 8, to: 5, hit: false });
  applyMove(at, 0, { from: 6, to: 5, hit: false });
  applyMove(at, 1, { from: 24, to: 18, hit: false });
  return at;
})();

export function backgammonCard(): CardPicture<BackgammonView> {
  const board = new Board(() => {}, true);
  // A card is wide and low, so it shows the lower half and the dice.
  board.element.setAttribute("preserveAspectRatio", "xMidYMax slice");
  board.checkers.set(AFTER_TWO_TURNS, false);
  board.dice.show(board.layout, 0, [4, 2], false, 0);
  return {
    element: el("span", { class: "board-card" }, board.element),
    draw(view) {
      const { stage } = view;
      const at = readPosition(stage.board);
      if (!samePosition(at, board.checkers.position)) board.checkers.set(at, true);
      board.dice.show(board.layout, stage.side === 0 ? 0 : 1, stage.dice, false, 0);
    },
  };
}
