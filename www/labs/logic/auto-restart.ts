// Restarts the grids when their outcome has been visible for a while, so that the learner's progress shows. Visitors
// can switch it off.

import { reducedMotion } from "../../core/theme";
import type { LogicStage } from "../../generated/protocol";

/** Seconds for an outcome, and for a wound to heal. */
const LOOK_SECONDS = 2.5;
const HEAL_SECONDS = 9;
/** Life restarts after so many steps, or after so many steps in which no new state appeared. */
const LIFE_STEPS = 400;
const STILL_STEPS = 12;

export class AutoRestart {
  on = !reducedMotion();
  #rest = 0;
  /** The last two states, and the number of steps in which one of them was repeated. */
  #states: Uint8Array[] = [];
  #step = 0;
  #repeats = 0;

  constructor(readonly restart: () => void) {}

  /** The visitor did something: leave time to watch. */
  touched(): void {
    this.#rest = HEAL_SECONDS;
  }

  draw(stage: LogicStage, seconds: number): void {
    const { step, steps, playing, target, multiple } = stage;
    this.#countRepeats(stage);
    if (!this.on || !playing) return;
    // On a larger grid, order has farther to spread.
    const enough = target.length > 0 ? step >= steps * multiple : step >= LIFE_STEPS || this.#repeats >= STILL_STEPS;
    this.#rest = enough ? this.#rest - seconds : Math.max(this.#rest - seconds, LOOK_SECONDS);
    if (!enough || this.#rest > 0) return;
    this.#rest = LOOK_SECONDS;
    this.restart();
  }

  /** Counts steps without a new state, so that still and blinking patterns count as finished. */
  #countRepeats({ step, hard }: LogicStage): void {
    if (step === this.#step) return;
    this.#repeats = this.#states.some((state) => equal(state, hard)) ? this.#repeats + 1 : 0;
    this.#states = [hard.slice(), ...this.#states.slice(0, 1)];
    this.#step = step;
  }
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
