// The small live picture of a run that is compared, drawn as the front draws its labs. It asks the run's worker for
// views, a few times a second, only while it is in sight.

import { el, watchVisible } from "../../core/dom";
import type { CompareRun } from "../../core/compare/compare-run";
import type { AnyView } from "../../core/run";
import { reducedMotion } from "../../core/theme";
import { LivePainter } from "../../front/painter";
import type { Picture } from "../../front/picture";
import type { Ticker, Ticking } from "../../front/ticker";
import { stagePlay } from "./stage-play";

/** Pictures are drawn this many times a second. */
export const FRAMES_PER_SECOND = 15;
/** Where reduced motion is preferred: the time between two still pictures. */
const STILL_MS = 2000;
/** A longer time between two views counts as this. */
const MAX_SECONDS = 0.25;

export class LanePicture implements Ticking {
  readonly element: HTMLElement;
  #painter: LivePainter;
  #play: ReturnType<typeof stagePlay>;
  /** True from a request to its answer. */
  #waiting = false;
  #inSight = false;
  #requestedAt = 0;
  /** The seconds that the stage advances by in the view that is under way. */
  #seconds = 0;
  #cleanups: (() => void)[];

  /** `still` says whether the picture shall rest, because views would take time from another run. */
  constructor(
    readonly run: CompareRun,
    picture: Picture,
    words: string,
    ticker: Ticker,
    readonly still: () => boolean,
  ) {
    const lab = run.setup.lab.about.id;
    this.element = el("div", { class: "compare-picture", role: "img", "aria-label": words });
    this.#painter = new LivePainter(this.element, picture, lab);
    this.#play = stagePlay(lab);
    this.#cleanups = [
      watchVisible(this.element, (visible) => {
        this.#inSight = visible;
        ticker.setInSight(this, visible);
        if (visible) this.#request();
      }),
      () => ticker.setInSight(this, false),
      run.on("view", (view) => this.#receive(view)),
      run.on("opened", () => this.#request()),
      run.on("changed", () => {
        if (reducedMotion() && performance.now() - this.#requestedAt > STILL_MS) this.#request();
      }),
    ];
  }

  /** Draws the picture, and asks for the next view. */
  advance(seconds: number): void {
    this.#painter.advance(seconds);
    if (!this.#painter.drawn || !this.still()) this.#request();
  }

  destroy(): void {
    for (const cleanup of this.#cleanups) cleanup();
    this.#painter.destroy();
  }

  #request(): void {
    if (this.#waiting || !this.#inSight || !this.run.alive || !this.run.position) return;
    const now = performance.now();
    this.#seconds = this.#requestedAt === 0 ? 0 : Math.min(MAX_SECONDS, (now - this.#requestedAt) / 1000);
    this.#requestedAt = now;
    this.#waiting = true;
    this.run.requestView(this.#seconds);
  }

  #receive(view: AnyView): void {
    this.#waiting = false;
    this.#painter.follow(view);
    for (const command of this.#play(view, this.#seconds)) this.run.command(command);
  }
}
