// Until a visitor wants otherwise, the stage begins anew once one has seen what came of it, so that one sees the learner
// get better.

import { reducedMotion } from "../../core/theme";
import type { LogicStage } from "../../generated/protocol";

/** Seconds to look at an outcome, and to watch a wound heal. */
const LOOK_SECONDS = 2.5;
const HEAL_SECONDS = 9;
/** Steps of the game of life that are worth watching, and how many in which nothing new comes are enough. */
const LIFE_STEPS = 400;
const STILL_STEPS = 12;

export class AutoRestart {
  on = !reducedMotion();
  #rest = 0;
  /** The last two states, and for how many steps they have come again. */
  #states: Uint8Array[] = [];
  #step = 0;
  #still = 0;

  constructor(readonly restart: () => void) {}

  /** Somebody did something: there is time to see what comes of it. */
  touched(): void {
    this.#rest = HEAL_SECONDS;
  }

  draw(stage: LogicStage, seconds: number): void {
    const { step, steps, playing, target, multiple } = stage;
    this.#watch(stage);
    if (!this.on || !playing) return;
    // On a larger grid, order has further to go.
    const enough = target.length > 0 ? step >= steps * multiple : step >= LIFE_STEPS || this.#still >= STILL_STEPS;
    this.#rest = enough ? this.#rest - seconds : Math.max(this.#rest - seconds, LOOK_SECONDS);
    if (!enough || this.#rest > 0) return;
    this.#rest = LOOK_SECONDS;
    this.restart();
  }

  /** Notes whether life still changes, but for what goes to and fro. */
  #watch({ step, hard }: LogicStage): void {
    if (step === this.#step) return;
    this.#still = this.#states.some((state) => alike(state, hard)) ? this.#still + 1 : 0;
    this.#states = [hard.slice(), ...this.#states.slice(0, 1)];
    this.#step = step;
  }
}

function alike(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
