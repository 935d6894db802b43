// Keeps the cube on the screen and the lab's cube in the worker in step. A visitor's turns are shown at once and sent
// to the lab; the agent's turns come from there. The lab always holds the cube by the same cubelet (one of the eight
// small cubes), so it knows turns of three faces only. On the screen the cube may have any of 24 orientations, and
// turns are named after the faces as they are seen.

import { CubeAnimation, QUARTER_TURN_SECONDS } from "./cube-animation";
import { markedAsScramble } from "./scramble-commands";
import type { TurnableCube } from "./cube-input";
import type { CubeAttempt, CubeCommand, CubeMetric, CubeStage } from "../../generated/protocol";
import {
  inLabOrientation,
  rotationOf,
  rotateWhole,
  moveOf,
  nameOf,
  moveAfterRotation,
  SOLVED,
  turn,
  STICKER_UPS,
} from "./space";
import type { CubeState, Move } from "./space";
import { transposed, type Matrix } from "./vectors";

/**
 * The lab's views lag behind the visitor's turns and are ignored until they have caught up, but for no longer than
 * this.
 */
const MAX_SECONDS_BEHIND = 2;

export class CubeMirror implements TurnableCube {
  readonly size = 2;
  readonly animation = new CubeAnimation();
  metric: CubeMetric = "quarter";
  attempt: CubeAttempt = "idle";
  /** The turns since the last scramble or the start of an attempt, by their names on the screen. */
  turnsMade: string[] = [];
  /** Whether the visitor made the last turn. */
  lastTurnByVisitor = false;
  /** The state on the screen after all queued turns. */
  #state: CubeState = { stickers: SOLVED, ups: STICKER_UPS };
  /** The same state in the lab's orientation, and the rotation that leads there. */
  #lab = { stickers: SOLVED, rotation: inLabOrientation(SOLVED).rotation };
  /**
   * The value that the lab's counter of turns will have after all turns that were sent to it; null until the first
   * view.
   */
  #turnCount: number | null = null;
  #secondsBehind = 0;

  constructor(readonly send: (command: CubeCommand) => void) {}

  /** Shows the next view without animation, for a new run. */
  reset(): void {
    this.#turnCount = null;
    this.turnsMade = [];
    this.lastTurnByVisitor = false;
  }

  get state(): CubeState {
    return this.#state;
  }

  /** The rotation from the cube's orientation on the screen to the one in the lab. */
  get rotationToLab(): Matrix {
    return this.#lab.rotation;
  }

  /** Shows the turns that are new in the lab. If they do not lead to the lab's state, shows that state instead. */
  follow(stage: CubeStage, seconds: number): void {
    // `stage.count` counts all turns of the lab's cube, and `stage.made` lists the latest of them.
    const expected = this.#turnCount;
    if (expected !== null && stage.count < expected) {
      this.#secondsBehind += seconds;
      if (this.#secondsBehind < MAX_SECONDS_BEHIND) return;
    }
    this.#secondsBehind = 0;
    this.#turnCount = stage.count;
    this.attempt = stage.attempt;
    const newTurns = expected === null ? 0 : stage.count - expected;
    if (newTurns > 0 && newTurns <= stage.made.length) {
      for (const name of stage.made.slice(-newTurns)) {
        const move = moveAfterRotation(moveOf(name), transposed(this.#lab.rotation));
        this.turnsMade.push(nameOf(move));
        this.lastTurnByVisitor = false;
        this.#enqueue(move, QUARTER_TURN_SECONDS.agent);
      }
    }
    if (this.#lab.stickers === stage.stickers && expected !== null) return;
    this.turnsMade = [];
    this.lastTurnByVisitor = false;
    this.#setState({ stickers: stage.stickers, ups: STICKER_UPS });
    this.animation.show(this.#state);
  }

  /** Makes a move of the visitor: turns a layer or rotates the whole cube. */
  turn(move: Move, seconds = QUARTER_TURN_SECONDS.visitor): void {
    if (move.end === 0) this.rotate(rotationOf(move));
    else if (this.#sendTurn(move)) this.#enqueue(move, seconds);
  }

  /** Ends the drag of a layer: it completes `move`, or turns back if there is none. */
  releaseLayer(move: Move | null): void {
    // Turns of the agent that arrived during the drag are shown first; the visitor's turn then waits in the queue.
    const continuesDrag = this.animation.draggingLayer && !this.animation.busy;
    const isSent = move !== null && this.#sendTurn(move);
    this.animation.releaseLayer(isSent && continuesDrag ? move : null);
    if (!isSent) return;
    if (continuesDrag) this.#setState(turn(this.#state, move));
    else this.#enqueue(move, QUARTER_TURN_SECONDS.visitor);
  }

  /** The turns of a move in the lab's orientation. */
  #namesInLab(move: Move): string[] {
    const labMove = moveAfterRotation(move, this.#lab.rotation);
    // In the quarter-turn metric a half turn is two turns.
    const turns = Math.abs(labMove.quarters) === 2 && this.metric === "quarter" ? [1, 1] : [labMove.quarters];
    return turns.map((quarters) => nameOf({ ...labMove, quarters }));
  }

  /** Sends a turn to the lab. Returns false before the first view, when there is no cube to turn. */
  #sendTurn(move: Move): boolean {
    if (this.#turnCount === null) return false;
    const turns = this.#namesInLab(move);
    this.#turnCount += turns.length;
    this.send({ type: "turn", turns: turns.join(" ") });
    if (this.attempt !== "idle") this.turnsMade = [];
    this.attempt = "idle";
    this.lastTurnByVisitor = true;
    this.turnsMade.push(nameOf(move));
    return true;
  }

  /** Rotates the whole cube. */
  rotate(rotation: Matrix): void {
    this.animation.rotate(rotation);
    this.#setState(rotateWhole(this.#state, rotation));
  }

  /** Ends the drag of the whole cube. */
  releaseCube(): void {
    this.animation.finish();
    this.#setState(rotateWhole(this.#state, this.animation.releaseCube()));
  }

  /** Starts with a solved cube and makes these turns. */
  scramble(moves: Move[]): void {
    if (this.#turnCount === null) return;
    this.animation.finish();
    if (this.#lab.stickers !== SOLVED) {
      this.send({ type: "place", stickers: SOLVED });
      this.#setState(rotateWhole({ stickers: SOLVED, ups: STICKER_UPS }, transposed(this.#lab.rotation)));
      this.animation.show(this.#state);
    }
    const turns = moves.flatMap((move) => {
      const names = this.#namesInLab(move);
      this.#enqueue(move, QUARTER_TURN_SECONDS.scramble);
      return names;
    });
    this.#turnCount += turns.length;
    this.send(markedAsScramble({ type: "turn", turns: turns.join(" ") }));
    this.attempt = "idle";
    this.turnsMade = [];
    this.lastTurnByVisitor = false;
  }

  /** Asks the lab for a random state at this distance from solved. */
  stateAtDistance(turns: number): void {
    this.send({ type: "away", turns });
  }

  /** Lets the agent solve the cube. */
  solve(): void {
    this.turnsMade = [];
    this.lastTurnByVisitor = false;
    this.send({ type: "solve" });
  }

  /** Ends the agent's attempt. */
  stop(): void {
    this.send({ type: "stop" });
  }

  /** Shows a turn after the ones that are queued. */
  #enqueue(move: Move, seconds: number): void {
    this.#setState(turn(this.#state, move));
    this.animation.turn(move, seconds);
  }

  #setState(state: CubeState): void {
    this.#state = state;
    this.#lab = inLabOrientation(state.stickers);
  }
}
