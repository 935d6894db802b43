// Detects a worker that has stopped answering. Time counts only while an answer is due and the page is visible. It
// starts again after the page itself was suspended, because a closed laptop is not a hung worker.

const DEFAULT_ANSWER_MS = 12_000;
const CHECK_INTERVAL_MS = 1_000;
/** If a check comes later than this, the page was suspended. */
const SUSPENDED_MS = 3 * CHECK_INTERVAL_MS;

export class Watchdog {
  /** When the answer that is due was requested, by `performance.now()`; null if none is due. */
  #requestedAt: number | null = null;
  #answerMs = DEFAULT_ANSWER_MS;
  #checkedAt = performance.now();

  constructor(readonly onSilence: () => void) {
    setInterval(() => this.#check(), CHECK_INTERVAL_MS);
  }

  /** Expects an answer within `answerMs`. Of several requests the longest time counts. */
  expect(answerMs = DEFAULT_ANSWER_MS): void {
    this.#answerMs = this.#requestedAt === null ? answerMs : Math.max(answerMs, this.#answerMs);
    this.#requestedAt ??= performance.now();
  }

  answered(): void {
    this.#requestedAt = null;
  }

  stop(): void {
    this.#requestedAt = null;
  }

  #check(): void {
    const now = performance.now();
    const wasSuspended = now - this.#checkedAt > SUSPENDED_MS;
    this.#checkedAt = now;
    if (this.#requestedAt === null) return;
    if (wasSuspended || document.hidden) this.#requestedAt = now;
    else if (now - this.#requestedAt > this.#answerMs) {
      this.#requestedAt = null;
      this.onSilence();
    }
  }
}
