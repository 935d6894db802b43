// Pulls pictures: asks for the next view only once the last one was drawn, one per animation frame at
// most, and not at all while nobody can see it. Between two pictures it asks for no frame: even where nothing
// is drawn, the browser spends time on each.

import type { Run } from "./run";

/**
 * Flat out, learning goes first: every picture takes time from it, the more the fewer cores there are to share the work.
 * So many pictures a second and core are asked for then.
 */
const PICTURES = 10;
/** The most that passes between two pictures, whatever happened meanwhile. */
const MOST_SECONDS = 0.25;

export class Pump {
  #view: unknown = null;
  #waiting = false;
  #visible = true;
  #askedAt = 0;
  #drawnAt = 0;
  #frame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #leave: (() => void)[];

  constructor(
    readonly run: Run,
    readonly draw: (view: unknown, seconds: number) => void,
  ) {
    this.#leave = [
      run.on("view", (view) => {
        this.#view = view;
        this.#waiting = false;
        this.#frame ||= requestAnimationFrame((now) => this.#draw(now));
      }),
      run.on("opened", () => {
        this.#waiting = false;
        this.#ask();
      }),
      run.on("trouble", () => (this.#waiting = false)),
    ];
    this.#ask();
  }

  /** Whether the picture is on screen. */
  set visible(visible: boolean) {
    this.#visible = visible;
    this.#ask();
  }

  stop(): void {
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    for (const leave of this.#leave) leave();
  }

  /** Milliseconds from picture to picture at least. */
  get #least(): number {
    const { pace, progress } = this.run;
    return pace === null && progress.running ? 1000 / (PICTURES * navigator.hardwareConcurrency) : 0;
  }

  #draw(now: number): void {
    this.#frame = 0;
    this.draw(this.#view, seconds(this.#drawnAt, now));
    this.#drawnAt = now;
    this.#view = null;
    const rest = this.#askedAt + this.#least - performance.now();
    clearTimeout(this.#timer);
    if (rest > 0) this.#timer = setTimeout(() => this.#ask(), rest);
    else this.#ask();
  }

  #ask(): void {
    if (this.#waiting || this.#view !== null) return;
    clearTimeout(this.#timer);
    if (!this.#visible || !this.run.open) {
      this.#askedAt = this.#drawnAt = 0;
      return;
    }
    const now = performance.now();
    this.#waiting = true;
    this.run.look(seconds(this.#askedAt, now));
    this.#askedAt = now;
  }
}

function seconds(then: number, now: number): number {
  return then === 0 ? 0 : Math.min(MOST_SECONDS, Math.max(0, now - then) / 1000);
}
