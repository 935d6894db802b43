// Pulls pictures: asks for the next view only once the last one was drawn, one per animation frame at
// most, and not at all while nobody can see it.

import type { Run } from "./run";

export class Pump {
  #view: unknown = null;
  #waiting = false;
  #visible = true;
  #drawnAt = 0;
  #frame = 0;
  #leave: (() => void)[];

  constructor(
    readonly run: Run,
    readonly draw: (view: unknown, seconds: number) => void,
  ) {
    this.#leave = [
      run.on("view", (view) => {
        this.#view = view;
        this.#waiting = false;
      }),
      run.on("opened", () => (this.#waiting = false)),
      run.on("trouble", () => (this.#waiting = false)),
    ];
    this.#frame = requestAnimationFrame((now) => this.#tick(now));
  }

  /** Whether the picture is on screen. */
  set visible(visible: boolean) {
    this.#visible = visible;
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
    for (const leave of this.#leave) leave();
  }

  #tick(now: number): void {
    this.#frame = requestAnimationFrame((next) => this.#tick(next));
    const seconds = this.#drawnAt === 0 ? 0 : Math.min(0.25, (now - this.#drawnAt) / 1000);
    if (this.#view !== null) {
      this.draw(this.#view, seconds);
      this.#view = null;
    } else if (this.#waiting) return;
    if (!this.#visible || !this.run.open) {
      this.#drawnAt = 0;
      return;
    }
    this.#waiting = true;
    this.#drawnAt = now;
    this.run.look(seconds);
  }
}
