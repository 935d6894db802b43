// The goal panel: the goal's metric by name, in large digits, with its unit and the goal; its chart; and, once the
// goal is reached, the unit (training iteration) that reached it, the effort it took, whether it was lost again, and
// what to try next.

import { el, listen, write } from "../core/dom";
import { formatMeasured, formatDuration, formatInteger, minus, sentenceStart } from "../core/format";
import type { LookBack } from "../core/look-back";
import { fellBack, isSolved } from "../core/goal";
import type { Run } from "../core/run";
import { marginName } from "../core/series";
import type { MetricSpec } from "../generated/protocol";
import { reducedMotion } from "../core/theme";
import { icon } from "./icons";
import { explainedMetric } from "./term";

export class GoalPanel {
  readonly element: HTMLElement;
  /** A button on the picture that says the goal is reached and scrolls to the suggestions. */
  readonly pill = el("button", { type: "button", class: "solved-pill", title: "What to try next", hidden: true });
  #pillText = el("span", {});
  /** The name of the goal's metric. */
  #name = el("span", { class: "score-name" });
  #spec: MetricSpec | undefined;
  /** The latest value of the goal's metric. */
  #score = el("span", { class: "score num", text: "–" });
  #targetText = el("span", { class: "score-target" });
  /** The unit of the value. */
  #when = el("span", { class: "score-when num" });
  #badge = el("div", { class: "solved", role: "status" });
  #solvedUnit = el("b", {});
  #solvedCost = el("span", { class: "num" });

  constructor(
    readonly run: Run,
    readonly lookBack: LookBack,
    /** The chart of the goal's metric. */
    curve: HTMLElement,
    /** What to try next. */
    suggestions: HTMLElement,
  ) {
    const text = el("div", { class: "solved-words" }, this.#solvedUnit, this.#solvedCost);
    const badgeIcon = el("span", { class: "solved-sign" }, icon("check"));
    this.#badge.append(badgeIcon, text, suggestions);
    this.element = el(
      "section",
      { class: "goal", "aria-label": "Goal" },
      el("p", { class: "score-line" }, this.#name, this.#score, this.#targetText, this.#when),
      curve,
      this.#badge,
    );
    this.pill.append(icon("check"), this.#pillText);
    listen(this.pill, {
      click: () => this.#badge.scrollIntoView({ block: "center", behavior: reducedMotion() ? "auto" : "smooth" }),
    });
    run.on("progress", () => this.#draw());
    run.on("opened", () => this.#draw());
    lookBack.on("changed", () => this.#draw());
    this.#draw();
  }

  /** Shows the name of the goal's metric, which explains it. */
  #nameMetric(spec: MetricSpec | undefined, lab: string): void {
    if (spec === this.#spec) return;
    this.#spec = spec;
    this.#name.replaceChildren(...(spec ? [explainedMetric(spec, lab, sentenceStart(spec.label))] : []));
  }

  #draw(): void {
    const { run } = this;
    const about = run.lab?.about;
    const goal = run.goal;
    const name = goal?.metric ?? about?.charts[0] ?? "";
    const spec = run.series.spec(name);
    const unit = spec?.unit ?? "";
    const value = this.lookBack.last(name);
    this.#nameMetric(spec, about?.id ?? "");
    const margin = this.lookBack.last(marginName(run.series.specs, name) ?? "");
    write(this.#score, formatMeasured(value, margin, 3, unit));
    // Goals are round numbers, so they are written without trailing zeros.
    const target = goal ? `goal ${minus(String(goal.target))}` : "";
    write(this.#targetText, [unit, target].filter(Boolean).join(" · "));
    this.#targetText.title = goal?.words ?? "";
    const earlier = this.lookBack.label;
    write(this.#when, sentenceStart(earlier || `${about?.unit ?? "unit"} ${formatInteger(run.progress.units)}`));
    this.element.classList.toggle("looks-back", earlier !== "");
    const isReached = isSolved(run.progress);
    const isLostAgain = fellBack(run);
    this.element.classList.toggle("fell-back", isLostAgain);
    this.#badge.hidden = this.pill.hidden = !isReached;
    if (!isReached) return;
    const solvedUnit = `${about?.unit ?? "unit"} ${formatInteger(run.progress.solvedAt ?? 0)}`;
    write(this.#solvedUnit, `Goal reached in ${solvedUnit}${isLostAgain ? ", then lost" : ""}`);
    write(this.#pillText, this.#solvedUnit.textContent ?? "");
    const { solvedWork, solvedSeconds } = run.note;
    const costs = [
      solvedWork !== null ? `${formatInteger(solvedWork)} ${about?.work ?? "steps"}` : "",
      solvedSeconds !== null ? formatDuration(solvedSeconds) : "",
    ];
    write(this.#solvedCost, costs.filter(Boolean).join(", "));
  }
}
