// Collects what has to be undone when a part of the page goes away, such as subscriptions.

export class Cleanups {
  #cleanups: (() => void)[] = [];

  add(...cleanups: (() => void)[]): void {
    this.#cleanups.push(...cleanups);
  }

  /** Runs and forgets them all. */
  run(): void {
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
  }
}
