// The visitor's cube in a race: turned by hand, and its turns are counted. It needs no lab.

import type { CubeMetric } from "../../../generated/protocol";
import { CubeAnimation, QUARTER_TURN_SECONDS } from "../cube-animation";
import type { TurnableCube } from "../cube-input";
import {
  geometryOf,
  nameOf,
  rotateWhole,
  rotationOf,
  solvedState,
  turn,
  type CubeState,
  type Move,
  type Size,
} from "../space";
import type { Matrix } from "../vectors";
import { isSecondQuarter, isSolved, turnsOf } from "./rules";

export class RaceCube implements TurnableCube {
  readonly animation = new CubeAnimation();
  metric: CubeMetric = "quarter";
  /** Whether layers can be turned. The whole cube can always be rotated. */
  canTurn = false;
  /** The number of turns since the cube was placed, by what counts as one in the run, and their names. */
  turns = 0;
  names: string[] = [];
  /** The last turn, if it may be the first quarter of a half turn. */
  #last: Move | null = null;
  #state: CubeState;

  /** `turned` is called after each turn of a layer. */
  constructor(
    readonly size: Size,
    readonly turned: () => void,
  ) {
    this.#state = solvedState(size);
  }

  get isSolved(): boolean {
    return isSolved(this.#state.stickers);
  }

  place(stickers: string): void {
    this.#state = { stickers, ups: geometryOf(this.size).ups };
    this.turns = 0;
    this.names = [];
    this.#last = null;
    this.animation.show(this.#state);
  }

  turn(move: Move): void {
    if (move.end === 0) {
      // The whole cube is rotated.
      const rotation = rotationOf(move);
      this.animation.rotate(rotation);
      this.#rotated(rotation);
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
    this.#rotated(this.animation.releaseCube());
  }

  /** The centres of the 3×3×3 name its faces, so there a rotation changes only how the cube is held. */
  #rotated(rotation: Matrix): void {
    if (this.size === 3) return;
    this.#state = rotateWhole(this.#state, rotation);
    this.#last = null; // the letter of the next turn may mean another face
  }

  #count(move: Move): void {
    this.#state = turn(this.#state, move);
    const isCounted = this.metric === "half" && isSecondQuarter(this.#last, move);
    if (!isCounted) this.turns += turnsOf(move, this.metric);
    this.#last = isCounted ? null : move;
    this.names.push(nameOf(move));
    this.turned();
  }
}
