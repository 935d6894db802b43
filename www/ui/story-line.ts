// The line under a lab's title: what the agent can do so far (the text comes from labs/<lab>/story.ts), how far it is
// on the way to its goal, and the estimated time left at the run's present pace.

import { el, write } from "../core/dom";
import { forecast } from "../core/forecast";
import { formatEstimate, formatShare } from "../core/format";
import { fellBack, isSolved } from "../core/goal";
import type { LookBack } from "../core/look-back";
import type { Run } from "../core/run";
import type { Introduction } from "./introduction";
import type { Story } from "./story";

/** Shortest time between two updates of the line while the run goes on, so that it can be read. */
const CHANGE_MS = 1_000;
/** A longer estimate is too uncertain to be told as a number. */
const MAX_FORECAST_SECONDS = 3_600;
/** The largest fraction of the way that is shown before the goal is reached. */
const MAX_FRACTION = 0.99;

export class StoryLine {
  readonly element: HTMLElement;
  #sentence = el("span", { class: "story", role: "status" });
  #outlook = el("span", { class: "story-outlook num" });
  #timer: ReturnType<typeof setTimeout> | undefined;
  #drawnAt = 0;
  #cleanups: (() => void)[];

  constructor(
    readonly run: Run,
    readonly lookBack: LookBack,
    readonly story: Story,
    /** What is said instead of a trained network that the visitor has before them; null for the agent of the run. */
    readonly introduction: () => Introduction | null,
  ) {
    this.element = el("p", { class: "story-line" }, this.#sentence, " ", this.#outlook);
    this.#cleanups = [
      run.on("progress", () => this.#schedule()),
      run.on("opened", () => this.#draw()),
      run.on("view", () => this.#schedule()), // the visitor may have chosen another agent
      lookBack.on("changed", () => this.#draw()),
    ];
    this.#draw();
  }

  destroy(): void {
    clearTimeout(this.#timer);
    for (const cleanup of this.#cleanups) cleanup();
  }

  #schedule(): void {
    if (this.#timer !== undefined) return;
    const wait = Math.max(0, this.#drawnAt + CHANGE_MS - performance.now());
    this.#timer = setTimeout(() => this.#draw(), wait);
  }

  #draw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#drawnAt = performance.now();
    const { run, lookBack } = this;
    const introduction = this.introduction();
    if (introduction) {
      write(this.#sentence, introduction.story);
      write(this.#outlook, "");
      return;
    }
    const { settings, progress, series } = run;
    const unit = lookBack.unit ?? Infinity;
    const solved = isSolved(progress, unit);
    const last = (metric: string) => lookBack.last(metric);
    const measured = (metric: string) => series.measured(metric, unit);
    const story = this.story({ settings, last, measured, solved, lost: fellBack(run, unit) });
    write(this.#sentence, story ?? "The agent has not been tested yet.");
    write(this.#outlook, solved || lookBack.unit !== null ? "" : this.#outlookText());
  }

  /** The share of the way to the goal and, while the run goes on, the estimated time left. */
  #outlookText(): string {
    const { goal, series, progress } = this.run;
    if (!goal) return "";
    const outlook = forecast(series.units, series.column(goal.metric), goal.target);
    if (!outlook) return "";
    // The fraction follows the trend, which may be at the goal before a test is.
    const share = `${formatShare(Math.min(MAX_FRACTION, outlook.fraction))} of the way to the goal`;
    if (outlook.units === null || !progress.running || progress.unitsPerSecond <= 0) return `${share}.`;
    const seconds = outlook.units / progress.unitsPerSecond;
    if (seconds > MAX_FORECAST_SECONDS) return `${share}; more than an hour left at this pace.`;
    return `${share}; about ${formatEstimate(seconds)} left at this pace.`;
  }
}
