// The visitor's side of a race: the world's text from the agent's start, stepped in the worker of the editor for
// worlds.

import { Rules } from "../own-world/rules";
import type { WorldAnswer } from "../own-world/messages";
import type { WorldKind } from "../worlds/world-kind";
import { actionFor, stateIn, textFrom, type Direction, type Result } from "./rules";

export class RaceVisitor {
  state: number[] = [];
  result: Result = { steps: 0, score: 0, terminated: false };
  isOver = false;
  #direction: Direction = 0;
  #rules = new Rules();
  #action = 0;
  #isBusy = false;

  constructor(readonly kind: WorldKind) {}

  /** Begins an episode in this state. */
  async begin(start: readonly number[]): Promise<void> {
    this.state = [...start];
    this.#action = actionFor(this.kind, this.#direction, 0);
    const answer = await this.#rules.ask({ type: "text", text: textFrom(this.kind.world, start), seed: 0 });
    if (!answer.checked?.world) throw new Error(answer.checked?.problems[0]?.message ?? "the world cannot be read");
    this.#take(answer);
  }

  /** Presses to a side, or nothing (0). It counts at once, so a press in the countdown is the first push. */
  press(direction: Direction): void {
    this.#direction = direction;
    this.#action = actionFor(this.kind, direction, this.#action);
  }

  /** Steps up to this many steps since the start, with what is pressed now. */
  async stepTo(steps: number): Promise<void> {
    const due = steps - this.result.steps;
    if (due <= 0 || this.isOver || this.#isBusy) return;
    this.#isBusy = true;
    try {
      this.#take(await this.#rules.ask({ type: "advance", steps: due, action: [this.#action] }));
    } finally {
      this.#isBusy = false;
    }
  }

  /** The visitor's push, in units of the agent's strongest: for the picture. */
  get push(): number {
    if (this.kind.world === "cartpole") return 2 * this.#action - 1;
    return this.#direction * this.kind.controls.rightSign;
  }

  destroy(): void {
    this.#rules.destroy();
  }

  #take({ moment: { episode, picture } }: WorldAnswer): void {
    if (!episode) return;
    this.state = stateIn(picture, this.state.length);
    const terminated = episode.state === "failed" || episode.state === "succeeded";
    this.result = { steps: episode.steps, score: episode.score, terminated };
    this.isOver = episode.state !== "running";
  }
}
