// What the visitor decides at one moment of a game: a double, an answer, the next game. The lab answers late, so a
// second press at the same moment is not sent, and a refusal is shown only if the game has not gone on meanwhile.

import type { BackgammonStage } from "../../generated/protocol";

/** A decision is sent again for the same moment of the game after this time at the earliest. */
const REPEAT_MS = 1000;

export class Decisions {
  /** The moment of the decision that was the last command; empty if the last command was another. */
  #moment = "";
  /** When a decision may be sent again for this moment (`performance.now()`). */
  #repeatAtMs = 0;
  /** Why the lab has refused that decision. */
  #refusal = "";

  /** Whether a decision of this moment was sent just now. */
  isRepeated(stage: BackgammonStage): boolean {
    return momentOf(stage) === this.#moment && performance.now() < this.#repeatAtMs;
  }

  /** A decision of this moment was sent. */
  sent(stage: BackgammonStage): void {
    this.#moment = momentOf(stage);
    this.#repeatAtMs = performance.now() + REPEAT_MS;
  }

  /** Another command was sent, or another run opened. */
  forget(): void {
    this.#moment = this.#refusal = "";
  }

  /** Keeps the reason of a refusal until the next view, if the last command was a decision. Returns whether it was. */
  refused(sentence: string): boolean {
    if (this.#moment !== "") this.#refusal = sentence;
    return this.#moment !== "";
  }

  /** Why the decision of this moment was refused; empty if it was not, or if it came too late. Forgets the refusal. */
  takeRefusal(stage: BackgammonStage): string {
    if (this.#refusal === "") return "";
    const refusal = momentOf(stage) === this.#moment ? this.#refusal : "";
    this.forget();
    return refusal;
  }
}

/** Tells the moments of a game apart at which something is decided. */
function momentOf({ game, turn, matchPlay }: BackgammonStage): string {
  return `${game} ${turn} ${matchPlay?.step ?? ""} ${matchPlay?.actor ?? ""}`;
}
