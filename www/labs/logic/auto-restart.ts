// Restarts the two cell grids of the stage (the lab's interactive picture) when their outcome has been visible for a
// while. So a visitor sees again and again what the circuit has learned by now, and can switch this off.

import { reducedMotion } from "../../core/theme";
import type { LogicStage } from "../../generated/protocol";

/** How long the outcome is shown, and the shortest time to a restart after the visitor has changed the grids. */
const OUTCOME_SECONDS = 2.5;
const REPAIR_SECONDS = 9;
/** The game of life restarts after MAX_LIFE_STEPS, or after MAX_REPEATED_STEPS in which it stood still or blinked. */
const MAX_LIFE_STEPS = 400;
const MAX_REPEATED_STEPS = 12;

export class AutoRestart {
  enabled = !reducedMotion();
  /** Seconds until a restart is allowed. */
  #waitSeconds = 0;
  /** The last two states of the hard grid, the latest first. */
  #recentStates: Uint8Array[] = [];
  #step = 0;
  /** Number of successive steps whose state equals one of the last two. */
  #repeats = 0;

  constructor(readonly restart: () => void) {}

  /** The visitor has changed the grids, so there must be time to watch. */
  visitorActed(): void {
    this.#waitSeconds = REPAIR_SECONDS;
  }

  draw(stage: LogicStage, seconds: number): void {
    const { step, steps, playing, target, multiple } = stage;
    this.#countRepeats(stage);
    if (!this.enabled || !playing) return;
    // `steps` is when training compares the grid with the target. A pattern needs more steps to spread over a grid that
    // is `multiple` times as wide. The game of life has no target.
    const finished =
      target.length > 0 ? step >= steps * multiple : step >= MAX_LIFE_STEPS || this.#repeats >= MAX_REPEATED_STEPS;
    // The wait for the outcome begins when the grids have finished; a longer wait that the visitor has caused goes on.
    this.#waitSeconds = finished ? this.#waitSeconds - seconds : Math.max(this.#waitSeconds - seconds, OUTCOME_SECONDS);
    if (!finished || this.#waitSeconds > 0) return;
    this.#waitSeconds = OUTCOME_SECONDS;
    this.restart();
  }

  /** Counts steps without a new state, so that still and blinking patterns count as finished. */
  #countRepeats({ step, hard }: LogicStage): void {
    if (step === this.#step) return;
    this.#repeats = this.#recentStates.some((state) => equal(state, hard)) ? this.#repeats + 1 : 0;
    this.#recentStates = [hard.slice(), ...this.#recentStates.slice(0, 1)];
    this.#step = step;
  }
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
