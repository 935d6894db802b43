// Requests views from the worker and has them drawn; a view is the data for one drawing of a lab's picture. The next
// view is requested only after the last one was drawn, at most once per animation frame, and not while the picture is
// out of sight. Animation frames are requested only when a view has arrived, because an empty frame costs the browser
// time too.

import type { AnyView, Run } from "./run";

/**
 * At max speed every view takes time from training. Views per second are then limited to this times the number of
 * processor cores: a machine with many cores loses less.
 */
const VIEWS_PER_CORE = 10;
/** A longer time between two views is reported as this, so that nothing jumps after an interruption. */
const MAX_SECONDS = 0.25;

export class ViewLoop {
  /** The view that arrived and is not drawn yet. */
  #view: AnyView | null = null;
  /** True from a request to its answer. */
  #waiting = false;
  #visible = true;
  /** Times of the last request and drawing, by `performance.now()`; 0 if there was none. */
  #requestedAt = 0;
  #drawnAt = 0;
  /** The pending animation frame, or 0. */
  #frame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #cleanups: (() => void)[];

  /** `draw` is called with a view and the seconds since the last one. */
  constructor(
    readonly run: Run,
    readonly draw: (view: AnyView, seconds: number) => void,
  ) {
    this.#cleanups = [
      run.on("view", (view) => {
        this.#view = view;
        this.#waiting = false;
        this.#frame ||= requestAnimationFrame((now) => this.#draw(now));
      }),
      run.on("opened", () => {
        this.#view = null; // a view of the run that was open before
        this.#waiting = false;
        this.#request();
      }),
      run.on("failed", () => (this.#waiting = false)),
    ];
    this.#request();
  }

  /** Whether the picture is in sight. */
  set visible(visible: boolean) {
    this.#visible = visible;
    this.#request();
  }

  stop(): void {
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    for (const cleanup of this.#cleanups) cleanup();
  }

  /** The shortest time between two views, in milliseconds. */
  get #minInterval(): number {
    const { pace, progress } = this.run;
    return pace === null && progress.running ? 1000 / (VIEWS_PER_CORE * navigator.hardwareConcurrency) : 0;
  }

  #draw(now: number): void {
    this.#frame = 0;
    if (this.#view) this.draw(this.#view, secondsBetween(this.#drawnAt, now));
    this.#drawnAt = now;
    this.#view = null;
    const restMs = this.#requestedAt + this.#minInterval - performance.now();
    clearTimeout(this.#timer);
    if (restMs > 0) this.#timer = setTimeout(() => this.#request(), restMs);
    else this.#request();
  }

  /** Requests a view, unless one is under way or there is nobody to see it. */
  #request(): void {
    if (this.#waiting || this.#view !== null) return;
    clearTimeout(this.#timer);
    if (!this.#visible || !this.run.open) {
      this.#requestedAt = this.#drawnAt = 0;
      return;
    }
    const now = performance.now();
    this.#waiting = true;
    this.run.requestView(secondsBetween(this.#requestedAt, now));
    this.#requestedAt = now;
  }
}

/** The seconds from `then` to `now`, at most MAX_SECONDS. */
function secondsBetween(then: number, now: number): number {
  return then === 0 ? 0 : Math.min(MAX_SECONDS, Math.max(0, now - then) / 1000);
}
