// A run that pauses exactly after its last unit (training iteration). A worker that runs trains on until it is told to
// pause, so a run would do some units more. This one is asked for one unit at a time, or at a limited pace for one
// step.

import type { RunEvents } from "../core/run-events";
import { Run } from "../core/run";
import type { BundleChoice } from "../core/bundle";

/** How late steps at a limited pace may be and still be caught up on. */
const MAX_LAG_MS = 250;
/** The shortest time between two events of progress at a limited pace; a worker that runs waits as long. */
const PROGRESS_MS = 50;

export class SteppedRun extends Run {
  /** Counts what was asked for; an answer to something earlier asks for nothing more. */
  #asked = 0;
  /** Whether unit after unit is asked for. */
  #steps = false;
  /** When progress was told last, by `performance.now()`. */
  #toldAt = -Infinity;

  constructor(
    bundle: BundleChoice,
    readonly lastUnit: number,
  ) {
    super(bundle);
  }

  override play(): void {
    if (this.progress.units >= this.lastUnit) return super.pause(); // the answer says that it does not run
    this.#steps = true;
    // It rejects if another run was opened, or if the worker has ended.
    this.#train(++this.#asked).catch(() => {});
  }

  override pause(): void {
    this.#steps = false;
    this.#asked++;
    super.pause();
  }

  override close(reason?: Error): void {
    this.#steps = false;
    this.#asked++;
    super.close(reason);
  }

  /** Between two requests the worker is paused, but the run is not. */
  protected override emit<Type extends keyof RunEvents>(type: Type, event: RunEvents[Type]): void {
    if (type !== "progress" || !this.#goesOn) return super.emit(type, event);
    this.progress = { ...this.progress, running: true };
    const now = performance.now();
    if (this.pace !== null && now - this.#toldAt < PROGRESS_MS) return;
    this.#toldAt = now;
    super.emit("progress", this.progress);
  }

  get #goesOn(): boolean {
    return this.#steps && this.progress.units < this.lastUnit;
  }

  async #train(asked: number): Promise<void> {
    let due = performance.now();
    while (asked === this.#asked && this.#goesOn) {
      if (this.pace === null) {
        await this.finishUnit();
        continue;
      }
      await this.finishStep();
      const now = performance.now();
      due = Math.max(due, now - MAX_LAG_MS) + 1_000 / this.pace;
      if (due > now) await new Promise((resolve) => setTimeout(resolve, due - now));
    }
  }
}
