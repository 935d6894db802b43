// Requests views (the data for one drawing of a lab's picture) one after the other: the next one only when the last one
// has arrived, each with the seconds by which the stage shall advance.

/** A longer time between two requests is reported as this, so that nothing jumps after an interruption. */
const MAX_SECONDS = 0.25;

export class ViewRequests {
  /** The seconds that were sent with the last request. */
  seconds = 0;
  /** True from a request to its answer. */
  #waiting = false;
  /** The time of the last request, by `performance.now()`; 0 if there was none since the last rest. */
  #requestedAt = 0;

  /** `send` requests a view, for which the stage advances by these seconds. */
  constructor(readonly send: (seconds: number) => void) {}

  /** True while no view is under way. */
  get idle(): boolean {
    return !this.#waiting;
  }

  /** Milliseconds since the last request. */
  get age(): number {
    return performance.now() - this.#requestedAt;
  }

  /** Requests a view, unless one is under way. */
  request(): void {
    if (this.#waiting) return;
    const now = performance.now();
    this.seconds = secondsBetween(this.#requestedAt, now);
    this.#requestedAt = now;
    this.#waiting = true;
    this.send(this.seconds);
  }

  /** The view that was requested has arrived, or will not come any more. */
  answered(): void {
    this.#waiting = false;
  }

  /** The stage rests until the next request, so no time has passed then. */
  rest(): void {
    this.#requestedAt = 0;
  }
}

/** The seconds from `then` to `now`, at most MAX_SECONDS; 0 if there is no `then`. */
export function secondsBetween(then: number, now: number): number {
  return then === 0 ? 0 : Math.min(MAX_SECONDS, Math.max(0, now - then) / 1000);
}
