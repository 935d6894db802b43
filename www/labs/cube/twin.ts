// The cube on the screen and the one in the lab. A visitor's turns are shown at once and told to the lab; the learner's
// come from there. The lab always holds the cube by the same corner and knows three turns; on the screen it may be held
// in any way, and the turns are those of the faces that one sees: up, right, front, and the opposite ones.

import { Motion, PACE } from "./motion";
import type { CubeAttempt, CubeCommand, CubeMetric, CubeStage } from "../../generated/protocol";
import { asTheLabHolds, gripOf, held, moveOf, nameOf, regripped, SOLVED, turned, UPS } from "./space";
import type { Looks, Move } from "./space";
import { transposed, type Matrix } from "./vectors";

/** Seconds after which the lab is believed even where it lags behind what the visitor did. */
const PATIENCE = 2;

export class Twin {
  readonly motion = new Motion();
  metric: CubeMetric = "quarter";
  attempt: CubeAttempt = "idle";
  /** The turns of the attempt, as they were seen; and whether the visitor made the last one. */
  made: string[] = [];
  byHand = false;
  /** As it looks once all has been turned. */
  #looks: Looks = { stickers: SOLVED, ups: UPS };
  #lab = { stickers: SOLVED, grip: asTheLabHolds(SOLVED).grip };
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

  get looks(): Looks {
    return this.#looks;
  }

  /** How it must be turned to be held as the lab does. */
  get grip(): Matrix {
    return this.#lab.grip;
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
        const move = regripped(moveOf(name), transposed(this.#lab.grip));
        this.made.push(nameOf(move));
        this.byHand = false;
        this.#enqueue(move, PACE.learner);
      }
    }
    if (this.#lab.stickers === stage.stickers && before !== null) return;
    this.made = [];
    this.byHand = false;
    this.#become({ stickers: stage.stickers, ups: UPS });
    this.motion.show(this.#looks);
  }

  /** The visitor turns a layer, or the whole cube. */
  turn(move: Move, seconds = PACE.hand): void {
    if (move.end === 0) this.regrip(gripOf(move));
    else if (this.#tell(move)) this.#enqueue(move, seconds);
  }

  /** The visitor lets go of a layer, which goes on to the end of `move`, or back where there is none. */
  drop(move: Move | null): void {
    // What the learner did meanwhile comes first.
    const first = this.motion.holding && !this.motion.busy;
    const told = move !== null && this.#tell(move);
    this.motion.release(told && first ? move : null);
    if (!told) return;
    if (first) this.#become(turned(this.#looks, move));
    else this.#enqueue(move, PACE.hand);
  }

  /** Tells the lab of a turn; false where it does not listen yet. */
  #tell(move: Move): boolean {
    if (this.#count === null) return false;
    const own = regripped(move, this.#lab.grip);
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
  regrip(grip: Matrix): void {
    this.motion.regrip(grip);
    this.#become(held(this.#looks, grip));
  }

  /** A hand lets go of the whole cube. */
  rest(): void {
    this.motion.finish();
    this.#become(held(this.#looks, this.motion.rest()));
  }

  /** Begins with a solved cube and makes these turns. */
  scramble(moves: Move[]): void {
    if (this.#count === null) return;
    this.motion.finish();
    if (this.#lab.stickers !== SOLVED) {
      this.send({ type: "place", stickers: SOLVED });
      this.#become(held({ stickers: SOLVED, ups: UPS }, transposed(this.#lab.grip)));
      this.motion.show(this.#looks);
    }
    for (const move of moves) this.turn(move, PACE.scramble);
    this.made = [];
    this.byHand = false;
  }

  /** A state drawn from all that are so many turns from solved. */
  away(turns: number): void {
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
    this.#become(turned(this.#looks, move));
    this.motion.turn(move, seconds);
  }

  #become(looks: Looks): void {
    this.#looks = looks;
    this.#lab = asTheLabHolds(looks.stickers);
  }
}
