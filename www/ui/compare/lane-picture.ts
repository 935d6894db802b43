// The small live picture of a compared run, drawn as on the front, the page at the bare address. It requests views (the
// data for one drawing) from the run's worker, at most `FRAMES_PER_SECOND` times per second and only while it is
// visible.

import { el, watchVisible } from "../../core/dom";
import type { CompareRun } from "../../core/compare/compare-run";
import type { AnyView } from "../../core/run-events";
import { reducedMotion } from "../../core/theme";
import { ViewRequests } from "../../core/view-requests";
import { LivePainter } from "../small-picture/painter";
import type { Picture } from "../small-picture/picture";
import type { Ticker, Ticking } from "../small-picture/ticker";
import type { DemoModule, StageDemo } from "../stage-demo";

/** The most pictures per second. */
export const FRAMES_PER_SECOND = 15;
/** Where reduced motion is preferred: the shortest time between two pictures. */
const REDUCED_MOTION_INTERVAL_MS = 2000;

/** How a lab shows compared runs in small. */
export interface SmallStage {
  picture: Picture;
  /** Lets the agent of a run show what it can do. Without it the stage goes on by itself. */
  stageDemo: DemoModule["stageDemo"] | undefined;
}

export class LanePicture implements Ticking {
  readonly element: HTMLElement;
  #painter: LivePainter;
  #demo: StageDemo | undefined;
  #requests: ViewRequests;
  #visible = false;
  #cleanups: (() => void)[];

  /**
   * While `isFrozen` returns true, the clock requests no further views, because they would take time from another run.
   * The first one is requested all the same.
   */
  constructor(
    readonly run: CompareRun,
    { picture, stageDemo }: SmallStage,
    label: string,
    ticker: Ticker,
    readonly isFrozen: () => boolean,
  ) {
    this.element = el("div", { class: "lane-picture", role: "img", "aria-label": label });
    this.#painter = new LivePainter(this.element, picture);
    this.#demo = stageDemo?.();
    this.#requests = new ViewRequests((seconds) => run.requestView(seconds));
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
        if (reducedMotion() && this.#requests.age > REDUCED_MOTION_INTERVAL_MS) this.#request();
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
    if (this.#visible && this.run.alive && this.run.position) this.#requests.request();
  }

  #receive(view: AnyView): void {
    this.#requests.answered();
    this.#painter.show(view);
    for (const command of this.#demo?.(view, this.#requests.seconds) ?? []) this.run.command(command);
  }
}
