// The doubling cube on the board: beside the side that owns it, or in the middle. A cube that is offered lies in the half
// of the side that has to answer, with the value that it would have.

import { svg, write } from "../../../core/dom";
import type { BackgammonMatch } from "../../../generated/protocol";
import type { Board } from "../board";
import { CUBE_SIZE } from "../board-layout";
import type { Side } from "../position";

export class Cube {
  readonly #text = svg("text", { class: "match-cube-value" });
  readonly #element = svg(
    "g",
    { class: "match-cube" },
    svg("rect", { x: -CUBE_SIZE / 2, y: -CUBE_SIZE / 2, width: CUBE_SIZE, height: CUBE_SIZE, rx: 8 }),
    this.#text,
  );

  /** Draws the cube, or nothing for null. */
  draw(board: Board, matchPlay: BackgammonMatch | null): void {
    board.showCubeColumn(matchPlay !== null);
    if (!matchPlay) {
      this.#element.remove();
      return;
    }
    if (!this.#element.parentElement) board.cubeLayer.append(this.#element);
    const { cube, owner, step, actor, crawford } = matchPlay;
    const offered = step === "answer";
    const { x, y } = offered ? board.layout.die(actor as Side, 0, 1) : board.layout.cube(owner as Side | null);
    // By custom a cube in the middle shows 64.
    const value = offered ? 2 * cube : cube === 1 ? 64 : cube;
    write(this.#text, String(value));
    this.#element.classList.toggle("offered", offered);
    this.#element.classList.toggle("unused", crawford);
    this.#element.style.transform = `translate(${x}px, ${y}px)`;
  }
}
