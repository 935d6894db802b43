// The running time of a run: it stands still while the run is paused.

/** What keeps the seconds that have passed, such as the note of a run. */
export interface Seconds {
  seconds: number;
}

export class RunClock {
  /** Whether all units were made while the clock ran, so that the running time is that of the training. */
  isTimed = true;
  /** When the run was last started or continued, by `performance.now()`; null while it is paused. */
  #runningSince: number | null = null;

  /** Begins with a run that was opened, which is paused and has made so many units. */
  open(units: number, note: Seconds): void {
    this.isTimed = units === 0 || note.seconds > 0;
    this.#runningSince = null;
  }

  /** Seconds that the run has been running, over all visits. */
  seconds(note: Seconds): number {
    return note.seconds + (this.#runningSince === null ? 0 : (performance.now() - this.#runningSince) / 1000);
  }

  /** Starts or stops. A stop writes the seconds to the note. */
  set(running: boolean, note: Seconds): void {
    if (running && this.#runningSince === null) this.#runningSince = performance.now();
    if (running || this.#runningSince === null) return;
    note.seconds = this.seconds(note);
    this.#runningSince = null;
  }

  /** Notes units that were made, unless the clock runs: a replay and single steps train while it stands still. */
  notice(running: boolean, madeUnits: boolean): void {
    if (this.#runningSince === null && !running && madeUnits) this.isTimed = false;
  }
}
