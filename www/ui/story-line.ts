// The line under a lab's title that tells what the agent can do by now (labs/<lab>/story.ts), how far it is on the way to
// its goal, and how long the rest takes at the run's own pace.

import { el, write } from "../core/dom";
import { forecast } from "../core/forecast";
import { formatDuration } from "../core/format";
import { fellBack, isSolved, type Run } from "../core/run";
import type { Story } from "../labs/story";

/** Shortest time between two changes of the line, so that it can be read. */
const CHANGE_MS = 1_000;
/** A longer time is too uncertain to be told in seconds. */
const MAX_SECONDS = 3_600;

export class StoryLine {
  readonly element: HTMLElement;
  #sentence = el("span", { class: "story", role: "status" });
  #outlook = el("span", { class: "story-outlook num" });
  #timer: ReturnType<typeof setTimeout> | undefined;
  #drawnAt = 0;
  #cleanups: (() => void)[];

  constructor(
    readonly run: Run,
    readonly story: Story,
  ) {
    this.element = el("p", { class: "story-line" }, this.#sentence, " ", this.#outlook);
    this.#cleanups = [run.on("progress", () => this.#schedule()), run.on("opened", () => this.#draw())];
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
    const { run } = this;
    const { settings, progress, series } = run;
    const solved = isSolved(progress);
    const last = (metric: string) => series.last(metric);
    const story = this.story({ settings, units: progress.units, last, solved, lost: solved && fellBack(run) });
    write(this.#sentence, story ?? "It has not been tested yet.");
    write(this.#outlook, solved ? "" : this.#outlookText());
  }

  /** How far the run is, and how long the rest takes if it goes on like this. */
  #outlookText(): string {
    const { goal, series, progress } = this.run;
    if (!goal) return "";
    const outlook = forecast(series.units, series.column(goal.metric), goal.target);
    if (!outlook) return "";
    const percent = `${Math.floor(100 * outlook.fraction)} % of the way to the goal`;
    if (outlook.units === null || !progress.running || progress.unitsPerSecond <= 0) return `${percent}.`;
    const seconds = outlook.units / progress.unitsPerSecond;
    if (seconds > MAX_SECONDS) return `${percent}, at this pace more than an hour from it.`;
    return `${percent}, at this pace about ${formatDuration(seconds)} from it.`;
  }
}
