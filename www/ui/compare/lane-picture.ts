// The small live picture of a compared run, drawn as on the front, the page at the bare address. It requests views (the
// data for one drawing) from the run's worker, at most `FRAMES_PER_SECOND` times per second and only while it is visible.

import { el, watchVisible } from "../../core/dom";
import type { CompareRun } from "../../core/compare/compare-run";
import type { AnyView } from "../../core/run";
import { reducedMotion } from "../../core/theme";
import { LivePainter } from "../../front/painter";
import type { Picture } from "../../front/picture";
import type { Ticker, Ticking } from "../../front/ticker";
import { stageDemo, type AnyStageDemo } from "./stage-demo";

/** The most pictures per second. */
export const FRAMES_PER_SECOND = 15;
/** Where reduced motion is preferred: the shortest time between two pictures. */
const REDUCED_MOTION_INTERVAL_MS = 2000;
/** The longest time step of the stage, so that nothing jumps after a pause. */
const MAX_STEP_SECONDS = 0.25;

export class LanePicture implements Ticking {
  readonly element: HTMLElement;
  #painter: LivePainter;
  #demo: AnyStageDemo;
  /** True from the request for a view to its arrival. */
  #isPending = false;
  #visible = false;
  #requestedAt = 0;
  /** The time step, in seconds, that was sent with the last request. */
  #stepSeconds = 0;
  #cleanups: (() => void)[];

  /**
   * While `isFrozen` returns true, the clock requests no further views, because they would take time from another run.
   * The first one is requested all the same.
   */
  constructor(
    readonly run: CompareRun,
    picture: Picture,
    label: string,
    ticker: Ticker,
    readonly isFrozen: () => boolean,
  ) {
    const labId = run.setup.lab.about.id;
    this.element = el("div", { class: "compare-picture", role: "img", "aria-label": label });
    this.#painter = new LivePainter(this.element, picture, labId);
    this.#demo = stageDemo(labId);
    this.#cleanups = [
      watchVisible(this.element, (visible) => {
        this.#visible = visible;
        ticker.setInSight(this, visible);
        if (visible) this.#request();
      }),
      () => ticker.setInSight(this, false),
      run.on("view", (view) => this.#receive(view)),
      run.on("opened", () => this.#request()),
      run.on("changed", () => {
        // The clock stands still where reduced motion is preferred.
        if (reducedMotion() && performance.now() - this.#requestedAt > REDUCED_MOTION_INTERVAL_MS) this.#request();
      }),
    ];
  }

  /** Draws the picture, and requests the next view unless the picture is frozen. */
  advance(seconds: number): void {
    this.#painter.advance(seconds);
    if (!this.#painter.hasFrame || !this.isFrozen()) this.#request();
  }

  destroy(): void {
    for (const cleanup of this.#cleanups) cleanup();
    this.#painter.destroy();
  }

  #request(): void {
    if (this.#isPending || !this.#visible || !this.run.alive || !this.run.position) return;
    const now = performance.now();
    this.#stepSeconds = this.#requestedAt === 0 ? 0 : Math.min(MAX_STEP_SECONDS, (now - this.#requestedAt) / 1000);
    this.#requestedAt = now;
    this.#isPending = true;
    this.run.requestView(this.#stepSeconds);
  }

  #receive(view: AnyView): void {
    this.#isPending = false;
    this.#painter.show(view);
    for (const command of this.#demo(view, this.#stepSeconds)) this.run.command(command);
  }
}
