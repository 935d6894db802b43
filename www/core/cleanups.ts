// Collects what has to be undone when a part of the page goes away, such as subscriptions.

export class Cleanups {
  #cleanups: (() => void)[] = [];
  #done = false;

  /**
   * Adds cleanup functions. If `run` was called already, because code was still loading then, they are called at once.
   */
  add(...cleanups: (() => void)[]): void {
    if (this.#done) for (const cleanup of cleanups) cleanup();
    else this.#cleanups.push(...cleanups);
  }

  /** Runs and forgets them all. */
  run(): void {
    this.#done = true;
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
  }
}
