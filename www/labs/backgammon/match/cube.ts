// The doubling cube on the board: beside the side that owns it, or in the middle. A cube that is offered lies in the
// half of the side that has to answer, with the value that it would have.

import { svg, write } from "../../../core/dom";
import type { BackgammonMatch } from "../../../generated/protocol";
import type { Board } from "../board";
import { CUBE_SIZE, type BoardPoint } from "../board-layout";
import type { Side } from "../position";

export class Cube {
  readonly #text = svg("text", { class: "match-cube-value" });
  readonly #element = svg(
    "g",
    { class: "match-cube" },
    svg("rect", { x: -CUBE_SIZE / 2, y: -CUBE_SIZE / 2, width: CUBE_SIZE, height: CUBE_SIZE, rx: 8 }),
    this.#text,
  );

  /**
   * Puts the cube at a point of the board. `value` is what it counts, or would count if the double that is `offered` is
   * taken. `unused` is for games in which nobody may double.
   */
  place(board: Board, value: number, { x, y }: BoardPoint, { offered = false, unused = false } = {}): void {
    if (!this.#element.parentElement) board.cubeLayer.append(this.#element);
    write(this.#text, String(value));
    this.#element.style.transform = `translate(${x}px, ${y}px)`;
    this.#element.classList.toggle("offered", offered);
    this.#element.classList.toggle("unused", unused);
  }

  /** Draws the cube, or nothing for null. */
  draw(board: Board, matchPlay: BackgammonMatch | null): void {
    board.showCubeColumn(matchPlay !== null);
    if (!matchPlay) {
      this.#element.remove();
      return;
    }
    const { length, cube, owner, step, actor, crawford } = matchPlay;
    const offered = step === "answer";
    const point = offered ? board.layout.die(actor as Side, 0, 1) : board.layout.cube(owner as Side | null);
    this.place(board, offered ? 2 * cube : cube, point, { offered, unused: crawford || length === 1 });
  }
}

/** Draws a cube that stays where it is. */
export function placeCube(board: Board, value: number, owner: number | null): void {
  new Cube().place(board, value, board.layout.cube(owner as Side | null));
}
