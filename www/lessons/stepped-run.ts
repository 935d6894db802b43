// A run that pauses exactly after its last unit (training iteration). At max speed the worker trains on until it is told
// to pause, so a run would do some units more; this one is asked for one unit at a time instead.

import type { RunEvents } from "../core/run-events";
import { Run } from "../core/run";
import type { BundleChoice } from "../core/bundle";

export class SteppedRun extends Run {
  /** Counts what was asked for; an answer to something earlier asks for nothing more. */
  #asked = 0;
  /** Whether unit after unit is asked for. */
  #steps = false;

  constructor(
    bundle: BundleChoice,
    readonly lastUnit: number,
  ) {
    super(bundle);
  }

  override play(): void {
    if (this.pace !== null || this.progress.units >= this.lastUnit) return super.play();
    this.#steps = true;
    this.#next(++this.#asked);
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

  /** Between two units the worker is paused, but the run is not. */
  protected override emit<Type extends keyof RunEvents>(type: Type, event: RunEvents[Type]): void {
    if (type !== "progress" || !this.#goesOn) return super.emit(type, event);
    this.progress = { ...this.progress, running: true };
    super.emit("progress", this.progress);
  }

  get #goesOn(): boolean {
    return this.#steps && this.progress.units < this.lastUnit;
  }

  #next(asked: number): void {
    this.finishUnit().then(
      () => {
        if (asked === this.#asked && this.#goesOn) this.#next(asked);
      },
      () => {}, // another run was opened, or the worker has ended
    );
  }
}
