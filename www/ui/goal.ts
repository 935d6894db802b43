// The goal panel: the goal's metric by name, in large digits, with its unit and the goal; its chart; and, once the
// goal is reached, the unit (training iteration) and the test that reached it, the effort it took, whether it was lost
// again, and what to try next.

import { el, listen, write } from "../core/dom";
import { formatMeasured, formatDuration, formatInteger, sentenceStart } from "../core/format";
import type { Settings } from "../core/link";
import { reachingTest } from "../core/goal";
import { marginName } from "../core/series";
import type { ShownTest } from "../core/shown-test";
import type { MetricSpec } from "../generated/protocol";
import type { Suggestion } from "./lab-view";
import { reducedMotion } from "../core/theme";
import { reachedByWords, reachedWords, targetWords } from "./goal-words";
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
  /** The value of the shown test. */
  #score = el("span", { class: "score num", text: "–" });
  #targetText = el("span", { class: "score-target" });
  /** The unit in which it was measured. */
  #when = el("span", { class: "score-when num" });
  #badge = el("div", { class: "solved", role: "status" });
  #solvedUnit = el("b", {});
  #solvedCost = el("span", { class: "num" });
  #suggestions = el("div", { class: "solved-next" });

  constructor(
    readonly shown: ShownTest,
    /** Starts a new run with settings that differ from the defaults. */
    readonly startWith: (settings: Settings) => void,
    /** The chart of the goal's metric. */
    curve: HTMLElement,
    /** What to try next. */
    readonly suggestions: () => Suggestion[],
  ) {
    const text = el("div", { class: "solved-words" }, this.#solvedUnit, this.#solvedCost);
    const badgeIcon = el("span", { class: "solved-sign" }, icon("check"));
    this.#badge.append(badgeIcon, text, this.#suggestions);
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
    shown.run.on("opened", () => this.#reset());
    shown.on("changed", () => this.#draw());
    this.#reset();
  }

  /** Prepares for a run that was opened. */
  #reset(): void {
    const items = this.suggestions().map(({ text, settings }) => {
      const start = () => settings && this.startWith(settings);
      const link = settings && el("button", { type: "button", class: "link", text, on: { click: start } });
      return el("li", {}, link ?? text);
    });
    const list = el("ul", { class: "next" }, ...items);
    this.#suggestions.replaceChildren(el("p", { class: "label", text: "What to try next" }), list);
    this.#suggestions.hidden = items.length === 0;
    this.#draw();
  }

  /** Shows the name of the goal's metric, which explains it. */
  #nameMetric(spec: MetricSpec | undefined, lab: string): void {
    if (spec === this.#spec) return;
    this.#spec = spec;
    this.#name.replaceChildren(...(spec ? [explainedMetric(spec, lab, sentenceStart(spec.label))] : []));
  }

  #draw(): void {
    const { shown } = this;
    const { run, lookBack, standing } = shown;
    const about = run.lab?.about;
    const goal = run.goal;
    const name = goal?.metric ?? about?.charts[0] ?? "";
    const spec = run.series.spec(name);
    const unit = spec?.unit ?? "";
    const unitName = about?.unit ?? "unit";
    this.#nameMetric(spec, about?.id ?? "");
    const margin = shown.last(marginName(run.series.specs, name) ?? "");
    write(this.#score, formatMeasured(shown.last(name), margin, 3, unit));
    const target = goal ? `goal ${targetWords(goal.target)}` : "";
    write(this.#targetText, [unit, target].filter(Boolean).join(" · "));
    this.#targetText.title = goal?.words ?? "";
    const earlier = lookBack.label;
    const measured = shown.unitOf(name) ?? run.progress.units;
    write(this.#when, sentenceStart(earlier || `${unitName} ${formatInteger(measured)}`));
    this.element.classList.toggle("looks-back", earlier !== "");
    this.element.classList.toggle("fell-back", standing === "lost");
    this.#badge.hidden = this.pill.hidden = standing === "open";
    if (standing === "open") return;
    write(this.#solvedUnit, reachedWords(unitName, run.progress.solvedAt ?? 0, standing));
    write(this.#pillText, this.#solvedUnit.textContent ?? "");
    const test = reachingTest(run);
    const { solvedWork, solvedSeconds } = run.note;
    const costs = [
      test ? reachedByWords(test, unit, standing) : "",
      solvedWork !== null ? `${formatInteger(solvedWork)} ${about?.work ?? "steps"}` : "",
      solvedSeconds !== null ? formatDuration(solvedSeconds) : "",
    ];
    write(this.#solvedCost, costs.filter(Boolean).join("; "));
  }
}
