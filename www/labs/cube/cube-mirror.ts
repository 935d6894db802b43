// Mirrors the lab's cube on the screen. The visitor's turns are shown at once and sent to the lab; the learner's turns
// come from there. The lab always holds the cube by the same corner and knows turns of three faces. On the screen the
// cube may be held in any of 24 orientations, and turns are named after the visible faces and their opposites.

import { CubeAnimation, PACE } from "./cube-animation";
import type { CubeAttempt, CubeCommand, CubeMetric, CubeStage } from "../../generated/protocol";
import { inLabFrame, rotationOf, rotateWhole, moveOf, nameOf, moveInFrame, SOLVED, turn, UPS } from "./space";
import type { CubeState, Move } from "./space";
import { transposed, type Matrix } from "./vectors";

/** Seconds after which the lab's state counts even if it lags behind the visitor's turns. */
const PATIENCE = 2;

export class CubeMirror {
  readonly animation = new CubeAnimation();
  metric: CubeMetric = "quarter";
  attempt: CubeAttempt = "idle";
  /** The turns of the present attempt by their names on the screen, and whether the last one was the visitor's. */
  turnsMade: string[] = [];
  byHand = false;
  /** The state after all queued turns. */
  #state: CubeState = { stickers: SOLVED, ups: UPS };
  #lab = { stickers: SOLVED, rotation: inLabFrame(SOLVED).rotation };
  /** The lab's turn counter after all turns sent to it; null until the first view. */
  #count: number | null = null;
  #secondsBehind = 0;

  constructor(readonly send: (command: CubeCommand) => void) {}

  /** A new run: the next view is shown as it is. */
  reset(): void {
    this.#count = null;
    this.turnsMade = [];
    this.byHand = false;
  }

  get state(): CubeState {
    return this.#state;
  }

  /** The rotation from the screen's orientation to the lab's. */
  get rotationToLab(): Matrix {
    return this.#lab.rotation;
  }

  /** Takes over the state of the lab. */
  follow(stage: CubeStage, seconds: number): void {
    const before = this.#count;
    if (before !== null && stage.count < before && (this.#secondsBehind += seconds) < PATIENCE) return;
    this.#secondsBehind = 0;
    this.#count = stage.count;
    this.attempt = stage.attempt;
    const fresh = before === null ? 0 : stage.count - before;
    if (fresh > 0 && fresh <= stage.made.length) {
      for (const name of stage.made.slice(-fresh)) {
        const move = moveInFrame(moveOf(name), transposed(this.#lab.rotation));
        this.turnsMade.push(nameOf(move));
        this.byHand = false;
        this.#enqueue(move, PACE.learner);
      }
    }
    if (this.#lab.stickers === stage.stickers && before !== null) return;
    this.turnsMade = [];
    this.byHand = false;
    this.#setState({ stickers: stage.stickers, ups: UPS });
    this.animation.show(this.#state);
  }

  /** The visitor turns a layer or rotates the whole cube. */
  turn(move: Move, seconds = PACE.hand): void {
    if (move.end === 0) this.rotate(rotationOf(move));
    else if (this.#sendTurn(move)) this.#enqueue(move, seconds);
  }

  /** The visitor lets go of a layer, which turns to the end of `move`, or back if there is none. */
  drop(move: Move | null): void {
    // Turns of the learner that arrived during the drag come first.
    const first = this.animation.holding && !this.animation.busy;
    const sent = move !== null && this.#sendTurn(move);
    this.animation.release(sent && first ? move : null);
    if (!sent) return;
    if (first) this.#setState(turn(this.#state, move));
    else this.#enqueue(move, PACE.hand);
  }

  /** Sends a turn to the lab. False before the first view. */
  #sendTurn(move: Move): boolean {
    if (this.#count === null) return false;
    const own = moveInFrame(move, this.#lab.rotation);
    // In the quarter-turn metric a half turn is two turns.
    const turns = Math.abs(own.quarters) === 2 && this.metric === "quarter" ? [1, 1] : [own.quarters];
    this.#count += turns.length;
    this.send({ type: "turn", turns: turns.map((quarters) => nameOf({ ...own, quarters })).join(" ") });
    if (this.attempt !== "idle") this.turnsMade = [];
    this.attempt = "idle";
    this.byHand = true;
    this.turnsMade.push(nameOf(move));
    return true;
  }

  /** Rotates the whole cube. */
  rotate(rotation: Matrix): void {
    this.animation.rotate(rotation);
    this.#setState(rotateWhole(this.#state, rotation));
  }

  /** The visitor lets go of the whole cube. */
  rest(): void {
    this.animation.finish();
    this.#setState(rotateWhole(this.#state, this.animation.rest()));
  }

  /** Starts with a solved cube and makes these turns. */
  scramble(moves: Move[]): void {
    if (this.#count === null) return;
    this.animation.finish();
    if (this.#lab.stickers !== SOLVED) {
      this.send({ type: "place", stickers: SOLVED });
      this.#setState(rotateWhole({ stickers: SOLVED, ups: UPS }, transposed(this.#lab.rotation)));
      this.animation.show(this.#state);
    }
    for (const move of moves) this.turn(move, PACE.scramble);
    this.turnsMade = [];
    this.byHand = false;
  }

  /** Asks for a random state at this distance from solved. */
  stateAtDistance(turns: number): void {
    this.send({ type: "away", turns });
  }

  solve(): void {
    this.turnsMade = [];
    this.byHand = false;
    this.send({ type: "solve" });
  }

  stop(): void {
    this.send({ type: "stop" });
  }

  #enqueue(move: Move, seconds: number): void {
    this.#setState(turn(this.#state, move));
    this.animation.turn(move, seconds);
  }

  #setState(state: CubeState): void {
    this.#state = state;
    this.#lab = inLabFrame(state.stickers);
  }
}
