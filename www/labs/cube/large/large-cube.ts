// Keeps the 3×3×3 on the screen and the lab's one in the worker in step. A visitor's turns are shown at once and sent
// to the lab. The centres name the faces, so turns have the same names on the screen and in the lab, however the cube
// is held.

import { CubeAnimation, QUARTER_TURN_SECONDS } from "../cube-animation";
import { markedAsScramble } from "../scramble-commands";
import type { TurnableCube } from "../cube-input";
import { geometryOf, moveOf, nameOf, rotationOf, solvedState, turn } from "../space";
import type { CubeState, Move } from "../space";
import type { CubeCommand, CubeLargeStage, CubeMetric } from "../../../generated/protocol";

/**
 * The lab's views lag behind the visitor's turns and are ignored until they have caught up, but for no longer than
 * this.
 */
const MAX_SECONDS_BEHIND = 2;

export class LargeCube implements TurnableCube {
  readonly size = 3;
  readonly animation = new CubeAnimation();
  metric: CubeMetric = "quarter";
  /** The state on the screen after all queued turns. */
  #state: CubeState = solvedState(3);
  /**
   * The value that the lab's counter of turns will have after all turns that were sent to it; null until the first
   * view.
   */
  #turnCount: number | null = null;
  #secondsBehind = 0;

  constructor(
    readonly send: (command: CubeCommand) => void,
    /** Called with the name of each turn that is sent to the lab. */
    readonly turned: (name: string) => void,
  ) {}

  /** Shows the next view without animation, for a new run. */
  reset(): void {
    this.#turnCount = null;
  }

  /** The stickers after all queued turns. */
  get stickers(): string {
    return this.#state.stickers;
  }

  /** Whether the cube is solved after all queued turns, or is not shown yet. */
  get isSolved(): boolean {
    return this.#state.stickers === solvedState(3).stickers;
  }

  /**
   * Shows the turns that are new in the lab. If they do not lead to the lab's state, shows that state instead. Returns
   * false while the lab has not received all turns.
   */
  follow({ count, made, stickers }: CubeLargeStage, seconds: number): boolean {
    // `count` counts all turns of the lab's cube, and `made` lists the latest of them.
    const expected = this.#turnCount;
    if (expected !== null && count < expected) {
      this.#secondsBehind += seconds;
      if (this.#secondsBehind < MAX_SECONDS_BEHIND) return false;
    }
    this.#secondsBehind = 0;
    this.#turnCount = count;
    const newTurns = expected === null ? 0 : count - expected;
    if (newTurns > 0 && newTurns <= made.length) {
      for (const name of made.slice(-newTurns)) this.#enqueue(moveOf(name), QUARTER_TURN_SECONDS.agent);
    }
    if (this.#state.stickers === stickers && expected !== null) return true;
    this.#place(stickers);
    return true;
  }

  /** Turns a layer, or rotates the view. */
  turn(move: Move, seconds = QUARTER_TURN_SECONDS.visitor): void {
    if (move.end === 0) this.animation.rotate(rotationOf(move));
    else if (this.#sendTurn(move)) this.#enqueue(move, seconds);
  }

  /** Ends the drag of a layer: it completes `move`, or turns back if there is none. */
  releaseLayer(move: Move | null): void {
    // Turns of the lab that arrived during the drag are shown first; the visitor's turn then waits in the queue.
    const continuesDrag = this.animation.draggingLayer && !this.animation.busy;
    const isSent = move !== null && this.#sendTurn(move);
    this.animation.releaseLayer(isSent && continuesDrag ? move : null);
    if (!isSent) return;
    if (continuesDrag) this.#state = turn(this.#state, move);
    else this.#enqueue(move, QUARTER_TURN_SECONDS.visitor);
  }

  /** Ends the drag of the whole cube. */
  releaseCube(): void {
    this.animation.finish();
    this.animation.releaseCube();
  }

  /** Starts with a solved cube and makes these turns. */
  scramble(moves: Move[]): void {
    if (this.#turnCount === null) return;
    this.animation.finish();
    const { stickers } = solvedState(3);
    this.send({ type: "place", stickers });
    this.#place(stickers);
    this.#send(
      moves.flatMap((move) => this.#namesOf(move)),
      markedAsScramble,
    );
    for (const move of moves) this.#enqueue(move, QUARTER_TURN_SECONDS.scramble);
  }

  /** Sends a turn to the lab. Returns false before the first view, when there is no cube to turn. */
  #sendTurn(move: Move): boolean {
    if (this.#turnCount === null) return false;
    this.#send(this.#namesOf(move));
    return true;
  }

  #send(names: string[], mark = (command: CubeCommand) => command): void {
    this.#turnCount = (this.#turnCount ?? 0) + names.length;
    this.send(mark({ type: "turn", turns: names.join(" ") }));
    names.forEach(this.turned);
  }

  /** The turns of a move. In the quarter-turn metric a half turn is two turns. */
  #namesOf(move: Move): string[] {
    const isTwoTurns = Math.abs(move.quarters) === 2 && this.metric === "quarter";
    const turns = isTwoTurns ? [move.quarters / 2, move.quarters / 2] : [move.quarters];
    return turns.map((quarters) => nameOf({ ...move, quarters }));
  }

  /** Shows a turn after the ones that are queued. */
  #enqueue(move: Move, seconds: number): void {
    this.#state = turn(this.#state, move);
    this.animation.turn(move, seconds);
  }

  /** Shows other stickers without animation. */
  #place(stickers: string): void {
    this.#state = { stickers, ups: geometryOf(3).ups };
    this.animation.show(this.#state);
  }
}
