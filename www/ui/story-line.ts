// The line under a lab's title: what the agent can do so far (the text comes from labs/<lab>/story.ts), and how the
// test that says so stands to the goal, or how far the goal still is.

import { el, write } from "../core/dom";
import { MeanSpeed, steadyPace, type Pace } from "../core/forecast";
import { runsLike, type RecordedRuns } from "../core/recorded-runs";
import type { ShownTest } from "../core/shown-test";
import { intervalWords, outlookWords, sourceWords, wayTexts } from "./goal-words";
import { targetWords, type Headline } from "./headline";
import type { Introduction } from "./introduction";
import type { Story } from "./story";

export class StoryLine {
  readonly element: HTMLElement;
  #sentence = el("span", { class: "story", role: "status" });
  #outlook = el("span", { class: "story-outlook num" });
  /** What the forecast was told from. */
  #told: Pace | null = null;
  #speed = new MeanSpeed();

  constructor(
    readonly shown: ShownTest,
    readonly story: Story,
    /** Runs with the settings of presets, which tell when the goal is usually reached. */
    readonly recorded: RecordedRuns,
    readonly headline: () => Headline,
    /** What is said instead of a trained network that the visitor has before them; null for the agent of the run. */
    readonly introduction: () => Introduction | null,
  ) {
    this.element = el("p", { class: "story-line" }, this.#sentence, " ", this.#outlook);
    shown.on("changed", () => this.#draw());
    this.#draw();
  }

  #draw(): void {
    const { shown } = this;
    const { standing } = shown;
    const { settings } = shown.run;
    this.#outlook.title = "";
    const introduction = this.introduction();
    if (introduction) {
      write(this.#sentence, introduction.story);
      write(this.#outlook, "");
      return;
    }
    const last = (metric: string) => shown.last(metric);
    const measured = (metric: string) => shown.measured(metric);
    // What happens now is no news of an earlier moment.
    const news = shown.lookBack.unit === null ? this.headline().news : "";
    const story = this.story({ settings, last, measured, solved: standing === "solved", lost: shown.isWorse, news });
    write(this.#sentence, story ?? "The agent has not been tested yet.");
    write(this.#outlook, standing === "open" ? this.#way() : this.#interval());
  }

  /** Where the goal lies for the shown test. */
  #interval(): string {
    const { test, standing, run } = this.shown;
    if (!test) return "";
    const { metric, target, unit } = this.headline();
    const targetText = target === null ? "" : targetWords(target, unit);
    return intervalWords(test, standing, targetText, metric === run.goal?.metric);
  }

  /** How far the goal still is. */
  #way(): string {
    const { run, lookBack, test } = this.shown;
    const { goal, series, lab } = run;
    if (!goal || !lab || lookBack.unit !== null) return "";
    const { running, units, unitsPerSecond: present, stepsPerSecond } = run.progress;
    const { id } = run.note;
    // A chosen speed shows at once.
    const speed = this.#speed.note(`${id} ${running} ${stepsPerSecond}`, performance.now() / 1000, units, present);
    const now = { of: `${id} ${test?.unit}`, units, unitsPerSecond: running ? speed : 0 };
    this.#told = steadyPace(this.#told, now);
    const goalUnits = runsLike(run, this.recorded);
    const { unit } = lab.about;
    this.#outlook.title = sourceWords(goalUnits, unit);
    return outlookWords({
      values: series.column(goal.metric),
      target: goal.target,
      texts: wayTexts(run, this.headline()),
      goalUnits,
      ...this.#told,
      unit,
    });
  }
}
