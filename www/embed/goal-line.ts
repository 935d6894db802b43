// The goal of an embed's run in one line: the headline's latest value, the target, and a bar for how far it is; or the
// measured strength of a trained network that the visitor has before them.

import { el, write } from "../core/dom";
import { forecast } from "../core/forecast";
import { sentenceStart } from "../core/format";
import { isSolved } from "../core/goal";
import type { AnyView, Run } from "../core/run";
import { goalText, headlineOf, headlineValue } from "../ui/headline";
import type { LabView } from "../ui/lab-view";

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
    readonly run: Run,
    readonly view: Pick<LabView<AnyView>, "headline" | "introduction"> | null,
  ) {
    for (const event of ["opened", "progress", "view"] as const) run.on(event, () => this.#draw());
  }

  #draw(): void {
    const { series, progress } = this.run;
    const introduction = this.view?.introduction?.();
    if (introduction) {
      const { name, value, unit } = introduction.headline;
      write(this.#name, sentenceStart(name));
      write(this.#value, value);
      write(this.#target, unit);
      this.element.classList.remove("reached");
      this.#bar.hidden = true;
      return;
    }
    const last = (metric: string) => series.last(metric);
    const headline = headlineOf(this.run, this.view, last);
    const { goal } = this.run;
    write(this.#name, sentenceStart(headline.name));
    write(this.#value, headlineValue(headline, series, last));
    const solved = isSolved(progress);
    const target = goalText(headline.target).replace("goal", solved ? "goal reached:" : "goal");
    write(this.#target, [headline.unit, target && `· ${target}`].filter(Boolean).join(" "));
    this.element.classList.toggle("reached", solved);
    this.#bar.hidden = !goal;
    if (!goal) return;
    const outlook = forecast(series.units, series.column(goal.metric), goal.target);
    this.#bar.value = solved ? 1 : Math.min(MAX_FRACTION_BEFORE_GOAL, outlook?.fraction ?? 0);
  }
}
