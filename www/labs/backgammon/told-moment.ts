// Which state of the game the texts beside the board describe. When a play is made, a new state (stage) arrives at once,
// but the board still shows the play move by move. Until it has ended, the texts describe the state before the play.

import { parseRecord, type RecordedTurn } from "./game-record";
import type { BackgammonStage } from "../../generated/protocol";

/** A state of the game, and all its turns until then. */
export interface Moment {
  stage: BackgammonStage;
  record: RecordedTurn[];
}

export class ToldMoment {
  #latest: Moment | null = null;
  /** What had arrived before the latest one: another state, or the same one. */
  #previous: Moment | null = null;
  /** The state before the play that the board shows; null if it shows none. */
  #held: Moment | null = null;
  /** When that play ends, on the clock of `performance.now()`. */
  #heldUntilMs = 0;

  /** A state has arrived. It is called for each drawn view, so the same state comes often. */
  arrived(stage: BackgammonStage): void {
    const before = (this.#previous = this.#latest);
    // The record is a long text, so it is parsed only when it has changed.
    const isSame = before?.stage.record === stage.record && before.stage.first === stage.first;
    this.#latest = { stage, record: isSame ? before.record : parseRecord(stage.record, stage.first) };
  }

  /** All turns until the latest state. */
  get record(): RecordedTurn[] {
    return this.#latest?.record ?? [];
  }

  /** The board now shows, for so long, the play that led to the state that has just arrived; 0 if it shows none. */
  playing(milliseconds: number): void {
    this.#held = milliseconds > 0 ? this.#previous : null;
    this.#heldUntilMs = performance.now() + milliseconds;
  }

  /** From now on the latest state is described, because the visitor acts in it or reviews another one. */
  skip(): void {
    this.#held = null;
  }

  /** The state to describe, which ends the hold when its time is over; null before the first state. */
  get told(): Moment | null {
    if (performance.now() >= this.#heldUntilMs) this.#held = null;
    return this.#held ?? this.#latest;
  }
}
