// The moment of the game that is told beside the board. A new state of the game (stage) arrives when a play is made, and
// the board then shows that play move by move. Until it has, what is told is still the state in which it was made.

import { parseRecord, type RecordedTurn } from "./game-record";
import type { BackgammonStage } from "../../generated/protocol";

/** A state of the game, and all its turns until then. */
export interface Moment {
  stage: BackgammonStage;
  record: RecordedTurn[];
}

export class ToldMoment {
  #latest: Moment | null = null;
  /** The state before the latest one. */
  #previous: Moment | null = null;
  /** The state that is told while the board shows the play after it, which ends then (`performance.now()`). */
  #held: Moment | null = null;
  #heldUntilMs = 0;

  /** The latest state has arrived, perhaps not for the first time. */
  arrived(stage: BackgammonStage): void {
    const before = (this.#previous = this.#latest);
    // The record is a long text, which rarely changes.
    const isSame = before?.stage.record === stage.record && before.stage.first === stage.first;
    this.#latest = { stage, record: isSame ? before.record : parseRecord(stage.record, stage.first) };
  }

  /** All turns until the latest state. */
  get record(): RecordedTurn[] {
    return this.#latest?.record ?? [];
  }

  /** The latest state has just arrived, and for so long the board shows the play that led to it. */
  playing(milliseconds: number): void {
    this.#held = milliseconds > 0 ? this.#previous : null;
    this.#heldUntilMs = performance.now() + milliseconds;
  }

  /** From now on the latest state is told, because the visitor acts in it or reviews another one. */
  skip(): void {
    this.#held = null;
  }

  /** The moment to tell; null before the first state. */
  get told(): Moment | null {
    if (performance.now() >= this.#heldUntilMs) this.#held = null;
    return this.#held ?? this.#latest;
  }
}
