// The clock of the small pictures. It draws those in sight, at most 30 times a second, and stops while nobody looks:
// the tab is hidden, no picture is in sight, the visitor has paused them, or prefers reduced motion.

import { reducedMotion } from "../../core/theme";

/** The most frames per second, unless the owner wants less. */
const FRAMES_PER_SECOND = 30;
/** A longer time between two frames counts as this, so that pictures do not jump after an interruption. */
const MAX_SECONDS = 0.1;

/** A picture. `advance` draws it after these seconds. */
export interface Ticking {
  advance(seconds: number): void;
}

export class Ticker {
  #inSight = new Set<Ticking>();
  #frame = 0;
  #drawnAt = 0;
  /** No frame is drawn before this time. */
  #dueAt = 0;
  #paused = false;
  #motion = matchMedia("(prefers-reduced-motion: reduce)");

  /** The time between two frames, on average at least: a screen's frames need not be multiples of it. */
  #minMs: number;

  /** `changed` is called when the pictures begin to move, or no longer do. */
  constructor(
    readonly changed: () => void,
    framesPerSecond = FRAMES_PER_SECOND,
  ) {
    this.#minMs = 1000 / framesPerSecond;
    document.addEventListener("visibilitychange", this.#update);
    this.#motion.addEventListener("change", this.#changed);
  }

  /** Whether the visitor has paused the pictures. */
  get paused(): boolean {
    return this.#paused;
  }

  set paused(paused: boolean) {
    this.#paused = paused;
    this.#changed();
  }

  /** Says whether a picture is in sight. */
  setInSight(picture: Ticking, inSight: boolean): void {
    if (inSight) this.#inSight.add(picture);
    else this.#inSight.delete(picture);
    this.#update();
  }

  destroy(): void {
    cancelAnimationFrame(this.#frame);
    document.removeEventListener("visibilitychange", this.#update);
    this.#motion.removeEventListener("change", this.#changed);
  }

  #changed = (): void => {
    this.#update();
    this.changed();
  };

  #update = (): void => {
    const isMoving = this.#inSight.size > 0 && !this.#paused && !document.hidden && !reducedMotion();
    if (isMoving) this.#frame ||= requestAnimationFrame(this.#tick);
    else {
      cancelAnimationFrame(this.#frame);
      this.#frame = this.#drawnAt = 0;
    }
  };

  #tick = (now: number): void => {
    this.#frame = requestAnimationFrame(this.#tick);
    const passed = now - this.#drawnAt;
    if (now < this.#dueAt) return;
    // A late frame does not hasten the next ones by more than its delay.
    this.#dueAt = Math.max(this.#dueAt, now - this.#minMs) + this.#minMs;
    const seconds = this.#drawnAt > 0 ? Math.min(MAX_SECONDS, passed / 1000) : 0;
    this.#drawnAt = now;
    for (const picture of this.#inSight) picture.advance(seconds);
  };
}
