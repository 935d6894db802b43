// The goal of an embed's run in one line: the metric's latest value, the target, and a bar for how far it is.

import { el, write } from "../core/dom";
import { forecast } from "../core/forecast";
import { formatMeasured, minus, sentenceStart } from "../core/format";
import { isSolved } from "../core/goal";
import type { Run } from "../core/run";
import { marginName } from "../core/series";

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

  constructor(readonly run: Run) {
    run.on("opened", () => this.#draw());
    run.on("progress", () => this.#draw());
  }

  #draw(): void {
    const { series, progress, lab } = this.run;
    const goal = this.run.goal;
    const metric = goal?.metric ?? lab?.about.charts[0] ?? "";
    const spec = series.spec(metric);
    const unit = spec?.unit ?? "";
    const margin = series.last(marginName(series.specs, metric) ?? "");
    write(this.#name, sentenceStart(spec?.label ?? ""));
    write(this.#value, formatMeasured(series.last(metric), margin, 3, unit));
    const solved = isSolved(progress);
    const target = goal ? `${solved ? "goal reached:" : "goal"} ${minus(String(goal.target))}` : "";
    write(this.#target, [unit, target && `· ${target}`].filter(Boolean).join(" "));
    this.element.classList.toggle("reached", solved);
    this.#bar.hidden = !goal;
    if (!goal) return;
    const outlook = forecast(series.units, series.column(metric), goal.target);
    this.#bar.value = solved ? 1 : Math.min(MAX_FRACTION_BEFORE_GOAL, outlook?.fraction ?? 0);
  }
}
