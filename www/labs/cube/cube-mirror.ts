// The cube on the screen and the one in the lab. A visitor's turns are shown at once and told to the lab; the learner's
// come from there. The lab always holds the cube by the same corner and knows three turns; on the screen it may be held
// in any way, and the turns are those of the faces that one sees: up, right, front, and the opposite ones.

import { CubeAnimation, PACE } from "./cube-animation";
import type { CubeAttempt, CubeCommand, CubeMetric, CubeStage } from "../../generated/protocol";
import { inLabFrame, rotationOf, rotateWhole, moveOf, nameOf, moveInFrame, SOLVED, turn, UPS } from "./space";
import type { CubeState, Move } from "./space";
import { transposed, type Matrix } from "./vectors";

/** Seconds after which the lab is believed even where it lags behind what the visitor did. */
const PATIENCE = 2;

export class CubeMirror {
  readonly animation = new CubeAnimation();
  metric: CubeMetric = "quarter";
  attempt: CubeAttempt = "idle";
  /** The turns of the attempt, as they were seen; and whether the visitor made the last one. */
  made: string[] = [];
  byHand = false;
  /** As it looks once all has been turned. */
  #state: CubeState = { stickers: SOLVED, ups: UPS };
  #lab = { stickers: SOLVED, rotation: inLabFrame(SOLVED).rotation };
  /** Turns the lab will have counted then; none before it was heard of. */
  #count: number | null = null;
  #behind = 0;

  constructor(readonly send: (command: CubeCommand) => void) {}

  /** Another run: whatever the lab shows next is right. */
  reset(): void {
    this.#count = null;
    this.made = [];
    this.byHand = false;
  }

  get state(): CubeState {
    return this.#state;
  }

  /** How it must be turned to be held as the lab does. */
  get rotationToLab(): Matrix {
    return this.#lab.rotation;
  }

  /** Takes over what the lab shows. */
  follow(stage: CubeStage, seconds: number): void {
    const before = this.#count;
    if (before !== null && stage.count < before && (this.#behind += seconds) < PATIENCE) return;
    this.#behind = 0;
    this.#count = stage.count;
    this.attempt = stage.attempt;
    const fresh = before === null ? 0 : stage.count - before;
    if (fresh > 0 && fresh <= stage.made.length) {
      for (const name of stage.made.slice(-fresh)) {
        const move = moveInFrame(moveOf(name), transposed(this.#lab.rotation));
        this.made.push(nameOf(move));
        this.byHand = false;
        this.#enqueue(move, PACE.learner);
      }
    }
    if (this.#lab.stickers === stage.stickers && before !== null) return;
    this.made = [];
    this.byHand = false;
    this.#setState({ stickers: stage.stickers, ups: UPS });
    this.animation.show(this.#state);
  }

  /** The visitor turns a layer, or the whole cube. */
  turn(move: Move, seconds = PACE.hand): void {
    if (move.end === 0) this.rotate(rotationOf(move));
    else if (this.#sendTurn(move)) this.#enqueue(move, seconds);
  }

  /** The visitor lets go of a layer, which goes on to the end of `move`, or back where there is none. */
  drop(move: Move | null): void {
    // What the learner did meanwhile comes first.
    const first = this.animation.holding && !this.animation.busy;
    const told = move !== null && this.#sendTurn(move);
    this.animation.release(told && first ? move : null);
    if (!told) return;
    if (first) this.#setState(turn(this.#state, move));
    else this.#enqueue(move, PACE.hand);
  }

  /** Tells the lab of a turn; false where it does not listen yet. */
  #sendTurn(move: Move): boolean {
    if (this.#count === null) return false;
    const own = moveInFrame(move, this.#lab.rotation);
    // Where only quarter turns count, half a turn is two.
    const turns = Math.abs(own.quarters) === 2 && this.metric === "quarter" ? [1, 1] : [own.quarters];
    this.#count += turns.length;
    this.send({ type: "turn", turns: turns.map((quarters) => nameOf({ ...own, quarters })).join(" ") });
    if (this.attempt !== "idle") this.made = [];
    this.attempt = "idle";
    this.byHand = true;
    this.made.push(nameOf(move));
    return true;
  }

  /** Holds the cube in another way. */
  rotate(rotation: Matrix): void {
    this.animation.rotate(rotation);
    this.#setState(rotateWhole(this.#state, rotation));
  }

  /** A hand lets go of the whole cube. */
  rest(): void {
    this.animation.finish();
    this.#setState(rotateWhole(this.#state, this.animation.rest()));
  }

  /** Begins with a solved cube and makes these turns. */
  scramble(moves: Move[]): void {
    if (this.#count === null) return;
    this.animation.finish();
    if (this.#lab.stickers !== SOLVED) {
      this.send({ type: "place", stickers: SOLVED });
      this.#setState(rotateWhole({ stickers: SOLVED, ups: UPS }, transposed(this.#lab.rotation)));
      this.animation.show(this.#state);
    }
    for (const move of moves) this.turn(move, PACE.scramble);
    this.made = [];
    this.byHand = false;
  }

  /** A state drawn from all that are so many turns from solved. */
  stateAtDistance(turns: number): void {
    this.send({ type: "away", turns });
  }

  solve(): void {
    this.made = [];
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
