// The goal of an embed's run in one line: the headline's value in the shown test, the target, and a bar for how far it
// is; or the measured strength of a trained network that the visitor has before them.

import { el, write } from "../core/dom";
import { measuredShare } from "../core/forecast";
import { sentenceStart } from "../core/format";
import type { ShownTest } from "../core/shown-test";
import { shareWords, standingWords, wayTexts } from "../ui/goal-words";
import { goalText, headlineValue, type Headline } from "../ui/headline";
import type { Introduction } from "../ui/introduction";

/** Before the goal is reached, the bar shows at most this fraction. */
const MAX_FRACTION_BEFORE_GOAL = 0.99;

export class GoalLine {
  #name = el("span", { class: "embed-metric" });
  #value = el("b", { class: "num", text: "–" });
  #target = el("span", { class: "embed-target num" });
  #bar = el("progress", { class: "embed-bar", max: 1, value: 0, "aria-label": "Progress towards the goal" });
  readonly element = el(
    "p",
    { class: "embed-goal" },
    el("span", { class: "embed-score" }, this.#name, " ", this.#value, " ", this.#target),
    this.#bar,
  );

  constructor(
    readonly shown: ShownTest,
    readonly headline: () => Headline,
    /** What is said of a trained network that the visitor has before them; null for the agent of the run. */
    readonly introduction: () => Introduction | null,
  ) {
    shown.on("changed", () => this.#draw());
  }

  #draw(): void {
    const { shown } = this;
    const introduction = this.introduction();
    if (introduction) {
      const { name, value, unit } = introduction.headline;
      write(this.#name, sentenceStart(name));
      write(this.#value, value);
      write(this.#target, unit);
      this.element.classList.remove("reached");
      this.#bar.hidden = true;
      return;
    }
    const { series, goal } = shown.run;
    const headline = this.headline();
    write(this.#name, sentenceStart(headline.name));
    write(
      this.#value,
      headlineValue(headline, series, (metric) => shown.last(metric)),
    );
    const standing = standingWords(shown.standing, shown.test);
    write(this.#target, [headline.unit, goalText(headline.target), standing].filter(Boolean).join(" · "));
    const solved = shown.standing === "solved";
    this.element.classList.toggle("reached", solved);
    this.#bar.hidden = !goal;
    if (!goal) return;
    const values = series.column(goal.metric);
    const share = measuredShare(values, goal.target) ?? 0;
    this.#bar.value = solved ? 1 : Math.min(MAX_FRACTION_BEFORE_GOAL, share);
    // Its length alone does not tell of what it is a share.
    const way = { values, target: goal.target, texts: wayTexts(shown.run, headline), goalUnits: null, units: 0 };
    this.#bar.title = solved ? "" : shareWords(way);
  }
}
