// The board of a decision in the report of a match: a still picture, with the play that was made and the best one.

import { el } from "../../../core/dom";
import type { BackgammonDecision } from "../../../generated/protocol";
import type { MoveArrow } from "../arrows";
import { Board } from "../board";
import { readMoves, readPosition, SOUTH } from "../position";
import { placeCube } from "./cube";

const [PLAYED_WEIGHT, BEST_WEIGHT] = [0.5, 0.6];

export function decisionBoard({ board: checkers, dice, moves, cube, owner }: BackgammonDecision): HTMLElement {
  const board = new Board(() => undefined);
  board.destroy(); // it is not rotated any more
  board.showCubeColumn(true);
  const position = readPosition(checkers);
  board.checkers.set(position, false);
  board.dice.show(board.layout, SOUTH, dice);
  placeCube(board, cube, owner);
  if (dice[0] > 0) {
    const [played, best] = moves;
    const arrows: MoveArrow[] = [
      { moves: readMoves(played), weight: PLAYED_WEIGHT, tone: "played" },
      { moves: readMoves(best), weight: BEST_WEIGHT, tone: "best" },
    ];
    board.arrows.draw(board.layout, position, SOUTH, arrows);
  }
  return el("div", { class: "report-board" }, board.element);
}
