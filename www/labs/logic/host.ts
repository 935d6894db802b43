// Until a visitor wants otherwise, the stage begins anew once one has seen what came of it, so that one sees the learner
// get better.

import { calm } from "../../core/theme";
import type { LogicStage } from "./types";

/** Seconds to look at an outcome, and to watch a wound heal. */
const LOOK_SECONDS = 2.5;
const HEAL_SECONDS = 9;
/** Steps of the game of life that are worth watching. */
const LIFE_STEPS = 160;

export class Host {
  on = !calm();
  #rest = 0;

  constructor(readonly again: () => void) {}

  /** Somebody did something: there is time to see what comes of it. */
  touched(): void {
    this.#rest = HEAL_SECONDS;
  }

  draw({ step, steps, playing, target, multiple }: LogicStage, seconds: number): void {
    // On a larger grid, order has further to go.
    const enough = target.length > 0 ? steps * multiple : LIFE_STEPS;
    if (!this.on || !playing) return;
    if (step < enough) {
      this.#rest = Math.max(this.#rest - seconds, LOOK_SECONDS);
      return;
    }
    this.#rest -= seconds;
    if (this.#rest > 0) return;
    this.#rest = LOOK_SECONDS;
    this.again();
  }
}
