// Requests views of the stage and draws them. The next view is requested only after the last was drawn, at most once
// per animation frame, and not while the picture is out of sight. No animation frame is requested in between, because
// each costs the browser time even if nothing is drawn.

import type { AnyView, Run } from "./run";

/** Views for each second and core at full speed, where every view takes time from training. */
const PICTURES = 10;
/** The longest time that is reported as passed between two views. */
const MOST_SECONDS = 0.25;

export class ViewLoop {
  #view: AnyView | null = null;
  #waiting = false;
  #visible = true;
  #requestedAt = 0;
  #drawnAt = 0;
  #frame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #cleanups: (() => void)[];

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
        this.#waiting = false;
        this.#request();
      }),
      run.on("failed", () => (this.#waiting = false)),
    ];
    this.#request();
  }

  /** Whether the picture is on screen. */
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
    return pace === null && progress.running ? 1000 / (PICTURES * navigator.hardwareConcurrency) : 0;
  }

  #draw(now: number): void {
    this.#frame = 0;
    if (this.#view) this.draw(this.#view, seconds(this.#drawnAt, now));
    this.#drawnAt = now;
    this.#view = null;
    const rest = this.#requestedAt + this.#minInterval - performance.now();
    clearTimeout(this.#timer);
    if (rest > 0) this.#timer = setTimeout(() => this.#request(), rest);
    else this.#request();
  }

  #request(): void {
    if (this.#waiting || this.#view !== null) return;
    clearTimeout(this.#timer);
    if (!this.#visible || !this.run.open) {
      this.#requestedAt = this.#drawnAt = 0;
      return;
    }
    const now = performance.now();
    this.#waiting = true;
    this.run.requestView(seconds(this.#requestedAt, now));
    this.#requestedAt = now;
  }
}

function seconds(then: number, now: number): number {
  return then === 0 ? 0 : Math.min(MOST_SECONDS, Math.max(0, now - then) / 1000);
}
