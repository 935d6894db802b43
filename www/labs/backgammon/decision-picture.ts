// Draws a decision of a match on a board: the position, the roll, the cube, and arrows for plays.

import type { BackgammonAnalysedDecision } from "../../generated/protocol";
import type { MoveArrow } from "./arrows";
import type { Board } from "./board";
import { Cube } from "./match/cube";
import { isAnswer } from "./match-file/words";
import { readPosition, type Side } from "./position";

/** What the match or session, to which the decision belongs, says about the cube. */
interface Stakes {
  /** Points that win the match; 0 for a money session. */
  length: number;
  crawford: boolean;
}

export class DecisionPicture {
  readonly #cube = new Cube();

  constructor(readonly board: Board) {
    board.showCubeColumn(true);
  }

  draw(decision: BackgammonAnalysedDecision, { length, crawford }: Stakes, shown: MoveArrow[]): void {
    const { dice, cube, owner } = decision;
    const side = decision.player as Side;
    const { layout, checkers, arrows } = this.board;
    const position = readPosition(decision.board);
    checkers.set(position, true); // animated
    this.board.dice.show(layout, side, dice);
    // Nobody may double in a match to 1 point, whose first game wins it, or in a Crawford game.
    const unused = length === 1 || crawford;
    // An offered cube lies where a single die of the side that has to answer would lie.
    if (isAnswer(decision)) this.#cube.place(this.board, 2 * cube, layout.die(side, 0, 1), { offered: true });
    else this.#cube.place(this.board, cube, layout.cube(owner as Side | null), { unused });
    arrows.draw(layout, position, side, shown);
  }
}
