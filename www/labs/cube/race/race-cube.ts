// The visitor's cube in a race: turned by hand, and its turns are counted. It needs no lab.

import type { CubeMetric } from "../../../generated/protocol";
import { CubeAnimation, QUARTER_TURN_SECONDS } from "../cube-animation";
import type { TurnableCube } from "../cube-input";
import { nameOf, rotateWhole, rotationOf, SOLVED, STICKER_UPS, turn, type CubeState, type Move } from "../space";
import { isSolved, turnsOf } from "./rules";

export class RaceCube implements TurnableCube {
  readonly size = 2;
  readonly animation = new CubeAnimation();
  metric: CubeMetric = "quarter";
  /** Whether layers can be turned. The whole cube can always be rotated. */
  canTurn = false;
  /** The turns since the cube was placed, by what counts as one, and their names. */
  turns = 0;
  names: string[] = [];
  #state: CubeState = { stickers: SOLVED, ups: STICKER_UPS };

  /** `turned` is called after each turn of a layer. */
  constructor(readonly turned: () => void) {}

  get isSolved(): boolean {
    return isSolved(this.#state.stickers);
  }

  place(stickers: string): void {
    this.#state = { stickers, ups: STICKER_UPS };
    this.turns = 0;
    this.names = [];
    this.animation.show(this.#state);
  }

  turn(move: Move): void {
    if (move.end === 0) {
      const rotation = rotationOf(move);
      this.animation.rotate(rotation);
      this.#state = rotateWhole(this.#state, rotation);
    } else if (this.canTurn) {
      this.animation.turn(move, QUARTER_TURN_SECONDS.visitor);
      this.#count(move);
    }
  }

  releaseLayer(move: Move | null): void {
    const { animation } = this;
    const made = this.canTurn ? move : null;
    // A turn by key during the drag comes first; the drag's turn then waits in the queue.
    const continuesDrag = animation.draggingLayer && !animation.busy;
    animation.releaseLayer(continuesDrag ? made : null);
    if (!made) return;
    if (!continuesDrag) animation.turn(made, QUARTER_TURN_SECONDS.visitor);
    this.#count(made);
  }

  releaseCube(): void {
    this.animation.finish();
    this.#state = rotateWhole(this.#state, this.animation.releaseCube());
  }

  #count(move: Move): void {
    this.#state = turn(this.#state, move);
    this.turns += turnsOf(move, this.metric);
    this.names.push(nameOf(move));
    this.turned();
  }
}
