// The backgammon lab's picture in the gallery: its board, with the game of the open run if there is one.

import "./board.css";
import { el } from "../../core/dom";
import type { CardPicture } from "../lab-view";
import { Board } from "./board";
import {
  copyPosition,
  applyMove,
  NORTH,
  readPosition,
  samePosition,
  SOUTH,
  START,
  type Position,
  type Side,
} from "./position";
import type { BackgammonView } from "../../generated/protocol";

/** A position two turns into a game, which is more interesting than the start: south's 3 and 1, north's 6. */
const AFTER_TWO_TURNS: Position = (() => {
  const position = copyPosition(START);
  applyMove(position, SOUTH, { from: 8, to: 5, hit: false });
  applyMove(position, SOUTH, { from: 6, to: 5, hit: false });
  applyMove(position, NORTH, { from: 24, to: 18, hit: false });
  return position;
})();

export function backgammonCard(): CardPicture<BackgammonView> {
  const board = new Board(undefined, true); // fixed: never rotated
  // A card is much wider than high, so it shows only the lower half of the board and the dice.
  board.element.setAttribute("preserveAspectRatio", "xMidYMax slice");
  board.checkers.set(AFTER_TWO_TURNS, false);
  board.dice.show(board.layout, SOUTH, [4, 2]);
  return {
    element: el("span", { class: "board-card" }, board.element),
    draw(view) {
      const { stage } = view;
      const position = readPosition(stage.board);
      if (!samePosition(position, board.checkers.position)) board.checkers.set(position, true);
      board.dice.show(board.layout, stage.side as Side, stage.dice);
    },
  };
}
