// Detects a worker that has stopped answering. Time is counted only while an answer is due. The count starts again
// whenever the page was hidden or suspended, because a closed laptop is not a hung worker.

/** How long the worker may take to answer, unless a request says otherwise. */
const DEFAULT_ANSWER_MS = 12_000;
const CHECK_INTERVAL_MS = 1_000;
/** If a check comes later than this, the page was suspended. */
const SUSPENDED_MS = 3 * CHECK_INTERVAL_MS;

export class Watchdog {
  /** When the present wait began, by `performance.now()`; null if no answer is due. */
  #requestedAt: number | null = null;
  #answerMs = DEFAULT_ANSWER_MS;
  /** The time of the last check, by `performance.now()`. */
  #checkedAt = 0;
  /** The timer of the checks, from the first wait on; it goes on between waits. */
  #timer: ReturnType<typeof setInterval> | undefined;

  /** `onSilence` is called when an answer has not come in time. */
  constructor(readonly onSilence: () => void) {}

  /** Expects an answer within `answerMs`. If several answers are due, the longest of their times counts. */
  expect(answerMs = DEFAULT_ANSWER_MS): void {
    this.#answerMs = this.#requestedAt === null ? answerMs : Math.max(answerMs, this.#answerMs);
    this.#requestedAt ??= performance.now();
    if (this.#timer !== undefined) return;
    this.#checkedAt = performance.now();
    this.#timer = setInterval(() => this.#check(), CHECK_INTERVAL_MS);
  }

  /**
   * The worker has sent something, which shows that it is alive. The wait ends, even if other answers are due: a worker
   * that hangs after this is noticed after the next request.
   */
  answered(): void {
    this.#requestedAt = null;
  }

  stop(): void {
    this.#requestedAt = null;
    clearInterval(this.#timer);
    this.#timer = undefined;
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
