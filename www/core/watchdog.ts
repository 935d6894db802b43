// Notices a worker that has stopped answering. Time counts only while an answer is due and the page is visible, and
// restarts after the page itself was suspended: a closed laptop is not a hung worker.

const PATIENCE = 12_000;
const BEAT = 1_000;

export class Watchdog {
  #due: number | null = null;
  #patience = PATIENCE;
  #beatAt = performance.now();

  constructor(readonly onSilence: () => void) {
    setInterval(() => this.#beat(), BEAT);
  }

  /** Expects an answer within `patience` milliseconds. */
  expect(patience = PATIENCE): void {
    this.#patience = this.#due === null ? patience : Math.max(patience, this.#patience);
    this.#due ??= performance.now();
  }

  answered(): void {
    this.#due = null;
  }

  stop(): void {
    this.#due = null;
  }

  #beat(): void {
    const now = performance.now();
    const slept = now - this.#beatAt > 3 * BEAT;
    this.#beatAt = now;
    if (this.#due === null) return;
    if (slept || document.hidden) this.#due = now;
    else if (now - this.#due > this.#patience) {
      this.#due = null;
      this.onSilence();
    }
  }
}
