// Requests views from the worker and has them drawn; a view is the data for one drawing of a lab's picture. The next
// view is requested only after the last one was drawn, at most once per animation frame, and not while the picture is
// out of sight. Animation frames are requested only when a view has arrived, because an empty frame costs the browser
// time too.

import type { Run } from "./run";
import type { AnyView } from "./run-events";
import { secondsBetween, ViewRequests } from "./view-requests";

/**
 * At max speed every view takes time from training. Views per second are then limited to this times the number of
 * processor cores: a machine with many cores loses less.
 */
const VIEWS_PER_CORE = 10;

export class ViewLoop {
  /** The view that arrived and is not drawn yet. */
  #view: AnyView | null = null;
  #requests: ViewRequests;
  #visible = true;
  /** The time of the last drawing, by `performance.now()`; 0 if there was none since the picture was out of sight. */
  #drawnAt = 0;
  /** The pending animation frame, or 0. */
  #frame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #cleanups: (() => void)[];

  /** `draw` is called with a view and the seconds since the last one: at most a quarter, and 0 for the first one. */
  constructor(
    readonly run: Run,
    readonly draw: (view: AnyView, seconds: number) => void,
  ) {
    this.#requests = new ViewRequests((seconds) => run.requestView(seconds));
    this.#cleanups = [
      run.on("view", (view) => {
        this.#view = view;
        this.#requests.answered();
        this.#frame ||= requestAnimationFrame((now) => this.#draw(now));
      }),
      run.on("opened", () => {
        // The view and the request are those of the run that was open before.
        this.#view = null;
        this.#requests.answered();
        this.#request();
      }),
      run.on("failed", () => this.#requests.answered()),
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
    const { pace, progress } = this.run; // no pace: max speed
    return pace === null && progress.running ? 1000 / (VIEWS_PER_CORE * navigator.hardwareConcurrency) : 0;
  }

  #draw(now: number): void {
    this.#frame = 0;
    if (this.#view) this.draw(this.#view, secondsBetween(this.#drawnAt, now));
    this.#drawnAt = now;
    this.#view = null;
    const remainingMs = this.#minInterval - this.#requests.age;
    clearTimeout(this.#timer);
    if (remainingMs > 0) this.#timer = setTimeout(() => this.#request(), remainingMs);
    else this.#request();
  }

  /** Requests a view, unless one is under way or there is nobody to see it. */
  #request(): void {
    if (!this.#requests.idle || this.#view !== null) return;
    clearTimeout(this.#timer);
    if (!this.#visible || !this.run.open) {
      this.#drawnAt = 0;
      this.#requests.rest();
      return;
    }
    this.#requests.request();
  }
}
