// The goal of an embed's run in one line: the metric's value in the shown test, the target, and a bar for how far it is.

import { el, write } from "../core/dom";
import { measuredShare } from "../core/forecast";
import { formatMeasured, sentenceStart } from "../core/format";
import { marginName } from "../core/series";
import type { ShownTest } from "../core/shown-test";
import { targetWords } from "../ui/goal-words";

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

  constructor(readonly shown: ShownTest) {
    shown.on("changed", () => this.#draw());
  }

  #draw(): void {
    const { shown } = this;
    const { series, goal, lab } = shown.run;
    const metric = goal?.metric ?? lab?.about.charts[0] ?? "";
    const spec = series.spec(metric);
    const unit = spec?.unit ?? "";
    const margin = shown.last(marginName(series.specs, metric) ?? "");
    write(this.#name, sentenceStart(spec?.label ?? ""));
    write(this.#value, formatMeasured(shown.last(metric), margin, 3, unit));
    const solved = shown.standing === "solved";
    const target = goal ? `${solved ? "goal reached:" : "goal"} ${targetWords(goal.target)}` : "";
    write(this.#target, [unit, target && `· ${target}`].filter(Boolean).join(" "));
    this.element.classList.toggle("reached", solved);
    this.#bar.hidden = !goal;
    if (!goal) return;
    const share = measuredShare(series.column(metric), goal.target) ?? 0;
    this.#bar.value = solved ? 1 : Math.min(MAX_FRACTION_BEFORE_GOAL, share);
  }
}
