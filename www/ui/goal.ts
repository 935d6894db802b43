// The goal panel: the goal's metric in large figures, its chart, and, once the goal is reached, the unit (training
// iteration) that reached it, the effort it took, and what to try next.

import { el, listen, write } from "../core/dom";
import { formatNumber, formatDuration, formatInteger } from "../core/format";
import type { Settings } from "../core/link";
import { isSolved, type Run } from "../core/run";
import type { Suggestion } from "../labs/lab-view";
import { reducedMotion } from "../core/theme";
import { icon } from "./icons";

/**
 * A solved run counts as fallen back while its metric is worse than the goal by more than this fraction of the goal.
 */
const FELL_BACK = 0.2;

export class GoalPanel {
  readonly element: HTMLElement;
  /** A button on the picture that says the goal is reached and scrolls to the suggestions. */
  readonly pill = el("button", { type: "button", class: "solved-pill", title: "What to try next", hidden: true });
  #pillText = el("span", {});
  /** The latest value of the goal's metric. */
  #score = el("span", { class: "score num", text: "–" });
  #targetText = el("span", { class: "score-target" });
  #badge = el("div", { class: "solved", role: "status" });
  #solvedUnit = el("b", {});
  #solvedCost = el("span", { class: "num" });
  #suggestions = el("div", { class: "solved-next" });

  constructor(
    readonly run: Run,
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
      el("p", { class: "score-line" }, this.#score, this.#targetText),
      curve,
      this.#badge,
    );
    this.pill.append(icon("check"), this.#pillText);
    listen(this.pill, {
      click: () => this.#badge.scrollIntoView({ block: "center", behavior: reducedMotion() ? "auto" : "smooth" }),
    });
    run.on("progress", () => this.#draw());
    run.on("opened", () => this.#reset());
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

  #draw(): void {
    const { run } = this;
    const about = run.lab?.about;
    const goal = run.goal;
    const name = goal?.metric ?? about?.charts[0] ?? "";
    const spec = run.series.spec(name);
    const unit = spec?.unit ?? "";
    const value = run.series.last(name);
    write(this.#score, formatNumber(value, 3, unit));
    // Without a unit the text begins with the goal, so the comma is removed.
    write(this.#targetText, goal ? `${unit}, goal: ${formatNumber(goal.target)}`.replace(/^, /, "") : unit);
    this.#targetText.title = goal?.words ?? "";
    const solved = isSolved(run.progress);
    // The distance to the goal, positive where the metric is worse than the goal.
    const shortfall = goal ? (spec?.better === "lower" ? value - goal.target : goal.target - value) : 0;
    const fellBack = goal && shortfall > FELL_BACK * Math.abs(goal.target);
    this.element.classList.toggle("fell-back", solved && Boolean(fellBack));
    this.#badge.hidden = this.pill.hidden = !solved;
    if (!solved) return;
    write(this.#solvedUnit, `Goal reached in ${about?.unit ?? "unit"} ${formatInteger(run.progress.solvedAt ?? 0)}`);
    write(this.#pillText, this.#solvedUnit.textContent ?? "");
    const { solvedWork, solvedSeconds } = run.note;
    const facts = [
      solvedWork !== null ? `${formatInteger(solvedWork)} ${about?.work ?? "steps"}` : "",
      solvedSeconds !== null ? formatDuration(solvedSeconds) : "",
    ];
    write(this.#solvedCost, facts.filter(Boolean).join(", "));
  }
}
