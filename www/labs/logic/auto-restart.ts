// Restarts the two cell grids of the stage (the lab's interactive picture) when their outcome has been visible for a
// while. So a visitor sees again and again what the circuit has learned by now, and can switch this off. A game of life
// in which all cells have died is always restarted, because nothing would ever happen there again.

import { reducedMotion } from "../../core/theme";
import type { LogicStage } from "../../generated/protocol";

/** How long the outcome is shown, and the shortest time to a restart after the visitor has changed the grids. */
const OUTCOME_SECONDS = 2.5;
const REPAIR_SECONDS = 9;
/** The game of life restarts after MAX_LIFE_STEPS, or after MAX_REPEATED_STEPS in which it stood still or blinked. */
const MAX_LIFE_STEPS = 400;
const MAX_REPEATED_STEPS = 12;
/** How long a world without a live cell is shown, and how long it is said that it was filled again. */
const DEAD_SECONDS = 1.5;
const RESEEDED_SECONDS = 4;

export class AutoRestart {
  enabled = !reducedMotion();
  /** Seconds until a restart is allowed. */
  #waitSeconds = 0;
  /** The last two states of the hard grid, the latest first. */
  #recentStates: Uint8Array[] = [];
  #step = 0;
  /** Number of successive steps whose state equals one of the last two. */
  #repeats = 0;
  /** Seconds left after the visitor's last change in which a dead world stays as it is. */
  #visitorSeconds = 0;
  /** Seconds for which all cells have been dead. */
  #deadSeconds = 0;
  /** Seconds left in which to say that new cells have taken the place of dead ones. */
  #reseededSeconds = 0;

  constructor(readonly restart: () => void) {}

  /** The visitor has changed the grids, so there must be time to watch. */
  visitorActed(): void {
    this.#waitSeconds = REPAIR_SECONDS;
    this.#visitorSeconds = REPAIR_SECONDS;
  }

  /** What has happened to a game of life in which all cells have died; empty otherwise. */
  get event(): string {
    if (this.#reseededSeconds > 0) return "All cells were dead: these are new random cells.";
    return this.#deadSeconds > 0 ? "All cells are dead: new random cells follow." : "";
  }

  draw(stage: LogicStage, seconds: number): void {
    const { step, steps, playing, target, multiple } = stage;
    this.#countRepeats(stage);
    this.#reseedDead(stage, seconds);
    if (!this.enabled || !playing) return;
    // `steps` is when training compares the grid with the target. A pattern needs more steps to spread over a grid that
    // is `multiple` times as wide. The game of life has no target.
    const hasFinished =
      target.length > 0 ? step >= steps * multiple : step >= MAX_LIFE_STEPS || this.#repeats >= MAX_REPEATED_STEPS;
    // The wait for the outcome begins when the grids have finished; a longer wait that the visitor has caused goes on.
    const leftSeconds = this.#waitSeconds - seconds;
    this.#waitSeconds = hasFinished ? leftSeconds : Math.max(leftSeconds, OUTCOME_SECONDS);
    if (!hasFinished || this.#waitSeconds > 0) return;
    this.#waitSeconds = OUTCOME_SECONDS;
    this.restart();
  }

  /** Restarts a game of life in which all cells of the hard grid have died, unless the visitor has just changed it. */
  #reseedDead(stage: LogicStage, seconds: number): void {
    this.#reseededSeconds -= seconds;
    this.#visitorSeconds -= seconds;
    const waits = isDead(stage) && stage.playing && this.#visitorSeconds <= 0;
    this.#deadSeconds = waits ? this.#deadSeconds + seconds : 0;
    if (this.#deadSeconds < DEAD_SECONDS) return;
    this.#deadSeconds = 0;
    this.#reseededSeconds = RESEEDED_SECONDS;
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

/** Whether this is a game of life whose hard grid has no live cell. */
export function isDead({ target, hard }: Pick<LogicStage, "target" | "hard">): boolean {
  return target.length === 0 && hard.length > 0 && hard.every((value) => value === 0);
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
