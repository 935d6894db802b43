// Collects what has to be undone when a part of the page goes away, such as subscriptions.

export class Cleanups {
  #cleanups: (() => void)[] = [];
  #done = false;

  /** What is added too late, by code that was still loading, is undone at once. */
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
